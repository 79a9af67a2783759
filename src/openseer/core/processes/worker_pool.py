"""A pool of worker processes for foreign files, each supervised alone, with a deadline and a memory limit.

Workers are forked from a server process that has the extraction code loaded. One that hangs, grows or dies is replaced
and costs only its own document. (ProcessPoolExecutor: one killed worker breaks the pool.)
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import logging
import multiprocessing
import os
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Generic, TypeVar

from openseer.core.processes.confinement import MAX_FILE_BYTES, confine

Key = TypeVar("Key")
Work = Callable[[bytes], Sequence[bytes]]
"""A function at the top level of a module: from a request to the parts of a result."""

POLL_SECONDS = 0.05
"""Interval of looks at the workers."""
MAX_JOBS = 200
"""Jobs of a worker before it is replaced, so that leaks do not add up."""
WORKER_NICE = 10
"""Niceness of workers: serving processes go first."""
GRACE_SECONDS = 5
"""Time a worker has beyond its deadline before it kills itself."""
MAX_OUTPUT_BYTES = 2000
DONE, BROKEN = b"done", b"broken"
PR_SET_PDEATHSIG = 1

log = logging.getLogger(__name__)
_preloaded: dict[str, None] = {}
"""Modules named by `preload` in this process, in order."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one job."""

    seconds: float
    memory_mb: int
    max_jobs: int = MAX_JOBS
    """Jobs of a worker before it is replaced."""
    confined: bool = False
    """True if the work writes temporary files only and needs no network, so that its process may do no more."""
    folder: str = ""
    """A folder to which a confined worker may write too."""
    max_file_bytes: int = MAX_FILE_BYTES
    """Of a file that a confined worker writes."""


@dataclass(frozen=True, slots=True)
class WorkerResult(Generic[Key]):
    """Result of a job: its parts, or the failure."""

    key: Key
    parts: tuple[bytes, ...] = ()
    failure: str = ""
    """"" or timeout, memory, crashed."""
    detail: str = ""
    seconds: float = 0.0


class WorkerPool(Generic[Key]):
    """A fixed number of workers for one function."""

    def __init__(self, work: Work, size: int, limits: Limits) -> None:
        self._context = multiprocessing.get_context("forkserver")
        preload(work)
        self._work, self._limits = work, limits
        self._workers: list[_Worker[Key] | None] = [None] * size

    def run(self, jobs: Iterable[tuple[Key, bytes] | None]) -> Iterator[WorkerResult[Key] | None]:
        """Results as they come, in no order; None now and then while there is none, so that the caller can act.

        A job that is None means that there is none now, but may be one later."""
        waiting = iter(jobs)
        more = True
        while True:
            while more and (slot := self._free_slot()) is not None:
                try:
                    job = next(waiting)
                except StopIteration:
                    more = False
                    break
                if job is None:
                    break
                self._worker_at(slot).start(*job)
            busy = [worker for worker in self._workers if worker is not None and worker.busy]
            if not busy and not more:
                return
            if not busy:
                time.sleep(POLL_SECONDS)
            results = self._poll(busy)
            if not results:
                yield None
            yield from results

    def close(self) -> None:
        """Stop all workers, busy or not."""
        for worker in self._workers:
            if worker is not None:
                worker.end()
        self._workers = [None] * len(self._workers)

    def __enter__(self) -> WorkerPool[Key]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _free_slot(self) -> int | None:
        for slot, worker in enumerate(self._workers):
            if worker is None or not worker.busy:
                return slot
        return None

    def _worker_at(self, slot: int) -> _Worker[Key]:
        worker = self._workers[slot]
        if worker is None or worker.is_spent:
            if worker is not None:
                worker.end()
            worker = self._workers[slot] = _Worker(self._context, self._work, self._limits)
        return worker

    def _poll(self, busy: list[_Worker[Key]]) -> list[WorkerResult[Key]]:
        ready = wait([worker.connection for worker in busy], timeout=POLL_SECONDS)
        results = (worker.poll(worker.connection in ready) for worker in busy)
        return [result for result in results if result is not None]


