"""Records without files: they join what they name, weigh what they should, and go again with their list."""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import openseer
import openseer.ingest.bibliographies
from openseer.acquire.bibliographies.bibtex import read as read_bibtex
from openseer.acquire.bibliographies.normalize_fields import MAX_BYTES
from openseer.acquire.bibliographies.registry import VERSION
from openseer.acquire.hashing import hash_file
from openseer.acquire.local_files import resource_of
from openseer.catalog.identifiers import find
from openseer.catalog.indexing.synchronizer import reindex
from openseer.catalog.serializers import paper_body
from openseer.catalog.work_view import view
from openseer.core.errors import NotFound
from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord
from openseer.core.model.document import Viewer
from openseer.core.model.task import IMPORTER
from openseer.core.settings import Settings
from openseer.evaluation.samples import gold
from openseer.extract.output import bibtex
from openseer.ingest.bibliographies import import_bibliographies, reimport_bibliographies
from openseer.ingest.coordinator import Coordinator
from openseer.match.resolver import resolve
from openseer.operate.verify import verify
from openseer.search.context import SearchContext
from openseer.search.service import SearchRequest, search
from openseer.storage.open import open_library
from openseer.web.app import create_app
from tests.builders import snapshot


@pytest.fixture
def full_record(sample_papers):
    return openseer.extract(sample_papers / "paper-rank.pdf")


NAMES = ("paper-rank", "near-duplicates", "zitationsindex")
ALONE = """
@book{alone, author = {Nemo, Nora}, title = {A Book That Nobody Here Cites}, year = 1988, abstract = {Of solitude.},
  publisher = {Island Press}, url = {https://example.org/alone}, keywords = {islands}}
"""


@pytest.fixture
def library(data):
    with open_library(data) as opened:
        yield opened


@pytest.fixture
def titles(tmp_path):
    """A .bib of sample titles, with venue and DOI of the librarian's own."""
    entries = []
    for name in NAMES:
        paper = gold(name)
        authors = " and ".join(paper["authors"])
        entries.append(
            f"@article{{{name}, author = {{{authors}}}, title = {{{paper['title']}}}, year = {paper['year']},"
            f" journal = {{The Librarian's Journal}}, doi = {{10.5281/zenodo.{name}}}}}\n"
        )
    path = tmp_path / "titles.bib"
    path.write_text("".join(entries))
    return path


def work_of(library, name):
    """The work that holds a sample."""
    for document in library.records.documents():
        sources = library.records.as_seen_by(Viewer.OPERATOR).document(document.sha1).sources
        if sources[0].url.endswith(f"/{name}.pdf"):
            return find(library, document.sha1)
    raise AssertionError(name)


def withdraw(library, sha1):
    with library.records.writing() as writer:
        resolve(writer, {}, writer.retract(sha1, "a test", "deleted").affected)


def test_records_join_the_papers_they_name_and_win_the_vote(library, titles):
    before = library.records.counts()
    (report,) = import_bibliographies(library, [titles])
    assert (report.outcome, report.records, report.refused, report.format) == ("ingested", 3, 0, "bibtex")
    after = library.records.counts()
    assert (after["works"], after["works_with_full_text"]) == (before["works"], before["works_with_full_text"])
    for name in NAMES:
        shown = view(library, work_of(library, name))
        assert shown.documents
        assert (shown.fields.venue, shown.fields.doi) == ("The Librarian's Journal", f"10.5281/zenodo.{name}")
        assert "import" in {one.kind for one in library.records.descriptions_of([shown.id])[shown.id]}
    document = library.records.as_seen_by(Viewer.PUBLIC).document(report.sha1)
    assert (document.mime, document.is_stored, document.detail) == ("text/x-bibtex", True, "records: 3, refused: 0")
    assert library.files.read("records", report.sha1, "bib") == titles.read_bytes()


