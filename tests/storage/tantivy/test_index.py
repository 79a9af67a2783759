"""What is Tantivy's own: how works are looked up, and when what an index is like is found out again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from openseer.core.model.query import SearchQuery, Word
from openseer.core.model.work import IndexedWork
from openseer.storage.protocols.index import Checkpoint
from openseer.storage.tantivy.index import TantivyIndex, _BloomFilter
from openseer.storage.tantivy.translate import MAX_TERM_QUERIES


def put(index, works):
    writer = index.writer()
    for work in works:
        writer.put(work)
    writer.commit(Checkpoint())
    writer.close()


def work(number, **fields):
    name = f"w{number:012d}"
    return IndexedWork(id=name, ids=(name,), **fields)


@pytest.fixture
def index(tmp_path):
    index = TantivyIndex(tmp_path / "index", heap_mb=15)
    put(index, [work(number, title=f"Shelf {number}", abstract="Of shelves.") for number in range(200)])
    return index


def test_statistics_are_reused_after_a_small_change(index):
    before = index._current().term_stats
    put(index, [work(200, title="Regale", language="de")])
    assert index._current().term_stats is before


def test_statistics_are_computed_again_after_a_large_change(index):
    assert not index.search(SearchQuery(Word("Bibliothek"))).total
    put(index, [work(number, title="Bibliotheken", language="de") for number in range(200, 210)])
    assert index.search(SearchQuery(Word("Bibliothek"))).total == 10


def test_terms_of_one_work_or_of_nearly_all_have_no_idf(index):
    put(index, [work(number, title="Shelf in oak") for number in range(200, 205)])
    snapshot = index._current()
    idf = {word: snapshot.term_stats.idf(snapshot.searcher, word) for word in ("17", "oak", "shelf")}
    assert idf["17"] == idf["shelf"] == 0.0
    assert idf["oak"] > 0.0


def test_one_by_one_or_as_a_set_the_same_works_are_found(index):
    put(index, [work(number, title="Board") for number in range(200, 300)])
    names = [f"w{number:012d}" for number in range(-5, 300, 1)]
    assert len(names) > MAX_TERM_QUERIES
    few = {name for start in range(0, len(names), 50) for name in index.find(names[start : start + 50])}
    assert few == set(index.find(names)) == {f"w{number:012d}" for number in range(300)}
    assert index.find([]) == {}


def test_what_was_put_is_never_taken_for_new_and_what_is_new_seldom_for_put():
    remembered, names = _BloomFilter(), [f"w{number:012d}" for number in range(20_000)]
    assert sum(map(remembered.add, names)) > 0.999 * len(names)
    assert not any(map(remembered.add, names))


def test_an_index_that_many_make_at_once_is_one_index(tmp_path):
    def made(number):
        one = TantivyIndex(tmp_path / "index", heap_mb=15)
        if not number:
            put(one, [work(1, title="Board")])
        return one

    with ThreadPoolExecutor(8) as pool:
        every = list(pool.map(made, range(8)))
    assert {one.search(SearchQuery(Word("board"))).total for one in every} == {1}
    assert [one.name for one in (tmp_path / "index").iterdir()] == [every[0].directory.name]
