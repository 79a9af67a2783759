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


def check_upload(library: Library, key: str | None) -> None:
    """Raise Denied unless uploads are allowed to all or the key is right."""
    web = library.settings.web
    if web.allow_upload or (web.upload_key and key and hmac.compare_digest(key.encode(), web.upload_key.encode())):
        return
    raise Denied(
        "Uploads are off here.", "Set `web.allow_upload`, or send the key of `web.upload_key` as X-Upload-Key."
    )


def blocks_of(part: UploadFile) -> Iterator[bytes]:
    """Blocks of a file in a form."""
    while block := part.file.read(BLOCK_BYTES):
        yield block


def job_body(library: Library, index: IndexDep, uploads: UploadsDep, job: str) -> dict[str, Any]:
    """Body of /api/jobs."""
    record, statuses = library.records.job(job), uploads.statuses(job)
    indexed = index.find([one.work for one in statuses if one.work])
    documents = [
        {
            "sha1": one.sha1,
            "name": one.name,
            "state": one.state,
            "outcome": one.outcome or None,
            "detail": one.detail,
            "cluster_id": one.work or None,
            "searchable": one.work in indexed and one.sha1 in indexed[one.work].documents,
        }
        for one in statuses
    ]
    ended = all(one.state not in ("waiting", "held") for one in statuses)
    return {"id": record.id, "what": record.what, "state": "ended" if ended else "active", "documents": documents}
