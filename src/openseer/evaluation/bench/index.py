"""Index benchmark: many records, made by varying the words of some, are written with the real writer."""

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
"""Published seconds for a million records, on a machine with more than two cores."""
COMMIT_RECORDS = 100_000
"""Records per commit."""


@dataclass(frozen=True, slots=True)
class IndexRun:
    """Result of an index benchmark."""

    records: int
    seconds: float
    """Total: making the records, writing, committing, merging."""
    making_seconds: float
    """Time for making the records, measured separately; part of the total."""
    cpu_seconds: float
    """CPU time of all threads, comparable while other programs are running."""
    records_per_second: int
    bytes_per_record: int
    peak_mb: int
    """Peak resident memory, including the base records."""
    cores: int
    heap_mb: int
    base: int
    """Number of base records."""

    def seconds_for(self, records: int) -> float:
        """Projected seconds for a number of records."""
        return records * self.seconds / self.records


def bench_index(count: int, base: Path | None = None, report: Callable[[int], None] = lambda done: None) -> IndexRun:
    """Index a number of records in a temporary directory with default settings."""
    base_works = base_records(base)
    settings = Settings()
    with tempfile.TemporaryDirectory(prefix="openseer-bench-") as folder:
        started, cpu_seconds = time.perf_counter(), time.process_time()
        with closing(open_index(Path(folder), settings).writer()) as writer:
            for number, work in enumerate(varied(base_works, count), 1):
                writer.put(work)
                if number % COMMIT_RECORDS == 0 or number == count:
                    writer.commit(Checkpoint("bench", number))
                    report(number)
        seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_seconds
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    started = time.perf_counter()
    for _ in varied(base_works, sample := min(count, 20_000)):
        pass
    making_seconds = (time.perf_counter() - started) * count / sample
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    figures = (
        round(seconds, 1),
        round(making_seconds, 1),
        round(cpu_seconds, 1),
        round(count / seconds),
        size // count,
    )
    return IndexRun(count, *figures, peak_mb, os.cpu_count() or 1, settings.index.heap_mb, len(base_works))


def base_records(file: Path | None) -> list[IndexedWork]:
    """Base records: JSON Lines with title, authors, venue, year, abstract, doi; by default the sample papers."""
    rows = rows_of(file) if file else (samples.gold(name) for name in samples.names())
    return [_record(row) for row in rows]


def varied(base: Sequence[IndexedWork], count: int) -> Iterator[IndexedWork]:
    """Varied records: each has one changed word in its title, and an abstract that ends like another one."""
    random_source = random.Random(1)
    titles = [one.title.split() or [""] for one in base]
    words = sorted({word for title in titles for word in title})
    halves = [_halves(one.abstract) for one in base]
    for number in range(count):
        at = number % len(base)
        model, name, title = base[at], f"w{number:012d}", list(titles[at])
        title[int(random_source.random() * len(title))] = words[int(random_source.random() * len(words))]
        yield IndexedWork(
            id=name,
            ids=(name,),
            title=" ".join(title),
            authors=model.authors,
            venue=model.venue,
            year=model.year,
            abstract=halves[at][0] + halves[int(random_source.random() * len(halves))][1],
            doi=f"{model.doi}.{number}" if model.doi else "",
            digest=f"{number:032x}",
        )


def _halves(text: str) -> tuple[str, str]:
    """A text split between two words in the middle."""
    middle = text.find(" ", len(text) // 2)
    return (text[:middle], text[middle:]) if middle >= 0 else (text, "")


def _record(row: dict[str, Any]) -> IndexedWork:
    title, venue, abstract, doi = (str(row.get(name) or "") for name in ("title", "venue", "abstract", "doi"))
    year = row["year"] if isinstance(row.get("year"), int) else None
    authors = tuple(map(str, row.get("authors") or ()))
    return IndexedWork("", (), title, authors, venue, year, abstract, doi=doi)
