"""REST: uploads and the status of their jobs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Annotated

import orjson
from fastapi import APIRouter, Path, Query, Request, Response, Security
from fastapi.security import APIKeyHeader
from starlette.datastructures import UploadFile

from openseer.core.errors import BadRequest
from openseer.ingest.uploads.intake import UploadResult, UploadService
from openseer.web.api.routing import StrictRoute
from openseer.web.api.schemas import AcceptedDocument, JobStatus, UploadReceipt
from openseer.web.dependencies import IndexDep, LibraryDep, UploadsDep, ViewerDep
from openseer.web.responses import as_json
from openseer.web.services import services_of
from openseer.web.uploads import BLOCK_BYTES, blocks_of, check_upload, job_body

JobInPath = Annotated[str, Path(max_length=100, description="Job of an upload")]
router = APIRouter(route_class=StrictRoute)
UploadKey = Annotated[
    str | None,
    Security(APIKeyHeader(name="X-Upload-Key", scheme_name="UploadKey", auto_error=False,
                          description="The key of `web.upload_key`; not needed where `web.allow_upload` is on")),
]  # fmt: skip


@router.post("/document", status_code=202, summary="Upload papers", response_model=UploadReceipt)
async def upload_papers(
    request: Request,
    uploads: UploadsDep,
    key: UploadKey,
    name: Annotated[str, Query(max_length=500, description="File name of a file sent as the body")] = "",
) -> Response:
    """Upload a paper or an archive of papers as the body or as part `file` of a form, or give its `url` in a form or as
    JSON. 202 with the SHA-1, the accepted documents, the rejected files and the job."""
    check_upload(request)
    result = await _receive(request, uploads, name)
    return as_json(upload_body(result), 202, {"Location": f"/api/jobs/{result.job}"})


async def _receive(request: Request, uploads: UploadService, name: str) -> UploadResult:
    work = services_of(request).upload_work
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        return await work.run(uploads.fetch, _url_in(await request.body()).strip())
    if kind not in ("multipart/form-data", "application/x-www-form-urlencoded"):
        async with spooled_body(request) as blocks:
            return await work.run(uploads.receive, blocks, name)
    async with request.form(max_files=1, max_fields=10) as form:
        part, url = form.get("file"), form.get("url")
        if isinstance(part, UploadFile):
            return await work.run(uploads.receive, blocks_of(part), part.filename or name)
        if isinstance(url, str) and url.strip():
            return await work.run(uploads.fetch, url.strip())
    raise BadRequest("The form contains no file.", "Send the file as part `file`, or its address as `url`.")


def _url_in(body: bytes) -> str:
    try:
        decoded = orjson.loads(body)
    except orjson.JSONDecodeError:
        decoded = None
    if isinstance(decoded, dict) and isinstance(decoded.get("url"), str):
        return str(decoded["url"])
    raise BadRequest("Missing field: url.", 'Send {"url": "https://..."}, or a PDF as application/pdf.')


def upload_body(result: UploadResult) -> UploadReceipt:
    """JSON body of an accepted upload."""
    return {
        "sha1": result.sha1,
        "job": result.job,
        "known": result.known,
        "documents": [AcceptedDocument(name=one.name, sha1=one.sha1, known=one.known) for one in result.documents],
        "refused": [
            {"name": one.name, "code": one.code, "message": one.why, "hint": one.hint} for one in result.refused
        ],
        "status": f"/api/jobs/{result.job}",
    }


@asynccontextmanager
async def spooled_body(request: Request) -> AsyncIterator[Iterator[bytes]]:
    """Blocks of a request body that was spooled to disk."""
    with SpooledTemporaryFile(BLOCK_BYTES) as file:
        async for block in request.stream():
            file.write(block)
        file.seek(0)
        yield iter(partial(file.read, BLOCK_BYTES), b"")


@router.get("/jobs/{job}", summary="Status of an upload", response_model=JobStatus)
def get_job(library: LibraryDep, index: IndexDep, uploads: UploadsDep, viewer: ViewerDep, job: JobInPath) -> Response:
    """Documents of a job with outcome and work; `searchable` is true once search returns the document."""
    return as_json(job_body(library, index, uploads, job, viewer))
