"""Author page: the works of an author name and of compatible forms of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from openseer.catalog.author_names import CAVEAT, are_compatible, search_names
from openseer.core.errors import NotFound
from openseer.core.model.query import Everything, ExactField, FacetRequest, Filter, IdSet, SearchQuery
from openseer.core.model.work import IndexedWork
from openseer.core.text.name_strings import person_key
from openseer.core.text.normalize import squeezed
from openseer.core.text.person_names import split_name
from openseer.storage.protocols.index import Index
from openseer.storage.protocols.records import VisibleRecords
from openseer.web.dependencies import IndexDep, LibraryDep, ViewerDep
from openseer.web.pages.charts import year_chart
from openseer.web.params import READ_METHODS
from openseer.web.templating import render

router = APIRouter()
PAGE_SIZE = 20
MAX_WORKS = 1000
"""Works of a name that are evaluated, the most cited."""


@dataclass(frozen=True, slots=True)
class AffiliationYears:
    """An affiliation with the years of the works that state it."""

    name: str
    first: int | None
    last: int | None
    works: int


@router.api_route("/author/{name:path}", methods=READ_METHODS)
def author(
    request: Request,
    name: str,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    sort: str = "citations",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """Author page; a redirect to the list of authors if the name is ambiguous."""
    parts = split_name(name)
    to_list = RedirectResponse(request.url_for("authors").include_query_params(q=name), 302)
    key = person_key(parts.family or name, parts.given) if parts.given else ""
    works, forms = _works_of(index, key, parts.given) if key else ([], Counter[str]())
    if all(squeezed(form) != squeezed(name) for form in forms) and (printed := _key_of_printed(index, name)):
        key = printed
        works, forms = _works_of(index, key, parts.given)
    if not key:
        return to_list
    if not works and search_names(index, name, 1)[0]:
        return to_list
    if not works:
        raise NotFound(f"No works by {name} in this library.", "Search the list of authors for the family name.")
    sorted_works = sorted(works, key=_sort_key(sort))
    last = max(1, -(-len(works) // PAGE_SIZE))
    page = min(page, last)
    values = {
        "key": key,
        "name": max(forms, key=lambda form: (len(form), forms[form], form)),
        "works": sorted_works[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        "total": len(works),
        "page": page,
        "last": last,
        "sort": sort,
        "forms": forms.most_common(12),
        "coauthors": _coauthors(works, set(forms)),
        "affiliations": _affiliations(library.records.as_seen_by(viewer), key.split()[0], parts.given, works),
        "venues": Counter(work.venue for work in works if work.venue).most_common(8),
        "topics": Counter(topic.lower() for work in works for topic in work.topics).most_common(10),
        "cited": sum(work.cited for work in works),
        "self_citations": sum(work.self_citations for work in works),
        "h_index": h_index([work.cited for work in works]),
        "works_by_year": year_chart(Counter(work.year for work in works if work.year), "works"),
        "citing_by_year": year_chart(_citing_years(index, works), "citing works"),
        "caveat": CAVEAT,
        "link": lambda number: f"?sort={sort}&page={number}",
    }
    return render(request, "author.html", values)


def _sort_key(sort: str) -> Callable[[IndexedWork], tuple[int, int, str]]:
    if sort == "newest":
        return lambda work: (-(work.year or 0), -work.cited, work.title)
    return lambda work: (-work.cited, -(work.year or 0), work.title)


def _key_of_printed(index: Index, name: str) -> str:
    """Person key of a printed name, or ""; references may split given and family name differently."""
    hits = index.search(SearchQuery(ExactField(name, "author"), "citations", limit=1)).hits
    authors = [pair for hit in hits for pair in zip(hit.work.people, hit.work.authors, strict=False)]
    return next((key for key, form in authors if squeezed(form) == squeezed(name)), "")


def _works_of(index: Index, key: str, given: str) -> tuple[list[IndexedWork], Counter[str]]:
    """Works with a compatible author name, and the printed forms of the name with their numbers of works."""
    query = SearchQuery(Everything(), "citations", limit=MAX_WORKS, filters=(Filter("author", (key,)),))
    works, forms = [], Counter[str]()
    for hit in index.search(query).hits:
        authors = zip(hit.work.people, hit.work.authors, strict=False)
        compatible = [form for one, form in authors if one == key and are_compatible(given, split_name(form).given)]
        if compatible:
            works.append(hit.work)
            forms.update(compatible[:1])
    return works, forms


def _coauthors(works: Sequence[IndexedWork], forms: set[str]) -> list[tuple[str, int]]:
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    for work in works:
        for key, name in zip(work.people, work.authors, strict=False):
            if name not in forms:
                counts[key] += 1
                names[key] = max(names.get(key, ""), name, key=len)
    return [(names[key], count) for key, count in counts.most_common(12)]


def _affiliations(
    records: VisibleRecords, squeezed_family: str, given: str, works: Sequence[IndexedWork]
) -> list[AffiliationYears]:
    """Affiliations with their years, the latest first."""
    year_of = {name: work.year for work in works for name in work.ids}
    years: dict[str, list[int | None]] = {}
    for one in records.authorships_by_family(squeezed_family):
        if one.author.affiliation and one.work in year_of and are_compatible(given, split_name(one.author.name).given):
            years.setdefault(one.author.affiliation, []).append(year_of[one.work])
    affiliations = [_affiliation(name, dates) for name, dates in years.items()]
    return sorted(affiliations, key=lambda one: (-(one.last or 0), one.name))[:8]


def _affiliation(name: str, dates: list[int | None]) -> AffiliationYears:
    years = [date for date in dates if date]
    return AffiliationYears(name, min(years, default=None), max(years, default=None), len(dates))


def h_index(cited: Sequence[int]) -> int:
    """The greatest h such that h works are cited at least h times.

    >>> h_index([10, 8, 5, 4, 3]), h_index([])
    (4, 0)
    """
    return sum(count > rank for rank, count in enumerate(sorted(cited, reverse=True)))


def _citing_years(index: Index, works: Sequence[IndexedWork]) -> dict[int, int]:
    """Year -> number of works of that year that cite any of these."""
    ids = tuple(name for work in works if work.cited for name in work.ids)
    if not ids:
        return {}
    found = index.search(SearchQuery(IdSet("cites", ids), limit=1, facets=(FacetRequest("year"),)))
    return {int(one.value): one.count for one in found.facets["year"]}
