"""Load test of a server: the published mix of seven kinds of requests, with think time."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
import urllib.parse
from collections import defaultdict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from openseer.core.model.query import Everything, SearchQuery, Word
from openseer.storage.open import Library

KINDS = ("paper", "search", "showCiting", "similar", "suggest", "citations", "download")
PUBLISHED = {
    "paper": "5-6", "search": "20-47", "showCiting": "10-11", "similar": "5-6", "suggest": "7-8", "citations": "7-39",
    "download": "17-32", "all": "9 at 65 req/s", "ramp": "about 400 req/s at 700-785 users",
}  # fmt: skip
"""Published medians in ms with 100 users: two servers with eight cores, 1 M full texts and 15 M clusters."""
SAMPLES = 5000
"""Sample requests of each kind."""
USERS_PER_SECOND = 10
"""New users per second."""
THINK_SECONDS = (1.0, 2.0)
"""Minimum and maximum seconds between two requests of a user."""
TIMEOUT_SECONDS = 10.0
"""Timeout of a request."""
SLOW_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class RequestSamples:
    """Sample requests."""

    paths: dict[str, tuple[str, ...]]


@dataclass
class LoadStats:
    """Response times and failures."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failures: int = 0
    started: float = field(default_factory=time.monotonic)

    def table(self) -> dict[str, dict[str, float]]:
        """Number, median, p90 and p99 of each kind, in ms."""
        kinds = {**self.seconds, "all": [one for every in self.seconds.values() for one in every]}
        return {kind: _summary(kinds[kind]) for kind in (*KINDS, "all") if kinds.get(kind)}


def _summary(seconds_taken: list[float]) -> dict[str, float]:
    ordered = sorted(seconds_taken)

    def at(share: float) -> float:
        return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    return {
        "requests": len(ordered),
        "median": round(1000 * statistics.median(ordered), 1),
        "p90": at(0.9),
        "p99": at(0.99),
    }


def sample_requests(library: Library, facets: bool, count: int = SAMPLES) -> RequestSamples:
    """Sample requests with ids and words of a library, found by searching for words of its titles."""
    index, random_source = library.open_index(), random.Random(1)
    first = index.search(SearchQuery(Everything(), "citations", limit=500)).hits
    words = sorted({word for hit in first for word in hit.work.title.split() if len(word) > 4 and word.isalpha()})
    full_text: dict[str, str] = {}
    cited: dict[str, None] = {}
    for _ in range(200):
        for full_text_only in (True, False):
            query = SearchQuery(
                Word(random_source.choice(words)), "added" if full_text_only else "citations", 0, 100, full_text_only
            )
            for hit in index.search(query).hits:
                (
                    full_text.setdefault(hit.work.id, hit.work.documents[0])
                    if full_text_only
                    else cited.setdefault(hit.work.id)
                )
        if len(full_text) >= count <= len(cited):
            break
    files = [sha1 for sha1, _ in zip(library.files.names("pdf"), range(count), strict=False)]
    work_ids = list(full_text)[:count]
    queries = [" ".join(random_source.sample(words, random_source.randint(1, 3))) for _ in range(count)]
    facet_parameter = "&facets=author,venue,year,type,language,topic" if facets else ""
    return RequestSamples(
        {
            "paper": tuple(f"/api/paper?cluster_id={work}" for work in work_ids),
            "search": tuple(f"/api/search?q={urllib.parse.quote(text)}{facet_parameter}" for text in queries),
            "showCiting": tuple(f"/api/showCiting/{work}" for work in list(cited)[:count]),
            "similar": tuple(f"/api/similar/{work}?algo=text" for work in work_ids),
            "suggest": tuple(
                f"/api/suggest?query={urllib.parse.quote(text[: random_source.randint(2, 12)])}" for text in queries
            ),
            "citations": tuple(f"/api/citations/{work}" for work in work_ids),
            "download": tuple(f"/api/document?doi={sha1[0]}&type=pdf" for sha1 in files),
        }
    )


