"""Giving papers to the library, and looking how far they have come."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from openseer.errors import BadRequest, Denied
from openseer.library import opening
from openseer.web.api.answering import as_json
from openseer.web.parts import Index, Library, Receiving

router = APIRouter()

BLOCK = 1 << 20


def check_upload(library: opening.Library, key: str) -> None:
    """Uploads are off unless they are allowed to all, or to those who know the key."""
    web = library.settings.web
    if web.allow_upload or (web.upload_key and hmac.compare_digest(key.encode(), web.upload_key.encode())):
        return
    raise Denied(
        "Uploads are off here.", "Set `web.allow_upload`, or send the key of `web.upload_key` as X-Upload-Key."
    )


@router.post("/document", status_code=202, summary="Give a paper to the library")
async def upload(
    request: Request,
    library: Library,
    receiver: Receiving,
    key: Annotated[str, Header(alias="X-Upload-Key")] = "",
    name: str = "",
) -> Response:
    """A PDF as the body, or as the part `file` of a form. 202 with its SHA-1 and the job to look at."""
    check_upload(library, key)
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        async with request.form(max_files=1, max_fields=10) as form:
            part = form.get("file")
            if part is None or isinstance(part, str):
                raise BadRequest("The form has no file.", "Send it as the part named file.")
            receipt = await run_in_threadpool(receiver.receive, _blocks(part), part.filename or name)
    else:
        body = await request.body()
        receipt = await run_in_threadpool(receiver.receive, [body], name)
    told = {"sha1": receipt.sha1, "job": receipt.job, "known": receipt.known, "status": f"/api/jobs/{receipt.job}"}
    return as_json(told, 202, {"Location": f"/api/jobs/{receipt.job}"})


def _blocks(part: UploadFile) -> Iterator[bytes]:
    while block := part.file.read(BLOCK):
        yield block


@router.get("/jobs/{job}", summary="How far a job has come")
def job_status(library: Library, index: Index, receiver: Receiving, job: str) -> Response:
    """Its documents with outcome and work; `searchable` once a search finds it."""
    return as_json(job_body(library, index, receiver, job))


def job_body(library: opening.Library, index: Index, receiver: Receiving, job: str) -> dict[str, Any]:
    """The body of /api/jobs."""
    found, steps = library.records.job(job), receiver.steps(job)
    known = index.find([one.work for one in steps if one.work])
    documents = [
        {
            "sha1": one.sha1,
            "state": one.state,
            "outcome": one.outcome or None,
            "detail": one.detail,
            "cluster_id": one.work or None,
            "searchable": one.work in known and one.sha1 in known[one.work].documents,
        }
        for one in steps
    ]
    ended = all(one.state not in ("waiting", "held") for one in steps)
    return {"id": found.id, "what": found.what, "state": "ended" if ended else "active", "documents": documents}
