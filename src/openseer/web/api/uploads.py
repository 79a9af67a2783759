"""Giving papers to the library, and looking how far they have come."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from openseer.core.errors import BadRequest
from openseer.ingest.uploads.intake import UploadResult, UploadService
from openseer.web.dependencies import IndexDep, LibraryDep, UploadsDep
from openseer.web.responses import as_json
from openseer.web.uploads import BLOCK_BYTES, blocks_of, check_upload, job_body

router = APIRouter()


@router.post("/document", status_code=202, summary="Give papers to the library")
async def upload(
    request: Request,
    library: LibraryDep,
    receiver: UploadsDep,
    key: Annotated[str, Header(alias="X-Upload-Key")] = "",
    name: str = "",
) -> Response:
    """A PDF, or a ZIP of PDFs, as the body or as the part `file` of a form; or `url`, the address of one, in a form
    or in JSON. 202 with its SHA-1, its documents, what was refused, and the job to look at."""
    check_upload(library, key)
    receipt = await _received(request, receiver, name)
    return as_json(receipt_body(receipt), 202, {"Location": f"/api/jobs/{receipt.job}"})


async def _received(request: Request, receiver: UploadService, name: str) -> UploadResult:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        return await _fetched(receiver, _address(await request.body()))
    if kind not in ("multipart/form-data", "application/x-www-form-urlencoded"):
        async with sent(request) as blocks:
            return await run_in_threadpool(receiver.receive, blocks, name)
    async with request.form(max_files=1, max_fields=10) as form:
        part, url = form.get("file"), form.get("url")
        if isinstance(part, UploadFile):
            return await run_in_threadpool(receiver.receive, blocks_of(part), part.filename or name)
        if isinstance(url, str) and url.strip():
            return await _fetched(receiver, url)
    raise BadRequest("The form has no file.", "Send it as the part named file, or an address as url.")


async def _fetched(receiver: UploadService, url: str) -> UploadResult:
    return await run_in_threadpool(receiver.fetch, url.strip())


def _address(body: bytes) -> str:
    try:
        told = orjson.loads(body)
    except orjson.JSONDecodeError:
        told = None
    if isinstance(told, dict) and isinstance(told.get("url"), str):
        return str(told["url"])
    raise BadRequest("The body names no address.", 'Send {"url": "https://..."}, or a PDF as application/pdf.')


def receipt_body(receipt: UploadResult) -> dict[str, Any]:
    """What somebody who gave something is told."""
    return {
        "sha1": receipt.sha1,
        "job": receipt.job,
        "known": receipt.known,
        "documents": [asdict(one) for one in receipt.documents],
        "refused": [
            {"name": one.name, "code": one.code, "message": one.why, "hint": one.hint} for one in receipt.refused
        ],
        "status": f"/api/jobs/{receipt.job}",
    }


@asynccontextmanager
async def sent(request: Request) -> AsyncIterator[Iterator[bytes]]:
    """A body as it comes, kept on the disk rather than in memory."""
    with SpooledTemporaryFile(BLOCK_BYTES) as file:
        async for block in request.stream():
            file.write(block)
        file.seek(0)
        yield iter(partial(file.read, BLOCK_BYTES), b"")


@router.get("/jobs/{job}", summary="How far a job has come")
def job_status(library: LibraryDep, index: IndexDep, receiver: UploadsDep, job: str) -> Response:
    """Its documents with outcome and work; `searchable` once a search finds it."""
    return as_json(job_body(library, index, receiver, job))
