"""`Index` and `IndexWriter` on Tantivy."""

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
from openseer.storage.tantivy.suggest import complete, frequency, spelled

NOBODY = "nobody"
"""An id that no work has. Removing it is the first thing a writer does: Tantivy gives its first operation the number of
the last commit, and when segments are merged, a removal of that number is forgotten and the document comes back."""
WAITING = 16_000_000
"""Characters of texts that wait to be put behind the works."""
REMEMBERED, BITS = 4_000_000, 1 << 25
"""Works of a new index whose writing is remembered, so that only what stands there is removed before it is put; by two
bits of so many, which the last of them shares with others once in twenty times."""


class TantivyIndex:
    """The index of works in a directory."""

    def __init__(self, directory: Path, heap_mb: int = 64) -> None:
        self.directory = directory / f"v{fields.VERSION}"
        self._heap = heap_mb * 1_000_000
        self._schema = fields.schema()
        self._index = self._open()
        self._state: Snapshot | None = None

    @property
    def generation(self) -> str:
        return self._now().generation

    @property
    def changed_at(self) -> float:
        return int(self._now().generation.partition("-")[0], 16) / 1e9

    @property
    def works(self) -> int:
        return self._now().works

    def search(self, question: SearchQuery, rank: RankFunction | None = None) -> SearchHits:
        return self._now().search(question, rank)

    def count(self, question: SearchQuery) -> int:
        return self._now().count(question)

    def label(self, facet: str, value: str) -> str:
        return self._now().facets.label(facet, value)

    def similar_to_text(self, text: str, limit: int, rank: RankFunction | None = None) -> SearchHits:
        return self._now().similar_to_text(text, limit, rank)

    def get(self, work: str) -> IndexedWork | None:
        return self._now().get(work)

    def find(self, works: Sequence[str]) -> dict[str, IndexedWork]:
        return self._now().find(works)

    def texts(self, works: Sequence[str]) -> dict[str, str]:
        return self._now().texts(works)

    def sentences(self, tree: Node, about: Sequence[str], offset: int, limit: int) -> tuple[int, list[CitingSentence]]:
        return self._now().sentences(tree, about, offset, limit)

    def frequency(self, words: Sequence[str]) -> list[int]:
        return frequency(self._now().searcher, words)

    def correct_spelling(self, word: str) -> str:
        return spelled(self._now().searcher, word)

    def complete(self, typed: str, limit: int) -> list[Completion]:
        return complete(self._now(), typed, limit)

    def explain(self, question: SearchQuery, work: str) -> dict[str, Any]:
        return self._now().explain(question, work)

    def checkpoint(self) -> Checkpoint:
        return self._now().checkpoint()

    def digests(self) -> Iterator[tuple[str, IndexedDigest]]:
        return self._now().digests()

    def writer(self) -> TantivyWriter:
        try:
            writer = self._index.writer(heap_size=self._heap, num_threads=1)
        except ValueError as error:
            if "lock" in str(error).lower():
                raise Locked("Another process writes to the index.") from error
            raise StoreUnavailable(f"The index cannot be written: {error}.") from error
        return TantivyWriter(self._index, self._schema, writer)

    def _now(self) -> Snapshot:
        """The last commit; looked for by the file that names it, which is cheaper than to reload each time."""
        try:
            told = (self.directory / "meta.json").stat()
            generation = f"{told.st_mtime_ns:x}-{told.st_ino:x}"
            if self._state is None or self._state.generation != generation:
                self._index.reload()
                habits = self._state.habits if self._state else None
                self._state = Snapshot(self._schema, self._index.searcher(), generation, habits)
        except (ValueError, OSError) as error:
            raise IndexBehind(f"The index in {self.directory} cannot be read: {error}.") from error
        return self._state

    def _open(self) -> tantivy.Index:
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            index = tantivy.Index(self._schema, path=str(self.directory), reuse=True)
        except (ValueError, OSError) as error:
            raise IndexBehind(f"The index in {self.directory} cannot be opened: {error}.") from error
        fields.register(index)
        return index


class TantivyWriter:
    """The one writer. Nothing is seen before the commit, and a killed writer leaves the last one."""

    def __init__(self, index: tantivy.Index, schema: tantivy.Schema, writer: tantivy.IndexWriter) -> None:
        self._index, self._schema, self._writer = index, schema, writer
        self._committed = self._refreshed()
        self._put = None if self._committed.searcher.num_docs else _Remembered()
        self._behind: dict[str, list[tantivy.Document]] = {}
        self._waiting = 0
        self._writer.delete_documents_by_term("id", NOBODY)

    def stored_digest(self, work: str) -> IndexedDigest | None:
        return self._committed.stamp(work)

    def put(self, work: IndexedWork) -> None:
        if not self._is_new(work.id):
            self.remove(work.id)
        self._writer.add_document(fields.document_of(work))
        behind = [fields.sentence_document(sentence, work.language) for sentence in work.sentences]
        if work.text:
            behind.append(fields.text_document(work))
        if behind:
            self._behind[work.id] = behind
            self._waiting += len(work.text)
        if self._waiting > WAITING:
            self._put_behind()

    def _put_behind(self) -> None:
        """Texts and sentences stand behind many works, not each behind its own: stored documents are packed in blocks,
        and whoever fetches a hundred works would unpack a hundred texts."""
        for documents in self._behind.values():
            for document in documents:
                self._writer.add_document(document)
        self._behind.clear()
        self._waiting = 0

    def remove(self, work: str) -> None:
        self._behind.pop(work, None)
        self._writer.delete_documents_by_term("id", work)
        self._writer.delete_documents_by_term("id", fields.TEXT + work)
        self._writer.delete_documents_by_term("id", fields.SAID + work)

    def clear(self) -> None:
        self._writer.delete_all_documents()
        self._behind.clear()
        self._put = _Remembered()

    def commit(self, checkpoint: Checkpoint) -> None:
        self._put_behind()
        self._writer.delete_documents_by_term("id", fields.CHECKPOINT)
        self._writer.add_document(fields.checkpoint_document(checkpoint))
        try:
            self._writer.commit()
        except (ValueError, OSError) as error:
            raise StoreUnavailable(f"The index could not be written: {error}.") from error
        self._committed = self._refreshed()

    def close(self) -> None:
        self._writer.wait_merging_threads()

    def _is_new(self, work: str) -> bool:
        """Whether the index surely holds no such work: it was empty, and this was not put since.

        Removing costs a sixth to a third of the whole writing; a false no costs one removal."""
        return self._put is not None and self._put.add(work)

    def _refreshed(self) -> Snapshot:
        self._index.reload()
        return Snapshot(self._schema, self._index.searcher(), "")


class _Remembered:
    """Names that were seen, in little room: a name that was not may be taken for one that was."""

    def __init__(self) -> None:
        self._bits = bytearray(BITS // 8)
        self._count = 0

    def add(self, name: str) -> bool:
        """Whether a name was surely not seen before; it is now."""
        number = xxhash.xxh3_64_intdigest(name.encode())
        is_new = False
        for bit in (number % BITS, (number >> 32) % BITS):
            is_new |= not self._bits[bit >> 3] >> (bit & 7) & 1
            self._bits[bit >> 3] |= 1 << (bit & 7)
        self._count += 1
        return is_new and self._count <= REMEMBERED


def remove_index(directory: Path) -> None:
    """Throw the files of the index away, for one that cannot be opened any more."""
    shutil.rmtree(directory / f"v{fields.VERSION}", ignore_errors=True)
