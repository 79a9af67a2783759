"""Search, counts and completion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from openseer.catalog.serializers import search_body
from openseer.core.model.query import FACETS, FacetRequest, Node, Phrase
from openseer.core.model.query import Or as AnyOf
from openseer.search.service import SearchRequest
from openseer.web.dependencies import IndexDep, SearchDep
from openseer.web.params import MOST_COUNTED, Fields, FormatName, Page, PageSize, counting_of, filters_of, sort_named
from openseer.web.responses import as_json, chosen, written

router = APIRouter()

PUBLISHED_COUNTS = 10
"""Values of a facet in the published form of counts."""


class SearchForm(BaseModel):
    """The published body of a search."""

    queryString: str = Field(default="", max_length=10_000, examples=["near duplicates"])
    page: int = Field(default=1, ge=1, le=1_000_000)
    pageSize: int = Field(default=10, ge=1, le=100)
    yearStart: int | None = None
    yearEnd: int | None = None
    author: list[str] = []
    publisher: list[str] = []
    must_have_pdf: bool = False
    sort: str = "relevance"


class CountForm(BaseModel):
    """The published body of a count."""

    queryString: str = Field(default="", max_length=10_000)


@router.get("/search", summary="Search works")
def search(
    request: Request,
    ask: SearchDep,
    q: Annotated[str, Query(max_length=10_000, examples=['title:crawling "focused crawler"'])] = "",
    page: Page = 1,
    page_size: PageSize = 10,
    sort: Annotated[str, Query(description="relevance, citations, newest, oldest, added or rate")] = "relevance",
    must_have_pdf: bool = False,
    year_start: Annotated[int | None, Query(alias="yearStart")] = None,
    year_end: Annotated[int | None, Query(alias="yearEnd")] = None,
    filters: Annotated[list[str] | None, Query(alias="filter", examples=[["type:article", "-language:de"]])] = None,
    facets: Annotated[str, Query(max_length=1000, examples=["author,year,venue:20"])] = "",
    group_by: Annotated[str, Query(max_length=100, description="One facet with its hundred first values")] = "",
    cursor: Annotated[str, Query(max_length=200, description="* to begin, then next_cursor of the answer")] = "",
    fields: Fields = "",
    form: FormatName = "json",
    plain: Annotated[bool, Query(description="Order by BM25 alone")] = False,
    meaning: Annotated[bool, Query(description="Let meaning count beside words, where vectors are installed")] = True,
    explain: Annotated[bool, Query(description="Say of each work why it stands where it stands")] = False,
) -> Response:
    """Works with and without full text in one list; `understood_as` says how the query was read. Values of one facet
    are alternatives, a minus before the facet excludes. With a cursor a list of any length can be walked."""
    counting = (*counting_of(facets), *(replace(one, size=MOST_COUNTED) for one in counting_of(group_by)[:1]))
    asked = SearchRequest(
        q, page, page_size, sort_named(sort), must_have_pdf, year_start, year_end, filters_of(filters or ()),
        counting, cursor, plain, meaning, explain,
    )  # fmt: skip
    answered = ask(asked)
    if form != "json":
        answer = written(request, [result.work for result in answered.results], form)
        if answered.cursor:
            answer.headers["Link"] = f'<{request.url.include_query_params(cursor=answered.cursor)}>; rel="next"'
        return answer
    body = chosen(search_body(answered), fields)
    return as_json({**body, "group_by": body["facets"][counting[-1].facet]} if group_by else body)


@router.post("/search", summary="Search works (published form)")
def search_form(ask: SearchDep, form: SearchForm) -> Response:
    """The same question as a JSON body; authors and publishers are alternatives among themselves."""
    asked = SearchRequest(
        query=form.queryString,
        page=form.page,
        page_size=form.pageSize,
        sort=sort_named(form.sort),
        full_text_only=form.must_have_pdf,
        year_from=form.yearStart,
        year_to=form.yearEnd,
        extra_conditions=(*_either("author", form.author), *_either("venue", form.publisher)),
    )
    return as_json(search_body(ask(asked)))


def _either(field: str, values: list[str]) -> Iterator[Node]:
    named = tuple(Phrase(value, field) for value in dict.fromkeys(values) if re.search(r"\w", value))
    if named:
        yield AnyOf(named) if len(named) > 1 else named[0]


@router.get("/aggregate", summary="Count the works of a query")
def aggregate(ask: SearchDep, q: Annotated[str, Query(max_length=10_000)] = "") -> Response:
    """How many works there are of each year, venue and author."""
    return as_json(_counts(ask, q))


@router.post("/aggregate", summary="Count the works of a query (published form)")
def aggregate_form(ask: SearchDep, form: CountForm) -> Response:
    """The same question as a JSON body."""
    return as_json(_counts(ask, form.queryString))


def _counts(ask: SearchDep, query: str) -> dict[str, Any]:
    wanted = tuple(FacetRequest(facet, PUBLISHED_COUNTS) for facet in FACETS)
    answered = ask(SearchRequest(query, page_size=1, facets=wanted))
    lists = {
        facet: [{"key": one.label or one.value, "doc_count": one.count} for one in buckets]
        for facet, buckets in answered.facets.items()
    }
    return {
        "total_results": answered.total,
        "understood_as": answered.understood,
        "pub_info_year_count": len(lists["year"]),
        "pub_info_year_list": lists["year"],
        "pub_info_publisher_count": len(lists["venue"]),
        "pub_info_publisher_list": lists["venue"],
        "authors_count": len(lists["author"]),
        "authors_fullname_terms": lists["author"],
        "facets": lists,
    }


@router.get("/suggest", summary="Complete what is being typed")
def suggest(
    index: IndexDep,
    query: Annotated[str, Query(max_length=200, examples=["focused cra"])] = "",
    limit: Annotated[int, Query(ge=1, le=20)] = 8,
) -> Response:
    """Titles, names, venues and field names that go on like this, also when a letter is wrong."""
    found = index.complete(query, limit)
    return as_json({"suggestions": [{"type": one.kind, "text": one.text, "id": one.id or None} for one in found]})
