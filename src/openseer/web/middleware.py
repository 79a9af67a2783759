"""Middleware: host check, limits of requests, security headers, CORS, ETags and 304, gzip, a counter."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from openseer.core.errors import Overloaded, UnknownHost
from openseer.core.settings import Settings
from openseer.core.telemetry.counters import counters
from openseer.web import problems
from openseer.web.conditional_get import unchanged
from openseer.web.http.access import SiteAccess
from openseer.web.http.limits import MAX_REQUESTS, MAX_STREAMS, MAX_UPLOADS, REFUSAL_SECONDS, RequestSlots

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
TYPES_WITHOUT_FILES = ("application/json", "application/x-www-form-urlencoded")
MAX_ADDRESS_BYTES = 64 << 10
"""Largest request to such a route that holds no file but the address of one."""
EXPOSED_HEADERS = "ETag, Link, Retry-After"
"""Headers of the API that scripts of the origins in `web.cross_origin` may read."""
METHODS_WITH_BODY = ("POST", "PUT", "PATCH")
MAX_LENGTH_DIGITS = 18
STREAMS = "/submit/events/"
NOT_COUNTED = ("/healthz", "/static/")
"""Paths that are answered however many requests are at work."""
PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": "Content-Type, If-None-Match, If-Modified-Since",
    "Access-Control-Max-Age": "86400",
}


class ResponseMiddleware:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: Settings, access: SiteAccess) -> None:
        self._app, self._max_file_bytes, self._access = app, settings.extract.max_bytes, access
        self._requests, self._uploads = RequestSlots(MAX_REQUESTS), RequestSlots(MAX_UPLOADS)
        self._streams = RequestSlots(MAX_STREAMS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application on the request and complete its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        slot = _Slot(self._slots_for(scope))
        response = _ResponseSender(scope, headers, send, self._access, slot)
        try:
            host = headers.get("host", "")
            if not self._access.accepts_host(host):
                raise UnknownHost(host)
            if is_api(scope) and scope["method"] == "OPTIONS":
                await self._preflight(headers)(scope, receive, response.send)
                return
            body = _LimitedBody(headers, receive, self._max_body_bytes(scope, headers), slot)
            if scope["method"] not in METHODS_WITH_BODY or scope["path"] in UPLOAD_ROUTES:
                slot.take()
            # the route for GET answers HEAD; the body is not sent
            app_scope = {**scope, "method": "GET"} if is_api(scope) and scope["method"] == "HEAD" else scope
            await self._app(app_scope, body.receive, response.send)
        except ClientDisconnect:
            pass
        except Overloaded as error:
            await asyncio.sleep(REFUSAL_SECONDS)
            await problems.overloaded(Request(scope), error)(scope, receive, response.send)
        except Exception as error:
            if response.started:
                raise
            await problems.response_of(Request(scope), error)(scope, receive, response.send)
        finally:
            slot.give_back()

    def _slots_for(self, scope: Scope) -> RequestSlots | None:
        path = scope["path"]
        if path.startswith(NOT_COUNTED):
            return None
        if path.startswith(STREAMS):
            return self._streams
        return self._uploads if path in UPLOAD_ROUTES and scope["method"] == "POST" else self._requests

    def _max_body_bytes(self, scope: Scope, headers: Headers) -> int:
        files = UPLOAD_ROUTES.get(scope["path"], 0)
        if files and headers.get("content-type", "").lower().startswith(TYPES_WITHOUT_FILES):
            return MAX_ADDRESS_BYTES
        return MAX_REQUEST_BYTES + files * self._max_file_bytes

    def _preflight(self, headers: Headers) -> Response:
        allowed = self._access.allowed_origin(headers.get("origin", ""))
        return Response(status_code=204, headers=PREFLIGHT_HEADERS if allowed else None)


class _Slot:
    """The slot of one request, taken and given back at most once."""

    def __init__(self, slots: RequestSlots | None) -> None:
        self._slots, self._taken = slots, False

    def take(self) -> None:
        """Take the slot; raises Overloaded if there is none."""
        if self._slots is None or self._taken:
            return
        if not self._slots.take():
            raise Overloaded
        self._taken = True

    def give_back(self) -> None:
        """Free the slot, if it was taken."""
        if self._taken and self._slots is not None:
            self._slots.give_back()
        self._slots, self._taken = None, False


def is_api(scope: Scope) -> bool:
    """True for a request to the REST API."""
    return str(scope["path"]).startswith("/api/")


class _LimitedBody:
    """Request body with a size limit; a request with a small body takes its slot once that is complete."""

    def __init__(self, headers: Headers, receive: Receive, max_bytes: int, slot: _Slot) -> None:
        self._receive, self._max_bytes, self._slot = receive, max_bytes, slot
        declared = headers.get("content-length", "")[:MAX_LENGTH_DIGITS]
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
        if not message.get("more_body"):
            self._take_slot()
        return message

    def _take_slot(self) -> None:
        try:
            self._slot.take()
        except Overloaded as error:  # the framework hides all errors but its own while it reads a body
            raise HTTPException(503) from error

    def _too_large(self) -> HTTPException:
        return HTTPException(413, f"The request has more than {self._max_bytes:,} bytes.")


class _ResponseSender:
    """Sends one response; its headers are delayed until the first part of the body is known."""

    def __init__(self, scope: Scope, headers: Headers, send: Send, access: SiteAccess, slot: _Slot) -> None:
        self._request_headers, self._scope, self._send = headers, scope, send
        self._access, self._slot = access, slot
        self._start: Message | None = None
        self._finished = False
        self.started = False
        """True once the status is sent."""

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
            self.started = True
            if not self._scope["path"].startswith(STREAMS):
                self._slot.give_back()  # the work is done; a slow client must not hold up others
            await self._send(start)
        if not self._finished:
            self._finished = not message.get("more_body")
            await self._send({**message, "body": b""} if self._scope["method"] == "HEAD" else message)

    def _add_headers(self, headers: MutableHeaders) -> None:
        if headers.get("content-type", "").startswith("application/pdf"):
            headers.setdefault("Content-Security-Policy", PDF_POLICY)
        for name, value in SECURITY_HEADERS.items():
            headers.setdefault(name, value)
        if is_api(self._scope) and self._scope["path"] not in UPLOAD_ROUTES:
            self._add_cross_origin(headers)
        if self._scope["path"].startswith("/static/") and b"v=" in self._scope["query_string"]:
            headers["Cache-Control"] = CACHE_FOR_EVER

    def _add_cross_origin(self, headers: MutableHeaders) -> None:
        """Let scripts of the configured origins read the response."""
        if self._access.varies_by_origin:
            headers.add_vary_header("Origin")
        if allowed := self._access.allowed_origin(self._request_headers.get("origin", "")):
            headers.setdefault("Access-Control-Allow-Origin", allowed)
            headers.setdefault("Access-Control-Expose-Headers", EXPOSED_HEADERS)

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
