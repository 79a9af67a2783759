"""REST: one work, many works, and the metadata vote of a work."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from openseer.catalog.bodies import Cluster, Paper, Work
from openseer.catalog.identifiers import find
from openseer.catalog.indexing.projection import indexed
from openseer.catalog.serializers import cluster_body, paper_body, work_body
from openseer.catalog.work_view import citing_ids, view
from openseer.core.errors import OpenseerError
from openseer.core.model.document import Viewer
from openseer.storage.open import Library
from openseer.web.api.routing import StrictRoute
from openseer.web.api.schemas import WorkBatch
from openseer.web.conditional_get import dated
from openseer.web.dependencies import IndexDep, LibraryDep, ViewerDep
from openseer.web.params import Fields, FormatName, WorkId, WorkInPath, field_names
from openseer.web.responses import as_json, export_response, select_fields

router = APIRouter(route_class=StrictRoute)
published = APIRouter()

MAX_IDS = 1000
PAPER_KEYS, WORK_KEYS = tuple(Paper.__annotations__), tuple(Work.__annotations__)


class IdList(BaseModel):
    """Ids of works to look up."""

    model_config = ConfigDict(extra="forbid")

    ids: list[str] = Field(max_length=MAX_IDS, examples=[["w0123456789ab"]], description="Work ids, SHA-1s or DOIs")


class PublishedIdList(BaseModel):
    """Published request body of a look-up of works."""

    paper_id_list: list[str] = Field(default=[], max_length=MAX_IDS, examples=[["w0123456789ab"]])
    ids: list[str] = Field(default=[], max_length=MAX_IDS)


@router.get("/paper", summary="One work", response_model=Paper)
def get_paper(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    name: WorkId,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """All metadata of a work, by work id, DOI, arXiv id or the SHA-1 of one of its files."""
    return dated(_work(request, library, viewer, name, form, fields), index)


@router.get("/works/{name:path}", summary="One work, with the id in the path", response_model=Paper)
def get_work(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    name: WorkInPath,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """All metadata of a work, with the id in the path."""
    return dated(_work(request, library, viewer, name, form, fields), index)


def _work(request: Request, library: Library, viewer: Viewer, name: str, form: str, fields: str) -> Response:
    keys = field_names(fields, PAPER_KEYS)
    root = find(library, name, viewer)
    if form != "json":
        return export_response(request, [indexed(library, root)], form)
    body = paper_body(view(library, root, viewer), citing_ids(library, root))
    return as_json(select_fields([body], keys)[0])


@router.post("/works/batch", summary="Many works", response_model=WorkBatch)
def get_works(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    id_list: IdList,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """Up to 1,000 works by work id, SHA-1 or DOI, in the order of the request; null for an unknown id."""
    return _many(request, library, index, viewer, id_list.ids, form, fields)


@published.post("/mget_paper/", summary="Many works (published form)", response_model=WorkBatch)
@published.post("/mget_paper", include_in_schema=False)
def get_papers(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    viewer: ViewerDep,
    id_list: PublishedIdList,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """Up to 1,000 works by the SHA-1 of a file, in the order of the request; null for an unknown id."""
    names = [*id_list.ids, *id_list.paper_id_list][:MAX_IDS]
    return _many(request, library, index, viewer, names, form, fields)


def _many(
    request: Request, library: Library, index: IndexDep, viewer: Viewer, names: list[str], form: str, fields: str
) -> Response:
    keys = field_names(fields, WORK_KEYS)
    roots = [_find_or_empty(library, name, viewer) for name in names]
    found = index.find([root for root in roots if root])
    works = [found.get(root) for root in roots]
    if form != "json":
        return export_response(request, [work for work in works if work], form)
    bodies = select_fields([work_body(work) for work in works if work], keys)
    remaining = iter(bodies)
    return as_json({"total_results": len(bodies), "response": [next(remaining) if work else None for work in works]})


def _find_or_empty(library: Library, name: str, viewer: Viewer) -> str:
    try:
        return find(library, name, viewer)
    except OpenseerError:
        return ""


@router.get("/cluster", summary="Metadata chosen by majority vote", response_model=Cluster)
def get_cluster(
    library: LibraryDep,
    viewer: ViewerDep,
    name: WorkId,
) -> Response:
    """Title, authors, venue and other fields by majority vote of all descriptions, with the published keys."""
    root = find(library, name, viewer)
    return as_json(cluster_body(view(library, root, viewer), citing_ids(library, root)))
