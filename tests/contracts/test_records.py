"""The contract of the records: every keeper passes these, whatever is stopped, repeated or interleaved."""

from __future__ import annotations

import contextlib
import gc
import itertools
import multiprocessing
import random
import threading

import pytest

from openseer.core.errors import Denied, Gone, Locked, NewerLibrary, NotALibrary, NotFound, RemovedByLaw
from openseer.core.model.description import (
    Description,
    MatchFields,
    MatchLink,
    Observation,
    header_id,
    import_id,
    work_id_of,
)
from openseer.core.model.document import DocumentSelection, FileFacts, Viewer, Visibility
from openseer.core.model.resource import Resource
from openseer.core.model.task import IMPORTER
from openseer.match import blocking_keys, pairwise
from openseer.match.resolver import recluster, resolve
from openseer.storage.protocols.records import Affected, ExtractionFacts
from openseer.storage.sql.reader import SqlRecords
from tests.builders import Paper, cited, ingest_papers, observe, register, snapshot

CLUSTERING = ("Syntactic clustering of the web", "Broder")
HUBS = ("Authoritative sources in a hyperlinked environment", "Kleinberg")
ANATOMY = ("The anatomy of a search engine", "Brin")

PAPERS = (
    Paper(*CLUSTERING, cites=(HUBS,)),
    Paper(*HUBS),
    Paper(*ANATOMY, cites=(CLUSTERING, HUBS)),
    Paper(*ANATOMY, cites=(CLUSTERING, HUBS), copy=1),
    Paper("Finding near-duplicate web pages", "Henzinger", cites=(CLUSTERING, ANATOMY)),
    Paper("Finding near duplicate Web pages!", "Henzinger", cites=(CLUSTERING, ("A work nobody has", "Nemo"))),
)


@pytest.fixture(params=["sqlite", "postgresql"])  # a new keeper is one more word
def place(request, tmp_path):
    """Where the records of a new library are kept."""
    return tmp_path / "library.db" if request.param == "sqlite" else request.getfixturevalue("address")


@pytest.fixture
def records(place):
    opened = SqlRecords(place, lock_timeout=20)
    yield opened
    opened.close()


@pytest.fixture
def serial(tmp_path):
    """The library that the papers make in SQLite when nothing goes wrong: every keeper makes the same."""
    opened = SqlRecords(tmp_path / "serial.db")
    for paper in PAPERS:
        ingest_papers(opened, [paper])
    yield snapshot(opened)
    opened.close()


def test_a_document_is_known_only_when_it_is_finished(records):
    paper = PAPERS[0]
    assert not register(records, paper.resource, paper.facts, 1).known
    assert not register(records, paper.resource, paper.facts, 1).known
    ingest_papers(records, [paper])
    assert register(records, paper.resource, paper.facts, 1).known
    assert not register(records, paper.resource, paper.facts, 2).known, "a newer reader wants to read it again"
    assert len(records.as_seen_by(Viewer.PUBLIC).document(paper.sha1).sources) == 1


def test_a_retry_keeps_its_generation_and_a_newer_reader_draws_the_next(records):
    paper = PAPERS[0]
    first = register(records, paper.resource, paper.facts, 1).task.generation
    assert register(records, paper.resource, paper.facts, 1).task.generation == first
    assert register(records, paper.resource, paper.facts, 2).task.generation == first + 1


def test_two_descriptions_of_one_key_meet(records):
    one, other = PAPERS[4], PAPERS[5]
    key = blocking_keys.keys_of(one.descriptions()[0].fields)
    first, second = header_id(one.sha1), header_id(other.sha1)
    with records.writing() as writer:
        observe(writer, one)
        assert writer.index_keys({first: key}, {first: b"sign"}, 1) == {first: set()}
    with records.writing() as writer:
        observe(writer, other)
        assert writer.index_keys({second: key}, {second: b"another"}, 1) == {second: {first}}
        assert writer.sketches({first, second, "unknown"}) == {first: b"sign", second: b"another"}


def test_a_citation_and_the_paper_become_one_work_in_either_order(records):
    citing, full = PAPERS[0], PAPERS[1]
    ingest_papers(records, [citing])
    known_from_citation = records.outgoing_citations(citing.sha1)[0][2]
    assert records.with_full_text([known_from_citation]) == set()
    ingest_papers(records, [full])
    work = records.outgoing_citations(citing.sha1)[0][2]
    assert work == known_from_citation, "the older id stays the shown one"
    assert records.with_full_text([work]) == {work}
    assert records.canonical_id(work_id_of(header_id(full.sha1))) == work, "the younger id leads there"
    assert cited(records, work) == 1


