"""Records put into works, measured against gold."""

import json

import pytest
from click.testing import CliRunner

from openseer.cli import group
from openseer.core.errors import BadRequest
from openseer.evaluation.metrics.clustering import score_clusters
from openseer.evaluation.metrics.gold_records import authors_in, match_fields

LONG = "Syntactic clustering of the web and what it costs"
RECORDS = [
    {
        "id": "a-1",
        "cluster": "x",
        "title": LONG,
        "authors": "Andrei Broder, Mark Manasse",
        "year": "1997",
        "venue": "WWW",
    },
    {"id": "b-1", "cluster": "x", "title": LONG.lower(), "authors": "Broder, A. & Manasse, M.", "year": "1997"},
    {"id": "b-2", "cluster": "y", "title": "A theory of harbours in the north", "authors": "Ada King", "year": "1997"},
]


@pytest.fixture
def gold(tmp_path):
    def write(name, rows):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return write


def run(*arguments):
    result = CliRunner().invoke(group, ["evaluate", *map(str, arguments), "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)["scores"]


def test_clusters_are_found_and_written(gold, tmp_path):
    scores = run("cluster", gold("records.jsonl", RECORDS), "--out", tmp_path / "works.tsv")
    assert scores == {"pairs": 100, "pairs.p": 100, "pairs.r": 100, "b3": 100, "across": 100}
    works = dict(line.split("\t") for line in (tmp_path / "works.tsv").read_text().splitlines())
    assert works["a-1"] == works["b-1"] != works["b-2"]


def test_pairs_are_judged(gold, tmp_path):
    pairs = [
        {"left": RECORDS[0], "right": RECORDS[1], "match": True},
        {"left": RECORDS[0], "right": RECORDS[2], "match": False},
    ]
    assert run("match", gold("pairs.jsonl", pairs), "--out", tmp_path / "out") == {
        "pairs": 100,
        "pairs.p": 100,
        "pairs.r": 100,
    }
    first, second = map(float, (tmp_path / "out").read_text().split())
    assert first > 0.5 > second


def test_strings_join_the_record_of_their_line(gold):
    lines = [
        {
            "reference": f"Broder A (1997) {LONG}. Comput Netw 29:1157-1166",
            "doi": "10.1000/1", "atitle": LONG, "firstAuthor": "Broder", "jtitle": "Comput Netw", "volume": "29",
            "firstPage": "1157",
        },
        {
            "reference": "King A (2001) A theory of harbours in the north. Harbour Stud 3:12-19",
            "doi": "10.1000/2", "atitle": "Bees of the southern islands", "firstAuthor": "Lee", "jtitle": "Bee World",
            "volume": "7", "firstPage": "99",
        },
    ]  # fmt: skip
    assert run("reference-doi", gold("strings.jsonl", lines)) == {"precision": 100, "recall": 50}


def test_scores_fall_with_wrong_joins_and_splits():
    gold = {"1": "a", "2": "a", "3": "b", "4": "b"}
    assert score_clusters(gold, dict.fromkeys("1234", "x"))["pairs.p"] == pytest.approx(100 / 3)
    assert score_clusters(gold, {name: name for name in gold})["pairs"] == 0
    assert score_clusters(gold, dict.fromkeys("1234", "x"))["b3"] == pytest.approx(200 / 3)


@pytest.mark.parametrize(
    ("printed", "people"),
    [
        ("Andrei Broder, Mark Manasse", (("Broder", "Andrei"), ("Manasse", "Mark"))),
        ("Brodley, C. E. & Utgoff, P. E.", (("Brodley", "C. E."), ("Utgoff", "P. E."))),
        ("M. W. Craven and J. W. Shavlik.", (("Craven", "M. W."), ("Shavlik", "J. W."))),
        (["Ada King", "Lee, Bob"], (("King", "Ada"), ("Lee", "Bob"))),
        ("", ()),
    ],
)
def test_authors_of_a_record(printed, people):
    assert authors_in(printed) == people


def test_fields_of_a_record_as_cora_names_them():
    record = {
        "author": "Utgoff, P.",
        "date": "(1989).",
        "journal": "Machine Learning,",
        "volume": "Vol. 4,",
        "pages": "pp. 161-186.",
    }
    found = match_fields(record)
    assert (found.year, found.venue, found.volume, found.pages) == (1989, "Machine Learning", "4", "161-186")


@pytest.mark.parametrize("kind", ["match", "cluster", "reference-doi"])
def test_gold_of_another_kind_is_refused_in_words(gold, kind):
    result = CliRunner().invoke(group, ["evaluate", kind, str(gold("gold.jsonl", [{"title": LONG}]))])
    assert isinstance(result.exception, BadRequest)
    assert "Line 1 has no" in str(result.exception)
