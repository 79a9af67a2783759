"""One work and what surrounds it: references, citing works, similar works, votes."""

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
from openseer.web.api.uploads import sent
from openseer.web.conditional_get import dated
from openseer.web.dependencies import IndexDep, LibraryDep, OneOffDep, SearchContextDep, ViewerDep
from openseer.web.params import Fields, FormatName, Page, PageSize, sort_named
from openseer.web.responses import as_json, chosen, written
from openseer.web.uploads import check_upload

router = APIRouter()

MOST_IDS = 1000
ALGORITHMS = {
    "co-citation": "cocitation", "cocitation": "cocitation", "cc": "cocitation",
    "active bibliography": "coupling", "coupling": "coupling", "ab": "coupling",
    "authors": "authors", "text": "text", "all": "all",
}  # fmt: skip
"""Published and old names of the ways in which works are alike; any other is the text."""
Name = Annotated[str, Query(description="work id, SHA-1 or DOI", max_length=500)]


class IdList(BaseModel):
    """Works to look up."""

    ids: list[str] = Field(default=[], max_length=MOST_IDS, examples=[["w0123456789ab"]])
    paper_id_list: list[str] = Field(default=[], max_length=MOST_IDS)


class Pasted(BaseModel):
    """A text that stands in no library."""

    text: str = Field(max_length=100_000, examples=["We present a crawler that ..."])
    limit: int = Field(default=10, ge=1, le=50)
    meaning: bool = Field(default=True, description="Let meaning count beside words, where vectors are installed")


def _named(*names: str) -> str:
    name = next(filter(None, names), "")
    if not name:
        raise BadRequest("Name a work.", "Give cluster_id=, paper_id= or id=.")
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
    """Everything known of a work, by the SHA-1 of a file of it, by its work id, DOI or arXiv id."""
    return dated(_work(request, library, viewer, _named(cluster_id, paper_id, csx_id, any_id), form, fields), index)


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
    """The same by a path."""
    return dated(_work(request, library, viewer, name, form, fields), index)


def _work(request: Request, library: Library, viewer: Viewer, name: str, form: str, fields: str) -> Response:
    root = find(library, name, viewer)
    if form != "json":
        return written(request, [indexed(library, root)], form)
    (body,) = chosen({"response": [paper_body(view(library, root, viewer))]}, fields)["response"]
    return as_json(body)


