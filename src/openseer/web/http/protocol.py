"""HTTP protocol of a connection with limits of time and size, and the table of all connections of a process."""

from __future__ import annotations

import asyncio
import resource
from collections import OrderedDict
from enum import Enum
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES = 64 << 10
HEAD_SECONDS = 10.0
"""Time to send a complete head, and to begin the next request."""
BODY_IDLE_SECONDS = 30.0
"""Time without a byte of a body."""
MIN_BODY_RATE = 500
"""Bytes in a second of a body, on average after `BODY_IDLE_SECONDS`."""
WRITE_IDLE_SECONDS = 60.0
"""Time in which a client takes nothing of a response."""
LINGER_SECONDS, LINGER_BYTES = 5.0, 1 << 20
"""What is still read of a body after its response, so that the client sees the response."""
SWEEP_SECONDS = 1.0
MAX_CONNECTIONS = 4096
RESERVED_DESCRIPTORS = 256
"""Descriptors for files and workers; half of them all if there are few."""


class State(Enum):
    """What a connection waits for."""

    HEAD, BODY, RESPONSE, LINGER, IDLE = range(5)


class ConnectionTable:
    """The connections of a process; beyond a limit the one that is idle for longest is closed."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.all: set[GuardedProtocol] = set()
        self.idle: OrderedDict[GuardedProtocol, None] = OrderedDict()
        self._sweeping = False

    def add(self, connection: GuardedProtocol) -> None:
        """Add a new connection, idle until it has sent a head."""
        if len(self.all) >= self.limit and not self._close_oldest_idle():
            connection.refuse(HTTPStatus.SERVICE_UNAVAILABLE)
        self.all.add(connection)
        self.idle[connection] = None
        if not self._sweeping:
            self._sweeping = True
            connection.loop.call_later(SWEEP_SECONDS, self._sweep, connection.loop)

    def remove(self, connection: GuardedProtocol) -> None:
        """Forget a closed connection."""
        self.all.discard(connection)
        self.idle.pop(connection, None)

    def _close_oldest_idle(self) -> bool:
        while self.idle:
            connection, _ = self.idle.popitem(last=False)
            if not connection.transport.is_closing():
                self.all.discard(connection)
                connection.transport.close()
                return True
        return False

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for connection in list(self.all):
            connection.check(now)
        self._sweeping = bool(self.all)
        if self._sweeping:
            loop.call_later(SWEEP_SECONDS, self._sweep, loop)


class GuardedProtocol(HttpToolsProtocol):
    """uvicorn's protocol; closes connections whose heads or bodies come too slowly or are too large."""

    def __init__(self, *arguments: Any, table: ConnectionTable, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._table = table
        self._state, self._since = State.HEAD, 0.0
        self._head_bytes = self._chunk_bytes = self._body_bytes = self._unsent_bytes = 0
        self._last_byte = self._last_write = 0.0
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._since = self.loop.time()
        self._table.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._table.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        before = self._state
        if before is State.IDLE:
            self._state, self._since = State.HEAD, self.loop.time()
        self._chunk_bytes = len(data)
        super().data_received(data)
        if before is State.HEAD is self._state:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif before is State.LINGER is self._state:
            self._body_bytes += len(data)
            if self._body_bytes > LINGER_BYTES:
                self.transport.close()

    def on_message_begin(self) -> None:
        self._state, self._since, self._head_bytes = State.HEAD, self.loop.time(), 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if self._head_bytes + self._chunk_bytes > MAX_HEAD_BYTES:
            size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
            if size > MAX_HEAD_BYTES:
                self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
                return
        self._state, self._body_bytes = State.BODY, 0
        self._since = self._last_byte = self.loop.time()
        self._table.idle.pop(self, None)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if self._refused:
            return
        if self._state is State.BODY:
            self._body_bytes += len(body)
            self._last_byte = self.loop.time()
        super().on_body(body)

    def on_message_complete(self) -> None:
        if self._refused:
            return
        lingering, self._state = self._state is State.LINGER, State.RESPONSE
        super().on_message_complete()
        if lingering:
            self._become_idle()

    def on_response_complete(self) -> None:
        if self._state is State.BODY and not self.pipeline:
            self._state, self._since, self._body_bytes = State.LINGER, self.loop.time(), 0
        elif self._state is State.RESPONSE and not self.pipeline:
            self._become_idle()
        super().on_response_complete()

    def _become_idle(self) -> None:
        self._state, self._since = State.IDLE, self.loop.time()
        if self in self._table.all:
            self._table.idle[self] = None

    def check(self, now: float) -> None:
        """Close the connection if its client is too slow."""
        if self.transport.is_closing():
            self._abort_if_unsent(now)
            return
        waited = now - self._since
        busy = self.cycle is not None and not self.cycle.response_complete
        match self._state:
            case State.HEAD if waited > HEAD_SECONDS and not busy:
                self.refuse(HTTPStatus.REQUEST_TIMEOUT)
            case State.IDLE if waited > HEAD_SECONDS:
                self.transport.close()
            case State.LINGER if waited > LINGER_SECONDS:
                self.transport.close()
            case State.BODY if not self.flow.read_paused:
                too_slow = waited > BODY_IDLE_SECONDS and self._body_bytes < MIN_BODY_RATE * waited
                if too_slow or now - self._last_byte > BODY_IDLE_SECONDS:
                    self.transport.abort()
            case State.BODY:
                self._last_byte = now  # the application does not read: not the fault of the client
            case State.RESPONSE:
                self._abort_if_unsent(now)
            case _:
                pass

    def _abort_if_unsent(self, now: float) -> None:
        """Abort if the client took nothing of the response for a while."""
        unsent = self.transport.get_write_buffer_size()
        if unsent != self._unsent_bytes or not unsent:
            self._unsent_bytes, self._last_write = unsent, now
        elif now - self._last_write > WRITE_IDLE_SECONDS:
            self.transport.abort()

    def refuse(self, status: HTTPStatus) -> None:
        """Answer with a status and close the connection."""
        self._refused = True
        retry = "retry-after: 5\r\n" if status is HTTPStatus.SERVICE_UNAVAILABLE else ""
        head = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-length: 0\r\n{retry}connection: close\r\n\r\n"
        self.transport.write(head.encode("ascii"))
        self.transport.close()


def raise_descriptor_limit() -> int:
    """Raise the soft limit of open files to the hard one; returns it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or soft < hard:
        wanted = hard if hard != resource.RLIM_INFINITY else max(soft, 1 << 20)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (ValueError, OSError):  # refused by the system: the present limit stays
            return soft
        return wanted
    return soft


def connection_limit(descriptors: int) -> int:
    """Connections of a process with so many descriptors.

    >>> connection_limit(64), connection_limit(1024), connection_limit(1 << 20)
    (32, 768, 4096)
    """
    return min(MAX_CONNECTIONS, descriptors - min(RESERVED_DESCRIPTORS, descriptors // 2))
