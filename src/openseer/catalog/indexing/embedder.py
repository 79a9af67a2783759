"""Embeddings of works, computed while the index has no changes to apply."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from openseer.catalog.indexing.projection import completed, projections, text_hash
from openseer.core.errors import IndexBehind
from openseer.core.model.query import And, Not, SearchQuery, Word
from openseer.search.embeddings.encoder import Encoder, Vectors, embedded_text, is_installed
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index, IndexWriter

COMMIT_WORKS, BATCH_WORKS = 512, 16
"""Works embedded between two commits (after each, every reader opens the index again), and in one batch."""
WAIT_SECONDS = 0.1
"""How long a step waits for a batch."""
THREAD_NICE = 10
"""Niceness of the embedding thread. Not the greatest: it may hold what other threads of the process wait for."""
WITHOUT_EMBEDDING = And((Word("recorded", "has"), Not(Word("embedding", "has"))))
"""Query for works that could have an embedding and have none."""


def without_embedding(library: Library) -> int:
    """Number of works that lack an embedding; 0 if embeddings are switched off or not installed."""
    if not library.settings.index.embeddings or not is_installed():
        return 0
    with contextlib.suppress(IndexBehind):
        return library.open_index().count(SearchQuery(WITHOUT_EMBEDDING))
    return 0


@dataclass(frozen=True, slots=True)
class EmbeddingBatch:
    """Works whose texts are being embedded."""

    works: list[str]
    hashes: list[int]
    """Of the texts without an embedding."""
    vectors: Future[Vectors]


class Embedder:
    """Embeds works without an embedding, batch by batch, in a thread that changes never wait for."""

    def __init__(
        self, library: Library, index: Index, writer: IndexWriter, encoder: Encoder, commit: Callable[[], None]
    ) -> None:
        self._library, self._index, self._writer, self._encoder = library, index, writer, encoder
        self._commit = commit
        self._thread = ThreadPoolExecutor(1, initializer=_lower_priority)
        self._pending: list[str] = []
        self._batch: EmbeddingBatch | None = None
        self._uncommitted = False

    def step(self, is_current: bool) -> bool:
        """Start or collect a batch; False if there is none. None is started unless the index is current."""
        if self._batch is None:
            self._batch = self._next_batch(is_current)
            if self._batch is None:
                return False
        if not wait([self._batch.vectors], timeout=WAIT_SECONDS).not_done:
            batch, self._batch = self._batch, None
            self._write(batch)
        return True

    def _next_batch(self, is_current: bool) -> EmbeddingBatch | None:
        if not self._pending:
            if self._uncommitted:
                self._commit()
                self._uncommitted = False
            query = SearchQuery(WITHOUT_EMBEDDING, limit=COMMIT_WORKS)
            self._pending = [hit.work.id for hit in self._index.search(query).hits]
        if not self._pending or not is_current:
            return None
        names, self._pending = self._pending[:BATCH_WORKS], self._pending[BATCH_WORKS:]
        works = [completed(self._library, one) for one in projections(self._library, names).values() if one]
        texts = {text_hash(one): embedded_text(one.title, one.abstract) for one in works if not one.embedding}
        return EmbeddingBatch(names, list(texts), self._thread.submit(self._encoder.texts, list(texts.values())))

    def _write(self, batch: EmbeddingBatch) -> None:
        vectors = zip(batch.hashes, batch.vectors.result(), strict=True)
        with self._library.records.writing() as writer:
            writer.put_embeddings({number: vector.tobytes() for number, vector in vectors})
        for name, found in projections(self._library, batch.works).items():
            if found is not None:
                self._writer.put(completed(self._library, found))
            else:
                self._writer.remove(name)
        self._uncommitted = True


def _lower_priority() -> None:
    """Run this thread with lower priority than the rest of the process, where threads have one (Linux)."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), THREAD_NICE)