@router.post("/mget_paper/", summary="Many works (published form)")
@router.post("/mget_paper", include_in_schema=False)
@router.post("/works/batch", summary="Many works")
def many(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    asked: IdList,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """Up to a thousand works, by work id, SHA-1 or DOI, in the order asked; null for one that is not here."""
    names = [*asked.ids, *asked.paper_id_list][:MOST_IDS]
    roots = [_or_nothing(library, name, viewer) for name in names]
    known = index.find([root for root in roots if root])
    works = [known.get(root) for root in roots]
    if form != "json":
        return written(request, [work for work in works if work], form)
    kept = chosen({"response": [work_body(work) for work in works if work]}, fields)["response"]
    each = iter(kept)
    return as_json({"total_results": len(kept), "response": [next(each) if work else None for work in works]})


def _or_nothing(library: Library, name: str, viewer: Viewer) -> str:
    try:
        return find(library, name, viewer)
    except OpenseerError:
        return ""


@router.get("/cluster", summary="What the votes on a work came to")
def cluster(
    library: LibraryDep,
    viewer: ViewerDep,
    cluster_id: Annotated[str, Query(max_length=500)] = "",
    cid: Annotated[str, Query(max_length=500)] = "",
    any_id: Annotated[str, Query(alias="id", max_length=500)] = "",
) -> Response:
    """Title, venue and the rest as its observations voted them, with the published names."""
    return as_json(cluster_body(view(library, find(library, _named(cluster_id, cid, any_id), viewer), viewer)))


@router.get("/citations/{name:path}", summary="What a paper cites")
def citations(library: LibraryDep, viewer: ViewerDep, name: str, page: Page = 1, page_size: PageSize = 10) -> Response:
    """Its references as printed, each with the work it names and the sentences that cite it."""
    shown = view(library, find(library, name, viewer), viewer)
    start = (page - 1) * page_size
    entries = list(enumerate(shown.entries))[start : start + page_size]
    return as_json(
        {
            "total_results": len(shown.entries),
            "in_collection": shown.covered,
            "cluster_id": shown.id,
            "citations": (bodies := [citation_body(shown, entry, number + 1) for number, entry in entries]),
            "response": bodies,
        }
    )


@router.get("/citations", summary="What a paper cites (as a parameter)")
def citations_of(
    library: LibraryDep,
    viewer: ViewerDep,
    any_id: Annotated[str, Query(alias="id")] = "",
    paper_id: Name = "",
    page: Page = 1,
    page_size: PageSize = 10,
) -> Response:
    """The same, with the paper as a parameter."""
    return citations(library, viewer, _named(any_id, paper_id), page, page_size)


@router.get("/showCiting/{name:path}", summary="Who cites a work")
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
    """The works that cite it; `sort` is citCount, yearDesc or yearAsc."""
    root = find(library, name, viewer)
    total, works = _citing(library, index, root, sort_named(sort), page, page_size)
    if form != "json":
        return written(request, works, form)
    body = {"total_results": total, "cluster_id": root, "response": [work_body(work) for work in works]}
    return as_json(chosen(body, fields))


def _citing(
    library: Library, index: IndexDep, root: str, sort: Sort, page: int, size: int
) -> tuple[int, list[IndexedWork]]:
    ids = library.records.ids_of([root])[root]
    order: Sort = "citations" if sort == "relevance" else sort
    found = index.search(SearchQuery(IdSet("cites", tuple(ids)), order, (page - 1) * size, size))
    return found.total, [hit.work for hit in found.hits]


@router.get("/showCiting", summary="Who cites a work (as a parameter)")
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
    """The same, with the work as a parameter."""
    name = _named(cid, cluster_id, any_id)
    return show_citing(request, library, index, viewer, name, sort, page, page_size, fields, form)


@router.get("/similar/{name:path}", summary="Works like this one")
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
    meaning: Annotated[bool, Query(description="Let meaning count beside words, where vectors are there")] = True,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """By words and meaning, by who cites both, by shared references, by authors, or by all of it; each says why."""
    root = find(library, name, viewer)
    kind = ALGORITHMS.get(algo.lower(), "text")
    found = similar_works(context, indexed_or_computed(library, context.index, root), kind, limit, meaning)
    if form != "json":
        return written(request, [one.work for one in found], form)
    return as_json(chosen(similar_body(root, kind, found), fields))


@router.post("/similar", summary="Works like a text")
def similar_text(context: SearchContextDep, pasted: Pasted) -> Response:
    """For an abstract or a paper that is in no library."""
    body: dict[str, Any] = similar_body(
        "", "text", similar_to_pasted(context, pasted.text, pasted.limit, pasted.meaning)
    )
    return as_json({**body, "kinds": list(KINDS)})


@router.post("/similar/file", summary="Works like a PDF that is in no library")
async def similar_file(
    request: Request,
    library: LibraryDep,
    context: SearchContextDep,
    glances: OneOffDep,
    key: Annotated[str, Header(alias="X-Upload-Key")] = "",
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
    meaning: Annotated[bool, Query(description="Let meaning count beside words, where vectors are installed")] = True,
) -> Response:
    """The PDF is the body; it is read and not kept. For whoever may upload."""
    check_upload(library, key)
    async with sent(request) as blocks:
        text = await run_in_threadpool(glances.of_blocks, blocks)
    found = await run_in_threadpool(similar_to_pasted, context, text, limit, meaning)
    return as_json(similar_body("", "text", found))
