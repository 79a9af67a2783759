"""The works that cite a work: a page of them with the sentences in which they do, and all of them by year."""

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

PAGE = 20
MANY = 400
"""Citing works from which on the index orders and counts them."""
ORDERS: dict[str, Sort] = {"citations": "citations", "newest": "newest", "oldest": "oldest"}
SENTENCES = 3
"""Shown of one citing work."""


class Said(NamedTuple):
    """A sentence in which a work is cited, and where it stands."""

    text: str
    sha1: str
    page: int = 0
    section: str = ""


@dataclass(frozen=True, slots=True)
class CitingWork:
    """One citing work and what it says."""

    work: IndexedWork
    sentences: tuple[Said, ...]
    own: bool
    """Whether it shares an author with what it cites."""


@dataclass(frozen=True, slots=True)
class CitingPage:
    """Some of the citing works, and the years of all."""

    works: tuple[CitingWork, ...]
    total: int
    page: int
    last: int
    years: Mapping[int, int]
    own_years: Mapping[int, int]
    """Of those that share an author with it."""


def citing_page(
    library: Library, index: Index, root: str, page: int, viewer: Viewer, order: str = "citations"
) -> CitingPage:
    """One page of the works that cite this one."""
    citers = _Citers(library, index, root, citing_works(library, root))
    total = len(citers.citations)
    last = max(1, -(-total // PAGE))
    page = min(page, last)
    shown, years, own_years = (citers.looked_at if total <= MANY else citers.asked_for)(order, page)
    own = citers.own
    works = tuple(
        CitingWork(work, tuple(_sentences(library, found, viewer)), work.id in own)
        for work in shown
        if (found := citers.citations.get(work.id))
    )
    return CitingPage(works, total, page, last, years, own_years)


Shown = tuple[Sequence[IndexedWork], Mapping[int, int], Mapping[int, int]]
"""A page of works, the years of all, and the years of those that share an author."""


@dataclass(frozen=True, slots=True)
class _Citers:
    """The works that cite one."""

    library: Library
    index: Index
    root: str
    citations: Mapping[str, list[IncomingCitation]]

    @property
    def own(self) -> set[str]:
        """Those that share an author with it."""
        return {work for work, found in self.citations.items() if any(one.is_self_citation for one in found)}

    def looked_at(self, order: str, page: int) -> Shown:
        """All of them are read: also those that the index does not hold yet."""
        known, own = self.index.find(list(self.citations)), self.own
        every = [known.get(work) or project(self.library, work) for work in self.citations]
        works = sorted((one for one in every if one is not None), key=_ordering(order))
        years = Counter(one.year for one in works if one.year)
        own_years = Counter(one.year for one in works if one.year and one.id in own)
        return works[(page - 1) * PAGE : page * PAGE], years, own_years

    def asked_for(self, order: str, page: int) -> Shown:
        """The index orders and counts; only a page of them is read."""
        among = IdSet("cites", tuple(self.library.records.ids_of([self.root])[self.root]))
        sort = ORDERS.get(order, "citations")
        found = self.index.search(SearchQuery(among, sort, (page - 1) * PAGE, PAGE, facets=(FacetRequest("year"),)))
        years = {int(one.value): one.count for one in found.facets["year"]}
        mine = self.index.find(sorted(self.own)[:MANY]).values()
        return [hit.work for hit in found.hits], years, Counter(one.year for one in mine if one.year)


def _ordering(order: str) -> Callable[[IndexedWork], tuple[int, int, str]]:
    if order == "newest":
        return lambda one: (-(one.year or 0), -one.cited, one.title)
    if order == "oldest":
        return lambda one: (one.year or 9999, -one.cited, one.title)
    return lambda one: (-one.cited, -(one.year or 0), one.title)


def _sentences(library: Library, citations: list[IncomingCitation], viewer: Viewer) -> list[Said]:
    """What the citing documents that this viewer may see say of it."""
    said: dict[str, Said] = {}
    for citation in citations:
        if not library.records.may_see(citation.sha1, viewer):
            continue
        references = decode(library.records.summary(citation.sha1)).references
        if citation.position < len(references):
            for context in references[citation.position]["contexts"]:
                place = Said(context["text"], citation.sha1, context.get("page") or 0, context.get("section") or "")
                said.setdefault(place.text, place)
    return list(said.values())[:SENTENCES]