def test_the_same_list_again_changes_nothing(library, titles, tmp_path):
    import_bibliographies(library, [titles])
    before, changes = snapshot(library.records), library.records.last_change()
    copy = tmp_path / "copy.bib"
    copy.write_bytes(titles.read_bytes())
    assert [one.outcome for one in import_bibliographies(library, [titles, copy])] == ["known", "known"]
    assert (snapshot(library.records), library.records.last_change()) == (before, changes)
    copy.write_bytes(titles.read_bytes() + b"\n")
    assert [one.outcome for one in import_bibliographies(library, [copy])] == ["ingested"], (
        "other bytes are another list"
    )


def test_withdrawn_a_list_takes_its_records_along_and_restored_it_brings_them_back(library, titles, tmp_path):
    before = snapshot(library.records).works
    alone = tmp_path / "alone.bib"
    alone.write_text(ALONE)
    reports = import_bibliographies(library, [titles, alone])
    imported = snapshot(library.records)
    for report in reports:
        withdraw(library, report.sha1)
    assert snapshot(library.records).works == before
    assert [one.outcome for one in import_bibliographies(library, [titles])] == ["known"]
    assert snapshot(library.records).works == before, "importing again is no way round a withdrawal"
    with library.records.writing() as writer:
        for report in reports:
            resolve(writer, {}, writer.reinstate(report.sha1, "a test").affected)
    assert snapshot(library.records) == imported


def test_a_work_known_by_a_record_alone_is_found_and_marked(library, tmp_path):
    path = tmp_path / "alone.bib"
    path.write_text(ALONE)
    (report,) = import_bibliographies(library, [path])
    reindex(library)
    result = search(SearchContext(library.open_index(), library.records), SearchRequest("solitude"))
    assert [one.work.title for one in result.results] == ["A Book That Nobody Here Cites"]
    work = result.results[0].work
    assert (work.documents, work.type, work.keywords) == ((), "book", ("islands",))
    body = paper_body(view(library, work.id), [])
    assert (body["is_citation"], body["has_pdf"], body["abstract"]) == (True, False, "Of solitude.")
    assert (body["publisher"], body["urls"]) == ("Island Press", ["https://example.org/alone"])
    assert verify(library) == []
    with pytest.raises(NotFound, match="is a bibliography"):
        find(library, report.sha1)
    with library.records.writing() as writer:
        writer.retract(report.sha1, "not for everybody", "restricted")
    assert view(library, work.id).reading.abstract == "", "what a hidden list says beyond the vote is hidden"


def test_a_record_joins_the_work_that_is_only_cited(library, tmp_path):
    root = next(
        root for root in library.records.live_works()
        if not library.records.with_full_text([root]) and len(view(library, root).fields.title) > 30
        and view(library, root).fields.authors
    )  # fmt: skip
    fields = view(library, root).fields
    item = {
        "type": "article-journal",
        "title": fields.title,
        "author": [{"family": family, "given": given} for family, given in fields.authors],
        "DOI": "10.5555/cited.1",
    }
    path = tmp_path / "cited.json"
    path.write_text(json.dumps([item]))
    before = library.records.counts()["works"]
    import_bibliographies(library, [path])
    assert library.records.counts()["works"] == before
    assert view(library, root).fields.doi == "10.5555/cited.1"
    assert find(library, "10.5555/cited.1") == library.records.canonical_id(root)


def test_records_before_the_paper_or_after_it_make_the_same_library(tmp_path, few_papers, titles):
    found = []
    for number, order in enumerate(("papers first", "records first")):
        with open_library(tmp_path / f"lib{number}", create=True) as library:
            steps = [lambda lib: Coordinator(lib).run([few_papers]), lambda lib: import_bibliographies(lib, [titles])]
            for step in steps if order == "papers first" else steps[::-1]:
                step(library)
            found.append(snapshot(library.records))
    assert found[0] == found[1]


def test_what_is_wrong_with_a_record_is_told_and_the_others_go_in(library, tmp_path):
    path = tmp_path / "mixed.ris"
    path.write_text("TY  - JOUR\nPY  - 1999\nER  -\nTY  - JOUR\nTI  - A title of its own\nAU  - Nemo, N.\nER  -\n")
    (report,) = import_bibliographies(library, [path])
    assert (report.outcome, report.records, report.refused) == ("ingested", 1, 1)
    assert report.troubles == (RejectedRecord(1, "", "it has neither a title nor a DOI nor an arXiv id"),)


