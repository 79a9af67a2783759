"""Snapshot of a committed index: searches, counts and single works."""

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
from openseer.storage.tantivy.facets import FacetCounter
from openseer.storage.tantivy.term_stats import TermStats
from openseer.storage.tantivy.translate import ORDERS, SENTENCE_WEIGHTS, Translator

RERANKED_OPTIONAL, RERANKED_REQUIRED, RERANKED_SIMILAR = 200, 64, 48
"""Hits that are re-ranked: of a query with optional words, of one that requires every word, and of similar works."""
RERANKED_SHARE = 0.6
"""Share of the re-ranked hits that are simply the first; the others are the first with full text that follow."""
SELECTED_FROM = 4
"""Re-ranked hits are selected from so many times their number."""
ScoredAddress = tuple[Any, tantivy.DocAddress]
SCAN_BATCH = 500
"""Documents per query in a scan of the index."""


@dataclass(frozen=True)
class Snapshot:
    """A searcher with its term statistics."""

    schema: tantivy.Schema
    searcher: tantivy.Searcher
    generation: str
    previous_stats: TermStats | None = None
    """Term statistics of the previous snapshot."""

    @cached_property
    def term_stats(self) -> TermStats:
        """Term statistics: those of the previous snapshot if little has changed."""
        previous = self.previous_stats
        return previous if previous and previous.fits(self.works) else TermStats(self.works)

    @cached_property
    def works(self) -> int:
        """Number of works, including removed ones that are not merged away yet."""
        return int(self.searcher.doc_freq("kind", "work"))

    @cached_property
    def translator(self) -> Translator:
        """Translator of query trees for this snapshot."""
        return Translator(self.schema, self.searcher, self.term_stats)

    @cached_property
    def facets(self) -> FacetCounter:
        """Facet counts of this snapshot."""
        return FacetCounter(self.schema, self.searcher, self.translator)

    def search(self, query: SearchQuery, rank: RankFunction | None = None) -> SearchHits:
        """Hits and facets of a query."""
        order = ORDERS.get(query.sort)
        last = query.offset + query.limit
        ranked = rank is not None and order is None
        compiled = self.translator.translate(query, ranked=ranked)
        optional = has_optional_words(query.tree)
        window = RERANKED_OPTIONAL if optional else RERANKED_REQUIRED
        if rank is not None and ranked and query.offset < SELECTED_FROM * window:
            found = self.searcher.search(compiled, limit=max(SELECTED_FROM * window, last), count=True)
            selected, others = self._selected(found.hits, window)
            hits = self._reranked_hits(selected, rank, slice(query.offset, last), optional)
            hits += self._engine_hits(others[max(0, query.offset - len(selected)) : max(0, last - len(selected))])
        else:
            found = self.searcher.search(
                compiled, limit=max(1, query.limit), count=True, order_by_field=order, offset=query.offset
            )
            hits = self._engine_hits(found.hits[: query.limit], order)
        unlimited = replace(query, since=None)  # the total is that of the whole list
        facets: dict[str, tuple[FacetValue, ...]] = self.facets.count(unlimited) if query.facets else {}
        total = int(getattr(found, "count", 0) or 0) if query.since is None else self.count(unlimited)
        return SearchHits(total, tuple(hits), facets)

    def _selected(self, found: list[ScoredAddress], window: int) -> tuple[list[ScoredAddress], list[ScoredAddress]]:
        """Hits to re-rank, and the others: the first hits, and the first with full text among those that follow."""
        first = int(RERANKED_SHARE * window) if len(found) > window else window
        following = found[first : SELECTED_FROM * window]
        has_text = self._have_full_text([address for _, address in following])
        with_text = [at for at, has in enumerate(has_text, first) if has][: window - first]
        without_text = [at for at, has in enumerate(has_text, first) if not has]
        chosen = {*range(first), *with_text, *without_text[: window - first - len(with_text)]}
        selected = [found[at] for at in sorted(chosen) if at < len(found)]
        return selected, [hit for at, hit in enumerate(found) if at not in chosen]

    def _have_full_text(self, addresses: list[tantivy.DocAddress]) -> list[bool]:
        added = self.searcher.fast_field_values("by_added", addresses) if addresses else []
        return [fields.order_value(int(key or 0)) > 0 for key in added]

    def _reranked_hits(
        self, found: list[ScoredAddress], rank: RankFunction, shown: slice, optional_words: bool
    ) -> list[Hit]:
        """A slice of the first hits, re-ranked."""
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
            has_full_text=self._have_full_text(addresses),
            optional_words=optional_words,
        )
        return _reranked(documents, candidates, rank, shown)

    def _reranked_similar(self, found: list[ScoredAddress], rank: RankFunction, limit: int) -> list[Hit]:
        """The first hits re-ranked by score and embedding alone, which takes half of the time."""
        documents = [self.searcher.doc(address) for _, address in found]
        candidates = Candidates([float(score) for score, _ in found], _stored(documents, "embedding"))
        return _reranked(documents, candidates, rank, slice(limit)) if found else []

    def _engine_hits(self, found: Sequence[tuple[Any, tantivy.DocAddress]], order: str | None = None) -> list[Hit]:
        """Hits in the order of the engine."""
        works = [(value, fields.work_of(self.searcher.doc(address))) for value, address in found]
        return [Hit(work, float(value)) if order is None else Hit(work, 0.0, int(value)) for value, work in works]

    def count(self, query: SearchQuery) -> int:
        """Number of works that match a query, without scoring them."""
        compiled = Query.const_score_query(self.translator.translate(query), 0.0)
        return int(getattr(self.searcher.search(compiled, limit=1, count=True), "count", 0) or 0)

    def similar_to_text(self, text: str, limit: int, rank: RankFunction | None = None) -> SearchHits:
        """Works with the most discriminative words of a text in title or abstract."""
        compiled = self.translator.similar_to(text)
        found = self.searcher.search(compiled, limit=max(1, limit, RERANKED_SIMILAR if rank else 0), count=False).hits
        return SearchHits(0, tuple(self._reranked_similar(found, rank, limit) if rank else self._engine_hits(found)))

    def get(self, work: str) -> IndexedWork | None:
        """One work with its text, by any id that redirects to it."""
        document = self._first_document(self.translator.exact("ids", work))
        if document is None:
            return None
        found = fields.work_of(document)
        return fields.work_of(document, self.texts([found.id]).get(found.id, ""))

    def find(self, works: Sequence[str]) -> dict[str, IndexedWork]:
        """Works by any of their ids."""
        found: dict[str, IndexedWork] = {}
        ids = set(works)
        for start in range(0, len(works), SCAN_BATCH):
            part = works[start : start + SCAN_BATCH]
            compiled = self.translator.any_of("ids", part)
            for _, address in self.searcher.search(compiled, limit=len(part), count=False).hits:
                work = fields.work_of(self.searcher.doc(address))
                found |= {name: work for name in (work.id, *work.ids) if name in ids}
        return found

    def texts(self, works: Sequence[str]) -> dict[str, str]:
        """Stored texts of works."""
        if not works:
            return {}
        compiled = self.translator.any_of("id", [fields.TEXT + work for work in works])
        documents = (self.searcher.doc(at) for _, at in self.searcher.search(compiled, limit=len(works)).hits)
        return dict(map(fields.work_text_of, documents))

    def sentences(self, tree: Node, about: Sequence[str], offset: int, limit: int) -> tuple[int, list[CitingSentence]]:
        """Total and citing sentences, best first."""
        translator = Translator(self.schema, self.searcher, self.term_stats, SENTENCE_WEIGHTS, "sentence")
        found = self.searcher.search(translator.sentences(tree, about), limit=max(1, limit), offset=offset)
        total = int(getattr(found, "count", 0) or 0)
        return total, [fields.sentence_of(self.searcher.doc(at)) for _, at in found.hits[:limit]]

    def checkpoint(self) -> Checkpoint:
        """Checkpoint of this snapshot."""
        document = self._first_document(Query.term_query(self.schema, "kind", fields.CHECKPOINT))
        return fields.checkpoint_of(document) if document else Checkpoint()

    def stored_digest(self, work: str) -> IndexedDigest | None:
        """Digest of an indexed work."""
        document = self._first_document(Query.term_query(self.schema, "id", work))
        return fields.digest_of(document)[1] if document else None

    def digests(self) -> Iterator[tuple[str, IndexedDigest]]:
        """Id and digest of every work."""
        works = Query.term_query(self.schema, "kind", "work")
        for offset in range(0, self.searcher.num_docs, SCAN_BATCH):
            for _, address in self.searcher.search(works, limit=SCAN_BATCH, count=False, offset=offset).hits:
                yield fields.digest_of(self.searcher.doc(address))

    def explain(self, query: SearchQuery, work: str) -> dict[str, Any]:
        """Explanation of a score by Tantivy."""
        hits = self.searcher.search(self.translator.exact("ids", work), limit=1, count=False).hits
        if not hits:
            return {}
        explanation: dict[str, Any] = orjson.loads(
            self.translator.translate(query).explain(self.searcher, hits[0][1]).to_json()
        )
        return explanation

    def _first_document(self, compiled: Query) -> tantivy.Document | None:
        hits = self.searcher.search(compiled, limit=1, count=False).hits
        return self.searcher.doc(hits[0][1]) if hits else None


def _stored(documents: Sequence[tantivy.Document], field: str) -> list[bytes]:
    return [bytes(document.get_first(field) or b"") for document in documents]


def _reranked(
    documents: Sequence[tantivy.Document], candidates: Candidates, rank: RankFunction, shown: slice
) -> list[Hit]:
    scores = rank(candidates)
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], -candidates.scores[at]))
    return [Hit(fields.work_of(documents[at]), float(scores[at]), candidate=at) for at in order[shown]]


def has_optional_words(tree: Node) -> bool:
    """True if a query has optional words (`SoftOr`)."""
    return isinstance(tree, SoftOr) or (isinstance(tree, And) and any(map(has_optional_words, tree.nodes)))
