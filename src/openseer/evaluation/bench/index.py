"""How fast is the index? Many records, made by varying the words of some, go through the real writer."""

from __future__ import annotations

import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openseer.core.model.work import IndexedWork
from openseer.core.settings import Settings
from openseer.evaluation import samples
from openseer.evaluation.jsonl import rows_of
from openseer.storage.open import open_index
from openseer.storage.protocols.index import Checkpoint

PUBLISHED = {"Solr": 123, "MongoDB": 205, "Elasticsearch": 227}
"""Seconds for a million records, as published; that machine had more cores than two."""
COMMIT = 100_000
"""Records in one commit."""


@dataclass(frozen=True, slots=True)
class IndexRun:
    """What indexing came to."""

    records: int
    seconds: float
    """All of it: making the records, putting, committing, merging."""
    making_seconds: float
    """Making the records, measured apart; part of the above."""
    cpu_seconds: float
    """Of all threads: what is left of the difference when other programs keep the cores busy."""
    records_per_second: int
    bytes_per_record: int
    peak_mb: int
    """Resident memory of the process, with the records that others are made from."""
    cores: int
    heap_mb: int
    base: int
    """Records that the others were made from."""

    def seconds_for(self, records: int) -> float:
        """How long so many would take at this speed."""
        return records * self.seconds / self.records


def bench_index(count: int, base: Path | None = None, tell: Callable[[int], None] = lambda done: None) -> IndexRun:
    """Index so many records in a temporary directory; the settings are the default ones."""
    known = base_records(base)
    settings = Settings()
    with tempfile.TemporaryDirectory(prefix="openseer-bench-") as folder:
        started, worked = time.perf_counter(), time.process_time()
        with closing(open_index(Path(folder), settings).writer()) as writer:
            for number, work in enumerate(varied(known, count), 1):
                writer.put(work)
                if number % COMMIT == 0 or number == count:
                    writer.commit(Checkpoint("bench", number))
                    tell(number)
        seconds, worked = time.perf_counter() - started, time.process_time() - worked
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    started = time.perf_counter()
    for _ in varied(known, made := min(count, 20_000)):
        pass
    making = (time.perf_counter() - started) * count / made
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    figures = (round(seconds, 1), round(making, 1), round(worked, 1), round(count / seconds), size // count)
    return IndexRun(count, *figures, peak, os.cpu_count() or 1, settings.index.heap_mb, len(known))


def base_records(file: Path | None) -> list[IndexedWork]:
    """Records to vary: JSON Lines with title, authors, venue, year, abstract, doi; else the sample papers."""
    rows = rows_of(file) if file else (samples.gold(name) for name in samples.names())
    return [_record(row) for row in rows]


def varied(base: Sequence[IndexedWork], count: int) -> Iterator[IndexedWork]:
    """So many records: each has another word in its title, and an abstract that ends like some other one."""
    chance = random.Random(1)
    titles = [one.title.split() or [""] for one in base]
    words = sorted({word for title in titles for word in title})
    halves = [_halves(one.abstract) for one in base]
    for number in range(count):
        at = number % len(base)
        like, name, title = base[at], f"w{number:012d}", list(titles[at])
        title[int(chance.random() * len(title))] = words[int(chance.random() * len(words))]
        yield IndexedWork(
            id=name,
            ids=(name,),
            title=" ".join(title),
            authors=like.authors,
            venue=like.venue,
            year=like.year,
            abstract=halves[at][0] + halves[int(chance.random() * len(halves))][1],
            doi=f"{like.doi}.{number}" if like.doi else "",
            digest=f"{number:032x}",
        )


def _halves(text: str) -> tuple[str, str]:
    """A text cut between two words in its middle."""
    middle = text.find(" ", len(text) // 2)
    return (text[:middle], text[middle:]) if middle >= 0 else (text, "")


def _record(row: dict[str, Any]) -> IndexedWork:
    title, venue, abstract, doi = (str(row.get(name) or "") for name in ("title", "venue", "abstract", "doi"))
    year = row["year"] if isinstance(row.get("year"), int) else None
    authors = tuple(map(str, row.get("authors") or ()))
    return IndexedWork("", (), title, authors, venue, year, abstract, doi=doi)
