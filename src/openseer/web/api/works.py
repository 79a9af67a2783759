"""REST: works, their references, citing works, similar works and metadata votes."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from openseer.catalog.identifiers import find
from openseer.catalog.indexing.projection import indexed, indexed_or_computed
from openseer.catalog.serializers import citation_body, cluster_body, paper_body, similar_body, work_body
from openseer.catalog.work_view import view
from openseer.core.errors import BadRequest, OpenseerError
from openseer.core.model.document import Viewer
from openseer.core.model.query import IdSet, SearchQuery, Sort
from openseer.core.model.work import IndexedWork
from openseer.search.similar import KINDS, similar_to_pasted, similar_works
from openseer.storage.open import Library
from openseer.web.api.uploads import spooled_body
from openseer.web.conditional_get import dated
from openseer.web.dependencies import IndexDep, LibraryDep, OneOffDep, SearchContextDep, ViewerDep
from openseer.web.params import Fields, FormatName, Page, PageSize, sort_named
from openseer.web.responses import as_json, export_response, select_fields
from openseer.web.services import services_of
from openseer.web.uploads import check_upload

router = APIRouter()

MAX_IDS = 1000
ALGORITHMS = {
    "co-citation": "cocitation", "cocitation": "cocitation", "cc": "cocitation",
    "active bibliography": "coupling", "coupling": "coupling", "ab": "coupling",
    "authors": "authors", "text": "text", "all": "all",
}  # fmt: skip
"""Published and old names of kinds of similarity -> ours; any other name is text similarity."""
Name = Annotated[str, Query(description="work id, SHA-1 or DOI", max_length=500)]


class IdList(BaseModel):
    """Ids of works to look up."""

    ids: list[str] = Field(default=[], max_length=MAX_IDS, examples=[["w0123456789ab"]])
    paper_id_list: list[str] = Field(default=[], max_length=MAX_IDS)


class Pasted(BaseModel):
    """A text to compare with the works of the library."""

    text: str = Field(max_length=100_000, examples=["We present a crawler that ..."])
    limit: int = Field(default=10, ge=1, le=50)
    meaning: bool = Field(default=True, description="Rank by embeddings too, if they are installed")


def _first_id(*names: str) -> str:
    name = next(filter(None, names), "")
    if not name:
        raise BadRequest("Missing parameter: id.", "Give cluster_id=, paper_id= or id=.")
    return name


@router.get("/paper", summary="One work")
def paper(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    paper_id: Annotated[str, Query(description="SHA-1 of a file")] = "",
    cluster_id: Annotated[str, Query(description="work id", examples=["w0123456789ab"])] = "",
    csx_id: Annotated[str, Query(alias="csxId")] = "",
    any_id: Annotated[str, Query(alias="id", description="work id, SHA-1, DOI or arXiv id")] = "",
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """All metadata of a work, by work id, DOI, arXiv id or the SHA-1 of one of its files."""
    return dated(_work(request, library, viewer, _first_id(cluster_id, paper_id, csx_id, any_id), form, fields), index)


@router.get("/works/{name:path}", summary="One work")
def one_work(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    name: str,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """All metadata of a work, with the id in the path."""
    return dated(_work(request, library, viewer, name, form, fields), index)


def _work(request: Request, library: Library, viewer: Viewer, name: str, form: str, fields: str) -> Response:
    root = find(library, name, viewer)
    if form != "json":
        return export_response(request, [indexed(library, root)], form)
    (body,) = select_fields({"response": [paper_body(view(library, root, viewer))]}, fields)["response"]
    return as_json(body)


@router.post("/mget_paper/", summary="Many works (published form)")
@router.post("/mget_paper", include_in_schema=False)
@router.post("/works/batch", summary="Many works")
def many(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    id_list: IdList,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """Up to 1,000 works by work id, SHA-1 or DOI, in the order of the request; null for an unknown id."""
    names = [*id_list.ids, *id_list.paper_id_list][:MAX_IDS]
    roots = [_find_or_empty(library, name, viewer) for name in names]
    found = index.find([root for root in roots if root])
    works = [found.get(root) for root in roots]
    if form != "json":
        return export_response(request, [work for work in works if work], form)
    bodies = select_fields({"response": [work_body(work) for work in works if work]}, fields)["response"]
    remaining = iter(bodies)
    return as_json({"total_results": len(bodies), "response": [next(remaining) if work else None for work in works]})


def _find_or_empty(library: Library, name: str, viewer: Viewer) -> str:
    try:
        return find(library, name, viewer)
    except OpenseerError:
        return ""


@router.get("/cluster", summary="Metadata chosen by majority vote")
def cluster(
    library: LibraryDep,
    viewer: ViewerDep,
    cluster_id: Annotated[str, Query(max_length=500)] = "",
    cid: Annotated[str, Query(max_length=500)] = "",
    any_id: Annotated[str, Query(alias="id", max_length=500)] = "",
) -> Response:
    """Title, authors, venue and other fields by majority vote of all descriptions, with the published keys."""
    return as_json(cluster_body(view(library, find(library, _first_id(cluster_id, cid, any_id), viewer), viewer)))


@router.get("/citations/{name:path}", summary="References of a paper")
def citations(library: LibraryDep, viewer: ViewerDep, name: str, page: Page = 1, page_size: PageSize = 10) -> Response:
    """References as printed, each with its work and the sentences that cite it."""
    paper_view = view(library, find(library, name, viewer), viewer)
    start = (page - 1) * page_size
    entries = list(enumerate(paper_view.entries))[start : start + page_size]
    return as_json(
        {
            "total_results": len(paper_view.entries),
            "in_collection": paper_view.covered,
            "cluster_id": paper_view.id,
            "citations": (bodies := [citation_body(paper_view, entry, number + 1) for number, entry in entries]),
            "response": bodies,
        }
    )


@router.get("/citations", summary="References of a paper (id as a parameter)")
def citations_of(
    library: LibraryDep,
    viewer: ViewerDep,
    any_id: Annotated[str, Query(alias="id")] = "",
    paper_id: Name = "",
    page: Page = 1,
    page_size: PageSize = 10,
) -> Response:
    """References of a paper, with the id as a parameter."""
    return citations(library, viewer, _first_id(any_id, paper_id), page, page_size)


@router.get("/showCiting/{name:path}", summary="Citing works")
def show_citing(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    name: str,
    sort: str = "citCount",
    page: Page = 1,
    page_size: PageSize = 10,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """Works that cite a work; `sort` is citCount, yearDesc or yearAsc."""
    root = find(library, name, viewer)
    total, works = _citing(library, index, root, sort_named(sort), page, page_size)
    if form != "json":
        return export_response(request, works, form)
    body = {"total_results": total, "cluster_id": root, "response": [work_body(work) for work in works]}
    return as_json(select_fields(body, fields))


def _citing(
    library: Library, index: IndexDep, root: str, sort: Sort, page: int, size: int
) -> tuple[int, list[IndexedWork]]:
    ids = library.records.ids_of([root])[root]
    order: Sort = "citations" if sort == "relevance" else sort
    found = index.search(SearchQuery(IdSet("cites", tuple(ids)), order, (page - 1) * size, size))
    return found.total, [hit.work for hit in found.hits]


@router.get("/showCiting", summary="Citing works (id as a parameter)")
def show_citing_of(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    cid: Name = "",
    cluster_id: Annotated[str, Query(alias="clusterId")] = "",
    any_id: Annotated[str, Query(alias="id")] = "",
    sort: str = "citCount",
    page: Page = 1,
    page_size: PageSize = 10,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """Works that cite a work, with the id as a parameter."""
    name = _first_id(cid, cluster_id, any_id)
    return show_citing(request, library, index, viewer, name, sort, page, page_size, fields, form)


@router.get("/similar/{name:path}", summary="Similar works")
def similar(
    request: Request,
    library: LibraryDep,
    context: SearchContextDep,
    viewer: ViewerDep,
    name: str,
    algo: Annotated[
        str, Query(max_length=40, description="Co-Citation, Active Bibliography, text, authors or all")
    ] = "all",
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
    meaning: Annotated[bool, Query(description="Rank by embeddings too, if they are installed")] = True,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """Similar works by text, co-citation, shared references, authors or all of these; each with its reasons."""
    root = find(library, name, viewer)
    kind = ALGORITHMS.get(algo.lower(), "text")
    found = similar_works(context, indexed_or_computed(library, context.index, root), kind, limit, meaning)
    if form != "json":
        return export_response(request, [one.work for one in found], form)
    return as_json(select_fields(similar_body(root, kind, found), fields))


@router.post("/similar", summary="Works similar to a text")
def similar_text(context: SearchContextDep, pasted: Pasted) -> Response:
    """Works similar to an abstract or to the text of a paper."""
    body: dict[str, Any] = similar_body(
        "", "text", similar_to_pasted(context, pasted.text, pasted.limit, pasted.meaning)
    )
    return as_json({**body, "kinds": list(KINDS)})


@router.post("/similar/file", summary="Works similar to a PDF")
async def similar_file(
    request: Request,
    context: SearchContextDep,
    one_off: OneOffDep,
    key: Annotated[str, Header(alias="X-Upload-Key")] = "",
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
    meaning: Annotated[bool, Query(description="Rank by embeddings too, if they are installed")] = True,
) -> Response:
    """Works similar to a PDF in the request body; the file is not stored. Needs the permission to upload."""
    check_upload(request)
    async with spooled_body(request) as blocks:
        text = await services_of(request).upload_work.run(one_off.of_blocks, blocks)
    found = await run_in_threadpool(similar_to_pasted, context, text, limit, meaning)
    return as_json(similar_body("", "text", found))
