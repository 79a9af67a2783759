"""REST: works similar to a work, to a text and to a file."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from openseer.catalog.bodies import SimilarHit, SimilarResults
from openseer.catalog.identifiers import find
from openseer.catalog.indexing.projection import indexed_or_computed
from openseer.catalog.serializers import similar_body
from openseer.search.similar import KINDS, similar_to_pasted, similar_works
from openseer.web.api.routing import StrictRoute
from openseer.web.api.schemas import SimilarToText
from openseer.web.api.uploads import UploadKey, spooled_body
from openseer.web.dependencies import LibraryDep, OneOffDep, SearchContextDep, ViewerDep
from openseer.web.params import Algorithm, Fields, FormatName, Limit, WorkId, WorkInPath, field_names
from openseer.web.responses import as_json, export_response, select_fields
from openseer.web.services import services_of
from openseer.web.uploads import check_upload

router = APIRouter(route_class=StrictRoute)

SIMILAR_KEYS = tuple(SimilarHit.__annotations__)
Meaning = Annotated[bool, Query(description="Rank by embeddings too, if they are installed")]


class Pasted(BaseModel):
    """A text to compare with the works of the library."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=100_000, examples=["We present a crawler that ..."])
    limit: int = Field(default=10, ge=1, le=50)
    meaning: bool = Field(default=True, description="Rank by embeddings too, if they are installed")


@router.get("/similar/{name:path}", summary="Similar works, id in the path", response_model=SimilarResults)
def list_similar_works(
    request: Request,
    library: LibraryDep,
    context: SearchContextDep,
    viewer: ViewerDep,
    name: WorkInPath,
    algo: Algorithm = "all",
    limit: Limit = 10,
    meaning: Meaning = True,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """Similar works by text, co-citation, shared references, authors or all of these; each with its reasons."""
    keys = field_names(fields, SIMILAR_KEYS)
    root = find(library, name, viewer)
    found = similar_works(context, indexed_or_computed(library, context.index, root), algo, limit, meaning)
    if form != "json":
        return export_response(request, [one.work for one in found], form)
    body = similar_body(root, algo, found)
    return as_json({**body, "response": select_fields(body["response"], keys)})


@router.get("/similar", summary="Similar works", response_model=SimilarResults)
def get_similar(
    request: Request,
    library: LibraryDep,
    context: SearchContextDep,
    viewer: ViewerDep,
    name: WorkId,
    algo: Algorithm = "all",
    limit: Limit = 10,
    meaning: Meaning = True,
    fields: Fields = "",
    form: FormatName = "json",
) -> Response:
    """Similar works by text, co-citation, shared references, authors or all of these; each with its reasons."""
    return list_similar_works(request, library, context, viewer, name, algo, limit, meaning, fields, form)


@router.post("/similar", summary="Works similar to a text", response_model=SimilarToText)
def find_similar_to_text(context: SearchContextDep, pasted: Pasted) -> Response:
    """Works similar to an abstract or to the text of a paper."""
    found = similar_to_pasted(context, pasted.text, pasted.limit, pasted.meaning)
    return as_json({**similar_body("", "text", found), "kinds": list(KINDS)})


@router.post("/similar/file", summary="Works similar to a PDF", response_model=SimilarResults)
async def find_similar_to_file(
    request: Request,
    context: SearchContextDep,
    one_off: OneOffDep,
    key: UploadKey,
    limit: Limit = 10,
    meaning: Meaning = True,
) -> Response:
    """Works similar to a PDF in the request body; the file is not stored. Needs the permission to upload."""
    check_upload(request)
    async with spooled_body(request) as blocks:
        text = await services_of(request).upload_work.run(one_off.of_blocks, blocks)
    found = await run_in_threadpool(similar_to_pasted, context, text, limit, meaning)
    return as_json(similar_body("", "text", found))
