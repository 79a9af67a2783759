"""Statistics of the library: what is cited most, and what is missing."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from openseer.core.model.query import Everything, FacetRequest, Filter, Range, SearchQuery
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index
from openseer.web.dependencies import IndexDep, LibraryDep
from openseer.web.pages.charts import for_any_width
from openseer.web.pages.search.search_url import year_in
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
LISTED = 15
COUNTED = ("year", "author", "venue", "language", "type")


@router.api_route("/stats", methods=READS)
def stats(request: Request, library: LibraryDep, index: IndexDep, y: str = "") -> Response:
    """The most cited works of all years or of one, the names and venues on the most works, and what is missing."""
    year = year_in(y)
    values = cached(request, f"stats {year}", lambda: _figures(library, index, year))
    chart = for_any_width(values["years"], "works", lambda one: f"/search?low={one.first}&high={one.last}", year)
    return render(request, "stats.html", {**values, "year": year, "chart": chart})


def _figures(library: Library, index: Index, year: int | None) -> dict[str, Any]:
    tree = Range("year", year, year) if year else Everything()
    counting = tuple(FacetRequest(name, 15) for name in COUNTED)
    cited = index.search(SearchQuery(tree, "citations", limit=LISTED, facets=counting))
    missing = index.search(SearchQuery(tree, "citations", limit=LISTED, filters=(Filter("has", ("no-pdf",)),)))
    full = index.search(SearchQuery(tree, limit=1, full_text_only=True)).total
    every = index.search(SearchQuery(Everything(), limit=1, facets=(FacetRequest("year"),)))
    return {
        "works": cited.total,
        "full": full,
        "counts": library.records.counts(),
        "outcomes": library.records.outcomes(),
        "cited": [hit.work for hit in cited.hits if hit.work.cited],
        "missing": [hit.work for hit in missing.hits if hit.work.cited > 1][:10],
        "facets": cited.facets,
        "years": {int(one.value): one.count for one in every.facets["year"]},
    }
