"""The page of a printed name."""

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
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index
from openseer.web.dependencies import IndexDep, LibraryDep
from openseer.web.pages.charts import by_year
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
PAGE = 20
MOST = 1000
"""Works of a name that are looked into, the most cited."""


@dataclass(frozen=True, slots=True)
class Place:
    """An affiliation, and the years of the works it stands on."""

    name: str
    first: int | None
    last: int | None
    works: int


@router.api_route("/author/{name:path}", methods=READS)
def author(
    request: Request,
    name: str,
    library: LibraryDep,
    index: IndexDep,
    sort: str = "citations",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """The works of a name and of the forms compatible with it, and what they tell."""
    parts = split_name(name)
    among = RedirectResponse(request.url_for("authors").include_query_params(q=name), 302)
    key = person_key(parts.family or name, parts.given) if parts.given else ""
    works, forms = _works(index, key, parts.given) if key else ([], Counter[str]())
    if all(squeezed(form) != squeezed(name) for form in forms) and (printed := _key_of(index, name)):
        key = printed
        works, forms = _works(index, key, parts.given)
    if not key:
        return among
    if not works and search_names(index, name, 1)[0]:
        return among
    if not works:
        raise NotFound(f"No work of this library is by {name}.", "Look for the family name among the authors.")
    shown = sorted(works, key=_order(sort))
    last = max(1, -(-len(works) // PAGE))
    page = min(page, last)
    values = {
        "key": key,
        "name": max(forms, key=lambda form: (len(form), forms[form], form)),
        "works": shown[(page - 1) * PAGE : page * PAGE],
        "total": len(works),
        "page": page,
        "last": last,
        "sort": sort,
        "forms": forms.most_common(12),
        "coauthors": _coauthors(works, set(forms)),
        "places": _places(library, key.split()[0], parts.given, works),
        "venues": Counter(work.venue for work in works if work.venue).most_common(8),
        "topics": Counter(topic.lower() for work in works for topic in work.topics).most_common(10),
        "cited": sum(work.cited for work in works),
        "own": sum(work.self_citations for work in works),
        "h": h_index([work.cited for work in works]),
        "written": by_year(Counter(work.year for work in works if work.year), "works"),
        "citing": by_year(_citing_years(index, works), "citing works"),
        "caveat": CAVEAT,
        "link": lambda number: f"?sort={sort}&page={number}",
    }
    return render(request, "author.html", values)


def _order(sort: str) -> Callable[[IndexedWork], tuple[int, int, str]]:
    if sort == "newest":
        return lambda work: (-(work.year or 0), -work.cited, work.title)
    return lambda work: (-work.cited, -(work.year or 0), work.title)


def _key_of(index: Index, name: str) -> str:
    """Under which key a name stands that is printed just so; a reference may have parted it in another way."""
    hits = index.search(SearchQuery(ExactField(name, "author"), "citations", limit=1)).hits
    named = [pair for hit in hits for pair in zip(hit.work.people, hit.work.authors, strict=False)]
    return next((key for key, form in named if squeezed(form) == squeezed(name)), "")


def _works(index: Index, key: str, given: str) -> tuple[list[IndexedWork], Counter[str]]:
    """Works with a compatible name, and the forms in which it is printed."""
    question = SearchQuery(Everything(), "citations", limit=MOST, filters=(Filter("author", (key,)),))
    works, forms = [], Counter[str]()
    for hit in index.search(question).hits:
        named = zip(hit.work.people, hit.work.authors, strict=False)
        mine = [form for one, form in named if one == key and are_compatible(given, split_name(form).given)]
        if mine:
            works.append(hit.work)
            forms.update(mine[:1])
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


def _places(library: Library, squeezed_family: str, given: str, works: Sequence[IndexedWork]) -> list[Place]:
    """Affiliations over time, the latest first."""
    years = {name: work.year for work in works for name in work.ids}
    found: dict[str, list[int | None]] = {}
    for one in library.records.authorships_by_family(squeezed_family):
        if one.author.affiliation and one.work in years and are_compatible(given, split_name(one.author.name).given):
            found.setdefault(one.author.affiliation, []).append(years[one.work])
    places = [_place(name, dates) for name, dates in found.items()]
    return sorted(places, key=lambda one: (-(one.last or 0), one.name))[:8]


def _place(name: str, dates: list[int | None]) -> Place:
    known = [date for date in dates if date]
    return Place(name, min(known, default=None), max(known, default=None), len(dates))


def h_index(cited: Sequence[int]) -> int:
    """The greatest h such that h works are cited at least h times.

    >>> h_index([10, 8, 5, 4, 3]), h_index([])
    (4, 0)
    """
    return sum(times > place for place, times in enumerate(sorted(cited, reverse=True)))


def _citing_years(index: Index, works: Sequence[IndexedWork]) -> dict[int, int]:
    """Works that cite any of these, by their years."""
    ids = tuple(name for work in works if work.cited for name in work.ids)
    if not ids:
        return {}
    found = index.search(SearchQuery(IdSet("cites", ids), limit=1, facets=(FacetRequest("year"),)))
    return {int(one.value): one.count for one in found.facets["year"]}
