"""Queries are embedded while the index searches; when all threads are busy they are ranked by words alone."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from openseer.search.embeddings.convert_minilm import WIDTH
from openseer.search.ranking.forward_index import pack
from openseer.search.ranking.rerank import MAX_CONCURRENT, reranking_of
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


class SlowEncoder:
    """Encoder that waits for an event."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def query(self, text: str) -> Any:
        assert self.go.wait(30)
        return np.ones(WIDTH, dtype=np.int8)

    def texts(self, texts: Any) -> Any:
        raise AssertionError(texts)


def reranking_with(model):
    reranking = reranking_of(INDEX, ["tides"], model, None)
    assert reranking is not None
    return reranking


def test_queries_beyond_the_threads_are_ranked_by_words_alone():
    model = SlowEncoder()
    crowd = [reranking_with(model) for _ in range(MAX_CONCURRENT)]
    late = reranking_with(model)
    assert len(late(FOUND)) == 2, "it waits for nobody"
    assert not late.used_embeddings
    model.go.set()
    for reranking in crowd:
        reranking(FOUND)
        assert reranking.used_embeddings
    after = reranking_with(model)
    after(FOUND)
    assert after.used_embeddings
