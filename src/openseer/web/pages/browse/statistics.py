"""Statistics page: most cited works, missing full texts, frequent authors and venues, outcomes."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from openseer.core.model.document import DocumentSelection, Viewer
from openseer.core.model.query import Everything, FacetRequest, Filter, Range, SearchQuery
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index
from openseer.web.dependencies import IndexDep, LibraryDep
from openseer.web.pages.charts import responsive_chart
from openseer.web.pages.search.search_url import parse_year
from openseer.web.params import READ_METHODS
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()
MAX_ROWS = 15
FACETS_SHOWN = ("year", "author", "venue", "language", "type", "format")


@router.api_route("/stats", methods=READ_METHODS)
def stats(request: Request, library: LibraryDep, index: IndexDep, y: str = "") -> Response:
    """Statistics of all years or of one."""
    year = parse_year(y)
    values = cached(request, f"stats {year}", lambda: _statistics(library, index, year))
    chart = responsive_chart(values["years"], "works", lambda one: f"/search?low={one.first}&high={one.last}", year)
    return render(request, "stats.html", {**values, "year": year, "chart": chart})


def _statistics(library: Library, index: Index, year: int | None) -> dict[str, Any]:
    tree = Range("year", year, year) if year else Everything()
    facets = tuple(FacetRequest(name, MAX_ROWS) for name in FACETS_SHOWN)
    cited = index.search(SearchQuery(tree, "citations", limit=MAX_ROWS, facets=facets))
    missing = index.search(SearchQuery(tree, "citations", limit=MAX_ROWS, filters=(Filter("has", ("no-text",)),)))
    full = index.search(SearchQuery(tree, limit=1, full_text_only=True)).total
    all_works = index.search(SearchQuery(Everything(), limit=1, facets=(FacetRequest("year"),)))
    return {
        "works": cited.total,
        "full": full,
        "counts": library.records.counts(),
        "outcomes": library.records.outcomes(),
        "doubtful": library.records.as_seen_by(Viewer.PUBLIC).list_documents(DocumentSelection(is_doubtful=True), 0, 0)[
            0
        ],
        "cited": [hit.work for hit in cited.hits if hit.work.cited],
        "missing": [hit.work for hit in missing.hits if hit.work.cited > 1][:10],
        "facets": cited.facets,
        "years": {int(one.value): one.count for one in all_works.facets["year"]},
    }
