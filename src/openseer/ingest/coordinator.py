"""The way of a document, step by step. The only module that knows the order.

found -> hashed -> seen -> held -> kept -> read in a worker -> written, grouped and acknowledged in batches
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson

from openseer.acquire.file_type import HEAD_BYTES, looks_like_pdf
from openseer.acquire.local_files import files_in, printable, resource_of
from openseer.core.errors import FAILURES, Conflict, OpenseerError, TooLarge
from openseer.core.model.document import FileFacts, Viewer
from openseer.core.model.resource import Resource
from openseer.core.model.task import LOW_PRIORITY, NORMAL_PRIORITY, JobState, RetryPolicy, Task
from openseer.core.processes.gc_tuning import rare_collection
from openseer.core.processes.prefetch import prefetch
from openseer.core.processes.process_id import current_process
from openseer.core.processes.worker_pool import Limits, Work, WorkerPool, WorkerResult
from openseer.extract.reader import version as reader_version
from openseer.ingest.results import IngestJob, ReadResult
from openseer.ingest.worker_jobs import DEFERRED, UNREADABLE, encode_path, read_file
from openseer.match.resolver import merge_affected, resolve
from openseer.storage.open import Library
from openseer.storage.protocols.records import ExtractionFacts, Registration

ALREADY_DONE = "known"
"""Said of a file in a run's counts whose document was finished before; never an outcome of a document."""
SEE_BATCH = 32
"""Files hashed and looked up in one transaction."""
FLUSH_SECONDS = 0.5
"""Seconds that a finished reading waits for company."""
LEASE_SECONDS, RENEW_SECONDS = 300.0, 60.0
"""Seconds for which a task is held, and after which that is prolonged."""
POLL_SECONDS = 1.0
"""Seconds between two looks at a watched folder, at what others hold, and at the state of the job."""


MAX_REPORTED_TROUBLES = 10_000
"""Troubles remembered for the end of a run; each has its row in the library."""


@dataclass(slots=True)
class Progress:
    """How far a run has come."""

    total: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    troubles: list[tuple[str, str]] = field(default_factory=list)
    """(path, what was wrong) of files that did not go in."""
    started: float = field(default_factory=time.monotonic)
    writing: float = 0.0
    """Seconds spent on taking in what was read."""

    @property
    def done(self) -> int:
        return self.counts.total()

    @property
    def read(self) -> int:
        """Files that were read in this run, not merely recognised."""
        return self.done - self.counts[ALREADY_DONE]

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started


Order = tuple[IngestJob, bytes]
"""An errand and what the worker is told."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A file that was looked at."""

    path: str
    resource: Resource
    facts: FileFacts
    is_pdf: bool


def _never(seconds: float) -> bool:
    return False


