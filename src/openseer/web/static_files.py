"""Style sheet, scripts and icon, packed once and kept in memory: every first visit asks for all of them."""

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

KNOWN = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file, as it is and packed."""

    plain: bytes
    packed: Mapping[str, bytes]
    """By the name of the packing, the smallest first."""
    kind: str
    tag: str

    @classmethod
    def of(cls, path: Path) -> StaticFile:
        """A file of the package."""
        data = path.read_bytes()
        kind = KNOWN.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        kind += "; charset=utf-8" if kind.startswith("text/") else ""
        packed = {"br": brotli.compress(data, quality=11), "gzip": gzip.compress(data, 9, mtime=0)}
        return cls(data, packed, kind, f'W/"{hashlib.blake2b(data, digest_size=8).hexdigest()}"')


class StaticFiles:
    """An application that serves the files of one folder."""

    def __init__(self, folder: Path) -> None:
        self._items = {path.name: StaticFile.of(path) for path in folder.iterdir() if path.is_file()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one of them."""
        item = self._items.get(scope["path"].rpartition("/")[2])
        if item is None:
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        way = _taken(Headers(scope=scope).get("accept-encoding", ""), item.packed)
        head = {"ETag": item.tag, "Vary": "Accept-Encoding", **({"Content-Encoding": way} if way else {})}
        answer = Response(item.packed.get(way, item.plain), headers=head, media_type=None)
        answer.headers["Content-Type"] = item.kind
        await answer(scope, receive, send)


def _taken(accept: str, ways: Mapping[str, bytes]) -> str:
    """The first packing that the asker takes, or none.

    >>> _taken("gzip, deflate, br;q=0", {"br": b"", "gzip": b""})
    'gzip'
    """
    asked = {part.partition(";")[0].strip(): part.partition(";")[2].replace(" ", "") for part in accept.split(",")}
    return next((way for way in ways if way in asked and asked[way] not in ("q=0", "q=0.0")), "")
