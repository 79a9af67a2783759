"""The way of a document: what is kept, what is counted, what becomes one work."""

from __future__ import annotations

import gzip
import json
import os
import shutil

import pytest

import openseer.ingest.batch_writer
import openseer.ingest.sources
from openseer.acquire.hashing import hash_file
from openseer.catalog.identifiers import find
from openseer.catalog.work_view import view
from openseer.core.model.document import Viewer
from openseer.core.settings import Settings
from openseer.evaluation.samples import gold, names
from openseer.ingest.coordinator import Coordinator
from openseer.operate.verify import verify
from openseer.storage.codecs.document_summary import decode
from openseer.storage.open import open_library
from tests.builders import snapshot


@pytest.fixture
def library(tmp_path):
    with open_library(tmp_path / "data", create=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def full(sample_data):
    with open_library(sample_data) as opened:
        yield opened


def test_a_document_is_kept_with_text_extraction_and_reading(library, few_papers):
    Coordinator(library).run([few_papers / "paper-rank.pdf"])
    document = next(library.records.documents())
    assert (document.outcome, document.is_stored, document.generation) == ("ingested", True, 1)
    assert library.files.read("pdf", document.sha1, "pdf") == (few_papers / "paper-rank.pdf").read_bytes()
    text = gzip.decompress(library.files.read("text", document.sha1, "1.txt.gz")).decode()
    assert text.count("\f") == document.pages - 1
    record = json.loads(gzip.decompress(library.files.read("extraction", document.sha1, "1.json.gz")))
    assert record["sha1"] == document.sha1
    assert record["evidence"]["title"]
    assert decode(library.records.summary(document.sha1)).references


def test_what_cannot_be_taken_in_has_a_row_that_says_why(library, few_papers):
    (few_papers / "huge.pdf").write_bytes(b"%PDF-1.4" + b"x" * 2000)
    (few_papers / "image.png").write_bytes(b"GIF89a")
    strict = Settings.model_validate({"extract": {"max_bytes": 1000}})
    with open_library(library.data, settings=strict) as small:
        progress = Coordinator(small).run([few_papers / "huge.pdf", few_papers / "image.png"])
    rows = {one.outcome: (one.is_stored, one.detail) for one in library.records.documents()}
    assert rows["too_large"] == (False, "The file has 2,008 bytes; 1,000 are allowed.")
    assert rows["unsupported_type"] == (False, "There is no reader for image/gif.")
    assert len(progress.troubles) == 2


def test_a_file_that_vanishes_is_counted_and_stops_nobody(library, few_papers, tmp_path):
    (few_papers / "dangling.pdf").symlink_to(tmp_path / "nowhere")
    progress = Coordinator(library).run([few_papers / "paper-rank.pdf", few_papers / "dangling.pdf"])
    assert progress.counts == {"ingested": 1, "unreadable": 1}


def test_a_document_that_cannot_be_written_fails_alone(library, few_papers, monkeypatch):
    real = openseer.ingest.batch_writer.observe
    victim = "near-duplicates.pdf"

    def sabotaged(writer, job, result):
        if job.path.endswith(victim):
            raise RuntimeError("no disk can hold this")
        return real(writer, job, result)

    monkeypatch.setattr(openseer.ingest.batch_writer, "observe", sabotaged)
    progress = Coordinator(library).run([few_papers])
    assert progress.counts == {"ingested": 3, "store_unavailable": 1, "too_short": 1}
    monkeypatch.undo()
    again = Coordinator(library)
    assert again.retry_failed() == 2
    assert again.run([few_papers]).counts == {"ingested": 1, "too_short": 1, "known": 3}


def test_reading_again_changes_nothing_but_the_generation(data):
    with open_library(data) as library:
        before = snapshot(library.records)
        documents = [one.sha1 for one in library.records.documents() if one.outcome == "ingested"][:3]
        assert Coordinator(library).re_extract(documents).counts == {"ingested": 3}
        assert snapshot(library.records) == before
        assert library.records.as_seen_by(Viewer.OPERATOR).document(documents[0]).generation == 2


def works_of(full):
    """Sample name -> the work that holds it."""
    found = {}
    for document in full.records.documents():
        sources = full.records.as_seen_by(Viewer.OPERATOR).document(document.sha1).sources
        name = sources[0].url.rsplit("/", 1)[1].removesuffix(".pdf")
        if document.outcome == "ingested":
            found[name] = find(full, document.sha1)
    return found


def test_every_sample_has_the_outcome_it_should(full, sample_papers):
    outcomes = full.records.outcomes()
    assert sum(outcomes.values()) == len(names())
    papers = [name for name in names() if gold(name)["academic"] and not name.startswith("scan")]
    assert outcomes["no_text"] == 1, "the scan"
    assert outcomes["ingested"] >= len(papers)
    assert outcomes.get("not_academic", 0) + outcomes.get("too_short", 0) >= 3, "invoice, leaflet, CV and the like"
    assert set(papers) <= set(works_of(full)), "no paper is refused"


def test_versions_of_one_title_are_one_work_and_other_papers_are_not(full):
    works = works_of(full)
    papers = [name for name in works if gold(name)["academic"]]
    together, apart = 0, 0
    for name in papers:
        for other in papers:
            if name < other and name.removesuffix("-preprint") == other.removesuffix("-preprint"):
                together += works[name] == works[other]
                apart += works[name] != works[other]
            elif name < other:
                assert works[name] != works[other], (name, other)
    assert together >= 3
    assert apart == 0


def test_samples_that_cite_each_other_are_linked(full):
    works = works_of(full)
    linked, wanted = 0, 0
    for name, work in works.items():
        cited = {entry.work for entry in view(full, work).entries}
        for other in gold(name).get("cites_samples", []):
            wanted += 1
            linked += works[other] in cited
    print(f"{linked} of {wanted} citations between samples are linked")
    assert wanted >= 80
    assert linked / wanted >= 0.6


def test_a_file_that_vanishes_or_changes_after_it_was_hashed_costs_only_itself(library, few_papers, monkeypatch):
    real = hash_file

    def hash_and_meddle(path, *more):
        found = real(path, *more)
        if path.name == "paper-rank.pdf":
            path.unlink()
        if path.name == "zitationsindex.pdf":
            path.write_bytes(path.read_bytes() + b"more")
        return found

    monkeypatch.setattr(openseer.ingest.sources, "hash_file", hash_and_meddle)
    counts = Coordinator(library).run([few_papers]).counts
    assert counts["unreadable"] == 2
    assert counts["ingested"] == 2
    assert verify(library) == [] or {fault.area for fault in verify(library)} == {"index"}


def test_the_library_itself_is_left_out(few_papers):
    with open_library(few_papers / "openseer-data", create=True) as inside:
        first = Coordinator(inside).run([few_papers])
        second = Coordinator(inside).run([few_papers])
    assert first.total == second.total == 5


def test_a_name_that_is_no_text_stops_nobody(library, few_papers):
    odd = os.fsencode(few_papers) + b"/odd-\xff.gif"
    with open(odd, "wb") as out:  # noqa: PTH123 - a name of bytes
        out.write(b"GIF89a")
    paper = os.fsencode(few_papers) + b"/odd-\xfe.pdf"
    shutil.copy(few_papers / "paper-rank.pdf", paper)
    progress = Coordinator(library).run([few_papers])
    assert progress.counts == {"ingested": 4, "known": 1, "too_short": 1, "unsupported_type": 1}
    assert any("odd-�.gif" in one.path for one in progress.troubles)


def test_copies_are_known_however_small_the_batches(few_papers, tmp_path):
    for number in range(3):
        shutil.copy(few_papers / "paper-rank.pdf", few_papers / f"copy-{number}.pdf")
    eager = Settings.model_validate({"ingest": {"batch": 1}})
    with open_library(tmp_path / "eager", create=True, settings=eager) as library:
        assert Coordinator(library, workers=1).run([few_papers]).counts == {"ingested": 4, "known": 3, "too_short": 1}


def test_a_failed_repair_leaves_the_document_as_it_was(data):
    with open_library(data) as library:
        document = next(one for one in library.records.documents() if one.outcome == "ingested")
        hasty = Settings.model_validate({"workers": {"timeout": 0.001}})
        with open_library(data, settings=hasty) as hurried:
            assert Coordinator(hurried, workers=1).re_extract([document.sha1]).counts["ingested"] == 0
        assert library.records.as_seen_by(Viewer.PUBLIC).document(document.sha1).outcome == "ingested"
        assert verify(library) == []


def test_what_was_too_short_is_read_again_when_the_limit_falls(few_papers, tmp_path):
    with open_library(tmp_path / "d", create=True) as library:
        Coordinator(library).run([few_papers / "short.pdf"])
    lenient = Settings.model_validate({"extract": {"min_words": 1, "min_scholarly": 0}})
    with open_library(tmp_path / "d", settings=lenient) as library:
        again = Coordinator(library)
        assert again.retry_failed() == 1
        assert again.run([few_papers / "short.pdf"]).counts == {"ingested": 1}
