"""Similar works by words and by embedding."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from openseer.core.model.work import IndexedWork
from openseer.search.context import SearchContext
from openseer.search.embeddings.convert_minilm import WIDTH
from openseer.search.similar import similar_to_pasted, similar_works
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


class FakeEncoder:
    """Gives every text the embedding of the query."""

    def query(self, text):
        return toward(0, 1)

    def texts(self, texts):
        return np.stack([toward(0, 1) for _ in texts])


@pytest.fixture
def context(tmp_path):
    index = TantivyIndex(tmp_path / "index", heap_mb=15)
    writer = index.writer()
    for one in (ASKED, SAME_WORDS, SAME_SENSE, ONLY_CITED, OTHER):
        writer.put(one)
    writer.commit(Checkpoint())
    writer.close()
    return SearchContext(index, cast(Records, None), encoder=FakeEncoder())


def names(found):
    return [one.work.id for one in found]


def test_the_embedding_ranks_works_with_similar_words(context):
    by_words = names(similar_works(context, ASKED, "text", 10, use_embeddings=False))
    by_embedding = names(similar_works(context, ASKED, "text", 10))
    assert set(by_words) == set(by_embedding) == {one.id for one in (SAME_WORDS, SAME_SENSE, ONLY_CITED, OTHER)}
    assert by_words.index(SAME_WORDS.id) < by_words.index(SAME_SENSE.id)
    assert by_embedding.index(SAME_SENSE.id) < by_embedding.index(SAME_WORDS.id)


def test_a_work_without_embedding_is_neither_first_nor_last(context):
    assert names(similar_works(context, ASKED, "text", 10)).index(ONLY_CITED.id) in (0, 1)


def test_reasons_name_the_embedding(context):
    reasons = {one.work.id: one.reasons for one in similar_works(context, ASKED, "text", 10)}
    assert reasons[SAME_SENSE.id] == ("similar words and meaning",)
    assert reasons[ONLY_CITED.id] == ("similar words",)
    without = similar_works(context, ASKED, "text", 10, use_embeddings=False)
    assert {one.reasons for one in without} == {("similar words",)}


def test_a_pasted_text_is_embedded_unless_that_is_switched_off(context):
    assert names(similar_to_pasted(context, ASKED.title, 2))[0] == ASKED.id
    assert SAME_SENSE.id in names(similar_to_pasted(context, ASKED.title, 3))
    assert SAME_SENSE.id not in names(similar_to_pasted(context, ASKED.title, 3, use_embeddings=False))


def test_scores_fall_and_are_never_negative(context):
    scores = [one.score for one in similar_works(context, ASKED, "text", 10)]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] >= 0


def test_unknown_words_have_no_similar_works(context):
    assert similar_to_pasted(context, "zyzzyva", 5) == []
