"""How many readers does a served library bear? The published load test: seven kinds of requests, users who think."""

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
"""Medians in ms with 100 users; on two servers of eight cores, with 1 M full texts and 15 M clusters in the index."""
PRESETS = 5000
"""Works of each kind that are asked for."""
SPAWN = 10
"""Users that come each second."""
THINK = (1.0, 2.0)
"""Seconds that a user thinks between two requests."""
GIVE_UP = 10.0
"""Seconds after which an answer counts as none."""
SLOW = 1.0


@dataclass(frozen=True, slots=True)
class Presets:
    """What users ask for."""

    addresses: dict[str, tuple[str, ...]]


@dataclass
class Tally:
    """What came of requests."""

    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failures: int = 0
    started: float = field(default_factory=time.monotonic)

    def table(self) -> dict[str, dict[str, float]]:
        """Requests, median, p90 and p99 of each kind, in ms."""
        kinds = {**self.took, "all": [one for every in self.took.values() for one in every]}
        return {kind: _figures(kinds[kind]) for kind in (*KINDS, "all") if kinds.get(kind)}


def _figures(took: list[float]) -> dict[str, float]:
    ordered = sorted(took)

    def at(share: float) -> float:
        return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    return {
        "requests": len(ordered),
        "median": round(1000 * statistics.median(ordered), 1),
        "p90": at(0.9),
        "p99": at(0.99),
    }


def presets_of(library: Library, facets: bool, count: int = PRESETS) -> Presets:
    """Ids and words, drawn from a library by searching for words of its titles."""
    index, chance = library.open_index(), random.Random(1)
    first = index.search(SearchQuery(Everything(), "citations", limit=500)).hits
    words = sorted({word for hit in first for word in hit.work.title.split() if len(word) > 4 and word.isalpha()})
    full: dict[str, str] = {}
    cited: dict[str, None] = {}
    for _ in range(200):
        for only in (True, False):
            question = SearchQuery(Word(chance.choice(words)), "added" if only else "citations", 0, 100, only)
            for hit in index.search(question).hits:
                (full.setdefault(hit.work.id, hit.work.documents[0]) if only else cited.setdefault(hit.work.id))
        if len(full) >= count <= len(cited):
            break
    files = [sha1 for sha1, _ in zip(library.files.names("pdf"), range(count), strict=False)]
    some = list(full)[:count]
    asked = [" ".join(chance.sample(words, chance.randint(1, 3))) for _ in range(count)]
    more = "&facets=author,venue,year,type,language,topic" if facets else ""
    return Presets(
        {
            "paper": tuple(f"/api/paper?cluster_id={work}" for work in some),
            "search": tuple(f"/api/search?q={urllib.parse.quote(text)}{more}" for text in asked),
            "showCiting": tuple(f"/api/showCiting/{work}" for work in list(cited)[:count]),
            "similar": tuple(f"/api/similar/{work}?algo=text" for work in some),
            "suggest": tuple(
                f"/api/suggest?query={urllib.parse.quote(text[: chance.randint(2, 12)])}" for text in asked
            ),
            "citations": tuple(f"/api/citations/{work}" for work in some),
            "download": tuple(f"/api/document?doi={sha1[0]}&type=pdf" for sha1 in files),
        }
    )


class Reader:
    """One user with one connection, who asks, reads and thinks."""

    def __init__(self, port: int, presets: Presets, tally: Tally, chance: random.Random) -> None:
        self._port, self._presets, self._tally, self._chance = port, presets, tally, chance
        self._kinds = [kind for kind in KINDS if presets.addresses[kind]]
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def stay(self, until: float) -> None:
        """Until the end of the test."""
        while time.monotonic() < until:
            kind = self._chance.choice(self._kinds)
            began = time.monotonic()
            try:
                status = await asyncio.wait_for(self._ask(self._chance.choice(self._presets.addresses[kind])), GIVE_UP)
            except (OSError, EOFError, TimeoutError, ValueError):
                status, self._streams = 0, None
            if status >= 500 or status == 0:
                self._tally.failures += 1
            else:
                self._tally.took[kind].append(time.monotonic() - began)
            await asyncio.sleep(self._chance.uniform(*THINK))
        if self._streams:
            self._streams[1].close()

    async def _ask(self, address: str) -> int:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
        reader, writer = self._streams
        writer.write(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        while length:
            block = await reader.read(min(length, 1 << 16))
            if not block:
                raise EOFError
            length -= len(block)
        return int(head.split(" ", 2)[1])


async def _crowd(port: int, presets: Presets, tally: Tally, users: int, until: float) -> None:
    chance = random.Random(7)
    readers = []
    for number in range(users):
        if time.monotonic() > until:
            break
        reader = Reader(port, presets, tally, random.Random(chance.random()))
        readers.append(asyncio.create_task(reader.stay(until)))
        if number % SPAWN == SPAWN - 1:
            await asyncio.sleep(1)
    await asyncio.gather(*readers)


def bench_load(port: int, presets: Presets, users: int, seconds: float) -> Tally:
    """So many users, for so long after the last has come; what happened before is not counted."""
    warming = Tally()
    coming = users / SPAWN
    until = time.monotonic() + coming + seconds

    async def both() -> None:
        crowd = asyncio.create_task(_crowd(port, presets, warming, users, until))
        await asyncio.sleep(coming)
        warming.took.clear()
        warming.failures, warming.started = 0, time.monotonic()
        await crowd

    _run(both())
    return warming


@dataclass(frozen=True, slots=True)
class Ramp:
    """Where a growing crowd became too much."""

    users: int
    requests_per_second: float
    slow_at: float
    """Requests a second at which one in a hundred first waited more than a second; 0 if never."""
    failures: int


def bench_ramp(port: int, presets: Presets, most: int, tell: Callable[[str], None]) -> Ramp:
    """Ten users more each second until requests fail."""
    tally = Tally()
    reached = [Ramp(0, 0.0, 0.0, 0)]

    async def watch() -> None:
        until = time.monotonic() + most / SPAWN + 5
        crowd = asyncio.create_task(_crowd(port, presets, tally, most, until))
        slow_at, began = 0.0, time.monotonic()
        while not crowd.done() and not tally.failures:
            tally.took.clear()
            await asyncio.sleep(5)
            took = [one for every in tally.took.values() for one in every]
            rate, users = len(took) / 5, min(most, int(SPAWN * (time.monotonic() - began)))
            late = sorted(took)[int(0.99 * len(took))] if took else 0.0
            slow_at = slow_at or (rate if late > SLOW else 0.0)
            best = max(reached[0].requests_per_second, rate)
            reached[0] = Ramp(users, best, slow_at, tally.failures)
            tell(f"{users:>5} users  {rate:>7.1f} requests/s  p99 {1000 * late:>7.0f} ms  {tally.failures} failures")
        crowd.cancel()

    _run(watch())
    return reached[0]


def _run(crowd: Coroutine[Any, Any, None]) -> None:
    """On the loop that takes least of the processor, which those who answer need."""
    import uvloop  # not everywhere: not on Windows

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(crowd)
