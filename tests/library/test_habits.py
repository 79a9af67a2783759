"""What an index is like is found out again only when it has changed much."""

from __future__ import annotations

import pytest

from openseer.library.stores import Checkpoint
from openseer.library.tantivy.index import TantivyIndex
from openseer.queries import Question, Word
from openseer.records.work import IndexedWork


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


def test_a_few_works_more_do_not_make_it_look_again(index):
    before = index._now().habits
    put(index, [work(200, title="Regale", language="de")])
    assert index._now().habits is before


def test_many_works_more_do(index):
    assert not index.search(Question(Word("Bibliothek"))).total
    put(index, [work(number, title="Bibliotheken", language="de") for number in range(200, 210)])
    assert index.search(Question(Word("Bibliothek"))).total == 10


def test_a_word_of_one_work_or_of_nearly_all_tells_nothing_of_others(index):
    put(index, [work(number, title="Shelf in oak") for number in range(200, 205)])
    state = index._now()
    told = {word: state.habits.rarity(state.searcher, word) for word in ("17", "oak", "shelf")}
    assert told["17"] == told["shelf"] == 0.0
    assert told["oak"] > 0.0
