"""Adding papers: a form, and how far each file has come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

import orjson
from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from openseer.core.errors import BadRequest, OpenseerError
from openseer.ingest.uploads.intake import RejectedFile, UploadResult, UploadService
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index
from openseer.web.dependencies import IndexDep, LibraryDep, UploadsDep
from openseer.web.templating import render
from openseer.web.uploads import blocks_of, check_upload, job_body

router = APIRouter()
READS = ["GET", "HEAD"]
MOST = 200
"""Files that are taken at a time."""
MOST_ADDRESSES = 5
"""Addresses that are fetched while a form waits; with scripts each is fetched by itself."""
PLAINLY = {
    "corrupt": "It cannot be opened: the file is damaged or cut off. Does it open in a PDF viewer? Then save it anew "
    "from there and add that; otherwise download it again.",
    "timeout": "Reading it took too long, so it was stopped; it is tried again later.",
    "memory": "Reading it took more memory than is allowed; it is tried again later.",
    "crashed": "Reading it failed; it is tried again later.",
    "store_unavailable": "What was read could not be stored; it is tried again later.",
}
"""Why a file was refused, where the details are for those who run the library."""
TOO_MANY = f"No more than {MOST_ADDRESSES} addresses are fetched at a time."
UNKEPT = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""For progress: neither browsers nor proxies hold it back."""
PAUSE, LONGEST = 0.4, 600.0
"""Seconds between two looks at a job, and until a browser has to ask anew."""


@router.api_route("/submit", methods=READS)
def submit(request: Request, library: LibraryDep) -> Response:
    """A place to drop papers."""
    return render(request, "submit.html", {"refused": (), **_rules(library)})


def _rules(library: Library) -> dict[str, Any]:
    web = library.settings.web
    return {
        "open": web.allow_upload or bool(web.upload_key),
        "needs_key": not web.allow_upload,
        "most_bytes": library.settings.extract.max_bytes,
    }


@router.post("/submit")
def give(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    receiver: UploadsDep,
    files: Annotated[list[UploadFile] | None, File(alias="file")] = None,
    url: Annotated[str, Form(max_length=20_000)] = "",
    key: Annotated[str, Form()] = "",
) -> Response:
    """Take the files and addresses of the form, each as a job of its own."""
    check_upload(library, key)
    chosen = [one for one in files or () if one.filename][:MOST]
    taking = [(one.filename or "", partial(receiver.receive, blocks_of(one), one.filename or "")) for one in chosen]
    addresses = [one for line in url.splitlines() if (one := line.strip())]
    taking += [(one, partial(receiver.fetch, one)) for one in addresses[:MOST_ADDRESSES]]
    if not taking:
        raise BadRequest("Nothing was chosen.", "Go back and choose PDFs or a ZIP of them, or give an address.")
    taken, refused = _received(taking)
    refused += [RejectedFile(one, "too_many", TOO_MANY, "Add it by itself.") for one in addresses[MOST_ADDRESSES:]]
    if not taken:
        return render(request, "submit.html", {"refused": refused, **_rules(library)}, 422)
    known = [one.sha1 for receipt in taken for one in receipt.documents if one.known]
    return _shown(request, library, index, receiver, _Given([one.job for one in taken], known, refused))


def _received(
    taking: Sequence[tuple[str, Callable[[], UploadResult]]],
) -> tuple[list[UploadResult], list[RejectedFile]]:
    taken, refused = [], []
    for name, take in taking:
        try:
            taken.append(take())
        except OpenseerError as error:
            refused.append(RejectedFile(name, error.code, str(error), error.hint))
    return taken, refused


@router.api_route("/submit/jobs", methods=READS)
def jobs(
    request: Request,
    library: LibraryDep,
    index: IndexDep,
    receiver: UploadsDep,
    job: Annotated[list[str], Query(max_length=MOST)],
    known: Annotated[list[str] | None, Query(max_length=MOST)] = None,
) -> Response:
    """How far some jobs have come."""
    return _shown(request, library, index, receiver, _Given(job, known or ()))


@dataclass(frozen=True, slots=True)
class _Given:
    """What somebody gave: the jobs that came of it, which files had been here before, and what was refused."""

    jobs: Sequence[str]
    known: Sequence[str] = ()
    refused: Sequence[RejectedFile] = ()


def _shown(request: Request, library: Library, index: Index, receiver: UploadService, given: _Given) -> Response:
    bodies = [_plain(job_body(library, index, receiver, name)) for name in given.jobs]
    again = urlencode([*(("job", name) for name in given.jobs), *(("known", sha1) for sha1 in given.known[:MOST])])
    values = {
        "bodies": bodies,
        "known": given.known,
        "refused": given.refused,
        "again": f"/submit/jobs?{again}",
        "over": all(map(is_over, bodies)),
    }
    return render(request, "submitted.html", values)


def _plain(body: dict[str, Any]) -> dict[str, Any]:
    """The same, with what is said of each file in plain words."""
    told = [{**one, "detail": PLAINLY.get(one["outcome"] or "", one["detail"])} for one in body["documents"]]
    return {**body, "documents": told}


def is_over(body: dict[str, Any]) -> bool:
    """Whether there is nothing to wait for: refused, or found by search."""
    return body["state"] == "ended" and all(
        one["searchable"] or one["outcome"] != "ingested" for one in body["documents"]
    )


@router.get("/submit/events/{job}")
async def events(request: Request, library: LibraryDep, index: IndexDep, receiver: UploadsDep, job: str) -> Response:
    """The body of /api/jobs as it changes, as server-sent events."""
    await run_in_threadpool(library.records.job, job)  # an unknown job is told at once
    stream = _changes(request, library, index, receiver, job)
    return StreamingResponse(stream, media_type="text/event-stream", headers=UNKEPT)


async def _changes(
    request: Request, library: Library, index: Index, receiver: UploadService, job: str
) -> AsyncIterator[bytes]:
    told, waited = b"", 0.0
    while waited < LONGEST and not await request.is_disconnected():
        body = _plain(await run_in_threadpool(job_body, library, index, receiver, job))
        if (now := orjson.dumps(body)) != told:
            told = now
            yield b"data: " + now + b"\n\n"
        if is_over(body):
            yield b"event: over\ndata: {}\n\n"
            return
        await asyncio.sleep(PAUSE)
        waited += PAUSE
