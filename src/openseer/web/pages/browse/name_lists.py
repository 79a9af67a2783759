"""Browsing: lists of venues, years, authors and topics; venue page."""

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
from openseer.web.pages.charts import responsive_chart, year_chart
from openseer.web.params import READ_METHODS, sort_named
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()
PAGE_SIZE = 20
MAX_NAMES = 200
"""Names on a page."""
MAX_AUTHORS = 20
"""Authors found by a search."""
FIRST_VALUES = 12
"""Values of each facet on the overview page."""
OVERVIEW_FACETS = ("venue", "author", "topic", "year", "language", "type")
QUOTE = '"'
Text = Annotated[str, Query(max_length=200)]


def _facet_values(index: Index, facet: str, size: int, containing: str = "") -> tuple[FacetValue, ...]:
    request = FacetRequest(facet, size, containing)
    return index.search(SearchQuery(Everything(), limit=1, facets=(request,))).facets[facet]


@router.api_route("/browse", methods=READ_METHODS)
def browse(request: Request, index: IndexDep) -> Response:
    """Overview with the most frequent values of each facet."""
    values = cached(
        request, "browse", lambda: {name: _facet_values(index, name, FIRST_VALUES) for name in OVERVIEW_FACETS}
    )
    years = {int(one.value): one.count for one in values["year"]}
    chart = responsive_chart(years, "works", lambda one: f"/search?low={one.first}&high={one.last}")
    return render(request, "browse.html", {"facets": values, "chart": chart, "letters": string.ascii_uppercase})


@router.api_route("/browse/venues", methods=READ_METHODS)
def venues(request: Request, index: IndexDep, q: Text = "") -> Response:
    """Venues by number of works."""
    found = _facet_values(index, "venue", MAX_NAMES, q)
    return render(request, "browse_list.html", {"kind": "venues", "found": found, "q": q, "max_names": MAX_NAMES})


@router.api_route("/browse/topics", methods=READ_METHODS)
def topics(request: Request, index: IndexDep, q: Text = "") -> Response:
    """Keywords and key phrases by number of works."""
    found = _facet_values(index, "topic", MAX_NAMES, q)
    return render(request, "browse_list.html", {"kind": "topics", "found": found, "q": q, "max_names": MAX_NAMES})


@router.api_route("/browse/authors", methods=READ_METHODS, name="authors")
def authors(
    request: Request,
    index: IndexDep,
    q: Text = "",
    letter: Text = "",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """Author names by first letters, or by a search."""
    prefix = OTHER if letter == OTHER else squeezed(letter)
    names = cached(request, f"names {prefix}", lambda: _names_starting_with(index, prefix)) if not q else NameList(())
    last = max(1, -(-len(names.names) // MAX_NAMES))
    page = min(page, last)
    values = {
        "q": q,
        "letter": prefix,
        "letters": string.ascii_uppercase,
        "other": OTHER,
        "alphabets": ALPHABETS[1:],
        "people": search_names(index, q, MAX_AUTHORS)[1] if q else [],
        "names": names.names[(page - 1) * MAX_NAMES : page * MAX_NAMES],
        "total": len(names.names),
        "next_letters": names.next_letters,
        "page": page,
        "last": last,
        "link": lambda number: "?" + urlencode({"letter": prefix, "page": number}),
    }
    return render(request, "browse_authors.html", values)


def _names_starting_with(index: Index, prefix: str) -> NameList:
    """Author names with this prefix; the most frequent names if it is empty."""
    return names_starting_with(index, prefix) if prefix else NameList(_facet_values(index, "author", MAX_NAMES))


@router.api_route("/venue/{name:path}", methods=READ_METHODS)
def venue(
    request: Request,
    name: str,
    index: IndexDep,
    sort: str = "citations",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """Venue page: its works, years, authors and topics."""
    order: Sort = sort_named(sort)
    order = "citations" if order == "relevance" else order
    facets = (FacetRequest("year"), FacetRequest("author", 10), FacetRequest("topic", 10), FacetRequest("has", 10))
    query = SearchQuery(ExactField(name, "venue"), order, limit=PAGE_SIZE, facets=facets)
    total = index.count(query)
    if not total:
        raise NotFound(f"No works published in {name} in this library.", "See /browse/venues for all venues.")
    last = -(-total // PAGE_SIZE)
    page = min(page, last)
    found = index.search(replace(query, offset=(page - 1) * PAGE_SIZE))
    years = {int(one.value): one.count for one in found.facets["year"]}
    values = {
        "name": name,
        "query_within": f'=venue:"{name.replace(QUOTE, " ")}"',
        "total": total,
        "full": next((one.count for one in found.facets["has"] if one.value == "text"), 0),
        "works": [hit.work for hit in found.hits],
        "years": year_chart(years, "works"),
        "authors": found.facets["author"],
        "topics": found.facets["topic"],
        "sort": order,
        "page": page,
        "last": last,
        "link": lambda number: f"?sort={order}&page={number}",
    }
    return render(request, "venue.html", values)
