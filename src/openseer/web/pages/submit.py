"""Upload form, and the status of uploaded files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

import orjson
from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response, StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from openseer.core.errors import BadRequest, Denied, OpenseerError, Unavailable
from openseer.core.model.document import Viewer
from openseer.ingest.uploads.intake import RejectedFile, UploadResult, UploadService
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index
from openseer.web.dependencies import IndexDep, LibraryDep, UploadsDep
from openseer.web.params import READ_METHODS
from openseer.web.services import services_of
from openseer.web.templating import render
from openseer.web.uploads import (
    UPLOAD_COOKIE,
    blocks_of,
    check_same_site,
    check_upload,
    has_upload_cookie,
    is_upload_key,
    job_body,
    upload_token,
)

router = APIRouter()
MAX_FILES = 200
"""Files in one form."""
MAX_FIELDS, MAX_URL_CHARACTERS = 10, 20_000
MAX_URLS = 5
"""URLs in one form, fetched while the browser waits; with scripts each is sent by itself."""
OUTCOME_MESSAGES = {
    "corrupt": "The file is damaged or cut off and cannot be opened. If it opens in a PDF viewer, save a copy there "
    "and add that; otherwise download it again.",
    "timeout": "Processing took too long and was stopped; it will be tried again later.",
    "memory": "Processing needed more memory than is allowed; it will be tried again later.",
    "crashed": "Processing failed; it will be tried again later.",
    "store_unavailable": "The result could not be stored; it will be tried again later.",
}
"""Messages for visitors where the stored detail is meant for the operator."""
TOO_MANY_URLS = f"At most {MAX_URLS} links can be fetched at a time."
NO_STORE_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""For event streams: neither browsers nor proxies hold them back."""
POLL_SECONDS, MAX_STREAM_SECONDS = 0.4, 600.0
"""Interval of looks at a job, and lifetime of an event stream; then the browser connects again."""


@router.api_route("/submit", methods=READ_METHODS)
def submit(request: Request, library: LibraryDep) -> Response:
    """Upload form, or the form for the key of uploads."""
    return render(request, "submit.html", {"rejected": (), **_form_values(request, library)})


def _form_values(request: Request, library: Library) -> dict[str, Any]:
    web = library.settings.web
    return {
        "open": web.allow_upload or bool(web.upload_key),
        "needs_key": not web.allow_upload and not has_upload_cookie(request),
        "max_bytes": library.settings.extract.max_bytes,
    }


@router.post("/submit/key")
def give_key(request: Request, library: LibraryDep, key: Annotated[str, Form(max_length=1000)] = "") -> Response:
    """Check the key of uploads and set the upload cookie, so that the key need not come with the files."""
    check_same_site(request)
    expected = library.settings.web.upload_key
    if not is_upload_key(expected, key):
        raise Denied("This is not the key of uploads.", "It is the value of `web.upload_key`; ask the operator.")
    response = RedirectResponse("/submit", 303)
    is_secure = request.url.scheme == "https"
    response.set_cookie(UPLOAD_COOKIE, upload_token(expected), secure=is_secure, httponly=True, samesite="strict")
    return response


@router.post("/submit")
async def submit_files(request: Request, library: LibraryDep, index: IndexDep, uploads: UploadsDep) -> Response:
    """Receive the files and URLs of the form, each as a job of its own; the body is read only if that is allowed."""
    check_upload(request)
    async with request.form(max_files=MAX_FILES, max_fields=MAX_FIELDS) as form:
        files = [one for one in form.getlist("file") if isinstance(one, UploadFile)]
        url = form.get("url", "")
        services, address = services_of(request), request.client.host if request.client else ""
        services.upload_rate.count(address, max(0, len(files) + str(url).count("\n") - 1))
        return await services.upload_work.run(
            _submitted, request, library, index, uploads, files, url if isinstance(url, str) else ""
        )


