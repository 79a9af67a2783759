"""What a question means is reckoned beside the search, and left out when a crowd asks."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from openseer.core.model.query import Word
from openseer.search.embeddings.convert_minilm import WIDTH
from openseer.search.ranking.forward_index import pack
from openseer.search.ranking.rerank import CROWD, reranking_of
from openseer.storage.protocols.index import Candidates, Index

INDEX = cast(Index, SimpleNamespace(frequency=lambda words: [1 for _ in words], works=10))
FOUND = Candidates(
    scores=[2.0, 1.0],
    vectors=[bytes([1] * WIDTH), bytes([2] * WIDTH)],
    forward_indexes=[pack("Tides", "", (), (), ""), pack("Winds", "", (), (), "")],
    cited=[0, 0],
    years=[None, None],
    has_full_text=[True, True],
)


class Slow:
    """A model that answers when it is told to."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def query(self, text: str) -> Any:
        assert self.go.wait(30)
        return np.ones(WIDTH, dtype=np.int8)

    def texts(self, texts: Any) -> Any:
        raise AssertionError(texts)


def judged(model):
    judge = reranking_of(INDEX, "tides", Word("tides"), model, None)
    assert judge is not None
    return judge


def test_a_crowd_is_answered_by_words_and_later_questions_by_meaning_again():
    model = Slow()
    crowd = [judged(model) for _ in range(CROWD)]
    late = judged(model)
    assert len(late(FOUND)) == 2, "it waits for nobody"
    assert not late.by_embedding
    model.go.set()
    for judge in crowd:
        judge(FOUND)
        assert judge.by_embedding
    after = judged(model)
    after(FOUND)
    assert after.by_embedding
