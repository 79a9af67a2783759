"""Response middleware: security headers, ETags and 304, gzip, size limits of requests, CORS, a counter."""

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

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none';"
    " base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Sent with every response: nothing from other hosts, no inline script."""
PDF_POLICY = "frame-ancestors 'self'"
"""For PDFs: a stricter policy would stop the browser's own viewer, and a PDF runs no script here."""
COMPRESSIBLE = ("text/", "application/json", "application/problem+json", "application/xml", "application/atom+xml",
                "application/rss+xml", "application/opensearch", "application/x-bibtex",
                "application/vnd.citationstyles", "application/x-research", "image/svg+xml",
                "application/linkset")  # fmt: skip
"""Media types that are sent compressed."""
ACCEPTS_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))")
MIN_GZIP_BYTES = 600
GZIP_LEVEL = 5
CACHE_FOR_EVER = "public, max-age=31536000, immutable"
MAX_REQUEST_BYTES = 1 << 20
"""Largest request without a file; allowed for the other fields of a request with files."""
UPLOAD_ROUTES = {"/api/document": 1, "/api/similar/file": 1, "/submit": 5}
"""Routes that accept files, and how many of the largest size at a time."""
CORS_HEADERS = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag, Link, Retry-After"}
"""Scripts of other sites may read the API, but upload nothing."""
PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": "Content-Type, If-None-Match, If-Modified-Since",
    "Access-Control-Max-Age": "86400",
}


class ResponseMiddleware:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp, max_file_bytes: int) -> None:
        self._app, self._max_file_bytes = app, max_file_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application on the request and complete its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        response, app_scope = _ResponseSender(scope, send), scope
        if is_api(scope) and scope["method"] == "HEAD":  # the route for GET answers; the body is not sent
            app_scope = {**scope, "method": "GET"}
        if is_api(scope) and scope["method"] == "OPTIONS":
            await Response(status_code=204, headers=PREFLIGHT_HEADERS)(scope, receive, response.send)
            return
        max_bytes = MAX_REQUEST_BYTES + UPLOAD_ROUTES.get(scope["path"], 0) * self._max_file_bytes
        await self._app(app_scope, _LimitedBody(scope, receive, max_bytes).receive, response.send)


def is_api(scope: Scope) -> bool:
    """True for a request to the REST API."""
    return str(scope["path"]).startswith("/api/")


class _LimitedBody:
    """Request body with a size limit."""

    def __init__(self, scope: Scope, receive: Receive, max_bytes: int) -> None:
        self._receive, self._max_bytes = receive, max_bytes
        declared = Headers(scope=scope).get("content-length", "")
        self._declared_bytes = int(declared) if declared.isdecimal() else 0
        self._received_bytes = 0

    async def receive(self) -> Message:
        """The next message; 413 once the limit is exceeded."""
        if self._declared_bytes > self._max_bytes:  # nothing of it is read
            raise self._too_large()
        message = await self._receive()
        self._received_bytes += len(message.get("body", b""))
        if self._received_bytes > self._max_bytes:
            raise self._too_large()
        return message

    def _too_large(self) -> HTTPException:
        return HTTPException(413, f"The request has more than {self._max_bytes:,} bytes.")


class _ResponseSender:
    """Sends one response; its headers are delayed until the first part of the body is known."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._request_headers, self._scope, self._send = Headers(scope=scope), scope, send
        self._start: Message | None = None
        self._finished = False

    async def send(self, message: Message) -> None:
        """Handle one message of the application."""
        if message["type"] == "http.response.start":
            self._start = message
            return
        if self._start is not None and message["type"] == "http.response.body":
            start, self._start = self._start, None
            headers = MutableHeaders(raw=start["headers"])
            self._add_headers(headers)
            if start["status"] == 200 and self._scope["method"] in ("GET", "HEAD"):
                message = self._optimised(start, headers, message)
            start["headers"] = headers.raw
            counters.count("openseer_http_responses_total", status=str(start["status"]))
            await self._send(start)
        if not self._finished:
            self._finished = not message.get("more_body")
            await self._send({**message, "body": b""} if self._scope["method"] == "HEAD" else message)

    def _add_headers(self, headers: MutableHeaders) -> None:
        if headers.get("content-type", "").startswith("application/pdf"):
            headers.setdefault("Content-Security-Policy", PDF_POLICY)
        for name, value in SECURITY_HEADERS.items():
            headers.setdefault(name, value)
        is_upload = self._scope["path"] in UPLOAD_ROUTES and self._scope["method"] not in ("GET", "HEAD")
        if is_api(self._scope) and not is_upload:
            for name, value in CORS_HEADERS.items():
                headers.setdefault(name, value)
        if self._scope["path"].startswith("/static/") and b"v=" in self._scope["query_string"]:
            headers["Cache-Control"] = CACHE_FOR_EVER

    def _optimised(self, start: Message, headers: MutableHeaders, message: Message) -> Message:
        """The first body message: empty with status 304 if the client has it, else compressed if it is the only one."""
        complete, body = not message.get("more_body"), message.get("body", b"")
        media_type = headers.get("content-type", "")
        if complete and (media_type.startswith("text/html") or "last-modified" in headers) and "etag" not in headers:
            headers["ETag"] = f'W/"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'
            headers.setdefault("Cache-Control", "no-cache")
        if self._client_has(headers):
            start["status"] = 304
            for name in ("content-length", "content-type"):
                del headers[name]
            return {"type": message["type"], "body": b""}
        if complete and media_type.startswith(COMPRESSIBLE) and len(body) >= MIN_GZIP_BYTES:
            return self._compressed(headers, message, body)
        return message

    def _client_has(self, headers: MutableHeaders) -> bool:
        """True if the client has this response: by ETag, or by date if it sent no ETag."""
        if (tags := self._request_headers.get("if-none-match")) is not None:
            tag = headers.get("etag", "").removeprefix("W/")
            return bool(tag) and (tag in tags or tags.strip() == "*")
        return unchanged(headers.get("last-modified", ""), self._request_headers.get("if-modified-since", ""))

    def _compressed(self, headers: MutableHeaders, message: Message, body: bytes) -> Message:
        if "content-encoding" in headers:  # already compressed by the application
            return message
        if "accept-encoding" not in headers.get("vary", "").lower():
            headers.add_vary_header("Accept-Encoding")
        if not ACCEPTS_GZIP.search(self._request_headers.get("accept-encoding", "")):
            return message
        compressed = gzip.compress(body, GZIP_LEVEL, mtime=0)
        headers["Content-Encoding"], headers["Content-Length"] = "gzip", str(len(compressed))
        tag = headers.get("etag", "")
        if tag and not tag.startswith("W/"):
            headers["ETag"] = f"W/{tag}"
        return {**message, "body": compressed}
