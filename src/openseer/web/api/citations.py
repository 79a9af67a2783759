"""REST: references of a paper and works that cite a work."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from openseer.catalog.identifiers import find
from openseer.catalog.serializers import citation_body, work_body
from openseer.catalog.work_view import view
from openseer.core.model.query import IdSet, SearchQuery, Sort
from openseer.core.model.work import IndexedWork
from openseer.storage.open import Library
from openseer.web.api.routing import StrictRoute
from openseer.web.api.schemas import Citations, CitingWorks
from openseer.web.api.works import WORK_KEYS
from openseer.web.dependencies import IndexDep, LibraryDep, ViewerDep
from openseer.web.params import Fields, FormatName, Paging, PagingDep, SortName, WorkId, WorkInPath, field_names
from openseer.web.responses import as_json, export_response, select_fields

router = APIRouter(route_class=StrictRoute)


@router.get("/citations/{name:path}", summary="References of a paper, id in the path", response_model=Citations)
def list_references(library: LibraryDep, viewer: ViewerDep, name: WorkInPath, paging: PagingDep) -> Response:
    """References as printed, each with its work and the sentences that cite it."""
    paper_view = view(library, find(library, name, viewer), viewer)
    entries = list(enumerate(paper_view.entries))[paging.start : paging.start + paging.size]
    bodies = [citation_body(paper_view, entry, number + 1) for number, entry in entries]
    return as_json(
        {
            "total_results": len(paper_view.entries),
            "in_collection": paper_view.covered,
            "cluster_id": paper_view.id,
            "citations": bodies,
            "response": bodies,
        }
    )


@router.get("/citations", summary="References of a paper", response_model=Citations)
def get_citations(library: LibraryDep, viewer: ViewerDep, name: WorkId, paging: PagingDep) -> Response:
    """References as printed, each with its work and the sentences that cite it."""
    return list_references(library, viewer, name, paging)


@router.get("/showCiting/{name:path}", summary="Citing works, id in the path", response_model=CitingWorks)
def list_citing_works(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    name: WorkInPath,
    paging: PagingDep,
    sort: SortName = "citations",
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """Works that cite a work, most cited first unless `sort` names another order."""
    keys = field_names(fields, WORK_KEYS)
    root = find(library, name, viewer)
    total, works = _citing(library, index, root, sort, paging)
    if form != "json":
        return export_response(request, works, form)
    bodies = select_fields([work_body(work) for work in works], keys)
    return as_json({"total_results": total, "cluster_id": root, "response": bodies})


def _citing(library: Library, index: IndexDep, root: str, sort: Sort, paging: Paging) -> tuple[int, list[IndexedWork]]:
    ids = library.records.ids_of([root])[root]
    order: Sort = "citations" if sort == "relevance" else sort
    found = index.search(SearchQuery(IdSet("cites", tuple(ids)), order, paging.start, paging.size))
    return found.total, [hit.work for hit in found.hits]


@router.get("/showCiting", summary="Citing works", response_model=CitingWorks)
def show_citing(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    name: WorkId,
    paging: PagingDep,
    sort: SortName = "citations",
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """Works that cite a work, most cited first unless `sort` names another order."""
    return list_citing_works(request, library, index, viewer, name, paging, sort, fields, form)