@pytest.mark.parametrize(
    ("name", "content", "outcome", "has_row"),
    [
        ("a.json", "[{", "corrupt", True),
        ("a.json", '{"not": "a record"}', "no_records", True),
        ("a.csv", "colour,size\nred,7\n", "corrupt", True),
        ("a.bib", "% nothing yet", "no_records", True),
        ("a.txt", "Dear all", "unsupported_type", False),
        ("a.bib", "%PDF-1.4", "unsupported_type", False),
        ("empty", "", "unsupported_type", False),
        ("empty.bib", "", "no_records", True),
    ],
)
def test_a_file_that_gives_nothing(tmp_path, name, content, outcome, has_row):
    (tmp_path / name).write_text(content)
    with open_library(tmp_path / "lib", create=True) as library:
        for _ in range(2):
            (report,) = import_bibliographies(library, [tmp_path / name])
            assert (report.outcome, report.failed) == (outcome, True)
            assert report.detail
            assert report.hint
        assert [one.outcome for one in library.records.documents()] == [outcome] * has_row
        assert list(library.files.names("records")) == []
        assert [fault for fault in verify(library) if fault.area != "index"] == []


def test_too_large_absent_and_slow_files(tmp_path):
    slow = tmp_path / "slow.bib"
    slow.write_text("@string{a = {Deep {\\'e}}}" + "@misc{a, title = " + " # ".join("a" * 900) + "}\n")
    slow.write_text(slow.read_text() * 300)
    huge = tmp_path / "huge.bib"
    with huge.open("wb") as out:
        out.truncate(MAX_BYTES + 1)
    hasty = Settings.model_validate({"workers": {"timeout": 0.001}})
    with open_library(tmp_path / "lib", create=True, settings=hasty) as library:
        reports = import_bibliographies(library, [huge, tmp_path / "absent.bib", slow])
        assert {one.outcome for one in reports} == {"too_large", "unreadable", "timeout"}
    with open_library(tmp_path / "lib") as library:
        assert [one.outcome for one in import_bibliographies(library, [slow])] == ["ingested"], (
            "another day may do better"
        )


def test_a_list_met_by_ingest_stays_what_it_is(library, titles):
    assert Coordinator(library).run([titles]).counts == {"unsupported_type": 1}
    (report,) = import_bibliographies(library, [titles])
    assert report.outcome == "ingested"
    before = snapshot(library.records)
    assert Coordinator(library).run([titles]).counts == {"known": 1}
    assert snapshot(library.records) == before
    assert library.records.re_extractable(None, IMPORTER) == [report.sha1]
    assert report.sha1 not in library.records.re_extractable(None)


def test_read_again_it_says_the_same_as_a_new_generation(library, titles):
    (report,) = import_bibliographies(library, [titles])
    before = snapshot(library.records)
    assert [one.outcome for one in reimport_bibliographies(library, [report.sha1])] == ["ingested"]
    assert snapshot(library.records) == before
    assert library.records.as_seen_by(Viewer.PUBLIC).document(report.sha1).generation == 2
    assert [suffix for sha1, suffix in library.files.names("extraction") if sha1 == report.sha1] == ["2.records"]


def test_verify_mends_a_lost_list_and_a_lost_shelf(library, titles):
    (report,) = import_bibliographies(library, [titles])
    reindex(library)
    library.files.delete("records", report.sha1, "bib")
    library.files.delete("extraction", report.sha1, "1.records")
    assert {fault.message for fault in verify(library)} == {"the file is missing", "its extraction is missing"}
    assert all(fault.mended for fault in verify(library, repair=True))
    reindex(library)
    assert verify(library) == []


