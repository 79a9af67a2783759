"""Uploads, as the REST API and the submit page share them: permission, file blocks, job status."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from typing import Any

from fastapi import Request
from starlette.datastructures import UploadFile

from openseer.core.errors import CrossSite, Denied
from openseer.core.model.document import Viewer
from openseer.storage.open import Library
from openseer.web.dependencies import IndexDep, UploadsDep
from openseer.web.http.access import SiteAccess
from openseer.web.services import services_of

BLOCK_BYTES = 1 << 20
UPLOAD_COOKIE = "openseer_upload"


def check_upload(request: Request) -> None:
    """Raise an error unless uploads are allowed to all or the key is right; needs no body of the request."""
    services = services_of(request)
    services.upload_rate.count(request.client.host if request.client else "")
    web = services.library.settings.web
    if is_upload_key(web.upload_key, request.headers.get("x-upload-key", "")):
        return
    check_same_site(request)
    if not web.allow_upload and not has_upload_cookie(request):
        raise Denied(
            "Uploads are off here.", "Set `web.allow_upload`, or send the key of `web.upload_key` as X-Upload-Key."
        )


def check_same_site(request: Request) -> None:
    """Raise CrossSite if a browser sent the request for a page of another site."""
    access: SiteAccess = request.app.state.access
    if access.is_cross_site(request.headers):
        raise CrossSite


def is_upload_key(expected: str, key: str) -> bool:
    """True if this is the key of uploads."""
    return bool(expected) and hmac.compare_digest(key.encode(), expected.encode())


def has_upload_cookie(request: Request) -> bool:
    """True if the browser has the cookie of somebody who gave the key."""
    expected = upload_token(services_of(request).library.settings.web.upload_key)
    return bool(expected) and hmac.compare_digest(request.cookies.get(UPLOAD_COOKIE, "").encode(), expected.encode())


def upload_token(key: str) -> str:
    """Value of the upload cookie; it changes with the key and does not contain it."""
    return hmac.digest(key.encode(), b"openseer uploads", "sha256").hex() if key else ""


def blocks_of(part: UploadFile) -> Iterator[bytes]:
    """Blocks of a file in a form."""
    while block := part.file.read(BLOCK_BYTES):
        yield block


def job_body(library: Library, index: IndexDep, uploads: UploadsDep, job: str, viewer: Viewer) -> dict[str, Any]:
    """Body of /api/jobs."""
    record, statuses = library.records.job(job), uploads.statuses(job, viewer)
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
