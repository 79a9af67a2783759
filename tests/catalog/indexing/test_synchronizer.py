"""The index follows the records: exactly, once, and from any state it is found in."""

from __future__ import annotations

import contextlib
import threading
import time

import pytest
from tests.builders import Paper, ingest_papers, register

from openseer.catalog.indexing.process import IndexProcess
from openseer.catalog.indexing.synchronizer import IndexSynchronizer, reindex
from openseer.core.errors import IndexBehind
from openseer.core.model.description import header_id, work_id_of
from openseer.core.model.query import Everything, FacetRequest, SearchQuery, Word
from openseer.core.model.resource import Resource
from openseer.match.resolver import resolve
from openseer.operate.curation import merge
from openseer.operate.verify import verify
from openseer.storage.open import open_library
from openseer.storage.protocols.index import Checkpoint

CITED = Paper("Syntactic clustering of the web", "Broder")
CITING = Paper("Finding near-duplicate web pages", "Henzinger", cites=(("Syntactic clustering of the web", "Broder"),))
ANOTHER = Paper(
    "Detecting near-duplicates for crawling", "Manku", cites=(("Syntactic clustering of the web", "Broder"),)
)


@pytest.fixture
def library(tmp_path):
    with open_library(tmp_path / "data", create=True) as opened:
        yield opened


@pytest.fixture
def follower(library):
    index = library.open_index()
    with contextlib.closing(index.writer()) as writer:
        yield IndexSynchronizer(library, writer, index.checkpoint())


def drain(follower):
    """How many steps it took to catch up."""
    steps = 0
    while follower.step():
        steps += 1
    return steps


def titles(library):
    hits = library.open_index().search(SearchQuery(Everything(), limit=100)).hits
    return sorted((hit.work.title, hit.work.cited) for hit in hits)


def test_every_work_is_indexed_and_the_checkpoint_is_the_last_change(library, follower):
    ingest_papers(library.records, [CITED, CITING])
    drain(follower)
    assert titles(library) == [(CITING.title, 0), (CITED.title, 1)]
    at = library.open_index().checkpoint()
    assert at == Checkpoint(library.records.uuid, *[library.records.last_change()] * 2)
    assert follower.step() is False


def test_a_citation_that_comes_later_raises_the_count(library, follower):
    ingest_papers(library.records, [CITED, CITING])
    drain(follower)
    ingest_papers(library.records, [ANOTHER])
    drain(follower)
    assert (CITED.title, 2) in titles(library)


def test_counts_alone_wait_while_changes_come(library, follower, monkeypatch):
    monkeypatch.setattr("openseer.catalog.indexing.synchronizer.IDLE_SECONDS", 3600)
    ingest_papers(library.records, [CITED, CITING])
    drain(follower)
    assert follower.is_idle
    ingest_papers(library.records, [ANOTHER])
    while follower.step(follower.is_idle):
        pass
    assert not follower.is_idle
    assert (CITED.title, 1) in titles(library)
    drain(follower)
    assert (CITED.title, 2) in titles(library)


def test_counts_alone_are_gathered_and_survive_a_kill(library):
    ingest_papers(library.records, [CITED, CITING])
    index = library.open_index()
    with contextlib.closing(index.writer()) as writer:
        drain(IndexSynchronizer(library, writer, index.checkpoint()))
    ingest_papers(library.records, [ANOTHER])
    with contextlib.closing(index.writer()) as writer:
        IndexSynchronizer(library, writer, index.checkpoint()).step()
    at = index.checkpoint()
    due = library.records.changed_works(at.counted, at.position)
    assert {index.get(work).title for work in due} == {CITED.title, ANOTHER.title}
    assert (CITED.title, 1) in titles(library)
    with contextlib.closing(index.writer()) as writer:
        drain(IndexSynchronizer(library, writer, index.checkpoint()))
    assert (CITED.title, 2) in titles(library)
    assert index.checkpoint().counted == library.records.last_change()


def test_works_that_became_one_are_one_in_the_index(library, follower):
    ingest_papers(library.records, [CITING])
    drain(follower)
    ingest_papers(library.records, [CITED])
    drain(follower)
    assert titles(library) == [(CITING.title, 0), (CITED.title, 1)]
    ids = library.open_index().search(SearchQuery(Word("clustering"))).hits[0].work.ids
    assert len(ids) == 2


