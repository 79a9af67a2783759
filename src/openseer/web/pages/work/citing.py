"""Citing works of a work: one page of them with citing sentences, and all of them by year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from openseer.catalog.indexing.projection import project
from openseer.catalog.work_view import citing_works
from openseer.core.model.document import Viewer
from openseer.core.model.query import FacetRequest, IdSet, SearchQuery, Sort
from openseer.core.model.work import IncomingCitation, IndexedWork
from openseer.storage.codecs.document_summary import decode
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index

PAGE_SIZE = 20
MAX_IN_MEMORY = 400
"""Above so many citing works the index sorts and counts them."""
ORDERS: dict[str, Sort] = {"citations": "citations", "newest": "newest", "oldest": "oldest"}
MAX_SENTENCES = 3
"""Sentences of one citing work."""


class Quotation(NamedTuple):
    """A citing sentence with its position."""

    text: str
    sha1: str
    page: int = 0
    section: str = ""


@dataclass(frozen=True, slots=True)
class CitingWork:
    """One citing work with its sentences."""

    work: IndexedWork
    sentences: tuple[Quotation, ...]
    is_self_citation: bool


@dataclass(frozen=True, slots=True)
class CitingPage:
    """One page of the citing works, and the years of all."""

    works: tuple[CitingWork, ...]
    total: int
    page: int
    last: int
    years: Mapping[int, int]
    self_years: Mapping[int, int]
    """Years of the self-citations."""


def citing_page(
    library: Library, index: Index, root: str, page: int, viewer: Viewer, order: str = "citations"
) -> CitingPage:
    """One page of the works that cite a work."""
    citing = _CitingWorks(library, index, root, citing_works(library, root))
    total = len(citing.citations)
    last = max(1, -(-total // PAGE_SIZE))
    page = min(page, last)
    page_works, years, self_years = (citing.sorted_here if total <= MAX_IN_MEMORY else citing.from_index)(order, page)
    self_citing = citing.self_citing
    works = tuple(
        CitingWork(work, tuple(_quotations(library, citations, viewer)), work.id in self_citing)
        for work in page_works
        if (citations := citing.citations.get(work.id))
    )
    return CitingPage(works, total, page, last, years, self_years)


_WorksAndYears = tuple[Sequence[IndexedWork], Mapping[int, int], Mapping[int, int]]
"""Works of one page, the years of all works, the years of the self-citations."""


@dataclass(frozen=True, slots=True)
class _CitingWorks:
    """All works that cite one work."""

    library: Library
    index: Index
    root: str
    citations: Mapping[str, list[IncomingCitation]]

    @property
    def self_citing(self) -> set[str]:
        """Ids of the works that share an author with the cited work."""
        return {work for work, found in self.citations.items() if any(one.is_self_citation for one in found)}

    def sorted_here(self, order: str, page: int) -> _WorksAndYears:
        """Load and sort all of them, including those that are not indexed yet."""
        indexed, self_citing = self.index.find(list(self.citations)), self.self_citing
        loaded = [indexed.get(work) or project(self.library, work) for work in self.citations]
        works = sorted((one for one in loaded if one is not None), key=_sort_key(order))
        years = Counter(one.year for one in works if one.year)
        self_years = Counter(one.year for one in works if one.year and one.id in self_citing)
        return works[(page - 1) * PAGE_SIZE : page * PAGE_SIZE], years, self_years

    def from_index(self, order: str, page: int) -> _WorksAndYears:
        """Let the index sort and count them; only one page is loaded."""
        cites_it = IdSet("cites", tuple(self.library.records.ids_of([self.root])[self.root]))
        query = SearchQuery(
            cites_it,
            ORDERS.get(order, "citations"),
            (page - 1) * PAGE_SIZE,
            PAGE_SIZE,
            facets=(FacetRequest("year"),),
        )
        found = self.index.search(query)
        years = {int(one.value): one.count for one in found.facets["year"]}
        self_citing = self.index.find(sorted(self.self_citing)[:MAX_IN_MEMORY]).values()
        return [hit.work for hit in found.hits], years, Counter(one.year for one in self_citing if one.year)


def _sort_key(order: str) -> Callable[[IndexedWork], tuple[int, int, str]]:
    if order == "newest":
        return lambda one: (-(one.year or 0), -one.cited, one.title)
    if order == "oldest":
        return lambda one: (one.year or 9999, -one.cited, one.title)
    return lambda one: (-one.cited, -(one.year or 0), one.title)


def _quotations(library: Library, citations: list[IncomingCitation], viewer: Viewer) -> list[Quotation]:
    """Citing sentences in the documents that the viewer may see."""
    quotations: dict[str, Quotation] = {}
    for citation in citations:
        if not library.records.as_seen_by(viewer).may_see(citation.sha1):
            continue
        references = decode(library.records.summary(citation.sha1)).references
        if citation.position < len(references):
            for context in references[citation.position]["contexts"]:
                text, page = context["text"], context.get("page") or 0
                quotations.setdefault(text, Quotation(text, citation.sha1, page, context.get("section") or ""))
    return list(quotations.values())[:MAX_SENTENCES]
