"""Result page and result feeds."""

from __future__ import annotations

from collections.abc import Iterator
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
from openseer.web.pages.charts import Chart, year_chart
from openseer.web.pages.search.search_url import FACET_VALUES, FACETS_SHOWN, FacetLink, SearchParameters, SearchUrl
from openseer.web.pages.work.metadata import coins
from openseer.web.params import READ_METHODS
from openseer.web.responses import export_response
from openseer.web.templating import render

router = APIRouter()
SORT_LABELS = {
    "relevance": "relevance", "citations": "most cited", "newest": "newest", "oldest": "oldest", "added": "last added",
    "rate": "citations per year",
}  # fmt: skip
FACET_LABELS = {
    "author": "Author", "venue": "Venue", "topic": "Topic", "type": "Type", "format": "Format",
    "language": "Language", "has": "Has", "host": "Host",
}  # fmt: skip
FACETS_WITH_LABELS = ("author", "venue")
"""Facets whose values are keys that differ from the printed names."""
FEED_SIZE = 50


@router.api_route("/search", methods=READ_METHODS)
def search(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    run_search: SearchDep,
    parameters: Annotated[SearchParameters, Query()],
) -> Response:
    """Result page with facets; a page past the end shows the last."""
    url = SearchUrl.of(parameters, library.settings.web.page_size)
    if parameters.t == "auth":
        return RedirectResponse("/browse/authors?" + urlencode({"q": url.q}), 302)
    if parameters.feed in ("rss", "atom"):
        return RedirectResponse(url.feed_url(parameters.feed), 302)
    response = run_search(url.search_request())
    last = max(1, -(-response.total // url.size))
    if url.page > last:
        url = replace(url, page=last)
        response = run_search(url.search_request())
    is_logged = library.settings.search.click_log and response.understood != "everything"
    values = {
        "url": url,
        "query": url.q,
        "response": response,
        "active_filters": list(url.active_filters({**response.facets, **_filter_labels(index, url, response)})),
        "facets": list(_facets(url, response)),
        "years": _years_chart(url, run_search(url.years_request()) if url.low or url.high else response),
        "last": last,
        "full_texts": _full_texts(url, response),
        "full_only": url.full,
        "sorts": [(name, SORT_LABELS[name]) for name in SORTS],
        "coins": coins,
        "click_url": url.click_url if is_logged else None,
    }
    return render(request, "search.html", values)


def _facets(url: SearchUrl, response: SearchResponse) -> Iterator[tuple[str, str, list[FacetLink], bool]]:
    """Facets that are not empty: name, label, values, and True if there are more values."""
    for name in FACETS_SHOWN:
        if found := response.facets.get(name, ()):
            has_more = len(found) > FACET_VALUES and url.more != name
            yield name, FACET_LABELS[name], list(url.facet_links(name, found)), has_more


def _full_texts(url: SearchUrl, response: SearchResponse) -> int | None:
    """Number of results with full text; None if a filter hides it."""
    if url.full:
        return response.total
    return next((one.count for one in response.facets.get("has", ()) if one.value == "text"), None)


def _filter_labels(index: Index, url: SearchUrl, response: SearchResponse) -> dict[str, tuple[FacetValue, ...]]:
    """Facet values of author and venue filters with their printed names, also of those that no facet lists."""
    values_of: dict[str, tuple[FacetValue, ...]] = {}
    for one in url.search_request().filters:
        for value in one.values if one.facet in FACETS_WITH_LABELS else ():
            listed = values_of.get(one.facet, response.facets.get(one.facet, ()))
            if value not in {facet_value.value for facet_value in listed}:
                values_of[one.facet] = (*listed, FacetValue(value, 0, index.label(one.facet, value)))
    return values_of


def _years_chart(url: SearchUrl, response: SearchResponse) -> Chart | None:
    counts = {int(one.value): one.count for one in response.facets.get("year", ())}
    return year_chart(
        counts, "works", link=lambda one: url.link(low=one.first, high=one.last), selected=(url.low, url.high)
    )


@router.api_route("/feeds/search.{form}", methods=READ_METHODS)
def feed(
    request: Request,
    run_search: SearchDep,
    index: IndexDep,
    form: Literal["atom", "rss"],
    parameters: Annotated[SearchParameters, Query()],
) -> Response:
    """Feed of the works added last that match a query."""
    parameters.sort, parameters.size, parameters.page = "added", FEED_SIZE, 1
    response = run_search(SearchUrl.of(parameters, FEED_SIZE).search_request())
    return dated(export_response(request, [one.work for one in response.results], form), index)