def test_stopped_after_each_operation_and_tried_again_it_is_the_same_library(records, serial):
    operations = ("see", "observe", "enlist", "verdicts", "regroup", "finish")
    for number, paper in enumerate(PAPERS):
        for stop in (number % len(operations), len(operations)):
            for operation in operations[: stop + 1]:
                with records.writing() as writer:
                    step(writer, paper, operation)
    assert snapshot(records) == serial


def step(writer, paper, operation):
    """One operation of ingest in a transaction of its own."""
    names = [one.id for one in paper.descriptions()]
    if operation == "see":
        writer.register(paper.resource, paper.facts, 1)
    elif operation == "observe":
        observe(writer, paper)
    elif operation == "enlist":
        writer.index_keys(paper.keys(), paper.signs(), blocking_keys.VERSION)
    elif operation == "verdicts":
        met = writer.index_keys(paper.keys(), paper.signs(), blocking_keys.VERSION)
        fields = writer.descriptions({*met, *itertools.chain(*met.values())})
        pairs = [(a, b) for a, others in met.items() for b in others]
        writer.put_links(pairwise.match_pairs([((a, fields[a]), (b, fields[b])) for a, b in pairs]))
    elif operation == "regroup":
        recluster(writer, names)
    else:
        writer.acknowledge(paper.sha1, "ingested", "", ExtractionFacts(mime="application/pdf"))


def test_a_transaction_that_fails_leaves_no_trace(records):
    ingest_papers(records, PAPERS[:1])
    before, changes = snapshot(records), records.last_change()
    with contextlib.suppress(ZeroDivisionError), records.writing() as writer:
        observe(writer, PAPERS[2])
        1 / 0  # noqa: B018
    assert (snapshot(records), records.last_change()) == (before, changes)


@pytest.mark.parametrize("seed", range(8))
def test_any_order_gives_the_same_library(records, serial, seed):
    shuffled = random.Random(seed).sample(PAPERS, len(PAPERS))
    size = seed % 3 + 1
    for start in range(0, len(shuffled), size):
        ingest_papers(records, shuffled[start : start + size])
    assert snapshot(records) == serial


