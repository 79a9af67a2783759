"""`openseer evaluate`: the default configuration against the gold of our own samples."""

from __future__ import annotations

import gzip
import json
import shutil

import pytest
from click.testing import CliRunner

from openseer.cli import group
from openseer.core.errors import BadRequest
from openseer.evaluation.evaluate import KINDS, evaluate
from openseer.evaluation.metrics.full_text import FULL_TEXT_SCORES
from openseer.evaluation.samples import full_text_gold, gold

PAPERS = ("near-duplicates", "paper-rank", "zitationsindex", "harvesting")
OTHERS = ("negative-invoice", "negative-slides")


@pytest.fixture(scope="module")
def folder(sample_papers, tmp_path_factory):
    """Four papers with their gold, one of them unreadable, and an index with two other documents."""
    folder = tmp_path_factory.mktemp("gold")
    index = []
    for name in (*PAPERS, *OTHERS):
        shutil.copy(sample_papers / f"{name}.pdf", folder)
        index.append({"id": name, "file": f"{name}.pdf", "academic": name in PAPERS, "kind": gold(name)["kind"]})
        if name in PAPERS:
            (folder / f"{name}.json").write_text(json.dumps(gold(name)))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    (folder / "broken.json").write_text(json.dumps({"title": "Gone", "year": 1999}))
    index += [{"id": "broken", "file": "broken.pdf", "academic": True}, {"id": "unknown", "file": "nowhere.pdf"}]
    index.append({"id": "parody", "file": "negative-invoice.pdf", "academic": False, "kind": "borderline"})
    (folder / "index.jsonl").write_text("".join(json.dumps(line) + "\n" for line in index))
    return folder


def test_headers_and_an_unreadable_paper_counts_as_wrong(folder):
    found = evaluate("header", folder, 2)
    assert found.documents == len(found.lines) == 5
    assert found.scores["year"] == 80.0
    assert found.scores["authors.list"] == 100.0
    assert found.learned is None


def test_references(folder):
    found = evaluate("references", folder, 2)
    assert list(found.scores) == ["refs", "refs.count", "refs.title", "refs.year", "refs.author1"]
    assert found.scores["refs"] > 95
    assert found.learned is None


@pytest.fixture
def deep(folder, tmp_path):
    """Deep gold in a folder beside that of the papers, and of one paper that is nowhere."""
    shutil.copytree(folder, tmp_path / "papers")
    (tmp_path / "deep").mkdir()
    for name in PAPERS:
        (tmp_path / "deep" / f"{name}.json").write_text(json.dumps(full_text_gold(name)))
    (tmp_path / "deep" / "nowhere.json").write_text(json.dumps({"sections": [{"heading": "Gone", "level": 1}]}))
    return tmp_path / "deep"


def test_what_stands_inside_papers_in_the_folder_beside(deep):
    found = evaluate("deep", deep, 2)
    assert found.documents == len(found.lines) == 4
    assert list(found.scores) == [name for name in FULL_TEXT_SCORES if name != "funders"]
    assert found.scores["headings.r"] == found.scores["headings.level"] == found.scores["ack"] == 100.0
    assert found.scores["mentions"] > 95
    assert found.learned is None


def test_deep_gold_may_stand_beside_its_paper(deep):
    shutil.rmtree(deep.parent / "papers", ignore_errors=True)
    with pytest.raises(BadRequest, match="no paper with gold"):
        evaluate("deep", deep)
    (deep / "harvesting.pdf").write_bytes(b"%PDF-1.4 and no more")
    assert evaluate("deep", deep, 1).scores["headings"] == 0.0


def test_verdicts_with_their_misses_and_borderline_ones_apart(folder):
    found = evaluate("academic", folder, 2)
    assert found.scores == {"accuracy": 100.0, "accepted": 100.0, "refused": 100.0, "borderline": 100.0}
    assert found.misses == ("broken: not read (corrupt)",)
    assert found.documents == found.learned == 7, "the samples have taught the model"
    assert {"id", "academic", "verdict", "type", "probability"} <= json.loads(found.lines[0]).keys()


@pytest.mark.parametrize("packed", [False, True])
def test_reference_strings(tmp_path, packed):
    raw = "Garfield, E. (1955). Citation indexes for science. Science, 122, 108-111."
    spans = [
        [0, 12, "author"],
        [13, 20, "date"],
        [21, 50, "title"],
        [51, 58, "journal"],
        [60, 63, "volume"],
        [65, 72, "pages"],
    ]
    line = json.dumps({"raw": raw, "spans": spans}).encode() + b"\n\n"
    file = tmp_path / ("gold.jsonl.gz" if packed else "gold.jsonl")
    file.write_bytes(gzip.compress(line) if packed else line)
    found = evaluate("reference-strings", file)
    assert found.documents == 1
    assert found.scores["micro"] == 100.0
    assert json.loads(found.lines[0])["title"] == "Citation indexes for science"


def test_the_command_prints_scores_and_writes_what_was_read(folder, tmp_path):
    out = tmp_path / "read.jsonl"
    shown = CliRunner().invoke(group, ["evaluate", "header", str(folder), "--out", str(out), "--workers", "2"])
    assert shown.exit_code == 0
    assert "  80.0  year\n" in shown.stdout
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [record["file"].rsplit("/", 1)[1] for record in records] == sorted(
        f"{name}.pdf" for name in (*PAPERS, "broken")
    )
    as_json = CliRunner().invoke(group, ["evaluate", "header", str(folder), "--json"])
    assert json.loads(as_json.stdout)["scores"]["year"] == 80.0


def test_an_unknown_kind_is_a_wrong_usage_that_names_the_kinds(folder):
    shown = CliRunner().invoke(group, ["evaluate", "weather", str(folder)])
    assert shown.exit_code == 2
    assert all(kind in shown.output for kind in KINDS)


@pytest.mark.parametrize("kind", ["header", "references", "deep", "academic"])
def test_a_folder_without_gold_is_told(tmp_path, kind):
    with pytest.raises(BadRequest, match=r"no paper with gold|cannot be read"):
        evaluate(kind, tmp_path)


@pytest.mark.parametrize("data", [b"", b"not json\n"])
def test_a_file_without_gold_is_told(tmp_path, data):
    (tmp_path / "gold.jsonl").write_bytes(data)
    with pytest.raises(BadRequest):
        evaluate("reference-strings", tmp_path / "gold.jsonl")