def test_stopped_between_two_batches_the_next_run_goes_on(library, titles, monkeypatch):
    before = library.records.counts()["works"]
    calls = []

    def stopped(*arguments):
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        resolve(*arguments)

    monkeypatch.setattr(openseer.ingest.bibliographies, "BATCH_RECORDS", 1)
    monkeypatch.setattr(openseer.ingest.bibliographies, "resolve", stopped)
    with pytest.raises(KeyboardInterrupt):
        import_bibliographies(library, [titles])
    assert library.records.counts()["works"] > before, "it was stopped in the middle"
    monkeypatch.undo()
    assert [one.outcome for one in import_bibliographies(library, [titles])] == ["ingested"]
    assert library.records.counts()["works"] == before
    assert [fault for fault in verify(library) if fault.area != "index"] == []


def test_records_are_read_in_another_process(library, titles, monkeypatch):
    def never(text):
        raise AssertionError("read in the process that writes")

    monkeypatch.setattr(openseer.ingest.bibliographies, "decode_text", never)
    assert [one.outcome for one in import_bibliographies(library, [titles])] == ["ingested"]


def test_a_damaged_shelf_hides_only_its_own_words(library, tmp_path):
    path = tmp_path / "alone.bib"
    path.write_text(ALONE)
    (report,) = import_bibliographies(library, [path])
    with library.files.as_path("extraction", report.sha1, "1.records") as shelf:
        pass
    shelf.chmod(0o644)
    Path(shelf).write_bytes(shelf.read_bytes()[:20])
    with sqlite3.connect(library.data / "library.db") as db:
        (work,) = db.execute(
            "SELECT canonical_id FROM work JOIN observation ON description = description_id WHERE sha1 = ?",
            (report.sha1,),
        )
    db.close()
    assert view(library, work[0]).fields.title == "A Book That Nobody Here Cites"
    assert view(library, work[0]).reading.abstract == ""


def test_the_page_of_a_work_known_by_a_record_alone(library, tmp_path):
    path = tmp_path / "alone.bib"
    path.write_text(
        ALONE.replace("https://example.org/alone", "javascript:alert(1)")
        + ALONE.replace("A Book That Nobody Here Cites", "Harbours Seen from Solitude")
    )
    (report,) = import_bibliographies(library, [path])
    reindex(library)
    with TestClient(create_app(library)) as web:
        hits = {hit["title"]: hit for hit in web.get("/api/search", params={"q": "solitude"}).json()["response"]}
        html = web.get(f"/works/{hits['Harbours Seen from Solitude']['cluster_id']}").text
        assert "known only from imported records" in html
        assert 'href="https://example.org/alone"' in html
        assert "Island Press" in html
        assert web.get(f"/document/{report.sha1}.pdf").status_code == 404
        assert "javascript:" not in web.get(f"/works/{hits['A Book That Nobody Here Cites']['cluster_id']}").text
        assert "citation only" in web.get("/search", params={"q": "solitude"}).text


def test_the_bibliography_that_we_write_can_be_imported(full_record):
    written = bibtex.bibtex(full_record, Path("paper.pdf")).decode()
    read = [one for one in read_bibtex(written) if isinstance(one, BibliographyRecord)]
    assert read[0].title == full_record.title
    assert [family for family, _ in read[0].authors] == [author.family for author in full_record.authors]
    titles = {one.title for one in read}
    wanted = {entry.title.rstrip(" .") for entry in full_record.references if entry.title}
    assert len(wanted) > 5
    assert wanted <= titles


def test_a_file_that_another_process_imports_is_waited_for(library, tmp_path):
    file = tmp_path / "one.bib"
    file.write_text("@article{a, title={On waiting for others}, author={Ng, Ann}, year={1999}}")
    facts, _ = hash_file(file)
    with library.records.writing() as writer:
        task = writer.register(resource_of(str(file)), facts, VERSION, IMPORTER).task
        assert writer.lease([task], "elsewhere:1:1", 1.5)
    started = time.monotonic()
    (report,) = import_bibliographies(library, [file])
    assert (report.outcome, report.records) == ("ingested", 1)
    assert time.monotonic() - started > 1.0, "it waited for the lease to end"
    assert import_bibliographies(library, [file])[0].outcome == "known"
