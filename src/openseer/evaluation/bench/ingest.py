"""How fast is ingest? Varied copies of real PDFs through the whole of it, or synthetic papers for the writer alone."""

from __future__ import annotations

import multiprocessing
import os
import statistics
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path

import orjson

from openseer.catalog.indexing.synchronizer import IndexProcess
from openseer.core.model.document import FileFacts
from openseer.core.model.resource import Resource
from openseer.evaluation.corpora.pdf_variants import FAULTS, Original
from openseer.evaluation.corpora.synthetic import make_paper, sha1_of
from openseer.ingest.coordinator import REGISTER_BATCH, Coordinator, Request
from openseer.ingest.progress import Progress
from openseer.ingest.registration import register
from openseer.ingest.results import IngestJob
from openseer.storage.open import Library

PUBLISHED = {"papers": 22_817, "seconds": 2_228, "papers_per_second": 10.2, "processes": 128}
"""Ingest of next-generation CiteSeerX, Table 4.1: extraction, clustering and indexing."""
VERSIONS = 3
"""Files of one work at most."""
LIFETIME = 10_000
"""Papers that a maker of synthetic ones makes before a fresh one reads the stock of words again."""
POLL = 0.1
"""Seconds between two looks at how far the index has come."""
STEPS = 20
"""Rows of the table that shows how speed and memory went."""


@dataclass(frozen=True, slots=True)
class Step:
    """A stretch of a run."""

    papers: int
    """Taken in by its end."""
    papers_per_second: float
    writing_ms: float
    """Of the one writer, a paper."""
    memory_mb: int
    """Private memory of the process that takes in."""
    catchup_mb: int
    behind: int
    """Changes that the index still lacks."""


@dataclass(frozen=True, slots=True)
class IngestRun:
    """What ingest came to."""

    outcomes: dict[str, int]
    seconds: float
    papers_per_second: float
    writer_papers_per_second: float
    """If there were nothing to do but write."""
    works: int
    citations: int
    works_per_second: float
    citations_per_second: float
    bytes_per_work: dict[str, int]
    """Of records and index; the files of papers are counted by paper."""
    indexed_after: float
    """Seconds until the last change could be found."""
    found_ms: dict[str, float]
    """From acknowledged to searchable: median and p99."""
    cores: int
    steps: tuple[Step, ...] = field(default=())


