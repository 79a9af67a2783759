"""Ingest benchmark: variants of real PDFs through all steps, or synthetic papers through writer and index."""

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

from openseer.catalog.indexing.process import IndexProcess
from openseer.core.model.document import FileFacts
from openseer.core.model.resource import Resource
from openseer.evaluation.corpora.pdf_variants import FAULTS, VariantSource
from openseer.evaluation.corpora.synthetic import make_paper, sha1_of
from openseer.ingest.coordinator import REGISTER_BATCH, Coordinator, Request
from openseer.ingest.progress import Progress
from openseer.ingest.registration import register
from openseer.ingest.results import IngestJob
from openseer.storage.open import Library

PUBLISHED = {"papers": 22_817, "seconds": 2_228, "papers_per_second": 10.2, "processes": 128}
"""Published ingest of CiteSeerX, Table 4.1: extraction, clustering and indexing."""
MAX_VERSIONS = 3
"""Maximum number of versions of a work."""
WORKER_LIFETIME = 10_000
"""Papers that one worker makes before it is replaced; a new one loads the vocabulary again."""
POLL_SECONDS = 0.1
"""Interval between two reads of the index checkpoint."""
RUN_SAMPLES = 20
"""Samples of speed and memory per run."""


@dataclass(frozen=True, slots=True)
class RunSample:
    """Measurement of a part of a run."""

    papers: int
    """Papers ingested so far."""
    papers_per_second: float
    writing_ms: float
    """Writing time per paper."""
    memory_mb: int
    """Private memory of the ingest process."""
    catchup_mb: int
    behind: int
    """Changes not indexed yet."""


@dataclass(frozen=True, slots=True)
class IngestRun:
    """Result of an ingest benchmark."""

    outcomes: dict[str, int]
    seconds: float
    papers_per_second: float
    writer_papers_per_second: float
    """Papers per second of writing time."""
    works: int
    citations: int
    works_per_second: float
    citations_per_second: float
    bytes_per_work: dict[str, int]
    """Size of records and index, without files."""
    indexed_after: float
    """Seconds until the last change was searchable."""
    found_ms: dict[str, float]
    """From acknowledgement to searchable: median and p99."""
    cores: int
    steps: tuple[RunSample, ...] = field(default=())