def _submitted(
    request: Request, library: Library, index: Index, uploads: UploadService, files: list[UploadFile], url: str
) -> Response:
    if len(url) > MAX_URL_CHARACTERS:
        raise BadRequest(f"url: at most {MAX_URL_CHARACTERS:,} characters.", "Paste fewer links.")
    chosen = [one for one in files if one.filename]
    sources = [(one.filename or "", partial(uploads.receive, blocks_of(one), one.filename or "")) for one in chosen]
    urls = [one for line in url.splitlines() if (one := line.strip())]
    sources += [(one, partial(uploads.fetch, one)) for one in urls[:MAX_URLS]]
    if not sources:
        raise BadRequest("No files were chosen.", "Go back and choose PDFs or ZIPs, or paste a link.")
    accepted, rejected = _receive_all(sources)
    rejected += [RejectedFile(one, "too_many", TOO_MANY_URLS, "Add it separately.") for one in urls[MAX_URLS:]]
    if not accepted:
        return render(request, "submit.html", {"rejected": rejected, **_form_values(request, library)}, 422)
    known = [one.sha1 for result in accepted for one in result.documents if one.known]
    return _status_page(request, library, index, uploads, _Submission([one.job for one in accepted], known, rejected))


def _receive_all(
    sources: Sequence[tuple[str, Callable[[], UploadResult]]],
) -> tuple[list[UploadResult], list[RejectedFile]]:
    accepted, rejected = [], []
    for name, receive in sources:
        try:
            accepted.append(receive())
        except Unavailable:
            raise
        except OpenseerError as error:
            rejected.append(RejectedFile(name, error.code, str(error), error.hint))
    return accepted, rejected


@router.api_route("/submit/jobs", methods=READ_METHODS)
def jobs(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    uploads: UploadsDep,
    job: Annotated[list[str], Query(max_length=MAX_FILES)],
    known: Annotated[list[str] | None, Query(max_length=MAX_FILES)] = None,
) -> Response:
    """Status of some jobs."""
    return _status_page(request, library, index, uploads, _Submission(job, known or ()))


@dataclass(frozen=True, slots=True)
class _Submission:
    """Result of one form: its jobs, the files that were in the library before, the rejected files."""

    jobs: Sequence[str]
    known: Sequence[str] = ()
    rejected: Sequence[RejectedFile] = ()


def _status_page(
    request: Request, library: Library, index: Index, uploads: UploadService, submission: _Submission
) -> Response:
    bodies = [_with_plain_messages(job_body(library, index, uploads, name, Viewer.PUBLIC)) for name in submission.jobs]
    pairs = [("job", name) for name in submission.jobs] + [("known", sha1) for sha1 in submission.known[:MAX_FILES]]
    values = {
        "bodies": bodies,
        "known": submission.known,
        "rejected": submission.rejected,
        "refresh_url": "/submit/jobs?" + urlencode(pairs),
        "finished": all(map(is_finished, bodies)),
    }
    return render(request, "submitted.html", values)


def _with_plain_messages(body: dict[str, Any]) -> dict[str, Any]:
    """A job body with messages for visitors."""
    documents = [
        {**one, "detail": OUTCOME_MESSAGES.get(one["outcome"] or "", one["detail"])} for one in body["documents"]
    ]
    return {**body, "documents": documents}


def is_finished(body: dict[str, Any]) -> bool:
    """True if each document of a job is rejected or appears in search."""
    return body["state"] == "ended" and all(
        one["searchable"] or one["outcome"] != "ingested" for one in body["documents"]
    )


@router.get("/submit/events/{job}")
async def events(request: Request, library: LibraryDep, index: IndexDep, uploads: UploadsDep, job: str) -> Response:
    """Server-sent events with the body of /api/jobs, one for each change."""
    await run_in_threadpool(library.records.job, job)  # 404 for an unknown job
    stream = _job_events(request, library, index, uploads, job)
    return StreamingResponse(stream, media_type="text/event-stream", headers=NO_STORE_HEADERS)


async def _job_events(
    request: Request, library: Library, index: Index, uploads: UploadService, job: str
) -> AsyncIterator[bytes]:
    last_sent, waited = b"", 0.0
    while waited < MAX_STREAM_SECONDS and not await request.is_disconnected():
        body = _with_plain_messages(await run_in_threadpool(job_body, library, index, uploads, job, Viewer.PUBLIC))
        if (encoded := orjson.dumps(body)) != last_sent:
            last_sent = encoded
            yield b"data: " + encoded + b"\n\n"
        if is_finished(body):
            yield b"event: over\ndata: {}\n\n"
            return
        await asyncio.sleep(POLL_SECONDS)
        waited += POLL_SECONDS
