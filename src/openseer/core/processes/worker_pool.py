"""Worker processes that read foreign files: supervised one by one, with a deadline and a memory limit.

They are forked from a server process in which the reading code is loaded already. One that hangs, grows or dies is
replaced, and only its own document suffers.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Generic, TypeVar

Key = TypeVar("Key")
Work = Callable[[bytes], Sequence[bytes]]
"""A function at the top level of a module: takes a job, gives frames."""

POLL_SECONDS = 0.05
"""Seconds between two looks at the workers."""
MAX_JOBS = 200
"""Documents a worker reads before a fresh one takes over, so that no leak adds up."""
WORKER_NICE = 10
"""How nice workers are to whoever answers readers."""
DONE, BROKEN = b"done", b"broken"
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Limits:
    """What one job may take."""

    seconds: float
    memory_mb: int
    lifetime: int = MAX_JOBS
    """Jobs a worker does before a fresh one takes over."""


@dataclass(frozen=True, slots=True)
class WorkerResult(Generic[Key]):
    """What came of a job: frames, or the reason why there are none."""

    key: Key
    parts: tuple[bytes, ...] = ()
    failure: str = ""
    """"" or timeout, memory, crashed."""
    detail: str = ""
    seconds: float = 0.0


class WorkerPool(Generic[Key]):
    """A fixed number of workers that do one kind of work."""

    def __init__(self, work: Work, size: int, limits: Limits) -> None:
        os.environ.setdefault("PYTHONSAFEPATH", "1")  # the server process must not import from the current folder
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([work.__module__])
        self._work, self._limits = work, limits
        self._workers: list[_Worker[Key] | None] = [None] * size

    def run(self, jobs: Iterable[tuple[Key, bytes] | None]) -> Iterator[WorkerResult[Key] | None]:
        """Answers as they come, in no order; None now and then while there is none, so that the caller can act.

        A job that is None means that there is none now, but may be one later."""
        waiting = iter(jobs)
        more = True
        while True:
            while more and (place := self._free_place()) is not None:
                try:
                    job = next(waiting)
                except StopIteration:
                    more = False
                    break
                if job is None:
                    break
                self._worker_at(place).start(*job)
            busy = [worker for worker in self._workers if worker is not None and worker.busy]
            if not busy and not more:
                return
            if not busy:
                time.sleep(POLL_SECONDS)
            answers = self._look_at(busy)
            if not answers:
                yield None
            yield from answers

    def close(self) -> None:
        """End all workers, busy or not."""
        for worker in self._workers:
            if worker is not None:
                worker.end()
        self._workers = [None] * len(self._workers)

    def __enter__(self) -> WorkerPool[Key]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _free_place(self) -> int | None:
        for place, worker in enumerate(self._workers):
            if worker is None or not worker.busy:
                return place
        return None

    def _worker_at(self, place: int) -> _Worker[Key]:
        worker = self._workers[place]
        if worker is None or worker.spent:
            if worker is not None:
                worker.end()
            worker = self._workers[place] = _Worker(self._context, self._work, self._limits)
        return worker

    def _look_at(self, busy: list[_Worker[Key]]) -> list[WorkerResult[Key]]:
        ready = wait([worker.connection for worker in busy], timeout=POLL_SECONDS)
        answers = (worker.answer(worker.connection in ready) for worker in busy)
        return [answer for answer in answers if answer is not None]


class _Worker(Generic[Key]):
    """One process, seen from its supervisor."""

    def __init__(self, context: multiprocessing.context.ForkServerContext, work: Work, limits: Limits) -> None:
        self._limits = limits
        self.connection, theirs = context.Pipe()
        self._process: ForkServerProcess = context.Process(
            target=_worker_main, args=(work, theirs, limits), daemon=True
        )
        self._process.start()
        theirs.close()
        self._key: list[Key] = []
        self._started, self._jobs, self._peak = 0.0, 0, 0

    @property
    def busy(self) -> bool:
        return bool(self._key)

    @property
    def spent(self) -> bool:
        """Whether a fresh one should take over."""
        return self._jobs >= self._limits.lifetime or not self._process.is_alive()

    def start(self, key: Key, job: bytes) -> None:
        self._key, self._started, self._peak = [key], time.monotonic(), 0
        self._jobs += 1
        with contextlib.suppress(OSError):  # it died while idle: the next look finds the pipe closed
            self.connection.send_bytes(job)

    def answer(self, ready: bool) -> WorkerResult[Key] | None:
        """What there is to say of the job in hand: nothing yet, its frames, or why it failed."""
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

    def _collect(self) -> WorkerResult[Key]:
        try:
            status, count = self.connection.recv_bytes(), int(self.connection.recv_bytes())
            frames = tuple(self.connection.recv_bytes() for _ in range(count))
        except (EOFError, OSError):
            return self._died()
        key, seconds = self._key.pop(), time.monotonic() - self._started
        if status == DONE:
            return WorkerResult(key, frames, seconds=seconds)
        failure, detail = (frame.decode("utf-8", "replace") for frame in frames)
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
        return WorkerResult(self._key.pop(), failure=failure, detail=detail, seconds=time.monotonic() - self._started)


def _worker_main(work: Work, connection: Connection, limits: Limits) -> None:
    """The life of a worker: one job after the other until the pipe closes."""
    _apply_limits(limits)
    while True:
        try:
            job = connection.recv_bytes()
        except (EOFError, OSError):
            return
        signal.setitimer(signal.ITIMER_REAL, limits.seconds + 5)  # should the supervisor be gone
        status, frames = DONE, tuple[bytes, ...]()
        try:
            frames = tuple(work(job))
        except MemoryError:
            status, frames = BROKEN, (b"memory", f"Reading took more than {limits.memory_mb} MB.".encode())
        except Exception as error:
            status, frames = BROKEN, (b"crashed", f"{type(error).__name__}: {error}".encode("utf-8", "replace"))
        signal.setitimer(signal.ITIMER_REAL, 0)
        try:
            for frame in (status, str(len(frames)).encode(), *frames):
                connection.send_bytes(frame)
        except OSError:
            return


def _apply_limits(limits: Limits) -> None:
    """No Ctrl-C of the terminal, no core dumps, no words on the terminal, no life after the server process; and whoever
    waits for an answer goes first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(WORKER_NICE)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    address_space = (
        4 * limits.memory_mb + 2048
    ) << 20  # the supervisor counts what is resident; this stops huge requests
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def _resident_mb(pid: int | None) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * resource.getpagesize() >> 20
