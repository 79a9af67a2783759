"""From a question to an answer: parsed, asked, mended where nothing was found, each result with its snippet."""

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
    SoftOr,
    Sort,
    Word,
)
from openseer.core.model.work import IndexedWork
from openseer.search.cursors import Cursor
from openseer.search.display.snippets import Piece, Snippet, mark, snippet
from openseer.search.pagination import ResultPages
from openseer.search.query.explain import as_query, explain, marks_in, plain_words, with_words, without
from openseer.search.query.parser import LONGEST, parse
from openseer.search.ranking.forward_index import says
from openseer.search.ranking.linear_model import Reason
from openseer.search.ranking.rerank import Reranking, reranking_of
from openseer.search.similar import SearchContext
from openseer.search.terms import stem
from openseer.storage.protocols.index import FacetValue, Hit, RankFunction, SearchHits

FEW = 3
"""Results so few that another spelling is worth a hint."""
TIMES = 2
"""So many times as much a spelling must find to be worth a hint."""
LEAST_KNOWN = 2
"""Words of a question that must be known for its answers to be more than chance."""
SEVERAL = 3
"""Bare words of which one may be missing rather than that the only answers say them in passing."""
SAME_TEXT = 3
"""Bits in which the fingerprints of two files of one text may differ."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question as it comes from a form, a route or the command line."""

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
    """Where to go on, from the answer before; "*" to begin. A page number is of no meaning then."""
    plain: bool = False
    """Order by the engine's own score alone."""
    meaning: bool = True
    """Let meaning count beside words, where vectors are there."""
    explain: bool = False
    """Say of each work why it stands where it stands."""
    extra_conditions: tuple[Node, ...] = ()
    """What must hold besides: what other fields of a form ask for."""

    @property
    def fingerprint(self) -> str:
        """By which a list is known again: all that decides what stands in it, and where."""
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
class Result:
    """One work of an answer, as it is shown."""

    work: IndexedWork
    score: float
    title: tuple[Piece, ...]
    snippet: Snippet | None
    """From the text, or from the abstract."""
    in_abstract: bool = False
    reasons: tuple[Reason, ...] = ()
    """Why it stands where it stands, when that was asked for."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A part of a query that keeps it from finding anything, or more than very little; and what there is without it."""

    part: str
    query: str
    total: int


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """What came of a question."""

    total: int
    results: tuple[Result, ...]
    understood: str
    took_ms: float
    facets: Mapping[str, tuple[FacetValue, ...]] = field(default_factory=dict)
    suggestion: str = ""
    """The query with words spelled as this library knows them."""
    corrected: bool = False
    """Whether the results are for that spelling, since nothing was found for the query as typed."""
    relaxed: bool = False
    """Whether some of the words may be missing, since nothing has all of them, or only few somewhere in their texts."""
    whole: int = 0
    """How many works have all of it."""
    relaxations: tuple[Relaxation, ...] = ()
    cursor: str = ""
    """To go on from here; "" at the end, or when no cursor was asked for."""
    by_meaning: bool = False
    """Whether meaning counted beside words."""


def search(holdings: SearchContext, asked: SearchRequest) -> SearchResponse:
    """Answer a question; any text is one."""
    started = time.perf_counter()
    typed = _narrowed(parse(asked.query), asked)
    question, place = _question(asked, holdings.resolved(typed))
    walk = _walk(holdings, asked, place)
    question = walk.question(question) if walk else question
    ranked = asked.sort == "relevance" and not asked.plain
    judge = _judge(holdings, asked, typed) if ranked else None
    search = _Search(holdings, asked.query, question, judge)
    mended = search.mended(typed)
    found, spelled = mended.found, mended.spelled
    if walk:
        found, place = walk.page(found, search.asked)
    elif place:
        place = place.after(found, question)
    tree = with_words(typed, spelled) if mended.corrected else typed
    words = tuple(dict.fromkeys(marks_in(tree)))
    results = tuple(_results(holdings, found.hits, words, judge if asked.explain else None))
    return SearchResponse(
        found.total,
        results,
        explain(tree),
        (time.perf_counter() - started) * 1000,
        found.facets,
        as_query(with_words(typed, spelled)) if spelled else "",
        mended.corrected,
        mended.relaxed,
        mended.whole,
        tuple(search.relaxations(tree, mended.whole)) if mended.whole <= FEW else (),
        replace(place, asked=asked.fingerprint).token if place else "",
        judge is not None and judge.by_embedding,
    )


