"""Walking through the library: venues, years, names, topics."""

from __future__ import annotations

import string
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from openseer.authors import look_for
from openseer.errors import NotFound
from openseer.library import stores
from openseer.library.stores import Bucket
from openseer.queries import Counting, Everything, Question, Sort, Whole, Word
from openseer.web.api.search import sort_named
from openseer.web.pages.charts import by_year, for_any_width
from openseer.web.pages.keeping import kept
from openseer.web.parts import Index
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
PAGE = 20
MANY = 200
MOST_NAMES = 1000
LOOKED_UP = 20
Text = Annotated[str, Query(max_length=200)]


def _counted(index: stores.Index, facet: str, size: int, containing: str = "") -> tuple[Bucket, ...]:
    return index.search(Question(Everything(), limit=1, counting=(Counting(facet, size, containing),))).facets[facet]


@router.api_route("/browse", methods=READS)
def browse(request: Request, index: Index) -> Response:
    """The ways through the library, with the foremost of each."""
    values = kept(
        request,
        "browse",
        lambda: {name: _counted(index, name, 12) for name in ("venue", "author", "topic", "year", "language", "type")},
    )
    years = {int(one.value): one.count for one in values["year"]}
    chart = for_any_width(years, "works", lambda one: f"/search?low={one.first}&high={one.last}")
    return render(request, "browse.html", {"counted": values, "chart": chart, "letters": string.ascii_uppercase})


@router.api_route("/browse/venues", methods=READS)
def venues(request: Request, index: Index, q: Text = "") -> Response:
    """Venues, those with the most works first."""
    found = _counted(index, "venue", MANY, q)
    return render(request, "browse_list.html", {"kind": "venues", "found": found, "q": q, "most": MANY})


@router.api_route("/browse/topics", methods=READS)
def topics(request: Request, index: Index, q: Text = "") -> Response:
    """Keywords and keyphrases, the most frequent first."""
    found = _counted(index, "topic", MANY, q)
    return render(request, "browse_list.html", {"kind": "topics", "found": found, "q": q, "most": MANY})


@router.api_route("/browse/authors", methods=READS, name="authors")
def authors(request: Request, index: Index, q: Text = "", letter: Text = "") -> Response:
    """Names by their first letter, or by words of them."""
    letter = letter[:1].lower()
    values = {
        "q": q,
        "letter": letter,
        "letters": string.ascii_uppercase,
        "people": look_for(index, q, LOOKED_UP) if q else [],
        "names": _names(index, letter) if not q else [],
    }
    return render(request, "browse_authors.html", values)


def _names(index: stores.Index, letter: str) -> list[Bucket]:
    """Names whose family name begins so, in the order of the alphabet; without a letter the most frequent."""
    tree = Word(letter, "author", prefix=True) if letter else Everything()
    found = index.search(Question(tree, limit=1, counting=(Counting("author", MOST_NAMES if letter else MANY),)))
    named = [one for one in found.facets["author"] if one.value.startswith(letter)]
    return sorted(named, key=lambda one: one.value) if letter else named


@router.api_route("/venue/{name:path}", methods=READS)
def venue(
    request: Request,
    name: str,
    index: Index,
    sort: str = "citations",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """The works of a venue, its years and its authors."""
    order: Sort = sort_named(sort)
    order = "citations" if order == "relevance" else order
    counting = (Counting("year"), Counting("author", 10), Counting("topic", 10), Counting("has", 10))
    found = index.search(Question(Whole(name, "venue"), order, (page - 1) * PAGE, PAGE, counting=counting))
    if not found.total:
        raise NotFound(f"No work of this library appeared in {name}.", "Venues are listed at /browse/venues.")
    years = {int(one.value): one.count for one in found.facets["year"]}
    values = {
        "name": name,
        "total": found.total,
        "full": next((one.count for one in found.facets["has"] if one.value == "pdf"), 0),
        "works": [hit.work for hit in found.hits],
        "years": by_year(years, "works"),
        "authors": found.facets["author"],
        "topics": found.facets["topic"],
        "sort": order,
        "page": page,
        "last": max(1, -(-found.total // PAGE)),
        "link": lambda number: f"?sort={order}&page={number}",
    }
    return render(request, "venue.html", values)
