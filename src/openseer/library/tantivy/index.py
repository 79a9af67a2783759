"""`Index` and `IndexWriter` on Tantivy."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import orjson
import tantivy

from openseer.errors import IndexBehind, Locked, StoreUnavailable
from openseer.library.stores import Checkpoint, Found, Hit, Stamp
from openseer.library.tantivy import schema as fields
from openseer.library.tantivy.translate import Translator
from openseer.queries import Question
from openseer.records.work import IndexedWork

SORTS = {
    "citations": ("cited", tantivy.Order.Desc),
    "newest": ("year", tantivy.Order.Desc),
    "oldest": ("year", tantivy.Order.Asc),
    "added": ("added", tantivy.Order.Desc),
}
NOBODY = "nobody"
"""An id that no work has. Removing it is the first thing a writer does: Tantivy gives its first operation the number of
the last commit, and when segments are merged, a removal of that number is forgotten and the document comes back."""
REMEMBERED = 1_000_000
"""Works of a new index whose writing is remembered, so that only what stands there is removed before it is put."""
SCAN = 500
"""Documents fetched at once when the whole index is walked."""


class TantivyIndex:
    """The index of works in a directory."""

    def __init__(self, directory: Path, heap_mb: int = 64) -> None:
        self.directory = directory / f"v{fields.VERSION}"
        self._heap = heap_mb * 1_000_000
        self._schema = fields.schema()
        self._translator = Translator(self._schema, fields.analyzer(), fields.folder())
        self._index = self._open()

    def search(self, question: Question) -> Found:
        searcher = self._searcher()
        query = self._translator.query(question.tree, question.full_text_only)
        order, direction = SORTS.get(question.sort, (None, tantivy.Order.Desc))
        found = searcher.search(
            query,
            limit=max(1, question.limit),
            count=True,
            order_by_field=order,
            offset=question.offset,
            order=direction,
        )
        hits = [
            Hit(fields.work_of(searcher.doc(address)), float(score) if order is None else 0.0)
            for score, address in found.hits
        ]
        return Found(int(getattr(found, "count", 0) or 0), tuple(hits[: question.limit]))

    def get(self, work: str) -> IndexedWork | None:
        document = _one(self._searcher(), self._translator.exactly("ids", work))
        return fields.work_of(document) if document else None

    def checkpoint(self) -> Checkpoint:
        document = _one(self._searcher(), self._translator.exactly("kind", fields.CHECKPOINT))
        return fields.checkpoint_of(document) if document else Checkpoint()

    def stamps(self) -> Iterator[tuple[str, Stamp]]:
        searcher = self._searcher()
        everything = self._translator.exactly("kind", "work")
        for offset in range(0, searcher.num_docs, SCAN):
            for _, address in searcher.search(everything, limit=SCAN, count=False, offset=offset).hits:
                card = orjson.loads(searcher.doc(address).get_first("card") or b"{}")
                yield card["id"], Stamp(card["digest"], card["cited"], card["own"])

    def writer(self) -> TantivyWriter:
        try:
            writer = self._index.writer(heap_size=self._heap, num_threads=1)
        except ValueError as error:
            if "lock" in str(error).lower():
                raise Locked("Another process writes to the index.") from error
            raise StoreUnavailable(f"The index cannot be written: {error}.") from error
        return TantivyWriter(self._index, writer, self._translator)

    def _searcher(self) -> tantivy.Searcher:
        try:
            self._index.reload()
        except (ValueError, OSError) as error:
            raise IndexBehind(f"The index in {self.directory} cannot be read: {error}.") from error
        return self._index.searcher()

    def _open(self) -> tantivy.Index:
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            index = tantivy.Index(self._schema, path=str(self.directory), reuse=True)
        except (ValueError, OSError) as error:
            raise IndexBehind(f"The index in {self.directory} cannot be opened: {error}.") from error
        index.register_tokenizer(fields.WORDS, fields.analyzer())
        return index


class TantivyWriter:
    """The one writer. Nothing is seen before the commit, and a killed writer leaves the last one."""

    def __init__(self, index: tantivy.Index, writer: tantivy.IndexWriter, translator: Translator) -> None:
        self._index = index
        self._writer = writer
        self._translator = translator
        self._committed = self._index.searcher()
        self._refresh()
        self._put: set[int] | None = None if self._committed.num_docs else set()
        self.remove(NOBODY)

    def stored(self, work: str) -> Stamp | None:
        document = _one(self._committed, self._translator.exactly("id", work))
        if document is None:
            return None
        card = orjson.loads(document.get_first("card") or b"{}")
        return Stamp(card["digest"], card["cited"], card["own"])

    def put(self, work: IndexedWork) -> None:
        if not self._is_new(work.id):
            self._writer.delete_documents_by_term("id", work.id)
        self._writer.add_document(fields.document_of(work))

    def remove(self, work: str) -> None:
        self._writer.delete_documents_by_term("id", work)

    def clear(self) -> None:
        self._writer.delete_all_documents()
        self._put = set()

    def commit(self, checkpoint: Checkpoint) -> None:
        self._writer.delete_documents_by_term("id", fields.CHECKPOINT)
        self._writer.add_document(fields.checkpoint_document(checkpoint))
        try:
            self._writer.commit()
        except (ValueError, OSError) as error:
            raise StoreUnavailable(f"The index could not be written: {error}.") from error
        self._refresh()

    def close(self) -> None:
        self._writer.wait_merging_threads()

    def _is_new(self, work: str) -> bool:
        """Whether the index surely holds no such work: it was empty, and this was not put since.

        Removing costs a sixth to a third of the whole writing; a false no costs one removal."""
        if self._put is None:
            return False
        name = hash(work)
        if name in self._put:
            return False
        self._put.add(name)
        if len(self._put) > REMEMBERED:
            self._put = None
        return True

    def _refresh(self) -> None:
        self._index.reload()
        self._committed = self._index.searcher()


def _one(searcher: tantivy.Searcher, query: tantivy.Query) -> tantivy.Document | None:
    hits = searcher.search(query, limit=1, count=False).hits
    return searcher.doc(hits[0][1]) if hits else None


def remove_index(directory: Path) -> None:
    """Throw the files of the index away, for one that cannot be opened any more."""
    shutil.rmtree(directory / f"v{fields.VERSION}", ignore_errors=True)
