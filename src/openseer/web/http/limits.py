"""Concurrent requests of a process, and threads with a short queue for slow work."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import anyio.to_thread
from anyio import CapacityLimiter

from openseer.core.errors import TooMany

ROUTE_THREADS = 4
"""Threads of routes in one process. They share one interpreter lock with the event loop: with 40, the framework's
number, each write to a connection waits for the others, and under load the health check took 10 seconds."""
REFUSAL_SECONDS = 0.5
"""Delay of a response 503, so that clients that repeat at once do not take the time of the others."""
MAX_REQUESTS = 200
"""Requests at work in one process, until their responses begin; all others are answered 503."""
MAX_UPLOADS = 32
"""Requests with files in one process."""
MAX_STREAMS = 100
"""Event streams in one process."""
Value = TypeVar("Value")


class RequestSlots:
    """Number of requests at work; not thread-safe, for one event loop."""

    def __init__(self, limit: int) -> None:
        self._limit, self._used = limit, 0

    def take(self) -> bool:
        """Take one of the slots; False if none is free."""
        if self._used >= self._limit:
            return False
        self._used += 1
        return True

    def give_back(self) -> None:
        """Free a slot."""
        self._used -= 1


class UploadRate:
    """Uploads of each address in the present minute; not thread-safe, for one event loop."""

    def __init__(self, limit: int) -> None:
        self._limit, self._minute = limit, 0
        self._counts: dict[str, int] = {}

    def count(self, address: str, uploads: int = 1) -> None:
        """Count uploads of an address; raises TooMany above the limit."""
        minute = int(time.monotonic() / 60)
        if minute != self._minute:
            self._minute, self._counts = minute, {}
        used = self._counts.get(address, 0) + uploads
        if self._limit and used > self._limit:
            raise TooMany("Too many uploads from your address in a minute.", "Wait a minute, then go on.")
        self._counts[address] = used


class SlowWork:
    """Threads of their own for work that may take seconds; beyond a short queue it is refused at once."""

    def __init__(self, threads: int, queue: int) -> None:
        self._limiter, self._limit, self._waiting = CapacityLimiter(threads), threads + queue, 0

    async def run(self, work: Callable[..., Value], *arguments: Any, **named: Any) -> Value:
        """Result of the work; raises TooMany if too many calls wait."""
        if self._waiting >= self._limit:
            raise TooMany("Too many such requests at a time.", "Try again in a moment.")
        self._waiting += 1
        try:
            return await anyio.to_thread.run_sync(partial(work, *arguments, **named), limiter=self._limiter)
        finally:
            self._waiting -= 1
