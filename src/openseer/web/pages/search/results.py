"""The page of results, and its feeds."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from openseer.core.model.query import SORTS
from openseer.search.service import SearchResponse
from openseer.storage.protocols.index import FacetValue, Index
from openseer.web.conditional_get import dated
from openseer.web.dependencies import IndexDep, LibraryDep, SearchDep
from openseer.web.pages.charts import Chart, by_year
from openseer.web.pages.search.search_url import FEW, SHOWN, SearchParameters, View
from openseer.web.pages.work.metadata import coins
from openseer.web.responses import export_response
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
SORT_NAMES = {
    "relevance": "relevance", "citations": "most cited", "newest": "newest", "oldest": "oldest", "added": "last added",
    "rate": "citations a year",
}  # fmt: skip
FACET_NAMES = {
    "author": "Author", "venue": "Venue", "topic": "Topic", "type": "Type", "language": "Language", "has": "Has",
    "host": "Host",
}  # fmt: skip
PRINTED = ("author", "venue")
"""Facets whose values are not as they are printed."""
IN_A_FEED = 50


@router.api_route("/search", methods=READS)
def search(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    ask: SearchDep,
    parameters: Annotated[SearchParameters, Query()],
) -> Response:
    """Results with facets, ten to a page, with real next pages."""
    view = View.of(parameters, library.settings.web.page_size)
    if parameters.t == "auth":
        return RedirectResponse("/browse/authors?" + urlencode({"q": view.q}), 302)
    if parameters.feed in ("rss", "atom"):
        return RedirectResponse(view.feed(parameters.feed), 302)
    answered = ask(view.asked())
    last = max(1, -(-answered.total // view.size))
    if view.page > last:
        view = replace(view, page=last)
        answered = ask(view.asked())
    values = {
        "view": view,
        "query": view.q,
        "answered": answered,
        "chips": list(view.chips({**answered.facets, **_chosen(index, view, answered)})),
        "facets": [
            (name, FACET_NAMES[name], list(view.values(name, buckets)), len(buckets) > FEW and view.more != name)
            for name in SHOWN
            if (buckets := answered.facets.get(name, ()))
        ],
        "years": _years(view, ask(view.all_years()) if view.low or view.high else answered),
        "last": last,
        "sorts": [(name, SORT_NAMES[name]) for name in SORTS],
        "coins": coins,
        "clicked": view.clicked if library.settings.search.click_log and answered.understood != "everything" else None,
    }
    return render(request, "search.html", values)


def _chosen(index: Index, view: View, answered: SearchResponse) -> dict[str, tuple[FacetValue, ...]]:
    """Names and venues that are chosen or left out, as they are printed in the most cited work that has them: they need
    not be among those that are counted."""
    found: dict[str, tuple[FacetValue, ...]] = {}
    for one in view.asked().filters:
        for value in one.values if one.facet in PRINTED else ():
            known = found.get(one.facet, answered.facets.get(one.facet, ()))
            if all(bucket.value != value for bucket in known):
                found[one.facet] = (*known, FacetValue(value, 0, index.label(one.facet, value)))
    return found


def _years(view: View, answered: SearchResponse) -> Chart | None:
    counts = {int(one.value): one.count for one in answered.facets.get("year", ())}
    return by_year(
        counts, "works", link=lambda one: view.link(low=one.first, high=one.last), chosen=(view.low, view.high)
    )


@router.api_route("/feeds/search.{form}", methods=READS)
def feed(
    request: Request,
    ask: SearchDep,
    index: IndexDep,
    form: Literal["atom", "rss"],
    parameters: Annotated[SearchParameters, Query()],
) -> Response:
    """What came last among the works of a question, for feed readers."""
    parameters.sort, parameters.size, parameters.page = "added", IN_A_FEED, 1
    answered = ask(View.of(parameters, IN_A_FEED).asked())
    return dated(export_response(request, [one.work for one in answered.results], form), index)
