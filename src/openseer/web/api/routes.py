"""Search, paper and document: the published names and parameters, and our own beside them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Query, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field

from openseer.errors import BadRequest, NotFound
from openseer.queries import Sort
from openseer.search.answers import Asked, ask
from openseer.shapes import paper_body, search_body
from openseer.web.files import pdf_response
from openseer.web.parts import As, Index, Library
from openseer.works import find, view

router = APIRouter()

Page = Annotated[int, Query(ge=1, le=1_000_000, examples=[1])]
PageSize = Annotated[int, Query(alias="pageSize", ge=1, le=100, examples=[10])]
Year = Annotated[int | None, Query(ge=0, le=9999, examples=[2010])]


class SearchForm(BaseModel):
    """The published body of a search."""

    queryString: str = Field(default="", max_length=10_000, examples=["near duplicates"])
    page: int = Field(default=1, ge=1, le=1_000_000)
    pageSize: int = Field(default=10, ge=1, le=100)
    yearStart: int | None = None
    yearEnd: int | None = None
    must_have_pdf: bool = False


def _json(body: dict[str, Any]) -> Response:
    return Response(orjson.dumps(body), media_type="application/json")


@router.get("/search", summary="Search works")
def search(
    index: Index,
    q: Annotated[str, Query(max_length=10_000, examples=['title:crawling "focused crawler"'])] = "",
    page: Page = 1,
    page_size: PageSize = 10,
    sort: Sort = "relevance",
    must_have_pdf: bool = False,
    year_start: Annotated[int | None, Query(alias="yearStart")] = None,
    year_end: Annotated[int | None, Query(alias="yearEnd")] = None,
) -> Response:
    """Works with and without full text in one list; `understood_as` says how the query was read."""
    return _json(search_body(ask(index, Asked(q, page, page_size, sort, must_have_pdf, year_start, year_end))))


@router.post("/search", summary="Search works (published form)")
def search_form(index: Index, form: SearchForm) -> Response:
    """The same question as a JSON body."""
    asked = Asked(
        query=form.queryString,
        page=form.page,
        page_size=form.pageSize,
        full_text_only=form.must_have_pdf,
        year_from=form.yearStart,
        year_to=form.yearEnd,
    )
    return _json(search_body(ask(index, asked)))


@router.get("/paper", summary="One work")
def paper(
    library: Library,
    viewer: As,
    paper_id: Annotated[str, Query(description="SHA-1 of a file")] = "",
    cluster_id: Annotated[str, Query(description="work id", examples=["w0123456789ab"])] = "",
    csx_id: Annotated[str, Query(alias="csxId")] = "",
    any_id: Annotated[str, Query(alias="id", description="work id, SHA-1 or DOI")] = "",
) -> Response:
    """Everything known of a work, by the SHA-1 of a file of it, by its work id or by its DOI."""
    name = cluster_id or paper_id or csx_id or any_id
    if not name:
        raise BadRequest("Name a work.", "Give cluster_id=, paper_id= or id=.")
    return _json(paper_body(view(library, find(library, name, viewer), viewer)))


@router.get("/document", summary="One file", response_class=FileResponse)
def document(
    library: Library,
    viewer: As,
    doi: Annotated[str, Query(description="SHA-1 of the file (the published name of this parameter)")],
    kind: Annotated[Literal["pdf"], Query(alias="type")] = "pdf",
) -> Response:
    """The original, with ranges."""
    if len(doi) != 40:
        raise NotFound(f"There is no document {doi[:60]}.", "Its name is the SHA-1 of the file, 40 hex digits.")
    return pdf_response(library, doi.lower(), viewer)