class SimulatedUser:
    """One user with one connection."""

    def __init__(self, port: int, samples: RequestSamples, stats: LoadStats, random_source: random.Random) -> None:
        self._port, self._samples, self._stats, self._random = port, samples, stats, random_source
        self._kinds = [kind for kind in KINDS if samples.paths[kind]]
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def run(self, until: float) -> None:
        """Send requests until the end of the test."""
        while time.monotonic() < until:
            kind = self._random.choice(self._kinds)
            started = time.monotonic()
            try:
                status = await asyncio.wait_for(
                    self._request(self._random.choice(self._samples.paths[kind])), TIMEOUT_SECONDS
                )
            except (OSError, EOFError, TimeoutError, ValueError):
                status, self._streams = 0, None
            if status >= 500 or status == 0:
                self._stats.failures += 1
            else:
                self._stats.seconds[kind].append(time.monotonic() - started)
            await asyncio.sleep(self._random.uniform(*THINK_SECONDS))
        if self._streams:
            self._streams[1].close()

    async def _request(self, address: str) -> int:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
        stream_reader, writer = self._streams
        writer.write(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode())
        header = (await stream_reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(header.split("content-length:")[1].split("\r\n")[0])
        while length:
            block = await stream_reader.read(min(length, 1 << 16))
            if not block:
                raise EOFError
            length -= len(block)
        return int(header.split(" ", 2)[1])


async def _run_users(port: int, samples: RequestSamples, stats: LoadStats, users: int, until: float) -> None:
    random_source = random.Random(7)
    tasks = []
    for number in range(users):
        if time.monotonic() > until:
            break
        user = SimulatedUser(port, samples, stats, random.Random(random_source.random()))
        tasks.append(asyncio.create_task(user.run(until)))
        if number % USERS_PER_SECOND == USERS_PER_SECOND - 1:
            await asyncio.sleep(1)
    await asyncio.gather(*tasks)


def bench_load(port: int, samples: RequestSamples, users: int, seconds: float) -> LoadStats:
    """Run with a number of users; measured from the arrival of the last one."""
    stats = LoadStats()
    arrival_seconds = users / USERS_PER_SECOND
    until = time.monotonic() + arrival_seconds + seconds

    async def measure() -> None:
        users_task = asyncio.create_task(_run_users(port, samples, stats, users, until))
        await asyncio.sleep(arrival_seconds)
        stats.seconds.clear()
        stats.failures, stats.started = 0, time.monotonic()
        await users_task

    _run(measure())
    return stats


@dataclass(frozen=True, slots=True)
class Ramp:
    """Result of a ramp test."""

    users: int
    requests_per_second: float
    slow_at: float
    """Requests per second at which p99 first exceeded a second; 0 if never."""
    failures: int


def bench_ramp(port: int, samples: RequestSamples, max_users: int, report: Callable[[str], None]) -> Ramp:
    """Add ten users per second until requests fail."""
    stats = LoadStats()
    result = [Ramp(0, 0.0, 0.0, 0)]

    async def watch() -> None:
        until = time.monotonic() + max_users / USERS_PER_SECOND + 5
        users_task = asyncio.create_task(_run_users(port, samples, stats, max_users, until))
        slow_at, started = 0.0, time.monotonic()
        while not users_task.done() and not stats.failures:
            stats.seconds.clear()
            await asyncio.sleep(5)
            seconds_taken = [one for every in stats.seconds.values() for one in every]
            rate, users = len(seconds_taken) / 5, min(max_users, int(USERS_PER_SECOND * (time.monotonic() - started)))
            p99 = sorted(seconds_taken)[int(0.99 * len(seconds_taken))] if seconds_taken else 0.0
            slow_at = slow_at or (rate if p99 > SLOW_SECONDS else 0.0)
            best = max(result[0].requests_per_second, rate)
            result[0] = Ramp(users, best, slow_at, stats.failures)
            report(f"{users:>5} users  {rate:>7.1f} requests/s  p99 {1000 * p99:>7.0f} ms  {stats.failures} failures")
        users_task.cancel()

    _run(watch())
    return result[0]


def _run(users_task: Coroutine[Any, Any, None]) -> None:
    """Run on uvloop, which takes the least CPU time from the server."""
    import uvloop  # not available on Windows

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(users_task)