@pytest.mark.parametrize("seed", range(3))
def test_interleaved_processes_give_the_same_library(place, serial, seed):
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(3)
    processes = [context.Process(target=ingest_shuffled, args=(place, seed * 10 + n, start)) for n in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    records = SqlRecords(place)
    assert snapshot(records) == serial
    records.close()


def ingest_shuffled(place, seed, start):
    """One of several processes that make a library together, from overlapping papers in orders of their own."""
    start.wait(30)
    records = SqlRecords(place, lock_timeout=30)
    for paper in random.Random(seed).sample(PAPERS, len(PAPERS)):
        ingest_papers(records, [paper])
    records.close()


def test_a_second_ingest_changes_nothing(records):
    ingest_papers(records, PAPERS)
    before, changes = snapshot(records), records.last_change()
    for paper in PAPERS:
        ingest_papers(records, [paper])
    assert (snapshot(records), records.last_change()) == (before, changes)


def test_withdrawn_and_restored_it_is_the_same_library(records, serial):
    for paper in PAPERS:
        ingest_papers(records, [paper])
    for paper in PAPERS:
        withdraw(records, paper, Visibility.DELETED)
        assert header_id(paper.sha1) not in {
            one.description for root in records.live_works() for one in records.descriptions_of([root])[root]
        }
        restore(records, paper)
        assert snapshot(records) == serial


def withdraw(records, paper, visibility):
    with records.writing() as writer:
        resolve(writer, {}, writer.retract(paper.sha1, "a test", visibility).affected)


def restore(records, paper):
    with records.writing() as writer:
        resolve(writer, {}, writer.reinstate(paper.sha1, "a test").affected)


def test_a_copy_that_came_while_the_paper_was_withdrawn_joins_it_when_it_is_restored(records, serial):
    for paper in PAPERS[:3]:
        ingest_papers(records, [paper])
    withdraw(records, PAPERS[2], Visibility.DELETED)
    for paper in PAPERS[3:]:
        ingest_papers(records, [paper])
    restore(records, PAPERS[2])
    assert snapshot(records) == serial


def test_a_work_much_cited_keeps_one_verdict_a_description(records):
    spellings = [f"Syntactic clustering of the web{'!' * number}" for number in range(12)]
    for number, title in enumerate(spellings):
        ingest_papers(records, [Paper(f"Paper number {number}", "Nemo", cites=((title, "Broder"),))])
    rows = records._db.rows("SELECT low, high FROM match_link WHERE low LIKE 'r%' AND high LIKE 'r%'")
    assert len(rows) == len(spellings) - 1


def test_what_hung_together_through_a_paper_that_is_withdrawn_is_judged_again(records):
    papers = [Paper("Syntactic clustering of the web" + "." * number, "Broder", copy=number) for number in range(6)]
    for paper in papers:
        ingest_papers(records, [paper])
    for gone in papers[:5]:
        withdraw(records, gone, Visibility.DELETED)
        left = [paper for paper in papers if records.as_seen_by(Viewer.PUBLIC).may_see(paper.sha1)]
        assert len({work_of(records, paper) for paper in left}) == 1


def test_a_withdrawn_paper_that_others_cite_stays_as_a_citation_only_work(records):
    ingest_papers(records, PAPERS[:2])
    work = records.outgoing_citations(PAPERS[0].sha1)[0][2]
    own_id = work_id_of(header_id(PAPERS[1].sha1))
    withdraw(records, PAPERS[1], Visibility.DMCA)
    assert records.with_full_text([work]) == set()
    assert cited(records, records.canonical_id(work)) == 1
    assert records.canonical_id(own_id) == records.canonical_id(work), "its id still leads to the work"


def test_withdrawn_documents_are_told_apart_for_the_public(records):
    ingest_papers(records, PAPERS[:3])
    for paper, visibility, error in zip(
        PAPERS, (Visibility.DELETED, Visibility.DMCA, Visibility.RESTRICTED), (Gone, RemovedByLaw, Denied), strict=False
    ):
        withdraw(records, paper, visibility)
        with pytest.raises(error):
            records.as_seen_by(Viewer.PUBLIC).document(paper.sha1)
        assert records.as_seen_by(Viewer.OPERATOR).document(paper.sha1).visibility is visibility


def test_citing_works_are_listed_once_each_in_order_up_to_a_limit(records):
    ingest_papers(records, PAPERS)
    hubs = records.canonical_id(work_id_of(header_id(PAPERS[1].sha1)))
    citing = sorted({one.work for one in records.incoming_citations(hubs)})
    assert len(citing) == cited(records, hubs) == 2 < len(records.incoming_citations(hubs))
    assert records.citing_ids(hubs, 10) == citing
    assert records.citing_ids(hubs, 1) == citing[:1]


def test_a_restricted_document_still_cites(records):
    ingest_papers(records, PAPERS[:2])
    work = records.outgoing_citations(PAPERS[0].sha1)[0][2]
    withdraw(records, PAPERS[0], Visibility.RESTRICTED)
    assert cited(records, work) == 1


def test_an_older_generation_changes_nothing(records):
    paper = PAPERS[0]
    ingest_papers(records, [paper])
    with records.writing() as writer:
        observe(writer, paper, generation=3)
    before = snapshot(records)
    with records.writing() as writer:
        assert writer.replace_observations(paper.sha1, 2, [], []) == Affected()
    assert snapshot(records) == before


def test_a_newer_reading_that_cites_less_withdraws_the_citation(records):
    ingest_papers(records, PAPERS[:2])
    head = PAPERS[0].descriptions()[0]
    work = records.outgoing_citations(PAPERS[0].sha1)[0][2]
    with records.writing() as writer:
        touched = writer.replace_observations(PAPERS[0].sha1, 2, [Observation(head.id, "header")], [head])
        resolve(writer, {}, touched)
    assert cited(records, work) == 0
    assert records.outgoing_citations(PAPERS[0].sha1) == []


def test_a_header_read_differently_loses_the_verdicts_on_its_old_words(records):
    first, second = PAPERS[2], PAPERS[3]
    ingest_papers(records, [first, second])
    assert len(set(map(work_of, [records] * 2, [first, second]))) == 1
    other = Paper("Quite another title for the same bytes", "Brin")
    renamed = Description(header_id(second.sha1), other.descriptions()[0].text)
    with records.writing() as writer:
        touched = writer.replace_observations(second.sha1, 2, [Observation(renamed.id, "header")], [renamed])
        resolve(writer, {renamed.id: blocking_keys.keys_of(renamed.fields)}, touched)
    assert len(set(map(work_of, [records] * 2, [first, second]))) == 2


def work_of(records, paper):
    return records.canonical_id(work_id_of(header_id(paper.sha1)))


def test_the_verdict_of_the_highest_matcher_wins(records):
    one, other = PAPERS[0], PAPERS[1]
    pair = header_id(one.sha1), header_id(other.sha1)
    ingest_papers(records, [one, other])
    with records.writing() as writer:
        writer.put_links([MatchLink.of(*pair, 1.0, "newer", 7)])
        writer.put_links([MatchLink.of(pair[1], pair[0], 0.1, "older", 3)])
        links = writer.component(pair).links
    assert [(one.score, one.reason, one.version) for one in links if {one.low, one.high} == set(pair)] == [
        (1.0, "newer", 7)
    ]


def test_a_persons_word_stands_over_every_verdict_and_can_be_taken_back(records, serial):
    for paper in PAPERS:
        ingest_papers(records, [paper])
    pair = header_id(PAPERS[2].sha1), header_id(PAPERS[3].sha1)
    for must, works in ((False, 2), (None, 1)):
        with records.writing() as writer:
            writer.curate({pair: must}, "merge", "a test")
            recluster(writer, pair)
        assert len({work_of(records, PAPERS[2]), work_of(records, PAPERS[3])}) == works
    assert snapshot(records) == serial


def test_a_constraint_survives_a_new_ingest(records):
    pair = header_id(PAPERS[0].sha1), header_id(PAPERS[1].sha1)
    ingest_papers(records, PAPERS[:2])
    with records.writing() as writer:
        writer.curate({pair: True}, "merge", "a test")
        recluster(writer, pair)
    ingest_papers(records, PAPERS[:2])
    assert work_of(records, PAPERS[0]) == work_of(records, PAPERS[1])


def test_changes_have_no_gaps_and_name_every_work_that_altered(records):
    ingest_papers(records, [PAPERS[0]])
    ingest_papers(records, [PAPERS[1]])
    changes = records.changes_after(0, 1000)
    assert [one.sequence for one in changes] == list(range(1, len(changes) + 1))
    assert set(records.canonical_ids(one.work for one in changes).values()) == set(records.live_works())
    assert records.last_change() == changes[-1].sequence
    assert records.changes_after(1, 2) == changes[1:3]


def test_failed_documents_can_be_opened_again(records):
    paper = PAPERS[0]
    with records.writing() as writer:
        writer.register(paper.resource, paper.facts, 1)
        writer.acknowledge(paper.sha1, "timeout", "Reading took more than 60 s.", ExtractionFacts())
    assert register(records, paper.resource, paper.facts, 1).known
    with records.writing() as writer:
        assert writer.reopen(["timeout"]) == 1
    assert not register(records, paper.resource, paper.facts, 1).known


def test_what_nobody_saw_is_not_found(records):
    with pytest.raises(NotFound):
        records.as_seen_by(Viewer.OPERATOR).document("0" * 40)
    with pytest.raises(NotFound):
        records.canonical_id("w000000000000")
    with pytest.raises(NotFound), records.writing() as writer:
        writer.replace_observations("0" * 40, 1, [], [])
    with pytest.raises(NotFound), records.writing() as writer:
        writer.retract("0" * 40, "a test", "deleted")


def test_counts_and_outcomes(records):
    ingest_papers(records, PAPERS)
    counts = records.counts()
    assert (counts["documents"], counts["works_with_full_text"]) == (6, 4)
    assert counts["works"] == len(list(records.live_works())) == 5
    assert records.outcomes() == {"ingested": 6}
    assert list(records.inconsistencies()) == []


def test_a_second_writer_waits_and_then_is_told_so(place):
    first, second = SqlRecords(place), SqlRecords(place, lock_timeout=0.1)
    with first.writing(), pytest.raises(Locked, match="locked by another process"):
        register(second, PAPERS[0].resource, PAPERS[0].facts, 1)
    first.close()
    second.close()


def test_a_newer_library_is_refused(place):
    records = SqlRecords(place)
    with records._db.transaction():
        records._db.do("UPDATE library SET value = '999' WHERE name = 'schema'")
    records.close()
    with pytest.raises(NewerLibrary, match="schema version 999"):
        SqlRecords(place)


def test_a_file_that_is_no_database_is_refused(tmp_path):
    path = tmp_path / "library.db"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(NotALibrary):
        SqlRecords(path)


def test_the_library_keeps_its_name(place):
    first = SqlRecords(place)
    name = first.uuid
    first.close()
    second = SqlRecords(place)
    assert second.uuid == name
    assert len(name) == 36
    second.close()


def test_a_failed_reading_never_takes_the_place_of_an_ingested_one(records):
    paper = PAPERS[0]
    ingest_papers(records, [paper])
    with records.writing() as writer:
        task = writer.new_generation(paper.sha1, 1)
        writer.acknowledge(paper.sha1, "timeout", "too slow", ExtractionFacts(generation=task.generation))
    assert records.as_seen_by(Viewer.PUBLIC).document(paper.sha1).outcome == "ingested"
    assert register(records, paper.resource, paper.facts, 1).known
    assert list(records.inconsistencies()) == []


def test_a_document_that_failed_can_be_ingested_later(records):
    paper = PAPERS[0]
    with records.writing() as writer:
        writer.register(paper.resource, paper.facts, 1)
        writer.acknowledge(paper.sha1, "timeout", "too slow", ExtractionFacts(generation=1))
    ingest_papers(records, [paper])
    assert records.as_seen_by(Viewer.PUBLIC).document(paper.sha1).outcome == "ingested"


def test_citing_works_that_become_one_change_what_they_cite(records):
    one = Paper("Counting the pages of old newspapers", "Ada", cites=(HUBS,))
    other = Paper("Harbours and their librarians", "Ada", cites=(HUBS,))
    ingest_papers(records, [one, other])
    work = records.outgoing_citations(one.sha1)[0][2]
    before = records.last_change()
    with records.writing() as writer:
        writer.curate({(header_id(one.sha1), header_id(other.sha1)): True}, "merge", "a test")
        recluster(writer, [header_id(one.sha1)])
    assert cited(records, work) == 1
    assert work in {change.work for change in records.changes_after(before, 100)}


def test_another_reading_is_a_change_even_if_it_says_the_same_of_works(records):
    paper = PAPERS[0]
    ingest_papers(records, [paper])
    before = records.last_change()
    with records.writing() as writer:
        observe(writer, paper, generation=2)
    changed = {change.work for change in records.changes_after(before, 100)}
    assert work_of(records, paper) in changed


def test_connections_of_threads_that_ended_are_closed(records):
    for _ in range(3):
        threads = [threading.Thread(target=records.counts) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    del thread, threads
    gc.collect()
    assert len(records._db._connections._opened) <= 1


def observe_list(records, sha1, *fields):
    """What importing does with a list of records."""
    described = [Description.of(import_id(one), one) for one in fields]
    with records.writing() as writer:
        ticket = writer.register(Resource(url=f"file:///lists/{sha1}.bib"), FileFacts(sha1, "0" * 64, 10), 1, IMPORTER)
        seen = [Observation(one.id, "import", place) for place, one in enumerate(described)]
        touched = writer.replace_observations(sha1, ticket.task.generation, seen, described)
        writer.put_summary(sha1, ticket.task.generation, b"")
        resolve(writer, {one.id: blocking_keys.keys_of(one.fields) for one in described}, touched)
        writer.acknowledge(
            sha1, "ingested", "", ExtractionFacts(mime="text/x-bibtex", is_stored=True, extractor=IMPORTER)
        )
    return described


LIST = "1" * 40
RECORD = MatchFields(title=CLUSTERING[0], authors=((CLUSTERING[1], "Andrei"),), venue="Networks")


def test_an_imported_record_joins_the_paper_and_is_withdrawn_with_its_list(records, serial):
    for paper in PAPERS:
        ingest_papers(records, [paper])
    observe_list(records, LIST, MatchFields(title="A record that stands alone", authors=(("Nemo", ""),)), RECORD)
    work = records.canonical_id(work_id_of(header_id(PAPERS[0].sha1)))
    assert records.imported_records(work) == [(LIST, 1)]
    assert {one.kind for one in records.descriptions_of([work])[work]} == {"header", "reference", "import"}
    assert cited(records, work) == 2, "a record cites nobody"
    with records.writing() as writer:
        resolve(writer, {}, writer.retract(LIST, "a test", "deleted").affected)
    assert records.imported_records(work) == []
    assert snapshot(records).works == serial.works
    assert list(records.inconsistencies()) == []


def test_equal_records_of_two_lists_share_a_description(records):
    (one,) = observe_list(records, LIST, RECORD)
    (other,) = observe_list(records, "2" * 40, RECORD)
    assert one.id == other.id
    root = records.canonical_id(work_id_of(one.id))
    assert [(seen.kind, seen.count) for seen in records.descriptions_of([root])[root]] == [("import", 2)]
    assert records.imported_records(root) == [(LIST, 0), ("2" * 40, 0)]


def test_each_extractor_has_its_own_task(records):
    paper = PAPERS[0]
    ingest_papers(records, [paper])
    observe_list(records, LIST, RECORD)
    facts = FileFacts(LIST, "0" * 64, 10)
    assert register(records, Resource(url="file:///lists/a.bib"), facts, 1, IMPORTER).known
    assert not register(records, Resource(url="file:///lists/a.bib"), facts, 1).known, (
        "a reader of papers never looked at it"
    )
    with records.writing() as writer:
        writer.acknowledge(LIST, "unsupported_type", "no paper", ExtractionFacts(mime="text/plain"))
        assert writer.new_generation(LIST, 1, IMPORTER).generation == 2
    assert register(records, Resource(url="file:///lists/a.bib"), facts, 1).known
    assert not register(records, Resource(url="file:///lists/a.bib"), facts, 1, IMPORTER).known
    assert records.as_seen_by(Viewer.PUBLIC).document(LIST).outcome == "ingested"


def test_what_can_be_read_again_is_told_for_each_extractor(records):
    observe_list(records, LIST, RECORD)
    assert records.re_extractable(None, IMPORTER) == [LIST]
    assert records.re_extractable(2, IMPORTER) == [LIST]
    assert records.re_extractable(1, IMPORTER) == []
    assert records.re_extractable(None) == []


def added(records, number, outcome="ingested", scholarly=None, detail=""):
    """A document with an outcome, as ingest leaves it."""
    sha1 = f"{number:040x}"
    register(records, Resource(f"file:///papers/{number}.pdf"), FileFacts(sha1, "0" * 64, 10, "application/pdf"), 1)
    with records.writing() as writer:
        writer.acknowledge(sha1, outcome, detail, ExtractionFacts(mime="application/pdf", scholarly=scholarly))
    return sha1


def listed(records, *conditions, viewer=Viewer.OPERATOR, **named):
    total, found = records.as_seen_by(viewer).list_documents(DocumentSelection(*conditions, **named), 0, 100)
    assert total == len(found)
    return {one.sha1 for one in found}


def test_documents_are_listed_by_outcome_with_their_reason(records):
    paper, menu = added(records, 1, scholarly=0.9), added(records, 2, "not_academic", detail="A menu.")
    assert listed(records) == {paper, menu}
    assert listed(records, ("not_academic",)) == {menu}
    assert listed(records, ("waiting", "corrupt")) == set()
    _, (found,) = records.as_seen_by(Viewer.OPERATOR).list_documents(DocumentSelection(("not_academic",)), 0, 1)
    assert (found.detail, [one.url for one in found.sources]) == ("A menu.", ["file:///papers/2.pdf"])
    assert records.as_seen_by(Viewer.OPERATOR).list_documents(DocumentSelection(), 1, 1)[0] == 2


def test_the_public_sees_no_hidden_document_in_a_list(records):
    shown, hidden = added(records, 1), added(records, 2)
    with records.writing() as writer:
        writer.retract(hidden, "by law", Visibility.DMCA)
    assert listed(records, viewer=Viewer.PUBLIC) == {shown}
    assert listed(records) == {shown, hidden}


def test_a_doubtful_document_is_accepted_and_that_is_undone(records):
    added(records, 1, scholarly=0.9)
    doubtful, _ = added(records, 2, scholarly=0.2), added(records, 3, "not_academic", scholarly=0.01)
    added(records, 4)
    assert listed(records, is_doubtful=True) == {doubtful}
    assert records.as_seen_by(Viewer.OPERATOR).document(doubtful).is_doubtful
    with records.writing() as writer:
        action = writer.accept(doubtful, "I read it.").action
    assert listed(records, is_doubtful=True) == set()
    assert not records.as_seen_by(Viewer.OPERATOR).document(doubtful).is_doubtful
    with records.writing() as writer:
        writer.undo(action, "I did not.")
    assert listed(records, is_doubtful=True) == {doubtful}
    with records.writing() as writer, pytest.raises(NotFound):
        writer.accept("0" * 40, "")
