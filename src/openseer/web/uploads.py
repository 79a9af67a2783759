"""Uploads, as the REST API and the submit page share them: permission, file blocks, job status."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from typing import Any

from starlette.datastructures import UploadFile

from openseer.core.errors import Denied
from openseer.storage.open import Library
from openseer.web.dependencies import IndexDep, UploadsDep

BLOCK_BYTES = 1 << 20


def check_upload(library: Library, key: str) -> None:
    """Uploads are off unless they are allowed to all, or to those who know the key."""
    web = library.settings.web
    if web.allow_upload or (web.upload_key and hmac.compare_digest(key.encode(), web.upload_key.encode())):
        return
    raise Denied(
        "Uploads are off here.", "Set `web.allow_upload`, or send the key of `web.upload_key` as X-Upload-Key."
    )


def blocks_of(part: UploadFile) -> Iterator[bytes]:
    """A file of a form, piece by piece."""
    while block := part.file.read(BLOCK_BYTES):
        yield block


def job_body(library: Library, index: IndexDep, receiver: UploadsDep, job: str) -> dict[str, Any]:
    """The body of /api/jobs."""
    found, steps = library.records.job(job), receiver.statuses(job)
    known = index.find([one.work for one in steps if one.work])
    documents = [
        {
            "sha1": one.sha1,
            "name": one.name,
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
