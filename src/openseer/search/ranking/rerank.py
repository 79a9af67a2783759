"""Re-ranking of the first hits of a query, with its query terms and its embedding."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from threading import BoundedSemaphore

import numpy as np

from openseer.search.embeddings.convert_minilm import WIDTH
from openseer.search.embeddings.encoder import Encoder, Vectors
from openseer.search.ranking import features
from openseer.search.ranking.forward_index import pack
from openseer.search.ranking.linear_model import Ranking, Reason, Reranker, load_reranker
from openseer.search.ranking.query_terms import QueryTerms, query_terms
from openseer.storage.protocols.index import Candidates, Index

EMPTY_FORWARD_INDEX = pack("", "", (), (), "")
"""Forward index of a work that was indexed without one."""
ZERO_VECTOR = bytes(WIDTH)
MAX_CONCURRENT = 4
"""Queries of one process that are embedded at the same time."""


class Reranking:
    """Ranking function for the candidates of one query; it keeps the reasons of the order."""

    def __init__(
        self, terms: QueryTerms, reranker: Reranker | None = None, vector: Future[Vectors] | None = None
    ) -> None:
        self._terms, self._reranker, self._vector = terms, reranker, vector
        self._ranking: Ranking | None = None

    def __call__(self, found: Candidates) -> Sequence[float]:
        """A score for each candidate."""
        if self._vector is not None:
            self._terms, self._vector = replace(self._terms, vector=self._vector.result()), None
        self._ranking = (self._reranker or load_reranker()).rank(self._terms, candidate_rows(found, self._terms))
        scores: list[float] = self._ranking.scores.tolist()
        return scores

    def reasons(self, candidate: int) -> tuple[Reason, ...]:
        """Reasons of the rank of a candidate."""
        return self._ranking.reasons(candidate) if self._ranking is not None and candidate >= 0 else ()

    @property
    def used_embeddings(self) -> bool:
        """True if embeddings were compared."""
        return self._ranking is not None and self._ranking.used_embeddings


def candidate_rows(found: Candidates, terms: QueryTerms) -> features.CandidateRows:
    """Candidates of the index as arrays; with their embeddings only if the query has one."""
    return features.CandidateRows(
        [one or EMPTY_FORWARD_INDEX for one in found.forward_indexes],
        np.array(found.scores),
        np.array(found.cited, dtype=np.float64),
        np.array([year or 0 for year in found.years], dtype=np.float64),
        np.array(found.has_full_text, dtype=np.bool_),
        stacked(found.vectors) if terms.vector is not None else None,
        found.optional_words,
    )


def stacked(vectors: Sequence[bytes]) -> Vectors:
    """Stored embeddings, one per row; zeros for a missing one."""
    joined = b"".join(one if len(one) == WIDTH else ZERO_VECTOR for one in vectors)
    return np.frombuffer(joined, dtype=np.int8).reshape(-1, WIDTH)


def reranking_of(
    index: Index, words: Sequence[str], encoder: Encoder | None, reranker: Reranker | None
) -> Reranking | None:
    """Re-ranking for a query of these words, None if it has none; the query is embedded while the index searches."""
    if not words:
        return None
    vector = _EMBEDDING_THREADS.submit(encoder, " ".join(words)) if encoder else None
    return Reranking(_query_terms(index, words), reranker, vector)


class _EmbeddingThreads:
    """Threads that embed queries, started on first use. When all are busy, further queries are ranked by words alone,
    so that a burst does not delay every query."""

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="embedding")
        self._free = BoundedSemaphore(threads)

    def submit(self, encoder: Encoder, text: str) -> Future[Vectors] | None:
        """The future embedding of a query; None if all threads are busy."""
        return self._threads.submit(self._embed, encoder, text) if self._free.acquire(blocking=False) else None

    def _embed(self, encoder: Encoder, text: str) -> Vectors:
        try:
            return encoder.query(text)
        finally:
            self._free.release()


_EMBEDDING_THREADS = _EmbeddingThreads(MAX_CONCURRENT)


def query_terms_of(index: Index, words: Sequence[str], encoder: Encoder | None) -> QueryTerms | None:
    """Query terms of these words, with IDF from the index; None if there are none."""
    return _query_terms(index, words, encoder.query(" ".join(words)) if encoder else None) if words else None


def _query_terms(index: Index, words: Sequence[str], vector: Vectors | None = None) -> QueryTerms:
    return query_terms(words, lambda stem: index.frequency([stem])[0], index.works, vector)
