"""REST: search, facet counts, autocomplete."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from openseer.catalog.serializers import search_body
from openseer.core.errors import BadRequest
from openseer.core.model.query import FACETS, FacetRequest, Node, Or, Phrase
from openseer.search.service import SearchRequest
from openseer.web.dependencies import IndexDep, SearchDep
from openseer.web.params import (
    MAX_FACET_VALUES,
    Fields,
    FormatName,
    Page,
    PageSize,
    facet_requests_of,
    filters_of,
    sort_named,
)
from openseer.web.responses import as_json, export_response, page_url, select_fields

router = APIRouter()

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


@router.get("/search", summary="Search works")
def search(
    request: Request,
    run_search: SearchDep,
    q: Annotated[str, Query(max_length=10_000, examples=['title:crawling "focused crawler"'])] = "",
    page: Page = 1,
    page_size: PageSize = 10,
    sort: Annotated[str, Query(description="relevance, citations, newest, oldest, added or rate")] = "relevance",
    must_have_pdf: bool = False,
    year_start: Annotated[int | None, Query(alias="yearStart")] = None,
    year_end: Annotated[int | None, Query(alias="yearEnd")] = None,
    filters: Annotated[list[str] | None, Query(alias="filter", examples=[["type:article", "-language:de"]])] = None,
    facets: Annotated[str, Query(max_length=1000, examples=["author,year,venue:20"])] = "",
    group_by: Annotated[str, Query(max_length=100, description="One facet, with its 100 most frequent values")] = "",
    cursor: Annotated[str, Query(max_length=200, description="* to start, then next_cursor of the response")] = "",
    fields: Fields = "",
    form: FormatName = "json",
    plain: Annotated[bool, Query(description="Order by BM25 alone")] = False,
    meaning: Annotated[bool, Query(description="Rank by embeddings too, if they are installed")] = True,
    explain: Annotated[bool, Query(description="Explain the rank of each work")] = False,
) -> Response:
    """Works with and without full text; `understood_as` is the interpreted query. Filters on one facet are
    alternatives, a minus before the facet excludes. A cursor pages through any number of results."""
    counting = (
        *facet_requests_of(facets),
        *(replace(one, size=MAX_FACET_VALUES) for one in facet_requests_of(group_by)[:1]),
    )
    if group_by and not group_by.strip(" ,"):
        raise BadRequest("group_by names no facet.", f"Facets are {', '.join(FACETS)}.")
    search_request = SearchRequest(
        q, page, page_size, sort_named(sort), must_have_pdf, year_start, year_end, filters_of(filters or ()),
        counting, cursor, plain, meaning, explain,
    )  # fmt: skip
    response = run_search(search_request)
    if form != "json":
        exported = export_response(request, [result.work for result in response.results], form)
        if response.cursor:
            exported.headers["Link"] = f'<{page_url(request, cursor=response.cursor)}>; rel="next"'
        return exported
    body = select_fields(search_body(response), fields)
    return as_json({**body, "group_by": body["facets"][counting[-1].facet]} if group_by else body)


@router.post("/search", summary="Search works (published form)")
def search_form(run_search: SearchDep, form: SearchForm) -> Response:
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


@router.get("/aggregate", summary="Count the works of a query")
def aggregate(run_search: SearchDep, q: Annotated[str, Query(max_length=10_000)] = "") -> Response:
    """Numbers of works by year, venue, author and the other facets."""
    return as_json(_counts(run_search, q))


@router.post("/aggregate", summary="Count the works of a query (published form)")
def aggregate_form(run_search: SearchDep, form: CountForm) -> Response:
    """Count the works of a query given as a JSON body."""
    return as_json(_counts(run_search, form.queryString))


def _counts(run_search: SearchDep, query: str) -> dict[str, Any]:
    facets = tuple(FacetRequest(facet, PUBLISHED_FACET_VALUES) for facet in FACETS)
    response = run_search(SearchRequest(query, page_size=1, facets=facets))
    values_of = {
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


@router.get("/suggest", summary="Autocomplete a query")
def suggest(
    index: IndexDep,
    query: Annotated[str, Query(max_length=200, examples=["focused cra"])] = "",
    limit: Annotated[int, Query(ge=1, le=20)] = 8,
) -> Response:
    """Titles, names, venues and field names that start with the text; tolerates one wrong letter."""
    completions = index.complete(query, limit)
    return as_json({"suggestions": [{"type": one.kind, "text": one.text, "id": one.id or None} for one in completions]})
