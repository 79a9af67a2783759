"""Search service: parse -> retrieve (correct and relax if little is found) -> rerank -> snippets.

`catalog/serializers.py` makes the JSON body of a response.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from openseer.core.errors import BadRequest
from openseer.core.model.query import (
    And,
    Everything,
    FacetRequest,
    Filter,
    IdSet,
    Node,
    Not,
    Range,
    SearchQuery,
    Sort,
)
from openseer.core.model.work import IndexedWork
from openseer.search.context import SearchContext
from openseer.search.display.snippets import Snippet, TextSpan, highlight, snippet
from openseer.search.pagination import Cursor, SnapshotPages
from openseer.search.query.explain import (
    as_query,
    correctable_words,
    explain,
    ranking_words,
    with_words,
    without,
    words_to_highlight,
)
from openseer.search.query.operators import resolve_operators
from openseer.search.query.parser import MAX_CHARACTERS, parse
from openseer.search.query.relax import bare_words, relax
from openseer.search.ranking.forward_index import contains_words
from openseer.search.ranking.linear_model import Reason
from openseer.search.ranking.rerank import Reranking, reranking_of
from openseer.search.terms import stem
from openseer.storage.protocols.index import FacetValue, Hit, RankFunction, SearchHits

FEW_RESULTS = 3
"""Up to so many results a spelling suggestion or a relaxed query is tried."""
SUGGESTION_FACTOR = 2
"""A suggested spelling must find more than so many times the results."""
MIN_KNOWN_WORDS = 2
"""Words of a relaxed and corrected query that must occur in the library; one alone matches by chance."""
MIN_WORDS_TO_RELAX = 3
"""Bare words from which on a query with a few results is relaxed if all of them match in the full text only."""
SAME_TEXT_BITS = 3
"""Maximum Hamming distance between the fingerprints of two files with the same text."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search request, as a form, a route or the command line sends it."""

    query: str = ""
    page: int = 1
    page_size: int = 10
    sort: Sort = "relevance"
    full_text_only: bool = False
    year_from: int | None = None
    year_to: int | None = None
    filters: tuple[Filter, ...] = ()
    facets: tuple[FacetRequest, ...] = ()
    cursor: str = ""
    """Cursor of the response before, "*" for the first page; the page number is ignored then."""
    plain: bool = False
    """Keep the order of the index: no re-ranking."""
    use_embeddings: bool = True
    """Rank by embeddings too, where they are installed."""
    explain: bool = False
    """Add the reasons of its rank to each result."""
    extra_conditions: tuple[Node, ...] = ()
    """Further conditions, from other fields of a form."""
    offset: int = 0
    """Number of results to skip; the page number is ignored then."""

    @property
    def fingerprint(self) -> str:
        """Hash of everything that determines the result list and its order."""
        parts = (
            self.query,
            self.sort,
            self.full_text_only,
            self.year_from,
            self.year_to,
            self.filters,
            self.extra_conditions,
        )
        return hashlib.blake2b(repr(parts).encode(), digest_size=4).hexdigest()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One work of a response with title, snippet and reasons."""

    work: IndexedWork
    score: float
    title: tuple[TextSpan, ...]
    snippet: Snippet | None
    """Of the full text, or of the abstract."""
    in_abstract: bool = False
    reasons: tuple[Reason, ...] = ()
    """Reasons of its rank; empty unless the request asks for them."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A part of a query that excludes works, and the query and its total without this part."""

    part: str
    query: str
    total: int


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """Results of a search request."""

    total: int
    results: tuple[SearchResult, ...]
    understood: str
    """How the query was parsed."""
    took_ms: float
    facets: Mapping[str, tuple[FacetValue, ...]] = field(default_factory=dict)
    suggestion: str = ""
    """The query with corrected spelling."""
    corrected: bool = False
    """True if the results are those of the corrected spelling, because the query as typed found nothing."""
    relaxed: bool = False
    """True if results may lack some of the words, because no work or only a few full texts have all of them."""
    with_all_words: int = 0
    """Works that match the whole query."""
    relaxations: tuple[Relaxation, ...] = ()
    cursor: str = ""
    """Cursor of the next page; "" at the end, or if the request has no cursor."""
    used_embeddings: bool = False
    """True if embeddings were compared."""


