"""The ingest coordinator: the only module that knows the order of the steps.

discover -> register -> lease -> extract -> write_batch (observe, resolve, acknowledge) -> the index process follows.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path

from openseer.acquire.local_files import files_in
from openseer.core.errors import FAILURES, Conflict, OpenseerError
from openseer.core.model.document import FileFacts, Viewer
from openseer.core.model.task import LOW_PRIORITY, NORMAL_PRIORITY, JobState, RetryPolicy, Task
from openseer.core.processes.gc_tuning import rare_collection
from openseer.core.processes.prefetch import prefetch
from openseer.core.processes.process_id import current_process
from openseer.core.processes.worker_pool import Limits, Work, WorkerPool, WorkerResult
from openseer.core.telemetry.logs import job_context
from openseer.core.text.printable_path import printable
from openseer.ingest.archive_members import FoundFiles
from openseer.ingest.batch_writer import BatchWriter, Finished
from openseer.ingest.document_types import EXTRACTOR_VERSION, readers
from openseer.ingest.progress import ALREADY_DONE, Progress
from openseer.ingest.registration import LEASE_SECONDS, RENEW_SECONDS, LeaseOwner, Registered, register, rejection
from openseer.ingest.results import Deferred, Extracted, IngestJob, NotIngested, decode
from openseer.ingest.sources import FoundFile, WatchedFolders, count_files
from openseer.ingest.spool import sweep
from openseer.ingest.worker_jobs import read_document, read_request
from openseer.storage.open import Library
from openseer.storage.protocols.records import ExtractionFacts

REGISTER_BATCH = 32
"""Files hashed and registered in one transaction."""
FLUSH_SECONDS = 0.5
"""How long a finished result waits for a full batch."""
POLL_SECONDS = 1.0
"""Interval of looks at watched folders, at leases of other processes and at the state of the job."""
Request = tuple[IngestJob, bytes]
"""A job and the message for its worker."""
Requests = Generator[Request | None, None, None]
Report = Callable[[Progress], None]

log = logging.getLogger(__name__)


class Coordinator:
    """One ingest run. Killed at any moment, the next run resumes where it stopped."""

    def __init__(self, library: Library, workers: int = 0, work: Work = read_document) -> None:
        self._library, self._work = library, work
        settings = library.settings
        self._workers = workers or settings.workers.count or os.cpu_count() or 1
        self._limits = Limits(settings.workers.timeout, settings.workers.memory_mb, confined=True)
        self._retry_policy = RetryPolicy(settings.ingest.attempts, settings.ingest.retry_after)
        self._writer = BatchWriter(library, self._retry_policy)
        self.owner = LeaseOwner(EXTRACTOR_VERSION, current_process())
        self._in_flight: set[str] = set()
        self._unwritten: set[str] = set()
        self._deferred: list[IngestJob] = []
        self._low_priority: deque[IngestJob] = deque()
        self._leased_elsewhere: deque[FoundFile] = deque()
        self._paths: dict[str, ExitStack] = {}
        self.job = ""
        self.progress = Progress()
        self._found = FoundFiles(library, self.progress)

    def run(self, paths: Iterable[Path], report: Report = lambda progress: None) -> Progress:
        """Ingest every file that is named or lies below a named folder."""
        named = list(paths)
        what = f"ingest {' '.join(map(printable, named[:5]))}"
        return self.run_requests(self._scan_paths(named), what, report)

    def watch(self, folders: Sequence[Path], stopped: Callable[[], bool], report: Report = lambda _: None) -> Progress:
        """Ingest the files of folders, new ones and due tasks of the queue, until stopped."""
        requests = self._watch(folders, stopped)
        return self._run(requests, f"watch {' '.join(map(printable, folders[:5]))}", report)

    def work(self, stopped: Callable[[], bool], once: bool, report: Report = lambda _: None) -> Progress:
        """Process due tasks: low-priority ones, retries, and those that died with another process."""
        return self._run(self._due(stopped, once), "", report)

    def re_extract(self, sha1s: Collection[str], report: Report = lambda progress: None) -> Progress:
        """Extract stored documents again, each as a new generation."""
        self.progress.total = len(sha1s)
        return self._run(self._new_generations(sha1s), f"reread {len(sha1s):,} documents", report)

    def retry_failed(self) -> int:
        """Reopen documents that failed, or that a filter or limit rejected; returns their number."""
        with self._library.records.writing() as writer:
            return writer.reopen((*FAILURES, "too_large", "too_short", "not_academic"))

    def run_requests(self, requests: Iterator[Request | None], what: str, report: Report) -> Progress:
        """Send requests to the workers; they are made ahead in a thread."""
        return self._run(prefetch(requests, REGISTER_BATCH), what, report)

    def _run(self, requests: Requests, what: str, report: Report) -> Progress:
        """Workers extract, a thread writes batches, this one schedules and collects: none waits for another."""
        finished: list[Finished] = []
        batch = self._library.settings.ingest.batch
        written: Future[None] | None = None
        since = time.monotonic()
        with (
            self._job(what),
            contextlib.closing(requests),  # it may be unpacking an archive
            rare_collection(),
            ThreadPoolExecutor(1) as writing,
            self._renewed_leases() as renew,
            contextlib.closing(self._schedule(requests)) as scheduled,
            WorkerPool[IngestJob](self._work, self._workers, self._limits) as pool,
        ):
            for answer in pool.run(scheduled):
                now = time.monotonic()
                renew()
                if answer is not None and (one := self.receive(answer)):
                    finished.append(one)
                if written is not None and (written.done() or len(finished) >= 4 * batch):
                    written.result()
                    written = None
                    report(self.progress)
                waiting = bool(finished or self._deferred)
                if written is None and (len(finished) >= batch or (waiting and now - since > FLUSH_SECONDS)):
                    written = writing.submit(self.write_batch, finished[: 2 * batch])
                    finished, since = finished[2 * batch :], now
            if written is not None:
                written.result()
            self.write_batch(finished)
        report(self.progress)
        return self.progress

    @contextlib.contextmanager
    def _job(self, what: str) -> Iterator[None]:
        """A row for the run; whatever happens, its leases are released at the end."""
        records = self._library.records
        if what:
            with records.writing() as writer:
                self.job = self._found.job = writer.open_job(what)
        sweep(self._library.data / "spool")
        try:
            with job_context(self.job):
                log.info("run started", extra={"what": what, "workers": self._workers})
                yield
                log.info("run ended", extra={"counts": dict(self.progress.counts)})
        finally:
            for stack in self._paths.values():  # of documents that were with a worker when the run was cancelled
                stack.close()
            self._paths.clear()
            self._found.close()
            with contextlib.suppress(OpenseerError), records.writing() as writer:
                writer.release(self.owner.process)
                if self.job and records.job_state(self.job) is not JobState.CANCELLED:
                    writer.set_job(self.job, JobState.ENDED)

    @contextlib.contextmanager
    def _renewed_leases(self) -> Iterator[Callable[[], None]]:
        """A function that renews the leases when it is time, beside the batches; a failure is logged and retried."""
        renewed = time.monotonic()
        renewal: Future[None] | None = None

        def renew() -> None:
            nonlocal renewed, renewal
            if renewal is not None and renewal.done():
                if error := renewal.exception():
                    log.warning("leases not renewed, trying again", extra={"error": str(error)})
                    renewed = time.monotonic() - RENEW_SECONDS + POLL_SECONDS
                renewal = None
            if renewal is None and time.monotonic() - renewed > RENEW_SECONDS:
                renewed = time.monotonic()
                renewal = renewing.submit(self._renew)

        with ThreadPoolExecutor(1) as renewing:
            yield renew

    def _renew(self) -> None:
        with self._library.records.writing() as writer:
            writer.renew(self.owner.process, LEASE_SECONDS)

    # -- requests to the workers

    def _schedule(self, requests: Iterator[Request | None]) -> Requests:
        """Requests of normal priority; then, or while there are none, low-priority and formerly leased jobs."""
        polled = time.monotonic()
        state = JobState.ACTIVE
        more = True
        while state is not JobState.CANCELLED and (
            more or self._low_priority or self._leased_elsewhere or self._in_flight
        ):
            if time.monotonic() - polled > POLL_SECONDS:
                polled = time.monotonic()
                state = self._poll()
            request = None
            if state is JobState.ACTIVE:
                request, more = _next(requests) if more else (None, False)
                if request is None and self._low_priority:
                    request = self._request(self._low_priority.popleft())
            if request is not None:
                self._in_flight.add(request[0].sha1)
            yield request

    def _poll(self) -> JobState:
        """Take over files whose leases ended; returns the state of the job."""
        for found in [self._leased_elsewhere.popleft() for _ in range(len(self._leased_elsewhere))]:
            (registered,) = register(self._library, [(found.resource, found.facts)], self.owner, self.job)
            if not (registered.known or registered.leased):
                self._leased_elsewhere.append(found)
            elif job := self._admit(found, registered):
                self._low_priority.append(job)
        return self._library.records.job_state(self.job) if self.job else JobState.ACTIVE

    def _scan_paths(self, paths: Sequence[Path]) -> Iterator[Request | None]:
        self.progress.total = count_files(paths, self._library.data)
        yield from self._scan(files_in(paths, self._found.unreadable, excluded=self._library.data))

    def _scan(self, paths: Iterable[str]) -> Iterator[Request | None]:
        """Hash, register and lease files by batches, store the originals and make requests."""
        for found in _batches(self._found(paths)):
            unwritten = {
                one.facts.sha1 for one in found
            } & self._unwritten  # before registering: it may be written then
            pairs = [(one.resource, one.facts) for one in found]
            readable = {one.facts.sha1 for one in found if one.type}
            for one, registered in zip(
                found, register(self._library, pairs, self.owner, self.job, readable), strict=True
            ):
                if one.facts.sha1 in unwritten:
                    self.progress.count(ALREADY_DONE)  # a copy of a file of this run
                    one.release()
                elif not (registered.known or registered.leased):
                    self._leased_elsewhere.append(one)
                elif job := self._admit(one, registered):
                    unwritten.add(one.facts.sha1)
                    if job.task.priority == NORMAL_PRIORITY:
                        yield self._request(job)
                    else:
                        self._low_priority.append(job)
            if len(found) < REGISTER_BATCH:
                yield None

    def _admit(self, found: FoundFile, registered: Registered) -> IngestJob | None:
        """The job of a registered file, its original stored; None if there is nothing to read."""
        job = self._stored_job(found, registered)
        if job is None or job.type:
            found.release()
        return job

    def _stored_job(self, found: FoundFile, registered: Registered) -> IngestJob | None:
        if registered.known:
            self.progress.finish_known(found.path, registered.outcome, registered.detail)
            return None
        if rejected := rejection(found.facts, self._library.settings.extract.max_bytes):
            self._reject(found.path, found.facts, *rejected)
            return None
        if found.type:
            try:
                self._library.files.put_file(found.type.kind, found.facts.sha1, found.type.suffix, found.file)
            except (OSError, Conflict) as error:  # it vanished or changed since it was hashed
                self._found.unreadable(found.path, str(error))
                return None
        self._unwritten.add(found.facts.sha1)
        return IngestJob(found.path, found.facts, registered.task, found.type, found.unpacked)

    def _request(self, job: IngestJob) -> Request:
        """The message for the worker that extracts this document."""
        self.progress.current = job.path
        path = (job.unpacked or Path(job.path)).absolute()
        stack = self._paths[job.sha1] = ExitStack()
        if job.unpacked:
            stack.callback(job.unpacked.unlink, missing_ok=True)
        if job.type:
            path = stack.enter_context(self._library.files.as_path(job.type.kind, job.sha1, job.type.suffix))
        low_priority_pages = self._library.settings.ingest.low_priority_pages
        max_pages = low_priority_pages if job.task.priority == NORMAL_PRIORITY else 0
        mime = job.type.mime if job.type else ""
        return job, read_request(path, job.sha1, self._library.settings.extract, max_pages, mime)

    def _watch(self, folders: Sequence[Path], stopped: Callable[[], bool]) -> Requests:
        watched = WatchedFolders(folders, self._library.data)
        due = self._due(stopped, once=False)
        while not stopped():
            complete = watched.complete_files()
            self.progress.total += len(complete)
            yield from self._scan(complete)
            until = time.monotonic() + POLL_SECONDS
            while time.monotonic() < until and not stopped():
                yield next(due, None)

    def _due(self, stopped: Callable[[], bool], once: bool) -> Requests:
        """Requests for due tasks; None while there are none."""
        while not stopped():
            with self._library.records.writing() as writer:
                tasks = writer.lease_due(self.owner.version, self.owner.process, LEASE_SECONDS, 2 * self._workers)
            for task in tasks:
                self.progress.total += 1
                if job := self._job_of_task(task):
                    yield self._request(job)
            if not tasks and once:
                return
            until = time.monotonic() + (0 if tasks else POLL_SECONDS)
            while time.monotonic() < until and not stopped():
                yield None

    def _new_generations(self, sha1s: Iterable[str]) -> Requests:
        sha1s = iter(sha1s)
        while batch := list(islice(sha1s, REGISTER_BATCH)):
            with self._library.records.writing() as writer:
                tasks = [writer.new_generation(sha1, self.owner.version) for sha1 in batch]
                writer.lease(tasks, self.owner.process, LEASE_SECONDS)
            for task in tasks:
                if job := self._job_of_task(replace(task, priority=LOW_PRIORITY)):
                    yield self._request(job)

    def _job_of_task(self, task: Task) -> IngestJob | None:
        """The job of a registered document; None if its original is lost."""
        document = self._library.records.as_seen_by(Viewer.OPERATOR).document(task.sha1)
        facts = FileFacts(task.sha1, document.sha256, document.size, document.mime)
        kind, suffix = document.type.kind, document.type.suffix
        if document.type.mime not in readers() or not self._library.files.has(kind, task.sha1, suffix):
            reason = "The file store has no copy of it; ingest the file again."
            self._reject(task.sha1, facts, "store_unavailable", reason)
            return None
        return IngestJob(f"{task.sha1}.{suffix}", facts, task, document.type)

    def _reject(self, path: str, facts: FileFacts, outcome: str, detail: str) -> None:
        with self._library.records.writing() as writer:
            facts_of_failure = ExtractionFacts(mime=facts.mime, retry_policy=self._retry_policy)
            writer.acknowledge(facts.sha1, outcome, detail, facts_of_failure)
        self.progress.finish(path, outcome, detail)

    # -- results of the workers

    def receive(self, answer: WorkerResult[IngestJob]) -> Finished | None:
        """Decode a result; None if the document is deferred to low priority."""
        job = answer.key
        if paths := self._paths.pop(job.sha1, None):
            paths.close()
        if answer.failure:
            log.warning("worker failed", extra={"sha1": job.sha1, "failure": answer.failure, "detail": answer.detail})
            mime = job.type.mime if job.type else job.facts.mime
            result: Extracted | NotIngested = NotIngested(mime, answer.failure, answer.detail)
        else:
            decoded = decode(answer.parts)
            if isinstance(decoded, Deferred):
                self._deferred.append(job)
                return None
            result = decoded
        self._in_flight.discard(job.sha1)
        return Finished(job, result)

    def _defer(self) -> None:
        """Give long documents low priority; this process keeps their leases."""
        jobs = [self._deferred.pop() for _ in range(len(self._deferred))]
        if not jobs:
            return
        with self._library.records.writing() as writer:
            for job in jobs:
                writer.deprioritise(job.task, LOW_PRIORITY)
            writer.lease([job.task for job in jobs], self.owner.process, LEASE_SECONDS)
        for job in reversed(jobs):
            self._low_priority.append(replace(job, task=replace(job.task, priority=LOW_PRIORITY)))
            self._in_flight.discard(job.sha1)

    def write_batch(self, finished: Sequence[Finished]) -> None:
        """Write results and count their outcomes; a document that cannot be written fails alone."""
        self._defer()
        started = self.progress.writing_since = time.monotonic()
        written = self._writer.write_batch(finished)
        self.progress.writing += time.monotonic() - started
        self.progress.writing_since = 0.0
        for one in written:
            self._unwritten.discard(one.job.sha1)
            self.progress.finish(one.job.path, one.result.outcome, one.result.detail)


def _batches(files: Iterable[FoundFile | None]) -> Iterator[list[FoundFile]]:
    """Files in batches; a smaller one where there is none just now."""
    batch: list[FoundFile] = []
    for one in files:
        if one is not None:
            batch.append(one)
        if one is None or len(batch) == REGISTER_BATCH:
            yield batch
            batch = []
    yield batch


def _next(requests: Iterator[Request | None]) -> tuple[Request | None, bool]:
    """The next request, if there is one now; and whether there may be more."""
    try:
        return next(requests), True
    except StopIteration:
        return None, False
