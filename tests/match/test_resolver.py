"""Any order and interleaving of the same observations gives the same verdicts, and hence the same works and graph."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openseer.core.model.description import header_id, work_id_of
from openseer.match.resolver import resolve, resolve_again
from openseer.storage.sql import blocking_index
from openseer.storage.sql.reader import SqlRecords
from tests.builders import Paper, ingest_papers, snapshot

TITLES = (
    "Syntactic clustering of the web",
    "Syntactic clusterng of the web",
    "Syntactic clustering of the Web, part II",
    "Syntactic clustering of the Web, part I",
    "Reply to: Syntactic clustering of the web",
    "Clustering",
    "The anatomy of a large-scale hypertextual search engine",
    "Anatomy of a large scale hypertextual search engine",
    "近似重复网页的检测",
    "",
)
AUTHORS = ("Broder", "Bröder", "Brin", "Ng", "")
CITED = st.tuples(st.sampled_from(TITLES[:-1]), st.sampled_from(AUTHORS))
PAPERS = st.builds(
    Paper,
    st.sampled_from(TITLES),
    st.sampled_from(AUTHORS),
    cites=st.lists(CITED, max_size=4, unique=True).map(tuple),
    copy=st.integers(0, 3),
    doi=st.sampled_from(("", "", "10.1000/1", "10.1000/2")),
)
LISTS = st.lists(PAPERS, min_size=2, max_size=9, unique_by=lambda paper: paper.sha1)
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.fixture(autouse=True, scope="module")
def room_under_every_key():
    """The promise holds where no key is overfull; so few titles, cited so often, would fill those of common words."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocking_index, "MAX_COMMON_WORD_MEMBERS", blocking_index.MAX_BLOCK_MEMBERS)
        yield


def made(papers, sizes=(1,)):
    """A library of these papers, taken in so many at a time."""
    records = SqlRecords(":memory:")
    at = turn = 0
    while at < len(papers):
        size = sizes[turn % len(sizes)]
        ingest_papers(records, papers[at : at + size])
        at, turn = at + size, turn + 1
    return records


@FEW
@given(LISTS, st.randoms(use_true_random=False), st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_any_order_gives_the_same_library(papers, chance, sizes):
    expected = snapshot(made(papers))
    shuffled = chance.sample(papers, len(papers))
    assert snapshot(made(shuffled, sizes)) == expected


@FEW
@given(LISTS, st.randoms(use_true_random=False))
def test_withdrawn_restored_and_taken_in_again_it_is_the_same_library(papers, chance):
    records = made(papers)
    expected = snapshot(records)
    gone = chance.sample(papers, len(papers) // 2)
    for paper in gone:
        with records.writing() as writer:
            resolve(writer, {}, writer.retract(paper.sha1, "a test", "deleted").affected)
    left = [paper for paper in papers if paper not in gone]
    assert snapshot(records).works == snapshot(made(left)).works, "as if they had never been there"
    for paper in chance.sample(gone, len(gone)):
        with records.writing() as writer:
            resolve(writer, {}, writer.reinstate(paper.sha1, "a test").affected)
    assert snapshot(records) == expected
    ingest_papers(records, papers)
    assert snapshot(records) == expected


@FEW
@given(LISTS, st.randoms(use_true_random=False), st.booleans())
def test_a_persons_word_survives_everything(papers, chance, must):
    one, other = chance.sample(papers, 2)
    records = made(papers)
    with records.writing() as writer:
        writer.curate({(header_id(one.sha1), header_id(other.sha1)): must}, "merge", "a test")
        resolve(writer, {}, writer.retract(one.sha1, "a test", "deleted").affected)
    with records.writing() as writer:
        resolve(writer, {}, writer.reinstate(one.sha1, "a test").affected)
    ingest_papers(records, papers)
    for _ in resolve_again(records, everything=True):
        pass
    works = {records.canonical_id(work_id_of(header_id(paper.sha1))) for paper in (one, other)}
    assert (len(works) == 1) is must


@FEW
@given(LISTS)
def test_grouping_everything_anew_changes_nothing(papers):
    records = made(papers)
    expected = snapshot(records)
    assert sum(resolve_again(records, everything=True)) > 0
    assert snapshot(records) == expected


@FEW
@given(LISTS, st.randoms(use_true_random=False))
def test_where_the_order_mattered_overfull_keys_are_counted(papers, chance):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocking_index, "MAX_COMMON_WORD_MEMBERS", 4)
        records = made(papers)
        other = made(chance.sample(papers, len(papers)))
        assert snapshot(records) == snapshot(other) or records.cluster_statistics()["overfull_keys"] > 0