def search(context: SearchContext, request: SearchRequest) -> SearchResponse:
    """Answer a search request; any text is a valid query."""
    started = time.perf_counter()
    tree = _parse(request)
    query, cursor = _index_query(request, resolve_operators(context, tree))
    pages = _snapshot_pages(context, request, cursor)
    query = pages.index_query(query) if pages else query
    reranking = _rerank(context, request, tree)
    retrieval = _Retrieval(context, request.query, query, reranking)
    retrieved = retrieval.retrieve(tree)
    found, spelling = retrieved.found, retrieved.spelling
    if pages:
        found, cursor = pages.page(found, retrieval.last_query)
    elif cursor:
        cursor = cursor.after(found, query)
    answered_tree = with_words(tree, spelling) if retrieved.corrected else tree
    words = tuple(dict.fromkeys(words_to_highlight(answered_tree)))
    results = tuple(_add_snippets(context, found.hits, words, reranking if request.explain else None))
    few = retrieved.with_all_words <= FEW_RESULTS
    return SearchResponse(
        total=found.total,
        results=results,
        understood=explain(answered_tree),
        took_ms=(time.perf_counter() - started) * 1000,
        facets=found.facets,
        suggestion=as_query(with_words(tree, spelling)) if spelling else "",
        corrected=retrieved.corrected,
        relaxed=retrieved.relaxed,
        with_all_words=retrieved.with_all_words,
        relaxations=tuple(retrieval.relaxations(answered_tree, retrieved.with_all_words)) if few else (),
        cursor=replace(cursor, fingerprint=request.fingerprint).token if cursor else "",
        used_embeddings=reranking is not None and reranking.used_embeddings,
    )


def _parse(request: SearchRequest) -> Node:
    """The tree of the query and of the other conditions of the request."""
    tree = parse(request.query)
    low, high = request.year_from, request.year_to
    years = () if low is None and high is None else (Range("year", low, high),)
    conditions = (*request.extra_conditions, *years)
    if not conditions:
        return tree
    parts = () if isinstance(tree, Everything) else tree.nodes if isinstance(tree, And) else (tree,)
    parts = (*parts, *conditions)
    return And(parts) if len(parts) > 1 else parts[0]


def _index_query(request: SearchRequest, tree: Node) -> tuple[SearchQuery, Cursor | None]:
    size = max(1, min(100, request.page_size))
    offset = request.offset or (max(1, min(request.page, 1_000_000)) - 1) * size
    query = SearchQuery(tree, request.sort, offset, size, request.full_text_only, request.filters, request.facets)
    if not request.cursor:
        return query, None
    cursor = Cursor.of(request.cursor)
    if cursor.fingerprint not in ("", request.fingerprint):
        raise BadRequest(
            "The cursor belongs to another query.", "Begin with cursor=* when query, order or filters change."
        )
    return replace(query, since=cursor.order_key, offset=cursor.offset), cursor


def _snapshot_pages(context: SearchContext, request: SearchRequest, cursor: Cursor | None) -> SnapshotPages | None:
    """Pages of a result snapshot; None without a cursor, for other orders, and for a cursor that counts an offset."""
    if (
        cursor is None
        or context.snapshots is None
        or request.sort != "relevance"
        or (cursor.offset and not cursor.snapshot)
    ):
        return None
    return SnapshotPages(context.index, context.snapshots, cursor, max(1, min(100, request.page_size)))


def _rerank(context: SearchContext, request: SearchRequest, tree: Node) -> Reranking | None:
    """The second ranking stage, applied by the index to its first hits; None for other orders."""
    if request.sort != "relevance" or request.plain:
        return None
    encoder = context.encoder if request.use_embeddings else None
    return reranking_of(context.index, ranking_words(request.query, tree), encoder, context.reranker())


@dataclass(frozen=True, slots=True)
class _Retrieved:
    """Hits, and how the query was changed to find them."""

    found: SearchHits
    spelling: dict[str, str] = field(default_factory=dict)
    corrected: bool = False
    relaxed: bool = False
    with_all_words: int = 0