class Coordinator:
    """One run of taking files into a library. Killed at any moment, the next run goes on where it stopped."""

    def __init__(self, library: Library, workers: int = 0, work: Work = read_file) -> None:
        self._library, self._work = library, work
        settings = library.settings
        self._size = workers or settings.workers.count or os.cpu_count() or 1
        self._limits = Limits(settings.workers.timeout, settings.workers.memory_mb)
        self._retry_policy = RetryPolicy(settings.ingest.attempts, settings.ingest.retry_after)
        self._lease_owner = current_process()
        self._stored: set[str] = set()
        self._in_flight: set[str] = set()
        self._low_priority: deque[IngestJob] = deque()
        self._leased_elsewhere: deque[_Found] = deque()
        self._counting = threading.Lock()
        self.job = ""
        self.progress = Progress()

    def run(self, paths: Iterable[Path], tell: Callable[[Progress], None] = lambda progress: None) -> Progress:
        """Take in every file that is named or lies below a named folder."""
        named = list(paths)
        files = list(files_in(named, self._report_trouble, excluded=self._library.data))
        self.progress.total = len(files)
        return self._run(prefetch(self._scan(files), SEE_BATCH), tell, f"ingest {' '.join(map(printable, named[:5]))}")

    def watch(
        self, folders: Sequence[Path], stopped: Callable[[], bool], tell: Callable[[Progress], None] = lambda _: None
    ) -> Progress:
        """Take in what lies in folders and what comes into them, until told to stop; and what is due in the queue."""
        return self._run(self._watch(folders, stopped), tell, f"watch {' '.join(map(printable, folders[:5]))}")

    def work(
        self, stopped: Callable[[], bool], once: bool, tell: Callable[[Progress], None] = lambda _: None
    ) -> Progress:
        """Read what is due in the queue: put off, failed and to be tried again, or left behind by others."""
        return self._run(self._due(stopped, once), tell, "")

    def re_extract(self, sha1s: Collection[str], tell: Callable[[Progress], None] = lambda progress: None) -> Progress:
        """Read documents again from the file store, each as a new generation."""
        self.progress.total = len(sha1s)
        return self._run(self._new_generations(sha1s), tell, f"reread {len(sha1s):,} documents")

    def retry_failed(self) -> int:
        """Let documents be read again whose reading failed, or which a limit that may have changed kept out."""
        with self._library.records.writing() as writer:
            return writer.reopen((*FAILURES, "too_large", "too_short", "not_academic"))

    def _run(self, orders: Iterator[Order | None], tell: Callable[[Progress], None], what: str) -> Progress:
        """Workers read, a thread writes, this one hands out and collects: nobody waits for another."""
        finished: list[WorkerResult[IngestJob]] = []
        batch = self._library.settings.ingest.batch
        written: Future[None] | None = None
        since = renewed = time.monotonic()
        with (
            self._job(what),
            rare_collection(),
            ThreadPoolExecutor(1) as writing,
            contextlib.closing(self._schedule(orders)) as lanes,
            WorkerPool[IngestJob](self._work, self._size, self._limits) as crew,
        ):
            for answer in crew.run(lanes):
                now = time.monotonic()
                if answer is not None:
                    finished.append(answer)
                    self._received(answer)
                if written is not None and (written.done() or len(finished) >= 4 * batch):
                    written.result()
                    written = None
                    tell(self.progress)
                if written is None and (len(finished) >= batch or (finished and now - since > FLUSH_SECONDS)):
                    written = writing.submit(self._write_batch, finished[: 2 * batch])
                    finished, since = finished[2 * batch :], now
                if now - renewed > RENEW_SECONDS:
                    renewed = now
                    writing.submit(self._renew)
            if written is not None:
                written.result()
            self._write_batch(finished)
        tell(self.progress)
        return self.progress

    def _received(self, answer: WorkerResult[IngestJob]) -> None:
        """What is put off is still under way: it comes again."""
        if not (answer.parts and b'"outcome":"later"' in answer.parts[0]):
            self._in_flight.discard(answer.key.facts.sha1)

    def _renew(self) -> None:
        with self._library.records.writing() as writer:
            writer.renew(self._lease_owner, LEASE_SECONDS)

    @contextlib.contextmanager
    def _job(self, what: str) -> Iterator[None]:
        """What was asked for has a row while it is done and afterwards; whatever happens, nothing stays held."""
        records = self._library.records
        if what:
            with records.writing() as writer:
                self.job = writer.open_job(what)
        try:
            yield
        finally:
            with contextlib.suppress(OpenseerError), records.writing() as writer:
                writer.release(self._lease_owner)
                if self.job and records.job_state(self.job) is not JobState.CANCELLED:
                    writer.set_job(self.job, JobState.ENDED)

    # -- towards the workers

    def _schedule(self, first: Iterator[Order | None]) -> Generator[Order | None, None, None]:
        """What the first lane has; then, or while it has nothing, what was put off or is held by another process."""
        looked = time.monotonic()
        state = JobState.ACTIVE
        more = True
        while state is not JobState.CANCELLED and (
            more or self._low_priority or self._leased_elsewhere or self._in_flight
        ):
            if time.monotonic() - looked > POLL_SECONDS:
                looked = time.monotonic()
                state = self._poll()
            order = None
            if state is JobState.ACTIVE:
                order, more = _next(first) if more else (None, False)
                if order is None and self._low_priority:
                    order = self._request(self._low_priority.popleft())
            if order is not None:
                self._in_flight.add(order[0].facts.sha1)
            yield order

    def _poll(self) -> JobState:
        """How the job stands, and whether what others held is settled by now."""
        for _ in range(len(self._leased_elsewhere)):
            found = self._leased_elsewhere.popleft()
            if not self._take_over(found):
                self._leased_elsewhere.append(found)
        return self._library.records.job_state(self.job) if self.job else JobState.ACTIVE

    def _take_over(self, found: _Found) -> bool:
        """Whether a file that another process held is settled: finished by it, or ours now."""
        with self._library.records.writing() as writer:
            ticket = writer.register(found.resource, found.facts, reader_version(), job=self.job)
            ours = not ticket.known and bool(writer.lease([ticket.task], self._lease_owner, LEASE_SECONDS))
        if ticket.known:
            self._count_outcome(ALREADY_DONE)
        elif ours and (errand := self._job_of(found, ticket)):
            self._low_priority.append(errand)
        return ticket.known or ours

    def _scan(self, files: Sequence[str]) -> Iterator[Order | None]:
        """Hash, look up, hold, keep; what is new goes to the workers."""
        for start in range(0, len(files), SEE_BATCH):
            found = [one for path in files[start : start + SEE_BATCH] if (one := self._inspect(path))]
            with self._library.records.writing() as writer:
                tickets = [writer.register(one.resource, one.facts, reader_version(), job=self.job) for one in found]
                ours = writer.lease([one.task for one in tickets if not one.known], self._lease_owner, LEASE_SECONDS)
            for one, ticket in zip(found, tickets, strict=True):
                if not ticket.known and ticket.task.sha1 not in ours:
                    self._leased_elsewhere.append(one)
                elif errand := self._job_of(one, ticket):
                    if ticket.task.priority == NORMAL_PRIORITY:
                        yield self._request(errand)
                    else:
                        self._low_priority.append(errand)

    def _watch(self, folders: Sequence[Path], stopped: Callable[[], bool]) -> Iterator[Order | None]:
        """Files that have come to rest: two looks found them the same."""
        before: dict[str, tuple[int, int]] = {}
        taken: dict[str, tuple[int, int]] = {}
        due = self._due(stopped, once=False)
        while not stopped():
            now = {path: stamp for path in self._files(folders) if (stamp := _stamp(path))}
            rested = [path for path, stamp in now.items() if before.get(path) == stamp != taken.get(path)]
            before, taken = now, {**taken, **{path: now[path] for path in rested}}
            self.progress.total += len(rested)
            yield from self._scan(rested)
            until = time.monotonic() + POLL_SECONDS
            while time.monotonic() < until and not stopped():
                yield next(due, None)

    def _files(self, folders: Sequence[Path]) -> Iterator[str]:
        return files_in(folders, lambda path, what: None, excluded=self._library.data)

    def _due(self, stopped: Callable[[], bool], once: bool) -> Iterator[Order | None]:
        """What is due in the queue; None while nothing is."""
        while not stopped():
            with self._library.records.writing() as writer:
                tasks = writer.lease_due(reader_version(), self._lease_owner, LEASE_SECONDS, 2 * self._size)
            for task in tasks:
                self.progress.total += 1
                if errand := self._job_of_task(task):
                    yield self._request(errand)
            if not tasks and once:
                return
            until = time.monotonic() + (0 if tasks else POLL_SECONDS)
            while time.monotonic() < until and not stopped():
                yield None

    def _new_generations(self, sha1s: Collection[str]) -> Iterator[Order | None]:
        for sha1 in sha1s:
            with self._library.records.writing() as writer:
                task = writer.new_generation(sha1, reader_version())
            if errand := self._job_of_task(replace(task, priority=LOW_PRIORITY)):
                yield self._request(errand)

    def _job_of_task(self, task: Task) -> IngestJob | None:
        """The way to a document that was seen before: its bytes are kept, or still where they were found."""
        document = self._library.records.document(task.sha1, Viewer.OPERATOR)
        facts = FileFacts(task.sha1, document.sha256, document.size, document.mime)
        kept = self._library.files.has("pdf", task.sha1, "pdf")
        if not kept:
            self._refuse(task.sha1, facts, "store_unavailable", "Its bytes are not kept; take the file in again.")
            return None
        return IngestJob(str(self._library.files.local("pdf", task.sha1, "pdf")), facts, task, kept)

    def _inspect(self, path: str) -> _Found | None:
        try:
            facts, head = hash_file(Path(path))
            return _Found(path, resource_of(path), facts, looks_like_pdf(head))
        except OSError as error:
            self._unreadable(path, error.strerror or "cannot be read")
            return None

    def _unreadable(self, path: str, what: str) -> None:
        self._report_trouble(path, what)
        self._count_outcome(UNREADABLE)

    def _job_of(self, found: _Found, ticket: Registration) -> IngestJob | None:
        path, facts = found.path, found.facts
        if ticket.known or facts.sha1 in self._stored:
            self._count_outcome(ALREADY_DONE)
            return None
        refused = _refused(facts.size, self._library.settings.extract.max_bytes)
        if refused:
            self._refuse(path, facts, *refused)
            return None
        if found.is_pdf:
            try:
                self._library.files.put_file("pdf", facts.sha1, "pdf", Path(path))
            except (OSError, Conflict) as error:  # it vanished or changed since it was hashed
                self._unreadable(path, str(error))
                return None
        self._stored.add(facts.sha1)
        return IngestJob(path, facts, ticket.task, is_stored=found.is_pdf)

    def _request(self, errand: IngestJob) -> Order:
        path = self._library.files.local("pdf", errand.facts.sha1, "pdf") if errand.is_stored else Path(errand.path)
        limits = self._library.settings.extract
        order = {"min_words": limits.min_words, "min_academic": limits.min_academic, "filter": limits.filter}
        order["most_pages"] = self._library.settings.ingest.long_pages if errand.task.priority == NORMAL_PRIORITY else 0
        return errand, orjson.dumps({"path": encode_path(path.absolute()), "sha1": errand.facts.sha1, **order})

    def _refuse(self, path: str, facts: FileFacts, outcome: str, detail: str) -> None:
        with self._library.records.writing() as writer:
            writer.acknowledge(
                facts.sha1, outcome, detail, ExtractionFacts(mime=facts.mime, retry_policy=self._retry_policy)
            )
        self._count(path, outcome, detail)

    # -- back from the workers

    def _write_batch(self, finished: list[WorkerResult[IngestJob]]) -> None:
        """Write a batch; a document that cannot be written fails alone."""
        if not finished:
            return
        readings = [ReadResult.of(answer) for answer in finished]
        long = [reading.errand for reading in readings if reading.outcome == DEFERRED]
        readings = [reading for reading in readings if reading.outcome != DEFERRED]
        self._deprioritise(long)
        began = time.monotonic()
        try:
            if readings:
                self._write(readings)
        except OpenseerError:
            raise
        except Exception:
            for reading in readings:
                self._write_alone(reading)
        self.progress.writing += time.monotonic() - began
        for reading in readings:
            self._count(reading.errand.path, reading.outcome, reading.detail)

    def _deprioritise(self, errands: Iterable[IngestJob]) -> None:
        """Let what takes long wait for the others."""
        for errand in errands:
            with self._library.records.writing() as writer:
                writer.deprioritise(errand.task, LOW_PRIORITY)
                writer.lease([errand.task], self._lease_owner, LEASE_SECONDS)
            self._low_priority.append(replace(errand, task=replace(errand.task, priority=LOW_PRIORITY)))
            self._in_flight.discard(errand.facts.sha1)

    def _write_alone(self, reading: ReadResult) -> None:
        try:
            self._write([reading])
        except OpenseerError:
            raise
        except Exception as error:
            reading.fail("store_unavailable", f"{type(error).__name__}: {error}")
            self._write([reading])

    def _write(self, readings: list[ReadResult]) -> None:
        for reading in readings:
            reading.put_files(self._library)
        self._library.files.sync()
        with self._library.records.writing() as writer:
            touched = [reading.observe(writer) for reading in readings]
            resolve(
                writer,
                {name: held for one in readings for name, held in one.blocking_keys.items()},
                merge_affected(touched),
            )
            for reading in readings:
                reading.acknowledge(writer, self._retry_policy)
        for reading in readings:
            reading.delete_older(self._library)

    def _count(self, path: str, outcome: str, detail: str) -> None:
        self._count_outcome(outcome)
        if outcome != "ingested" and len(self.progress.troubles) < MAX_REPORTED_TROUBLES:
            self._report_trouble(path, f"{outcome}: {detail}")

    def _count_outcome(self, outcome: str) -> None:
        with self._counting:
            self.progress.counts[outcome] += 1

    def _report_trouble(self, path: str, what: str) -> None:
        self.progress.troubles.append((printable(path), what))


def hash_file(path: Path) -> tuple[FileFacts, bytes]:
    """Both hashes and the size of a file in one pass, and its first bytes."""
    sha1, sha256 = hashlib.sha1(usedforsecurity=False), hashlib.sha256()
    head, size = b"", 0
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            head = head or block[:HEAD_BYTES]
            size += len(block)
            sha1.update(block)
            sha256.update(block)
    return FileFacts(sha1.hexdigest(), sha256.hexdigest(), size), head


def _refused(size: int, limit: int) -> tuple[str, str] | None:
    """Why a file is not even handed to a reader."""
    if size == 0:
        return "empty", "The file holds nothing."
    return ("too_large", str(TooLarge(size, limit))) if size > limit else None


def _stamp(path: str) -> tuple[int, int] | None:
    """What tells whether a file is still being written."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a Path object for each of many files costs too much
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _next(orders: Iterator[Order | None]) -> tuple[Order | None, bool]:
    """The next order, if there is one now; and whether there may be more."""
    try:
        return next(orders), True
    except StopIteration:
        return None, False