class Lag:
    """Measures how long it takes until what was acknowledged can be found."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._waiting: deque[tuple[int, float]] = deque()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.position = 0
        self.took: list[float] = []

    def acknowledged(self) -> None:
        """Everything written so far was just acknowledged."""
        self._waiting.append((self._library.records.last_change(), time.monotonic()))

    def _watch(self) -> None:
        index = self._library.open_index()
        while not self._stop.wait(POLL):
            self.position = index.checkpoint().position
            while self._waiting and self._waiting[0][0] <= self.position:
                self.took.append(time.monotonic() - self._waiting.popleft()[1])

    def __enter__(self) -> Lag:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


class Synthetic(Coordinator):
    """Takes in papers that nobody has to read."""

    def __init__(self, library: Library, base: Path | None, total: int, references: int) -> None:
        super().__init__(library, 0, make_paper)
        self._limits = replace(self._limits, max_jobs=LIFETIME)
        self._base, self._papers, self._references = str(base.absolute()) if base else "", total, references

    def make(self, tell: Callable[[Progress], None]) -> Progress:
        """All of them; those that are there already are left out."""
        return self.run_requests(self._numbers(), f"bench {self._papers:,} synthetic papers", tell)

    def _numbers(self) -> Iterator[Request | None]:
        for start in range(0, self._papers, REGISTER_BATCH):
            numbers = range(start, min(start + REGISTER_BATCH, self._papers))
            files = [(Resource(f"made:{number}"), facts_of(number)) for number in numbers]
            extractor = replace(self.extractor, version=1)
            for number, one in zip(numbers, register(self._library, files, extractor, self.job), strict=True):
                if not one.known:
                    yield IngestJob(f"{number}", facts_of(number), one.task, None), self._wanted(number)

    def _wanted(self, number: int) -> bytes:
        wanted = {"number": number, "total": self._papers, "base": self._base, "references": self._references}
        return orjson.dumps(wanted)


def facts_of(number: int) -> FileFacts:
    """A synthetic paper as a file."""
    return FileFacts(sha1_of(number), "0" * 64, 1)


def bench_synthetic(
    library: Library, papers: int, base: Path | None, references: int, tell: Callable[[Step], None]
) -> IngestRun:
    """Load writer and index with papers that were never printed."""
    ingest = Synthetic(library, base, papers, references)
    return _measured(library, ingest, papers, ingest.make, tell)


def bench_pdfs(library: Library, files: Sequence[Path], tell: Callable[[Step], None]) -> IngestRun:
    """The whole way of real files."""
    ingest = Coordinator(library)
    return _measured(library, ingest, len(files), lambda told: ingest.run(files, told), tell)


def _measured(
    library: Library,
    ingest: Coordinator,
    expected: int,
    work: Callable[[Callable[[Progress], None]], Progress],
    tell: Callable[[Step], None],
) -> IngestRun:
    steps: list[Step] = []
    before = library.records.counts()
    with IndexProcess(library) as catchup, Lag(library) as lag:

        def told(progress: Progress) -> None:
            lag.acknowledged()
            marks.told(progress, lag, catchup)

        marks = _Marks(expected, steps, tell, library)
        started = time.monotonic()
        progress = work(told)
        seconds = time.monotonic() - started
        catchup.wait()
        indexed = time.monotonic() - started
    after = library.records.counts()
    works, citations = (after[name] - before[name] for name in ("works", "references"))
    return IngestRun(
        outcomes=dict(progress.counts),
        seconds=round(seconds, 1),
        papers_per_second=round(progress.read / seconds, 1),
        writer_papers_per_second=round(progress.read / max(0.001, progress.writing), 1),
        works=works,
        citations=citations,
        works_per_second=round(works / seconds, 1),
        citations_per_second=round(citations / seconds, 1),
        bytes_per_work=_sizes(library, after["works"]),
        indexed_after=round(indexed, 1),
        found_ms=_percentiles(lag.took),
        cores=os.cpu_count() or 1,
        steps=tuple(steps),
    )


class _Marks:
    """Notes at even distances how a run goes."""

    def __init__(self, expected: int, steps: list[Step], tell: Callable[[Step], None], library: Library) -> None:
        self._every = max(1, expected // STEPS)
        self._steps, self._tell, self._library = steps, tell, library
        self._done, self._at, self._writing = 0, time.monotonic(), 0.0

    def told(self, progress: Progress, lag: Lag, catchup: IndexProcess) -> None:
        if progress.done - self._done < self._every:
            return
        papers, now = progress.done - self._done, time.monotonic()
        step = Step(
            progress.done,
            round(papers / (now - self._at), 1),
            round(1000 * (progress.writing - self._writing) / papers, 2),
            private_mb(os.getpid()),
            private_mb(catchup.pid),
            self._library.records.last_change() - lag.position,
        )
        self._done, self._at, self._writing = progress.done, now, progress.writing
        self._steps.append(step)
        self._tell(step)


def private_mb(pid: int) -> int:
    """Memory that a process shares with nobody (RssAnon)."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) >> 10 for line in lines if line.startswith("RssAnon")), 0)


def family_of(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            found += [int(child) for child in task.read_text().split()]
    return found


def _sizes(library: Library, works: int) -> dict[str, int]:
    records = sum(path.stat().st_size for path in library.data.glob("library.db*"))
    index = sum(path.stat().st_size for path in (library.data / "index").rglob("*") if path.is_file())
    return {"records": records // max(1, works), "index": index // max(1, works)}


def _percentiles(seconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(seconds) or [0.0]
    last = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return {"median": round(1000 * statistics.median(ordered)), "p99": round(1000 * last)}


def varied_copies(source: Path, folder: Path, count: int) -> list[Path]:
    """So many PDFs made out of those in a folder; what was made before stays. In an order in which copies lie apart."""
    originals = sorted(source.rglob("*.pdf"))
    folder.mkdir(parents=True, exist_ok=True)
    each = -(-count * 5 // (4 * max(1, len(originals))))  # some papers cannot be varied
    with multiprocessing.get_context("spawn").Pool() as pool:
        made = pool.starmap(_copies, [(original, folder, each) for original in originals], chunksize=1)
    turns = [path for turn in zip_longest(*made) for path in turn if path]
    return turns[:count]


def _copies(source: Path, folder: Path, count: int) -> list[Path]:
    """Of seven copies three are versions of one work, the others works of their own."""
    paths: list[Path] = []
    original: Original | None = None
    for turn in range(count):
        path = folder / f"{source.stem}.{turn:04d}.pdf"
        if not path.exists():
            seed, place = divmod(turn, VERSIONS + 4)
            version = place if place < VERSIONS else 0
            try:
                original = original or Original(source.read_bytes())
                data = original.copy(10 * seed + (place if place >= VERSIONS else 9), version)
            except FAULTS:
                return paths
            if data is None:
                return paths
            path.write_bytes(data)
        paths.append(path)
    return paths