class SearchLag:
    """Monitor of the delay between acknowledgement and searchability."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._waiting: deque[tuple[int, float]] = deque()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.position = 0
        self.delays: list[float] = []

    def acknowledged(self) -> None:
        """Record that everything written so far is acknowledged."""
        self._waiting.append((self._library.records.last_change(), time.monotonic()))

    def _watch(self) -> None:
        index = self._library.open_index()
        while not self._stop.wait(POLL_SECONDS):
            self.position = index.checkpoint().position
            while self._waiting and self._waiting[0][0] <= self.position:
                self.delays.append(time.monotonic() - self._waiting.popleft()[1])

    def __enter__(self) -> SearchLag:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


class SyntheticIngest(Coordinator):
    """Coordinator that ingests synthetic papers without extraction."""

    def __init__(self, library: Library, base: Path | None, total: int, references: int) -> None:
        super().__init__(library, 0, make_paper)
        self._limits = replace(self._limits, max_jobs=WORKER_LIFETIME)
        self._base, self._papers, self._references = str(base.absolute()) if base else "", total, references

    def run_all(self, report: Callable[[Progress], None]) -> Progress:
        """Ingest all papers that are not ingested yet."""
        return self.run_requests(self._numbers(), f"bench {self._papers:,} synthetic papers", report)

    def _numbers(self) -> Iterator[Request | None]:
        for start in range(0, self._papers, REGISTER_BATCH):
            numbers = range(start, min(start + REGISTER_BATCH, self._papers))
            files = [(Resource(f"made:{number}"), facts_of(number)) for number in numbers]
            owner = replace(self.owner, version=1)
            for number, one in zip(numbers, register(self._library, files, owner, self.job), strict=True):
                if not one.known:
                    yield IngestJob(f"{number}", facts_of(number), one.task, None), self._paper_request(number)

    def _paper_request(self, number: int) -> bytes:
        request = {"number": number, "total": self._papers, "base": self._base, "references": self._references}
        return orjson.dumps(request)


def facts_of(number: int) -> FileFacts:
    """File facts of a synthetic paper."""
    return FileFacts(sha1_of(number), "0" * 64, 1)


def bench_synthetic(
    library: Library, papers: int, base: Path | None, references: int, report: Callable[[RunSample], None]
) -> IngestRun:
    """Benchmark writer and index with synthetic papers."""
    ingest = SyntheticIngest(library, base, papers, references)
    return _measured(library, ingest, papers, ingest.run_all, report)


def bench_pdfs(library: Library, files: Sequence[Path], report: Callable[[RunSample], None]) -> IngestRun:
    """Benchmark all steps with real files."""
    ingest = Coordinator(library)
    return _measured(library, ingest, len(files), lambda on_progress: ingest.run(files, on_progress), report)


def _measured(
    library: Library,
    ingest: Coordinator,
    expected: int,
    work: Callable[[Callable[[Progress], None]], Progress],
    report: Callable[[RunSample], None],
) -> IngestRun:
    samples: list[RunSample] = []
    counts_before = library.records.counts()
    with IndexProcess(library) as index_process, SearchLag(library) as lag:

        def on_progress(progress: Progress) -> None:
            lag.acknowledged()
            recorder.record(progress, lag, index_process)

        recorder = _RunRecorder(expected, samples, report, library)
        started = time.monotonic()
        progress = work(on_progress)
        seconds = time.monotonic() - started
        index_process.wait()
        indexed_seconds = time.monotonic() - started
    counts_after = library.records.counts()
    works, citations = (counts_after[name] - counts_before[name] for name in ("works", "references"))
    return IngestRun(
        outcomes=dict(progress.counts),
        seconds=round(seconds, 1),
        papers_per_second=round(progress.read / seconds, 1),
        writer_papers_per_second=round(progress.read / max(0.001, progress.writing), 1),
        works=works,
        citations=citations,
        works_per_second=round(works / seconds, 1),
        citations_per_second=round(citations / seconds, 1),
        bytes_per_work=_sizes(library, counts_after["works"]),
        indexed_after=round(indexed_seconds, 1),
        found_ms=_percentiles(lag.delays),
        cores=os.cpu_count() or 1,
        steps=tuple(samples),
    )


class _RunRecorder:
    """Measurements of a run at regular intervals."""

    def __init__(
        self, expected: int, samples: list[RunSample], report: Callable[[RunSample], None], library: Library
    ) -> None:
        self._every = max(1, expected // RUN_SAMPLES)
        self._samples, self._report, self._library = samples, report, library
        self._done, self._at, self._writing = 0, time.monotonic(), 0.0

    def record(self, progress: Progress, lag: SearchLag, index_process: IndexProcess) -> None:
        if progress.done - self._done < self._every:
            return
        papers, now = progress.done - self._done, time.monotonic()
        sample = RunSample(
            progress.done,
            round(papers / (now - self._at), 1),
            round(1000 * (progress.writing - self._writing) / papers, 2),
            private_mb(os.getpid()),
            private_mb(index_process.pid),
            self._library.records.last_change() - lag.position,
        )
        self._done, self._at, self._writing = progress.done, now, progress.writing
        self._samples.append(sample)
        self._report(sample)


def private_mb(pid: int) -> int:
    """Private memory of a process (RssAnon)."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) >> 10 for line in lines if line.startswith("RssAnon")), 0)


def process_tree(pid: int) -> list[int]:
    """A process and its descendants."""
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
    """Make PDF variants of the papers in a folder, or reuse them; those of one paper are spread over the list."""
    originals = sorted(source.rglob("*.pdf"))
    folder.mkdir(parents=True, exist_ok=True)
    each = -(-count * 5 // (4 * max(1, len(originals))))  # some papers have no variants
    with multiprocessing.get_context("spawn").Pool() as pool:
        copies = pool.starmap(_copies, [(original, folder, each) for original in originals], chunksize=1)
    interleaved = [path for number in zip_longest(*copies) for path in number if path]
    return interleaved[:count]


def _copies(source: Path, folder: Path, count: int) -> list[Path]:
    """Variants of one paper: of seven, three are versions of one work, the others separate works."""
    paths: list[Path] = []
    original: VariantSource | None = None
    for number in range(count):
        path = folder / f"{source.stem}.{number:04d}.pdf"
        if not path.exists():
            seed, position = divmod(number, MAX_VERSIONS + 4)
            version = position if position < MAX_VERSIONS else 0
            try:
                original = original or VariantSource(source.read_bytes())
                data = original.copy(10 * seed + (position if position >= MAX_VERSIONS else 9), version)
            except FAULTS:
                return paths
            if data is None:
                return paths
            path.write_bytes(data)
        paths.append(path)
    return paths