class _Worker(Generic[Key]):
    """One worker process, as its supervisor sees it."""

    def __init__(self, context: multiprocessing.context.ForkServerContext, work: Work, limits: Limits) -> None:
        self._limits = limits
        self._output = NamedTemporaryFile(prefix="openseer-worker-")  # noqa: SIM115 - closed in `end`
        self._scratch = TemporaryDirectory(prefix="openseer-scratch-", ignore_cleanup_errors=True)
        self.connection, worker_end = context.Pipe()
        self._process: ForkServerProcess = context.Process(
            target=_worker_main, args=(work, worker_end, limits, self._output.name, self._scratch.name), daemon=True
        )
        self._process.start()
        worker_end.close()
        self._key: list[Key] = []
        self._started, self._jobs, self._peak = 0.0, 0, 0

    @property
    def busy(self) -> bool:
        return bool(self._key)

    @property
    def is_spent(self) -> bool:
        """True if it should be replaced."""
        return self._jobs >= self._limits.max_jobs or not self._process.is_alive()

    def start(self, key: Key, job: bytes) -> None:
        self._key, self._started, self._peak = [key], time.monotonic(), 0
        self._jobs += 1
        with contextlib.suppress(OSError):  # it died while idle: the next poll finds the pipe closed
            self.connection.send_bytes(job)

    def poll(self, ready: bool) -> WorkerResult[Key] | None:
        """The result of the current job, if it is finished or failed."""
        if ready:
            return self._collect()
        self._peak = max(self._peak, _resident_mb(self._process.pid))
        if self._peak > self._limits.memory_mb:
            return self._fail("memory", f"Reading took more than {self._limits.memory_mb} MB.")
        if time.monotonic() - self._started > self._limits.seconds:
            return self._fail("timeout", f"Reading took more than {self._limits.seconds:g} s.")
        return None

    def end(self) -> None:
        self.connection.close()
        self._process.kill()
        self._process.join()
        self._process.close()
        self._output.close()
        self._scratch.cleanup()

    def _collect(self) -> WorkerResult[Key]:
        try:
            status, count = self.connection.recv_bytes(), int(self.connection.recv_bytes())
            parts = tuple(self.connection.recv_bytes() for _ in range(count))
        except (EOFError, OSError):
            return self._died()
        key, seconds = self._key.pop(), time.monotonic() - self._started
        if status == DONE:
            return WorkerResult(key, parts, seconds=seconds)
        failure, detail = (part.decode("utf-8", "replace") for part in parts)
        return WorkerResult(key, failure=failure, detail=detail, seconds=seconds)

    def _died(self) -> WorkerResult[Key]:
        self._process.join(timeout=1)
        code = self._process.exitcode
        if code == -signal.SIGALRM:
            return self._fail("timeout", f"Reading took more than {self._limits.seconds:g} s.")
        if self._peak > 0.7 * self._limits.memory_mb:
            return self._fail("memory", f"The reading process died near its limit of {self._limits.memory_mb} MB.")
        return self._fail("crashed", f"The reading process ended with code {code}.")

    def _fail(self, failure: str, detail: str) -> WorkerResult[Key]:
        self._process.kill()
        self._process.join()
        log.warning("worker ended", extra={"failure": failure, "detail": detail, "output": self._printed()})
        return WorkerResult(self._key.pop(), failure=failure, detail=detail, seconds=time.monotonic() - self._started)

    def _printed(self) -> str:
        """The last that the worker printed for this job: messages of libraries, the stack of a crash."""
        try:
            return Path(self._output.name).read_bytes()[-MAX_OUTPUT_BYTES:].decode("utf-8", "replace")
        except OSError:
            return ""


def preload(*works: Work) -> None:
    """Load the modules of these functions into the server process that workers are forked from.

    A process has one such server: what is named after its first worker started has no effect, so a program that makes
    several pools calls this first, with the functions of all."""
    for work in works:
        _preloaded.setdefault(work.__module__)
    os.environ.setdefault("PYTHONSAFEPATH", "1")  # the server process must not import from the current folder
    multiprocessing.get_context("forkserver").set_forkserver_preload(list(_preloaded))


def _worker_main(work: Work, connection: Connection, limits: Limits, output: str, scratch: str) -> None:
    """Main loop of a worker: one job after the other until the pipe closes."""
    os.environ["TMPDIR"] = tempfile.tempdir = scratch
    _apply_limits(limits)
    printed = _redirect_output(output)
    if limits.confined:
        confine(scratch, limits.folder, max_file_bytes=limits.max_file_bytes)
    while True:
        try:
            job = connection.recv_bytes()
        except (EOFError, OSError):
            return
        signal.setitimer(signal.ITIMER_REAL, limits.seconds + GRACE_SECONDS)  # in case the supervisor is dead
        os.ftruncate(printed, 0)
        status, parts = DONE, tuple[bytes, ...]()
        try:
            parts = tuple(work(job))
        except MemoryError:
            status, parts = BROKEN, (b"memory", f"Reading took more than {limits.memory_mb} MB.".encode())
        except Exception as error:
            status, parts = BROKEN, (b"crashed", f"{type(error).__name__}: {error}".encode("utf-8", "replace"))
        signal.setitimer(signal.ITIMER_REAL, 0)
        try:
            for part in (status, str(len(parts)).encode(), *parts):
                connection.send_bytes(part)
        except OSError:
            return


def _apply_limits(limits: Limits) -> None:
    """Ignore Ctrl-C, write no core dumps, die with the server process, run with low priority and little memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(WORKER_NICE)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    address_space = (4 * limits.memory_mb + 2048) << 20  # stops huge requests; the supervisor watches resident memory
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))


def _redirect_output(path: str) -> int:
    """Send standard output and error to a file, so that nothing of a foreign library reaches the terminal."""
    printed = os.open(path, os.O_WRONLY | os.O_APPEND)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    faulthandler.enable(2)
    return printed


def _resident_mb(pid: int | None) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * resource.getpagesize() >> 20
