"""What every answer has: headers, a tag by which it is known again, and fewer bytes on the way."""

from __future__ import annotations

import gzip
import hashlib
import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from openseer.core.telemetry.counters import counters
from openseer.web.conditional_get import unchanged

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none';"
    " base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Sent with every answer: nothing from elsewhere, no inline script."""
FILE_POLICY = "frame-ancestors 'self'"
"""For PDFs: a stricter policy would stop the browser's own viewer, and a PDF runs nothing here."""
TEXTS = ("text/", "application/json", "application/problem+json", "application/xml", "application/atom+xml",
         "application/rss+xml", "application/opensearch", "application/x-bibtex", "application/vnd.citationstyles",
         "application/x-research", "image/svg+xml", "application/linkset")  # fmt: skip
"""Types that are worth packing."""
TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))")
WORTH_PACKING = 600
"""Bytes."""
LEVEL = 5
FOREVER = "public, max-age=31536000, immutable"
MOST_ASKED = 1 << 20
"""Bytes of a request that gives no file, and beside one."""
FILES = {"/api/document": 1, "/api/similar/file": 1, "/submit": 5}
"""Where files are given, and how many of the largest at once."""
OPEN = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag, Link, Retry-After"}
"""Scripts of other sites may read what the API says, but give it no files."""
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": "Content-Type, If-None-Match, If-Modified-Since",
    "Access-Control-Max-Age": "86400",
}


class ResponseMiddleware:
    """Middleware around everything; a file may have so many bytes."""

    def __init__(self, app: ASGIApp, max_file_bytes: int) -> None:
        self._app, self._max_file_bytes = app, max_file_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer, and see to its manners."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer, asked = _Answer(scope, send), scope
        if is_api(scope) and scope["method"] == "HEAD":  # what answers GET answers this; the body stays here
            asked = {**scope, "method": "GET"}
        if is_api(scope) and scope["method"] == "OPTIONS":
            await Response(status_code=204, headers=PREFLIGHT)(scope, receive, answer.take)
            return
        most = MOST_ASKED + FILES.get(scope["path"], 0) * self._max_file_bytes
        await self._app(asked, _Bounded(scope, receive, most).more, answer.take)


def is_api(scope: Scope) -> bool:
    """Whether a program asks."""
    return str(scope["path"]).startswith("/api/")


class _Bounded:
    """What is sent to us, until it is too much."""

    def __init__(self, scope: Scope, receive: Receive, most: int) -> None:
        self._receive, self._most = receive, most
        told = Headers(scope=scope).get("content-length", "")
        self._coming = int(told) if told.isdecimal() else 0
        self._come = 0

    async def more(self) -> Message:
        """The next of it."""
        if self._coming > self._most:  # none of it is read
            raise self._refusal()
        message = await self._receive()
        self._come += len(message.get("body", b""))
        if self._come > self._most:
            raise self._refusal()
        return message

    def _refusal(self) -> HTTPException:
        return HTTPException(413, f"More than {self._most:,} bytes are not taken here.")


class _Answer:
    """One answer on its way out; its head is held back until its body is seen."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._asked, self._scope, self._send = Headers(scope=scope), scope, send
        self._start: Message | None = None
        self._over = False

    async def take(self, message: Message) -> None:
        """A message of the application."""
        if message["type"] == "http.response.start":
            self._start = message
            return
        if self._start is not None and message["type"] == "http.response.body":
            start, self._start = self._start, None
            head = MutableHeaders(raw=start["headers"])
            self._mannered(head)
            if start["status"] == 200 and self._scope["method"] in ("GET", "HEAD"):
                message = self._lighter(start, head, message)
            start["headers"] = head.raw
            counters.count("openseer_http_responses_total", status=str(start["status"]))
            await self._send(start)
        if not self._over:
            self._over = not message.get("more_body")
            await self._send({**message, "body": b""} if self._scope["method"] == "HEAD" else message)

    def _mannered(self, head: MutableHeaders) -> None:
        is_file = head.get("content-type", "").startswith("application/pdf")
        if is_file:
            head.setdefault("Content-Security-Policy", FILE_POLICY)
        for name, value in HEADERS.items():
            head.setdefault(name, value)
        if is_api(self._scope) and (self._scope["path"] not in FILES or self._scope["method"] in ("GET", "HEAD")):
            for name, value in OPEN.items():
                head.setdefault(name, value)
        if self._scope["path"].startswith("/static/") and b"v=" in self._scope["query_string"]:
            head["Cache-Control"] = FOREVER

    def _lighter(self, start: Message, head: MutableHeaders, message: Message) -> Message:
        """A body tagged and packed, if it came in one piece; left out when the asker has it."""
        whole, body, kind = not message.get("more_body"), message.get("body", b""), head.get("content-type", "")
        if whole and (kind.startswith("text/html") or "last-modified" in head) and "etag" not in head:
            head["ETag"] = f'W/"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'
            head.setdefault("Cache-Control", "no-cache")
        if self._is_known(head):
            start["status"] = 304
            for name in ("content-length", "content-type"):
                del head[name]
            return {"type": message["type"], "body": b""}
        if whole and kind.startswith(TEXTS) and len(body) >= WORTH_PACKING:
            return self._packed(head, message, body)
        return message

    def _is_known(self, head: MutableHeaders) -> bool:
        """Whether the asker has it: by its tag; only who knows none is answered by its date."""
        if (tags := self._asked.get("if-none-match")) is not None:
            tag = head.get("etag", "").removeprefix("W/")
            return bool(tag) and (tag in tags or tags.strip() == "*")
        return unchanged(head.get("last-modified", ""), self._asked.get("if-modified-since", ""))

    def _packed(self, head: MutableHeaders, message: Message, body: bytes) -> Message:
        if "content-encoding" in head:  # packed by who made it
            return message
        if "accept-encoding" not in head.get("vary", "").lower():
            head.add_vary_header("Accept-Encoding")
        if not TAKES_GZIP.search(self._asked.get("accept-encoding", "")):
            return message
        packed = gzip.compress(body, LEVEL, mtime=0)
        head["Content-Encoding"], head["Content-Length"] = "gzip", str(len(packed))
        tag = head.get("etag", "")
        if tag and not tag.startswith("W/"):
            head["ETag"] = f"W/{tag}"
        return {**message, "body": packed}
