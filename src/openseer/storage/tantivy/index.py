"""Tantivy implementation of `Index` and `IndexWriter`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import tantivy
import xxhash

from openseer.core.errors import IndexBehind, Locked, StoreUnavailable
from openseer.core.model.query import Node, SearchQuery
from openseer.core.model.work import CitingSentence, IndexedWork
from openseer.storage.protocols.index import Checkpoint, Completion, IndexedDigest, RankFunction, SearchHits
from openseer.storage.tantivy import schema as fields
from openseer.storage.tantivy.snapshot import Snapshot
from openseer.storage.tantivy.suggest import complete, correct_spelling, document_frequencies

NO_WORK = "nobody"
"""An id that no work has; a writer deletes it first. Tantivy gives the first operation the number of the last commit,
and a merge forgets a deletion of that number, so that the document would come back."""
MAX_BUFFERED = 16_000_000
"""Characters of texts that are buffered before they are written after the works."""
BLOOM_ENTRIES, BLOOM_BITS = 4_000_000, 1 << 25
"""Works and bits of the Bloom filter of a new index, which saves deletions before writing. It uses two bits a work; the
last of them collide once in twenty times."""


class TantivyIndex:
    """Search index in a directory."""

    def __init__(self, directory: Path, heap_mb: int = 64) -> None:
        self.directory = directory / f"v{fields.VERSION}"
        self._heap = heap_mb * 1_000_000
        self._schema = fields.schema()
        self._index = self._open()
        self._snapshot: Snapshot | None = None

    @property
    def generation(self) -> str:
        return self._current().generation

    @property
    def changed_at(self) -> float:
        return int(self._current().generation.partition("-")[0], 16) / 1e9

    @property
    def works(self) -> int:
        return self._current().works

    def search(self, query: SearchQuery, rank: RankFunction | None = None) -> SearchHits:
        return self._current().search(query, rank)

    def count(self, query: SearchQuery) -> int:
        return self._current().count(query)

    def label(self, facet: str, value: str) -> str:
        return self._current().facets.label(facet, value)

    def similar_to_text(self, text: str, limit: int, rank: RankFunction | None = None) -> SearchHits:
        return self._current().similar_to_text(text, limit, rank)

    def get(self, work: str) -> IndexedWork | None:
        return self._current().get(work)

    def find(self, works: Sequence[str]) -> dict[str, IndexedWork]:
        return self._current().find(works)

    def texts(self, works: Sequence[str]) -> dict[str, str]:
        return self._current().texts(works)

    def sentences(self, tree: Node, about: Sequence[str], offset: int, limit: int) -> tuple[int, list[CitingSentence]]:
        return self._current().sentences(tree, about, offset, limit)

    def frequency(self, words: Sequence[str]) -> list[int]:
        return document_frequencies(self._current().searcher, words)

    def correct_spelling(self, word: str) -> str:
        return correct_spelling(self._current().searcher, word)

    def complete(self, typed: str, limit: int) -> list[Completion]:
        return complete(self._current(), typed, limit)

    def explain(self, query: SearchQuery, work: str) -> dict[str, Any]:
        return self._current().explain(query, work)

    def checkpoint(self) -> Checkpoint:
        return self._current().checkpoint()

    def digests(self) -> Iterator[tuple[str, IndexedDigest]]:
        return self._current().digests()

    def writer(self) -> TantivyWriter:
        try:
            writer = self._index.writer(heap_size=self._heap, num_threads=1)
        except ValueError as error:
            if "lock" in str(error).lower():
                raise Locked("Another process writes to the index.") from error
            raise StoreUnavailable(f"The index cannot be written: {error}.") from error
        return TantivyWriter(self._index, self._schema, writer)

    def _current(self) -> Snapshot:
        """Snapshot of the last commit; reloaded only if meta.json has changed."""
        try:
            meta = (self.directory / "meta.json").stat()
            generation = f"{meta.st_mtime_ns:x}-{meta.st_ino:x}"
            if self._snapshot is None or self._snapshot.generation != generation:
                self._index.reload()
                term_stats = self._snapshot.term_stats if self._snapshot else None
                self._snapshot = Snapshot(self._schema, self._index.searcher(), generation, term_stats)
        except (ValueError, OSError) as error:
            raise IndexBehind(f"The index in {self.directory} cannot be read: {error}.") from error
        return self._snapshot

    def _open(self) -> tantivy.Index:
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            index = tantivy.Index(self._schema, path=str(self.directory), reuse=True)
        except (ValueError, OSError) as error:
            raise IndexBehind(f"The index in {self.directory} cannot be opened: {error}.") from error
        fields.register_tokenizers(index)
        return index


class TantivyWriter:
    """Index writer. Changes become visible with the commit; a killed writer leaves the last commit."""

    def __init__(self, index: tantivy.Index, schema: tantivy.Schema, writer: tantivy.IndexWriter) -> None:
        self._index, self._schema, self._writer = index, schema, writer
        self._committed = self._reloaded()
        self._new_works = None if self._committed.searcher.num_docs else _BloomFilter()
        self._buffered: dict[str, list[tantivy.Document]] = {}
        self._buffered_characters = 0
        self._writer.delete_documents_by_term("id", NO_WORK)

    def stored_digest(self, work: str) -> IndexedDigest | None:
        return self._committed.stored_digest(work)

    def put(self, work: IndexedWork) -> None:
        if not self._is_new(work.id):
            self.remove(work.id)
        self._writer.add_document(fields.document_of(work))
        documents = [fields.sentence_document(sentence, work.language) for sentence in work.sentences]
        if work.text:
            documents.append(fields.text_document(work))
        if documents:
            self._buffered[work.id] = documents
            self._buffered_characters += len(work.text)
        if self._buffered_characters > MAX_BUFFERED:
            self._write_buffered()

    def _write_buffered(self) -> None:
        """Write the buffered texts and sentences after many works: stored documents are compressed in blocks, and a
        fetch of a hundred works would decompress a hundred texts."""
        for documents in self._buffered.values():
            for document in documents:
                self._writer.add_document(document)
        self._buffered.clear()
        self._buffered_characters = 0

    def remove(self, work: str) -> None:
        self._buffered.pop(work, None)
        self._writer.delete_documents_by_term("id", work)
        self._writer.delete_documents_by_term("id", fields.TEXT + work)
        self._writer.delete_documents_by_term("id", fields.SENTENCE + work)

    def clear(self) -> None:
        self._writer.delete_all_documents()
        self._buffered.clear()
        self._new_works = _BloomFilter()

    def commit(self, checkpoint: Checkpoint) -> None:
        self._write_buffered()
        self._writer.delete_documents_by_term("id", fields.CHECKPOINT)
        self._writer.add_document(fields.checkpoint_document(checkpoint))
        try:
            self._writer.commit()
        except (ValueError, OSError) as error:
            raise StoreUnavailable(f"The index could not be written: {error}.") from error
        self._committed = self._reloaded()

    def close(self) -> None:
        self._writer.wait_merging_threads()

    def _is_new(self, work: str) -> bool:
        """True if the index surely has no such work: it was empty, and the work was not written since.

        Deletions take a sixth to a third of the writing time; a false negative costs one deletion."""
        return self._new_works is not None and self._new_works.add(work)

    def _reloaded(self) -> Snapshot:
        self._index.reload()
        return Snapshot(self._schema, self._index.searcher(), "")


class _BloomFilter:
    """Set of ids in little memory, with false positives."""

    def __init__(self) -> None:
        self._bits = bytearray(BLOOM_BITS // 8)
        self._count = 0

    def add(self, work: str) -> bool:
        """Add an id; True if it surely was not in the set."""
        number = xxhash.xxh3_64_intdigest(work.encode())
        is_new = False
        for bit in (number % BLOOM_BITS, (number >> 32) % BLOOM_BITS):
            is_new |= not self._bits[bit >> 3] >> (bit & 7) & 1
            self._bits[bit >> 3] |= 1 << (bit & 7)
        self._count += 1
        return is_new and self._count <= BLOOM_ENTRIES


def remove_index(directory: Path) -> None:
    """Delete the files of the index, e.g. of one that cannot be opened."""
    shutil.rmtree(directory / f"v{fields.VERSION}", ignore_errors=True)
