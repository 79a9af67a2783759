"""Adding papers: a form, and how far each file has come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

import orjson
from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from openseer.errors import BadRequest, OpenseerError
from openseer.library import opening, stores
from openseer.receiving import Receiver
from openseer.web.api.uploads import BLOCK, check_upload, job_body
from openseer.web.parts import Index, Library, Receiving
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
MOST = 200
"""Files that are taken at a time."""
PAUSE, LONGEST = 0.4, 600.0
"""Seconds between two looks at a job, and until a browser has to ask anew."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file that was not taken, and why."""

    name: str
    why: str


@router.api_route("/submit", methods=READS)
def submit(request: Request, library: Library) -> Response:
    """A place to drop papers."""
    return render(request, "submit.html", {"refused": (), **_rules(library)})


def _rules(library: opening.Library) -> dict[str, Any]:
    web = library.settings.web
    return {
        "open": web.allow_upload or bool(web.upload_key),
        "needs_key": not web.allow_upload,
        "most_bytes": library.settings.extract.max_bytes,
    }


@router.post("/submit")
def give(
    request: Request,
    library: Library,
    index: Index,
    receiver: Receiving,
    files: Annotated[list[UploadFile], File(alias="file")],
    key: Annotated[str, Form()] = "",
) -> Response:
    """Take the files of the form, each as a job of its own."""
    check_upload(library, key)
    taken, refused = _received(receiver, [one for one in files if one.filename][:MOST])
    if not taken:
        if not refused:
            raise BadRequest("No file was chosen.", "Go back and choose one or more PDFs.")
        return render(request, "submit.html", {"refused": refused, **_rules(library)}, 422)
    return _shown(request, library, index, receiver, taken, refused)


def _received(receiver: Receiver, files: Sequence[UploadFile]) -> tuple[list[str], list[Refusal]]:
    taken, refused = [], []
    for one in files:
        try:
            taken.append(receiver.receive(_blocks(one), one.filename or "").job)
        except OpenseerError as error:
            refused.append(Refusal(one.filename or "a file", str(error)))
    return taken, refused


def _blocks(part: UploadFile) -> Iterator[bytes]:
    while block := part.file.read(BLOCK):
        yield block


@router.api_route("/submit/jobs", methods=READS)
def jobs(
    request: Request,
    library: Library,
    index: Index,
    receiver: Receiving,
    job: Annotated[list[str], Query(max_length=MOST)],
) -> Response:
    """How far some jobs have come."""
    return _shown(request, library, index, receiver, job, ())


def _shown(
    request: Request,
    library: opening.Library,
    index: stores.Index,
    receiver: Receiver,
    names: Sequence[str],
    refused: Sequence[Refusal],
) -> Response:
    bodies = [job_body(library, index, receiver, name) for name in names]
    again = "/submit/jobs?" + urlencode([("job", name) for name in names])
    values = {"bodies": bodies, "refused": refused, "again": again, "over": all(map(is_over, bodies))}
    return render(request, "submitted.html", values)


def is_over(body: dict[str, Any]) -> bool:
    """Whether there is nothing to wait for: refused, or found by search."""
    return body["state"] == "ended" and all(
        one["searchable"] or one["outcome"] != "ingested" for one in body["documents"]
    )


@router.get("/submit/events/{job}")
async def events(request: Request, library: Library, index: Index, receiver: Receiving, job: str) -> Response:
    """The body of /api/jobs as it changes, as server-sent events."""
    await run_in_threadpool(library.records.job, job)  # an unknown job is told at once
    stream = _changes(request, library, index, receiver, job)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _changes(
    request: Request, library: opening.Library, index: stores.Index, receiver: Receiver, job: str
) -> AsyncIterator[bytes]:
    told, waited = b"", 0.0
    while waited < LONGEST and not await request.is_disconnected():
        body = await run_in_threadpool(job_body, library, index, receiver, job)
        if (now := orjson.dumps(body)) != told:
            told = now
            yield b"data: " + now + b"\n\n"
        if is_over(body):
            yield b"event: over\ndata: {}\n\n"
            return
        await asyncio.sleep(PAUSE)
        waited += PAUSE