class _Retrieval:
    """Retrieval for one request: further queries are tried where the first finds little."""

    def __init__(self, context: SearchContext, text: str, query: SearchQuery, rank: RankFunction | None) -> None:
        self._context, self._text, self._query, self._rank = context, text, query, rank
        self.last_query = query
        """The query that was sent to the index last."""

    def retrieve(self, tree: Node) -> _Retrieved:
        """Hits of the query as typed, with corrected spelling, or relaxed."""
        found = self._cited_work_first(self._search(self._query.tree))
        if found.total > FEW_RESULTS:
            return _Retrieved(found, with_all_words=found.total)
        spelling = self._spelling(tree)
        if isinstance(tree, Everything) or (found.total and not self._only_in_full_text(tree, found)):
            suggestion = spelling if self._spelling_finds_more(tree, spelling, found.total) else {}
            return _Retrieved(found, suggestion, with_all_words=found.total)
        if spelling and not found.total:
            corrected = self._search(resolve_operators(self._context, with_words(tree, spelling)))
            if corrected.total:
                return _Retrieved(corrected, spelling, corrected=True, with_all_words=corrected.total)
        return self._relax(tree, spelling, found)

    def _relax(self, tree: Node, spelling: dict[str, str], found: SearchHits) -> _Retrieved:
        """Hits that may lack some words, with corrected spelling if nothing was found as typed."""
        as_spelled = tree if found.total else with_words(tree, spelling)
        relaxed_tree = relax(as_spelled)
        if relaxed_tree is None or (spelling and not found.total and self._known_words(as_spelled) < MIN_KNOWN_WORDS):
            return _Retrieved(found, with_all_words=found.total)
        wider = self._search(resolve_operators(self._context, relaxed_tree))
        corrected = bool(spelling and wider.total and not found.total)
        shown = spelling if corrected or self._spelling_finds_more(tree, spelling, found.total) else {}
        return _Retrieved(wider, shown, corrected, relaxed=bool(wider.total), with_all_words=found.total)

    def _search(self, tree: Node) -> SearchHits:
        self.last_query = replace(self._query, tree=tree)
        return self._context.index.search(self.last_query, self._rank)

    def _spelling_finds_more(self, tree: Node, spelling: dict[str, str], total: int) -> bool:
        """True if the corrected spelling is worth a suggestion."""
        if not spelling:
            return False
        corrected = resolve_operators(self._context, with_words(tree, spelling))
        return self._context.index.count(replace(self._query, tree=corrected, since=None)) > SUGGESTION_FACTOR * total

    def _known_words(self, tree: Node) -> int:
        """Number of bare words that occur in the index."""
        stems = [stem(one.text.lower()) for one in bare_words(tree)]
        return sum(map(bool, self._context.index.frequency(stems)))

    def _only_in_full_text(self, tree: Node, found: SearchHits) -> bool:
        """True if no hit has all of several words outside its full text."""
        bare = bare_words(tree)
        if len(bare) < MIN_WORDS_TO_RELAX or self._query.sort != "relevance":
            return False
        first_page = replace(self._query, offset=0, limit=FEW_RESULTS, facets=())
        hits = found.hits or self._context.index.search(first_page).hits
        return not any(
            contains_words(hit.work.forward_index, [one.text for one in bare if one.text != str(hit.work.year)])
            for hit in hits
        )

    def _cited_work_first(self, found: SearchHits) -> SearchHits:
        """Put the work that a pasted citation names first in the list, whichever page is shown."""
        cited_id = self._cited_work() if self._query.sort == "relevance" else ""
        if not cited_id:
            return found
        query, cited = self._query, IdSet("id", (cited_id,))
        first = self._context.index.search(replace(query, tree=cited, offset=0, limit=1, facets=())).hits
        if not first:
            return found
        tree = And((query.tree, Not(cited)))
        others = replace(query, tree=tree, offset=max(0, query.offset - 1), facets=())
        hits = self._context.index.search(others, self._rank).hits
        shown = (*first, *hits)[: query.limit] if not query.offset else hits
        return replace(found, hits=shown, total=max(found.total, len(first)))

    def _cited_work(self) -> str:
        is_whole = len(self._text) < MAX_CHARACTERS
        return self._context.find_cited(self._context.records, self._text) if is_whole else ""

    def _spelling(self, tree: Node) -> dict[str, str]:
        """Misspelt word -> corrected word."""
        words = list(dict.fromkeys(word.text for word in correctable_words(tree)))
        return {word: other for word in words[:12] if (other := self._context.index.correct_spelling(word))}

    def relaxations(self, tree: Node, found: int) -> Iterator[Relaxation]:
        """Queries without one of the parts that find more."""
        if not isinstance(tree, And) or len(tree.nodes) > 8:
            return
        for part in tree.nodes:
            rest = without(tree, part)
            resolved = resolve_operators(self._context, rest)
            query = replace(self._query, tree=resolved, offset=0, facets=(), since=None)
            total = self._context.index.count(query)
            if total > found and not isinstance(rest, Everything):
                yield Relaxation(explain(part), as_query(rest), total)


def _add_snippets(
    context: SearchContext, hits: Sequence[Hit], words: tuple[str, ...], reranking: Reranking | None
) -> Iterator[SearchResult]:
    """Results of the hits, without those whose text was shown already."""
    shown: list[int] = []
    texts = context.index.texts([hit.work.id for hit in hits if hit.work.documents]) if words else {}
    for hit in hits:
        fingerprint = hit.work.fingerprint
        if fingerprint is not None and any((fingerprint ^ other).bit_count() <= SAME_TEXT_BITS for other in shown):
            continue
        shown += [fingerprint] if fingerprint else []
        result = _add_snippet(hit.work, hit.score, words, texts.get(hit.work.id, ""))
        yield replace(result, reasons=reranking.reasons(hit.candidate)) if reranking else result


def _add_snippet(work: IndexedWork, score: float, words: tuple[str, ...], text: str) -> SearchResult:
    header = _header_length(work, text)
    found = snippet(text, words, after=header) or snippet(text[:header], words)
    in_abstract = found is None and bool(work.abstract)
    if in_abstract:
        of_abstract = snippet(work.abstract, words)
        found = Snippet(of_abstract.spans if of_abstract else (TextSpan(work.abstract[:240]),), page=0)
    return SearchResult(work, score, highlight(work.title or "(no title)", words), found, in_abstract)


def _header_length(work: IndexedWork, text: str) -> int:
    """Start of the abstract in the text: title and authors are shown anyway, and make a poor snippet."""
    return max(0, text[:20_000].replace("\n", " ").find(work.abstract[:40])) if work.abstract else 0
