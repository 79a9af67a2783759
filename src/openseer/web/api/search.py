"""REST: search, facet counts, autocomplete."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from openseer.catalog.bodies import Hit, SearchResults
from openseer.catalog.serializers import search_body
from openseer.core.model.query import FACETS, FacetRequest, Node, Or, Phrase
from openseer.search.service import SearchRequest
from openseer.web.api.routing import StrictRoute
from openseer.web.api.schemas import Counts, KeyCount, Suggestions
from openseer.web.dependencies import IndexDep, SearchDep
from openseer.web.params import (
    MAX_FACET_VALUES,
    Absent,
    FacetName,
    Fields,
    FormatName,
    Offset,
    PageNumber,
    PageSize,
    SortName,
    facet_requests_of,
    field_names,
    filters_of,
    separated,
    sort_named,
)
from openseer.web.responses import as_json, export_response, page_url, select_fields

router = APIRouter(route_class=StrictRoute)
published = APIRouter()

HIT_KEYS = tuple(Hit.__annotations__)
QUERY = "Words, phrases, fields and operators; any text is a valid query. Without it all works"
FILTERS = "FACET:VALUE, repeatable or comma-separated; a minus before it excludes"
COUNTED = "Facets to count, comma-separated; FACET:SIZE:TEXT for up to 100 values that contain a text"

PUBLISHED_FACET_VALUES = 10
"""Values of a facet in the published form of counts."""


MAX_FORM_VALUES = 100
FormValue = Annotated[str, Field(max_length=200)]
"""One of the values of a field in the published form."""


class SearchForm(BaseModel):
    """Published request body of a search."""

    queryString: str = Field(default="", max_length=10_000, examples=["near duplicates"])
    page: int = Field(default=1, ge=1, le=1_000_000)
    pageSize: int = Field(default=10, ge=1, le=100)
    yearStart: int | None = None
    yearEnd: int | None = None
    author: list[FormValue] = Field(default=[], max_length=MAX_FORM_VALUES)
    publisher: list[FormValue] = Field(default=[], max_length=MAX_FORM_VALUES)
    must_have_pdf: bool = False
    sort: str = "relevance"


class CountForm(BaseModel):
    """Published request body of a count."""

    queryString: str = Field(default="", max_length=10_000)


@router.get("/search", summary="Search works", response_model=SearchResults)
def search_works(
    request: Request,
    run_search: SearchDep,
    q: Annotated[str, Query(max_length=10_000, description=QUERY, examples=['title:crawling "focused crawler"'])] = "",
    page: PageNumber = None,
    page_size: PageSize = 10,
    offset: Offset = None,
    sort: SortName = "relevance",
    must_have_pdf: Annotated[bool, Query(description="Only works with full text")] = False,
    year_start: Annotated[int | Absent, Query(alias="yearStart", description="First year")] = None,
    year_end: Annotated[int | Absent, Query(alias="yearEnd", description="Last year")] = None,
    filters: Annotated[
        list[str] | Absent, Query(alias="filter", description=FILTERS, examples=[["type:article", "-language:de"]])
    ] = None,
    facets: Annotated[str, Query(max_length=1000, description=COUNTED, examples=["author,year,venue:20"])] = "",
    group_by: Annotated[FacetName | Absent, Query(description="One facet, with its 100 most frequent values")] = None,
    cursor: Annotated[str, Query(max_length=200, description="* to start, then next_cursor of the response")] = "",
    fields: Fields = "",
    form: FormatName = "json",
    plain: Annotated[bool, Query(description="Order by BM25 alone")] = False,
    meaning: Annotated[bool, Query(description="Rank by embeddings too, if they are installed")] = True,
    explain: Annotated[bool, Query(description="Explain the rank of each work")] = False,
) -> Response:
    """Works with and without full text; `understood_as` is the interpreted query. Filters on one facet are
    alternatives, a minus before the facet excludes. A cursor pages through any number of results."""
    keys = field_names(fields, HIT_KEYS)
    grouped = (FacetRequest(group_by, MAX_FACET_VALUES),) if group_by else ()
    counting = (*facet_requests_of(facets), *grouped)
    search_request = SearchRequest(
        q, page or 1, page_size, sort, must_have_pdf, year_start, year_end, filters_of(separated(filters or ())),
        counting, cursor, plain, meaning, explain, offset=offset or 0,
    )  # fmt: skip
    response = run_search(search_request)
    if form != "json":
        exported = export_response(request, [result.work for result in response.results], form)
        if response.cursor:
            exported.headers["Link"] = f'<{page_url(request, cursor=response.cursor)}>; rel="next"'
        return exported
    body = search_body(response)
    if group_by:
        body["group_by"] = body["facets"][group_by]
    return as_json({**body, "response": select_fields(body["response"], keys)} if keys else body)


@published.post("/search", summary="Search works (published form)", response_model=SearchResults)
def search_works_by_form(run_search: SearchDep, form: SearchForm) -> Response:
    """Search works by a JSON body; several authors are alternatives, so are several publishers."""
    search_request = SearchRequest(
        query=form.queryString,
        page=form.page,
        page_size=form.pageSize,
        sort=sort_named(form.sort),
        full_text_only=form.must_have_pdf,
        year_from=form.yearStart,
        year_to=form.yearEnd,
        extra_conditions=(*_alternatives("author", form.author), *_alternatives("venue", form.publisher)),
    )
    return as_json(search_body(run_search(search_request)))


def _alternatives(field: str, values: list[str]) -> Iterator[Node]:
    phrases = tuple(Phrase(value, field) for value in dict.fromkeys(values) if re.search(r"\w", value))
    if phrases:
        yield Or(phrases) if len(phrases) > 1 else phrases[0]


@router.get("/aggregate", summary="Count the works of a query", response_model=Counts)
def count_works(run_search: SearchDep, q: Annotated[str, Query(max_length=10_000, description=QUERY)] = "") -> Response:
    """Numbers of works by year, venue, author and the other facets."""
    return as_json(_counts(run_search, q))


@published.post("/aggregate", summary="Count the works of a query (published form)", response_model=Counts)
def count_works_by_form(run_search: SearchDep, form: CountForm) -> Response:
    """Count the works of a query given as a JSON body."""
    return as_json(_counts(run_search, form.queryString))


def _counts(run_search: SearchDep, query: str) -> Counts:
    facets = tuple(FacetRequest(facet, PUBLISHED_FACET_VALUES) for facet in FACETS)
    response = run_search(SearchRequest(query, page_size=1, facets=facets))
    values_of: dict[str, list[KeyCount]] = {
        facet: [{"key": one.label or one.value, "doc_count": one.count} for one in buckets]
        for facet, buckets in response.facets.items()
    }
    return {
        "total_results": response.total,
        "understood_as": response.understood,
        "pub_info_year_count": len(values_of["year"]),
        "pub_info_year_list": values_of["year"],
        "pub_info_publisher_count": len(values_of["venue"]),
        "pub_info_publisher_list": values_of["venue"],
        "authors_count": len(values_of["author"]),
        "authors_fullname_terms": values_of["author"],
        "facets": values_of,
    }


@router.get("/suggest", summary="Autocomplete a query", response_model=Suggestions)
def complete_query(
    index: IndexDep,
    query: Annotated[str, Query(max_length=200, description="The beginning of a query", examples=["focused cra"])] = "",
    limit: Annotated[int, Query(ge=1, le=20, description="Maximum number of completions")] = 8,
) -> Response:
    """Titles, names, venues and field names that start with the text; tolerates one wrong letter."""
    completions = index.complete(query, limit)
    return as_json({"suggestions": [{"type": one.kind, "text": one.text, "id": one.id or None} for one in completions]})