def test_a_work_that_joins_another_while_it_is_read_holds_up_nobody(library, follower, monkeypatch):
    papers = [CITED, Paper("A theory of tides in northern estuaries", "Moore")]
    ingest_papers(library.records, papers)
    first, second = (work_id_of(header_id(one.sha1)) for one in papers)
    seen = library.records.descriptions_of
    joined: list[int] = []

    def seen_before(roots):
        """What stood there before another process made one work of the two."""
        found = seen(roots)
        if not joined:
            joined.append(merge(library, first, second, "the same"))
        return found

    monkeypatch.setattr(library.records, "descriptions_of", seen_before)
    drain(follower)
    assert joined
    assert len({library.records.canonical_id(one) for one in (first, second)}) == 1
    assert len(titles(library)) == 1


def test_a_withdrawn_work_leaves_the_index(library, follower):
    ingest_papers(library.records, [CITED, CITING])
    drain(follower)
    with library.records.writing() as writer:
        resolve(writer, {}, writer.retract(CITING.sha1, "a test", "deleted").affected)
    drain(follower)
    assert titles(library) == [(CITED.title, 0)]


def test_an_index_of_another_library_is_built_anew(library, follower):
    ingest_papers(library.records, [CITED])
    follower.checkpoint = Checkpoint("some other library", 99)
    assert drain(follower) == 1
    assert titles(library) == [(CITED.title, 0)]


def test_a_lost_index_knows_what_it_lacks(library):
    ingest_papers(library.records, [CITED, CITING])
    assert reindex(library) == 2
    library.delete_index()
    index = library.open_index()
    with contextlib.closing(index.writer()) as writer:
        drain(IndexSynchronizer(library, writer, index.checkpoint()))
    assert len(titles(library)) == 2


def test_a_text_that_is_lost_holds_up_nobody(data):
    with open_library(data) as library:
        lost = next(one for one in library.records.documents() if one.outcome == "ingested")
        library.files.delete("text", lost.sha1, f"{lost.generation}.txt.gz")
        assert reindex(library) > 100
        assert [fault.message for fault in verify(library)] == ["its text is missing"]


def test_the_process_follows_what_others_write_and_ends_with_its_parent(library):
    with IndexProcess(library) as catchup:
        ingest_papers(library.records, [CITED, CITING])
        catchup.wait()
        assert len(titles(library)) == 2
        process = catchup._process
    assert process.returncode == 0


def test_a_second_process_takes_over_when_the_first_ends(library):
    with IndexProcess(library) as first:
        ingest_papers(library.records, [CITED])
        first.wait()
        second = IndexProcess(library)
    ingest_papers(library.records, [CITING])
    started = time.monotonic()
    second.wait()
    second.close()
    assert len(titles(library)) == 2
    assert time.monotonic() - started < 20


def test_a_catch_up_that_cannot_work_says_why(library, tmp_path):
    ingest_papers(library.records, [CITED])
    (tmp_path / "data" / "index").write_text("a file where the folder should be")
    with IndexProcess(library) as catchup, pytest.raises(IndexBehind, match="cannot be opened"):
        catchup.wait()


def test_a_catch_up_process_that_died_is_started_again(library):
    stop = threading.Event()
    with IndexProcess(library) as catchup:
        watcher = threading.Thread(target=catchup.watch, args=(stop,))
        watcher.start()
        catchup._process.kill()
        catchup._process.wait()
        deadline = time.monotonic() + 20
        while not catchup.alive and time.monotonic() < deadline:
            time.sleep(0.05)
        ingest_papers(library.records, [CITED])
        catchup.wait()
        stop.set()
        watcher.join()
    assert titles(library) == [(CITED.title, 0)]


def hosts(library):
    counted = library.open_index().search(SearchQuery(Everything(), facets=(FacetRequest("host"),))).facets["host"]
    return {one.value: one.count for one in counted}


def test_a_work_is_counted_at_every_host_that_led_to_a_file_of_it(library, follower):
    copy = Paper(CITED.title, CITED.author, copy=1)
    ingest_papers(library.records, [CITED, copy, CITING])
    drain(follower)
    assert hosts(library) == {}
    moved = Resource(
        "https://mirror.example.org:8443/b.pdf", also=("http://old.example.com/b", "https://Old.example.com/b")
    )
    register(library.records, moved, CITED.facts, 1)
    register(library.records, Resource("http://[broken"), CITED.facts, 1)
    register(library.records, Resource("ftp://copies.example.net/b.pdf"), copy.facts, 1)
    drain(follower)
    assert hosts(library) == {"mirror.example.org": 1, "old.example.com": 1, "copies.example.net": 1}
    (found,) = library.open_index().search(SearchQuery(Word("old.example.com", "host"))).hits
    assert found.work.title == CITED.title
    last = library.records.last_change()
    register(library.records, moved, CITED.facts, 1)
    register(library.records, Resource("file:///elsewhere/b.pdf"), CITED.facts, 1)
    assert library.records.last_change() == last, "what is known already changes nothing"