def _judge(holdings: SearchContext, asked: SearchRequest, tree: Node) -> Reranking | None:
    model = holdings.model if asked.meaning else None
    return reranking_of(holdings.index, asked.query, tree, model, holdings.reranker())


def _question(asked: SearchRequest, tree: Node) -> tuple[SearchQuery, Cursor | None]:
    size = max(1, min(100, asked.page_size))
    offset = (max(1, min(asked.page, 1_000_000)) - 1) * size
    question = SearchQuery(tree, asked.sort, offset, size, asked.full_text_only, asked.filters, asked.facets)
    if not asked.cursor:
        return question, None
    place = Cursor.of(asked.cursor)
    if place.asked not in ("", asked.fingerprint):
        raise BadRequest(
            "The cursor is of another question.", "Begin with cursor=* where query, order or filters change."
        )
    return replace(question, since=place.key, offset=place.skip), place


def _walk(holdings: SearchContext, asked: SearchRequest, place: Cursor | None) -> ResultPages | None:
    """Through a kept list, where there is one; a cursor that only counts goes on doing so."""
    if place is None or holdings.lists is None or asked.sort != "relevance" or (place.skip and not place.list):
        return None
    return ResultPages(holdings.index, holdings.lists, place, max(1, min(100, asked.page_size)))


@dataclass(frozen=True, slots=True)
class _Mended:
    """What a question came to, and by which ways."""

    found: SearchHits
    spelled: dict[str, str] = field(default_factory=dict)
    corrected: bool = False
    relaxed: bool = False
    whole: int = 0


class _Search:
    """One question asked in more ways than one, where the first finds nothing."""

    def __init__(self, holdings: SearchContext, text: str, question: SearchQuery, rank: RankFunction | None) -> None:
        self._holdings, self._text, self._question, self._rank = holdings, text, question, rank
        self.asked = question
        """The question as it was asked last."""

    def _found(self, tree: Node) -> SearchHits:
        self.asked = replace(self._question, tree=tree)
        return self._holdings.index.search(self.asked, self._rank)

    def mended(self, typed: Node) -> _Mended:
        """What is found: by the question as it was typed, by other spellings, or by fewer words."""
        found = self._with_named(self._found(self._question.tree))
        if found.total > FEW:
            return _Mended(found, whole=found.total)
        spelled = self._spelled(typed)
        if isinstance(typed, Everything) or (found.total and not self._in_passing(typed, found)):
            return _Mended(found, spelled if self._finds_more(typed, spelled, found.total) else {}, whole=found.total)
        if spelled and not found.total:
            other = self._found(self._holdings.resolved(with_words(typed, spelled)))
            if other.total:
                return _Mended(other, spelled, corrected=True, whole=other.total)
        return self._with_fewer_words(typed, spelled, found)

    def _with_fewer_words(self, typed: Node, spelled: dict[str, str], found: SearchHits) -> _Mended:
        """By fewer words, spelled otherwise where nothing was found; one word that is known says too little of two."""
        tree = typed if found.total else with_words(typed, spelled)
        loose = _loosened(tree)
        if loose is None or (spelled and not found.total and self._known(tree) < LEAST_KNOWN):
            return _Mended(found, whole=found.total)
        wider = self._found(self._holdings.resolved(loose))
        corrected = bool(spelled and wider.total and not found.total)
        shown = spelled if corrected or self._finds_more(typed, spelled, found.total) else {}
        return _Mended(wider, shown, corrected, relaxed=bool(wider.total), whole=found.total)

    def _finds_more(self, typed: Node, spelled: dict[str, str], total: int) -> bool:
        """Whether another spelling is worth a hint."""
        if not spelled:
            return False
        other = replace(self._question, tree=self._holdings.resolved(with_words(typed, spelled)), since=None)
        return self._holdings.index.count(other) > TIMES * total

    def _known(self, tree: Node) -> int:
        """How many of its bare words this library knows."""
        return sum(map(bool, self._holdings.index.frequency([stem(one.text.lower()) for one in _bare(tree)])))

    def _in_passing(self, typed: Node, found: SearchHits) -> bool:
        """Whether works that have several words have them only somewhere in their texts."""
        bare = _bare(typed)
        if len(bare) < SEVERAL or self._question.sort != "relevance":
            return False
        first = replace(self._question, offset=0, limit=FEW, facets=())
        hits = found.hits or self._holdings.index.search(first).hits
        return not any(
            says(hit.work.forward_index, [one.text for one in bare if one.text != str(hit.work.year)]) for hit in hits
        )

    def _with_named(self, found: SearchHits) -> SearchHits:
        """What a pasted citation names comes first, and the others after it, on whichever page."""
        name = self._named() if self._question.sort == "relevance" else ""
        if not name:
            return found
        question, it = self._question, IdSet("id", (name,))
        first = self._holdings.index.search(replace(question, tree=it, offset=0, limit=1, facets=())).hits
        if not first:
            return found
        tree = And((question.tree, Not(it)))
        others = replace(question, tree=tree, offset=max(0, question.offset - 1), facets=())
        hits = self._holdings.index.search(others, self._rank).hits
        shown = (*first, *hits)[: question.limit] if not question.offset else hits
        return replace(found, hits=shown, total=max(found.total, len(first)))

    def _named(self) -> str:
        return self._holdings.named(self._holdings.records, self._text) if len(self._text) < LONGEST else ""

    def _spelled(self, typed: Node) -> dict[str, str]:
        words = dict.fromkeys(word.text for word in plain_words(typed))
        return {word: other for word in list(words)[:12] if (other := self._holdings.index.correct_spelling(word))}

    def relaxations(self, typed: Node, found: int) -> Iterator[Relaxation]:
        """What more there would be without one of the parts."""
        if not isinstance(typed, And) or len(typed.nodes) > 8:
            return
        for part in typed.nodes:
            rest = without(typed, part)
            question = replace(self._question, tree=self._holdings.resolved(rest), offset=0, facets=(), since=None)
            total = self._holdings.index.count(question)
            if total > found and not isinstance(rest, Everything):
                yield Relaxation(explain(part), as_query(rest), total)


