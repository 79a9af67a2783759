"""One committed state of the index, as it is read: searches, counts and single works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import orjson
import tantivy
from tantivy import Query

from openseer.core.model.query import And, Node, SearchQuery, SoftOr
from openseer.core.model.work import CitingSentence, IndexedWork
from openseer.storage.protocols.index import (
    Candidates,
    Checkpoint,
    FacetValue,
    Hit,
    IndexedDigest,
    RankFunction,
    SearchHits,
)
from openseer.storage.tantivy import schema as fields
from openseer.storage.tantivy.facets import Facets
from openseer.storage.tantivy.term_stats import TermStats
from openseer.storage.tantivy.translate import ORDERS, SAID, Translator

WINDOW, NARROW, ALIKE = 200, 64, 48
"""Hits that are put into a better order: of a description, where every word must be there, and of works that are
alike."""
Scored = tuple[Any, tantivy.DocAddress]
SCAN = 500
"""Documents fetched at once when the whole index is walked."""


@dataclass(frozen=True)
class Snapshot:
    """A searcher and what is known of what it searches."""

    schema: tantivy.Schema
    searcher: tantivy.Searcher
    generation: str
    before: TermStats | None = None
    """Of the state before this one."""

    @cached_property
    def habits(self) -> TermStats:
        """Those of the state before, if little has changed since."""
        return self.before if self.before and self.before.hold(self.works) else TermStats(self.works)

    @cached_property
    def works(self) -> int:
        """How many there are, those that were removed but not yet forgotten among them."""
        return int(self.searcher.doc_freq("kind", "work"))

    @cached_property
    def translator(self) -> Translator:
        """From trees to queries of this index."""
        return Translator(self.schema, self.searcher, self.habits)

    @cached_property
    def facets(self) -> Facets:
        """Counts what was found."""
        return Facets(self.schema, self.searcher, self.translator)

    def search(self, question: SearchQuery, rank: RankFunction | None = None) -> SearchHits:
        """The works that answer a question, and what they are counted by."""
        order = ORDERS.get(question.sort)
        last = question.offset + question.limit
        ranked = rank is not None and order is None
        query = self.translator.query(question, ranked=ranked)
        if rank is not None and ranked and question.offset < WINDOW:
            window = WINDOW if is_described(question.tree) else NARROW
            found = self.searcher.search(query, limit=max(window, last), count=True)
            hits = self._ranked(found.hits[:window], rank, slice(question.offset, last))
            hits += self._plain(found.hits[max(window, question.offset) : last])
        else:
            found = self.searcher.search(
                query, limit=max(1, question.limit), count=True, order_by_field=order, offset=question.offset
            )
            hits = self._plain(found.hits[: question.limit], order)
        everything = replace(question, since=None)  # wherever in the list we are, it is as long
        facets: dict[str, tuple[FacetValue, ...]] = self.facets.counted(everything) if question.facets else {}
        total = int(getattr(found, "count", 0) or 0) if question.since is None else self.count(everything)
        return SearchHits(total, tuple(hits), facets)

    def _ranked(self, found: list[Scored], rank: RankFunction, shown: slice) -> list[Hit]:
        """Some of the first hits, in the order that `rank` gives them."""
        if not found:
            return []
        addresses = [address for _, address in found]
        documents = [self.searcher.doc(address) for address in addresses]
        candidates = Candidates(
            scores=[float(score) for score, _ in found],
            vectors=_stored(documents, "embedding"),
            forward_indexes=_stored(documents, "forward_index"),
            cited=[int(value or 0) for value in self.searcher.fast_field_values("cited", addresses)],
            years=[int(v) if v is not None else None for v in self.searcher.fast_field_values("year", addresses)],
            has_full_text=[
                fields.value_of(int(key or 0)) > 0 for key in self.searcher.fast_field_values("by_added", addresses)
            ],
        )
        return _in_order(documents, candidates, rank, shown)

    def _nearest(self, found: list[Scored], rank: RankFunction, limit: int) -> list[Hit]:
        """The same by scores and vectors alone, which is half of the work."""
        documents = [self.searcher.doc(address) for _, address in found]
        candidates = Candidates([float(score) for score, _ in found], _stored(documents, "embedding"))
        return _in_order(documents, candidates, rank, slice(limit)) if found else []

    def _plain(self, found: Sequence[tuple[Any, tantivy.DocAddress]], order: str | None = None) -> list[Hit]:
        """Hits as the engine orders them."""
        works = [(value, fields.work_of(self.searcher.doc(address))) for value, address in found]
        return [Hit(work, float(value)) if order is None else Hit(work, 0.0, int(value)) for value, work in works]

    def count(self, question: SearchQuery) -> int:
        """How many works answer a question, without asking which are the best."""
        query = Query.const_score_query(self.translator.query(question), 0.0)
        return int(getattr(self.searcher.search(query, limit=1, count=True), "count", 0) or 0)

    def similar_to_text(self, text: str, limit: int, rank: RankFunction | None = None) -> SearchHits:
        """Works with the most telling words of a text in title or abstract."""
        query = self.translator.alike(text)
        found = self.searcher.search(query, limit=max(1, limit, ALIKE if rank else 0), count=False).hits
        return SearchHits(0, tuple(self._nearest(found, rank, limit) if rank else self._plain(found)))

    def get(self, work: str) -> IndexedWork | None:
        """One work by any id that leads to it, with its text."""
        document = self._one(self.translator.exactly("ids", work))
        if document is None:
            return None
        found = fields.work_of(document)
        return fields.work_of(document, self.texts([found.id]).get(found.id, ""))

    def find(self, works: Sequence[str]) -> dict[str, IndexedWork]:
        """Many works at once."""
        found: dict[str, IndexedWork] = {}
        wanted = set(works)
        for start in range(0, len(works), SCAN):
            part = works[start : start + SCAN]
            query = self.translator.any_of("ids", part)
            for _, address in self.searcher.search(query, limit=len(part), count=False).hits:
                work = fields.work_of(self.searcher.doc(address))
                found |= {name: work for name in (work.id, *work.ids) if name in wanted}
        return found

    def texts(self, works: Sequence[str]) -> dict[str, str]:
        """The stored texts of some works."""
        if not works:
            return {}
        query = self.translator.any_of("id", [fields.TEXT + work for work in works])
        documents = (self.searcher.doc(at) for _, at in self.searcher.search(query, limit=len(works)).hits)
        return dict(map(fields.text_of, documents))

    def sentences(self, tree: Node, about: Sequence[str], offset: int, limit: int) -> tuple[int, list[CitingSentence]]:
        """Citing sentences, the best first."""
        translator = Translator(self.schema, self.searcher, self.habits, SAID, "sentence")
        found = self.searcher.search(translator.sentences(tree, about), limit=max(1, limit), offset=offset)
        total = int(getattr(found, "count", 0) or 0)
        return total, [fields.sentence_of(self.searcher.doc(at)) for _, at in found.hits[:limit]]

    def checkpoint(self) -> Checkpoint:
        """How far this state has come."""
        document = self._one(Query.term_query(self.schema, "kind", fields.CHECKPOINT))
        return fields.checkpoint_of(document) if document else Checkpoint()

    def stamp(self, work: str) -> IndexedDigest | None:
        """What a work is here."""
        document = self._one(Query.term_query(self.schema, "id", work))
        return fields.stamp_of(document)[1] if document else None

    def digests(self) -> Iterator[tuple[str, IndexedDigest]]:
        """Every work."""
        everything = Query.term_query(self.schema, "kind", "work")
        for offset in range(0, self.searcher.num_docs, SCAN):
            for _, address in self.searcher.search(everything, limit=SCAN, count=False, offset=offset).hits:
                yield fields.stamp_of(self.searcher.doc(address))

    def explain(self, question: SearchQuery, work: str) -> dict[str, Any]:
        """The engine's own account of a score."""
        hits = self.searcher.search(self.translator.exactly("ids", work), limit=1, count=False).hits
        if not hits:
            return {}
        told: dict[str, Any] = orjson.loads(
            self.translator.query(question).explain(self.searcher, hits[0][1]).to_json()
        )
        return told

    def _one(self, query: Query) -> tantivy.Document | None:
        hits = self.searcher.search(query, limit=1, count=False).hits
        return self.searcher.doc(hits[0][1]) if hits else None


def _stored(documents: Sequence[tantivy.Document], field: str) -> list[bytes]:
    return [bytes(document.get_first(field) or b"") for document in documents]


def _in_order(
    documents: Sequence[tantivy.Document], candidates: Candidates, rank: RankFunction, shown: slice
) -> list[Hit]:
    scores = rank(candidates)
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], -candidates.scores[at]))
    return [Hit(fields.work_of(documents[at]), float(scores[at]), candidate=at) for at in order[shown]]


def is_described(tree: Node) -> bool:
    """Whether a question says what is looked for in words that need not all be there."""
    return isinstance(tree, SoftOr) or (isinstance(tree, And) and any(map(is_described, tree.nodes)))
