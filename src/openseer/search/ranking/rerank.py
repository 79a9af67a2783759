"""From a question to the judge of its first hits: the words it wants, how rare they are here, and what it means."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from threading import BoundedSemaphore

import numpy as np

from openseer.core.model.query import Node
from openseer.search.embeddings.convert_minilm import WIDTH
from openseer.search.embeddings.encoder import Encoder, Vectors
from openseer.search.query.explain import is_bare, words_in
from openseer.search.ranking import features
from openseer.search.ranking.forward_index import pack
from openseer.search.ranking.linear_model import Ranking, Reason, Reranker, load_reranker
from openseer.search.ranking.query_terms import QueryTerms, query_terms
from openseer.storage.protocols.index import Candidates, Index

NOTHING = pack("", "", (), (), "")
"""The words of a work that an older index wrote without them."""
NO_MEANING = bytes(WIDTH)
CROWD = 4
"""Questions of one process whose meaning is reckoned at the same time."""


class Reranking:
    """Puts the first hits of one question into order, and remembers why."""

    def __init__(
        self, question: QueryTerms, reranker: Reranker | None = None, vector: Future[Vectors] | None = None
    ) -> None:
        self._question, self._reranker, self._vector = question, reranker, vector
        self._ranking: Ranking | None = None

    def __call__(self, found: Candidates) -> Sequence[float]:
        """A score for each candidate."""
        if self._vector is not None:
            self._question, self._vector = replace(self._question, vector=self._vector.result()), None
        self._ranking = (self._reranker or load_reranker()).rank(self._question, as_rows(found, self._question))
        scores: list[float] = self._ranking.scores.tolist()
        return scores

    def reasons(self, candidate: int) -> tuple[Reason, ...]:
        """Why a candidate stands where it stands."""
        return self._ranking.reasons(candidate) if self._ranking is not None and candidate >= 0 else ()

    @property
    def by_embedding(self) -> bool:
        """Whether vectors were compared."""
        return self._ranking is not None and self._ranking.by_meaning


def as_rows(found: Candidates, question: QueryTerms) -> features.Candidates:
    """Candidates as the index gives them, for reckoning; their vectors only where the question has one."""
    return features.Candidates(
        [one or NOTHING for one in found.forward_indexes],
        np.array(found.scores),
        np.array(found.cited, dtype=np.float64),
        np.array([year or 0 for year in found.years], dtype=np.float64),
        np.array(found.has_full_text, dtype=np.bool_),
        stacked(found.vectors) if question.vector is not None else None,
    )


def stacked(vectors: Sequence[bytes]) -> Vectors:
    """Vectors as the index keeps them, one row each; zeros where there is none."""
    joined = b"".join(one if len(one) == WIDTH else NO_MEANING for one in vectors)
    return np.frombuffer(joined, dtype=np.int8).reshape(-1, WIDTH)


def reranking_of(
    index: Index, text: str, tree: Node, model: Encoder | None, reranker: Reranker | None
) -> Reranking | None:
    """Who will judge the hits of a question; what it means is reckoned while the index is asked."""
    words = _words(text, tree)
    if not words:
        return None
    vector = _THINKING.of(model, " ".join(words)) if model else None
    return Reranking(_wanted(index, words), reranker, vector)


class _Thinking:
    """Threads that reckon what questions mean, started when they are first needed, for so many questions at once; those
    of a crowd that comes on top are answered by words alone, rather than all of them late."""

    def __init__(self, most: int) -> None:
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="meaning")
        self._free = BoundedSemaphore(most)

    def of(self, model: Encoder, text: str) -> Future[Vectors] | None:
        """What a question will mean; None if all are busy."""
        return self._threads.submit(self._reckon, model, text) if self._free.acquire(blocking=False) else None

    def _reckon(self, model: Encoder, text: str) -> Vectors:
        try:
            return model.query(text)
        finally:
            self._free.release()


_THINKING = _Thinking(CROWD)


def wanted_by(index: Index, text: str, tree: Node, model: Encoder | None) -> QueryTerms | None:
    """A question in numbers, or None for one without words."""
    words = _words(text, tree)
    return _wanted(index, words, model.query(" ".join(words)) if model else None) if words else None


def _words(text: str, tree: Node) -> list[str]:
    """Bare words are judged as they were typed, little ones and repeated ones too; of a question with operators only
    its words count."""
    words = list(words_in(tree))
    return [text] if words and is_bare(tree) else words


def _wanted(index: Index, words: list[str], vector: Vectors | None = None) -> QueryTerms:
    return query_terms(words, lambda stem: index.frequency([stem])[0], index.works, vector)
