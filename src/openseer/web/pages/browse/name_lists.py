"""Walking through the library: venues, years, names, topics."""

from __future__ import annotations

import string
from dataclasses import replace
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from openseer.catalog.author_names import ALPHABETS, NameList, names_starting_with, search_names
from openseer.core.errors import NotFound
from openseer.core.model.query import OTHER, Everything, ExactField, FacetRequest, SearchQuery, Sort
from openseer.core.text.normalize import squeezed
from openseer.storage.protocols.index import FacetValue, Index
from openseer.web.dependencies import IndexDep
from openseer.web.pages.charts import by_year, for_any_width
from openseer.web.params import sort_named
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
PAGE = 20
MANY = 200
"""Names on a page."""
LOOKED_UP = 20
QUOTE = '"'
Text = Annotated[str, Query(max_length=200)]


def _counted(index: Index, facet: str, size: int, containing: str = "") -> tuple[FacetValue, ...]:
    return index.search(SearchQuery(Everything(), limit=1, facets=(FacetRequest(facet, size, containing),))).facets[
        facet
    ]


@router.api_route("/browse", methods=READS)
def browse(request: Request, index: IndexDep) -> Response:
    """The ways through the library, with the foremost of each."""
    values = cached(
        request,
        "browse",
        lambda: {name: _counted(index, name, 12) for name in ("venue", "author", "topic", "year", "language", "type")},
    )
    years = {int(one.value): one.count for one in values["year"]}
    chart = for_any_width(years, "works", lambda one: f"/search?low={one.first}&high={one.last}")
    return render(request, "browse.html", {"counted": values, "chart": chart, "letters": string.ascii_uppercase})


@router.api_route("/browse/venues", methods=READS)
def venues(request: Request, index: IndexDep, q: Text = "") -> Response:
    """Venues, those with the most works first."""
    found = _counted(index, "venue", MANY, q)
    return render(request, "browse_list.html", {"kind": "venues", "found": found, "q": q, "most": MANY})


@router.api_route("/browse/topics", methods=READS)
def topics(request: Request, index: IndexDep, q: Text = "") -> Response:
    """Keywords and keyphrases, the most frequent first."""
    found = _counted(index, "topic", MANY, q)
    return render(request, "browse_list.html", {"kind": "topics", "found": found, "q": q, "most": MANY})


@router.api_route("/browse/authors", methods=READS, name="authors")
def authors(
    request: Request,
    index: IndexDep,
    q: Text = "",
    letter: Text = "",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """Names by the letters with which they begin, or by words of them."""
    begun = OTHER if letter == OTHER else squeezed(letter)
    roll = cached(request, f"names {begun}", lambda: _names(index, begun)) if not q else NameList(())
    last = max(1, -(-len(roll.names) // MANY))
    page = min(page, last)
    values = {
        "q": q,
        "letter": begun,
        "letters": string.ascii_uppercase,
        "other": OTHER,
        "alphabets": ALPHABETS[1:],
        "people": search_names(index, q, LOOKED_UP)[1] if q else [],
        "names": roll.names[(page - 1) * MANY : page * MANY],
        "total": len(roll.names),
        "next_letters": roll.next_letters,
        "page": page,
        "last": last,
        "link": lambda number: "?" + urlencode({"letter": begun, "page": number}),
    }
    return render(request, "browse_authors.html", values)


def _names(index: Index, begun: str) -> NameList:
    """Names that begin so; without a letter the most frequent."""
    return names_starting_with(index, begun) if begun else NameList(_counted(index, "author", MANY))


@router.api_route("/venue/{name:path}", methods=READS)
def venue(
    request: Request,
    name: str,
    index: IndexDep,
    sort: str = "citations",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """The works of a venue, its years and its authors."""
    order: Sort = sort_named(sort)
    order = "citations" if order == "relevance" else order
    counting = (FacetRequest("year"), FacetRequest("author", 10), FacetRequest("topic", 10), FacetRequest("has", 10))
    of_it = SearchQuery(ExactField(name, "venue"), order, limit=PAGE, facets=counting)
    total = index.count(of_it)
    if not total:
        raise NotFound(f"No work of this library appeared in {name}.", "Venues are listed at /browse/venues.")
    last = -(-total // PAGE)
    page = min(page, last)
    found = index.search(replace(of_it, offset=(page - 1) * PAGE))
    years = {int(one.value): one.count for one in found.facets["year"]}
    values = {
        "name": name,
        "within": f'=venue:"{name.replace(QUOTE, " ")}"',
        "total": total,
        "full": next((one.count for one in found.facets["has"] if one.value == "pdf"), 0),
        "works": [hit.work for hit in found.hits],
        "years": by_year(years, "works"),
        "authors": found.facets["author"],
        "topics": found.facets["topic"],
        "sort": order,
        "page": page,
        "last": last,
        "link": lambda number: f"?sort={order}&page={number}",
    }
    return render(request, "venue.html", values)