def _bare(tree: Node) -> list[Word]:
    return [one for one in tree.nodes if isinstance(one, Word) and not one.field] if isinstance(tree, And) else []


def _loosened(tree: Node) -> Node | None:
    """The same with bare words that may be missing; None when there is nothing to loosen."""
    bare = _bare(tree)
    if len(bare) < 2 or not isinstance(tree, And):
        return None
    rest = [one for one in tree.nodes if one not in bare]
    return And((SoftOr(tuple(bare)), *rest)) if rest else SoftOr(tuple(bare))


def _narrowed(tree: Node, asked: SearchRequest) -> Node:
    """The query with everything else that is asked for."""
    low, high = asked.year_from, asked.year_to
    years = () if low is None and high is None else (Range("year", low, high),)
    beside = (*asked.extra_conditions, *years)
    if not beside:
        return tree
    parts = () if isinstance(tree, Everything) else tree.nodes if isinstance(tree, And) else (tree,)
    parts = (*parts, *beside)
    return And(parts) if len(parts) > 1 else parts[0]


def _results(
    holdings: SearchContext, hits: Sequence[Hit], words: tuple[str, ...], judge: Reranking | None
) -> Iterator[Result]:
    """Hits as they are shown, none whose text stands there already."""
    shown: list[int] = []
    texts = holdings.index.texts([hit.work.id for hit in hits if hit.work.documents]) if words else {}
    for hit in hits:
        mine = hit.work.fingerprint
        if mine is not None and any((mine ^ other).bit_count() <= SAME_TEXT for other in shown):
            continue
        shown += [mine] if mine else []
        result = _result(hit.work, hit.score, words, texts.get(hit.work.id, ""))
        yield replace(result, reasons=judge.reasons(hit.candidate)) if judge else result


def _past_header(work: IndexedWork, text: str) -> int:
    """Where the abstract begins: title and authors are shown anyway, and make a poor snippet."""
    return max(0, text[:20_000].replace("\n", " ").find(work.abstract[:40])) if work.abstract else 0


def _result(work: IndexedWork, score: float, words: tuple[str, ...], text: str) -> Result:
    header = _past_header(work, text)
    shown = snippet(text, words, after=header) or snippet(text[:header], words)
    in_abstract = shown is None and bool(work.abstract)
    if in_abstract:
        found = snippet(work.abstract, words)
        shown = Snippet(found.pieces if found else (Piece(work.abstract[:240]),), page=0)
    return Result(work, score, mark(work.title or "(no title)", words), shown, in_abstract)
