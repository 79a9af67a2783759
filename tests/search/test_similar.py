"""Works like one: by words, and by what they mean where vectors tell it."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from openseer.core.model.work import IndexedWork
from openseer.search.embeddings.convert_minilm import WIDTH
from openseer.search.similar import SearchContext
from openseer.storage.protocols.index import Checkpoint
from openseer.storage.protocols.records import Records
from openseer.storage.tantivy.index import TantivyIndex


def toward(*places):
    """A vector that points that way."""
    found = np.zeros(WIDTH, dtype=np.int8)
    found[list(places)] = 100
    return found


def work(name, title, vector=None):
    return IndexedWork(id=name, ids=(name,), title=title, embedding=vector.tobytes() if vector is not None else b"")


ASKED = work("w000000000000", "Tides and currents of shallow estuaries", toward(0, 1))
SAME_WORDS = work("w000000000001", "Tides and currents of shallow debates", toward(7))
SAME_SENSE = work("w000000000002", "Currents where a river meets the sea", toward(0, 1, 2))
ONLY_CITED = work("w000000000003", "Currents of shallow estuaries")
OTHER = work("w000000000004", "Shallow parsing of tides", toward(8))


class Model:
    """Takes every text to mean what the question means."""

    def query(self, text):
        return toward(0, 1)

    def texts(self, texts):
        return np.stack([toward(0, 1) for _ in texts])


@pytest.fixture
def holdings(tmp_path):
    index = TantivyIndex(tmp_path / "index", heap_mb=15)
    writer = index.writer()
    for one in (ASKED, SAME_WORDS, SAME_SENSE, ONLY_CITED, OTHER):
        writer.put(one)
    writer.commit(Checkpoint())
    writer.close()
    return SearchContext(index, cast(Records, None), model=Model())


def names(found):
    return [one.work.id for one in found]


def test_of_works_with_like_words_those_that_mean_the_same_come_first(holdings):
    by_words = names(holdings.similar(ASKED, "text", 10, by_meaning=False))
    by_meaning = names(holdings.similar(ASKED, "text", 10))
    assert set(by_words) == set(by_meaning) == {one.id for one in (SAME_WORDS, SAME_SENSE, ONLY_CITED, OTHER)}
    assert by_words.index(SAME_WORDS.id) < by_words.index(SAME_SENSE.id)
    assert by_meaning.index(SAME_SENSE.id) < by_meaning.index(SAME_WORDS.id)


def test_a_work_without_vector_is_neither_first_nor_last_for_that(holdings):
    assert names(holdings.similar(ASKED, "text", 10)).index(ONLY_CITED.id) in (0, 1)


def test_what_came_by_meaning_is_told(holdings):
    reasons = {one.work.id: one.reasons for one in holdings.similar(ASKED, "text", 10)}
    assert reasons[SAME_SENSE.id] == ("similar words and meaning",)
    assert reasons[ONLY_CITED.id] == ("similar words",)
    without = holdings.similar(ASKED, "text", 10, by_meaning=False)
    assert {one.reasons for one in without} == {("similar words",)}


def test_a_pasted_text_is_read_for_its_meaning_unless_that_is_switched_off(holdings):
    assert names(holdings.similar_to_pasted(ASKED.title, 2))[0] == ASKED.id
    assert SAME_SENSE.id in names(holdings.similar_to_pasted(ASKED.title, 3))
    assert SAME_SENSE.id not in names(holdings.similar_to_pasted(ASKED.title, 3, by_meaning=False))


def test_scores_fall_and_are_never_negative(holdings):
    scores = [one.score for one in holdings.similar(ASKED, "text", 10)]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] >= 0


def test_nothing_is_like_words_that_nobody_has(holdings):
    assert holdings.similar_to_pasted("zyzzyva", 5) == []
