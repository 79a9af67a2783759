"""Static files: style sheet, scripts and icon, compressed at start and held in memory."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import brotli
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
"""Media types by suffix; `mimetypes` differs between machines."""


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file, plain and compressed."""

    plain: bytes
    compressed: Mapping[str, bytes]
    """Content encoding -> bytes, the smallest first."""
    media_type: str
    etag: str

    @classmethod
    def of(cls, path: Path) -> StaticFile:
        """A file of the package."""
        data = path.read_bytes()
        media_type = MEDIA_TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        media_type += "; charset=utf-8" if media_type.startswith("text/") else ""
        compressed = {"br": brotli.compress(data, quality=11), "gzip": gzip.compress(data, 9, mtime=0)}
        return cls(data, compressed, media_type, f'W/"{hashlib.blake2b(data, digest_size=8).hexdigest()}"')


class StaticFiles:
    """ASGI application that serves the files of one folder."""

    def __init__(self, folder: Path) -> None:
        self._files = {path.name: StaticFile.of(path) for path in folder.iterdir() if path.is_file()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one file; 404 if there is none of that name."""
        file = self._files.get(scope["path"].rpartition("/")[2])
        if file is None:
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        encoding = _accepted_encoding(Headers(scope=scope).get("accept-encoding", ""), file.compressed)
        headers = {"ETag": file.etag, "Vary": "Accept-Encoding", **({"Content-Encoding": encoding} if encoding else {})}
        response = Response(file.compressed.get(encoding, file.plain), headers=headers, media_type=None)
        response.headers["Content-Type"] = file.media_type
        await response(scope, receive, send)


def _accepted_encoding(accept: str, available: Mapping[str, bytes]) -> str:
    """The first available encoding that an Accept-Encoding header accepts, or "".

    >>> _accepted_encoding("gzip, deflate, br;q=0", {"br": b"", "gzip": b""})
    'gzip'
    """
    parts = (part.partition(";") for part in accept.split(","))
    quality = {encoding.strip(): parameters.replace(" ", "") for encoding, _, parameters in parts}
    return next((one for one in available if one in quality and quality[one] not in ("q=0", "q=0.0")), "")
