"""Sending somebody out with a foreign file while a page is being answered: a few workers, asked from any thread."""

from __future__ import annotations

import queue

from openseer.core.errors import WORKER_FAILURES, TooMany
from openseer.core.processes.worker_pool import Limits, Work, WorkerPool

WAIT_SECONDS = 10.0
"""Seconds to wait for a free worker."""


class OnDemandPool:
    """Workers that do one kind of work, each started when it is first needed."""

    def __init__(self, work: Work, size: int, limits: Limits) -> None:
        self._crews = [WorkerPool[int](work, 1, limits) for _ in range(size)]
        self._free: queue.LifoQueue[WorkerPool[int]] = queue.LifoQueue()  # the one that went last is warm
        for crew in self._crews:
            self._free.put(crew)

    def call(self, job: bytes, patience: float = WAIT_SECONDS) -> tuple[bytes, ...]:
        """What the worker brings; the error if it hung, grew or died; `TooMany` if all are out."""
        try:
            crew = self._free.get(timeout=patience)
        except queue.Empty:
            raise TooMany("All who could do this are busy.", "Try again in a moment.") from None
        try:
            answer = next(answer for answer in crew.run([(0, job)]) if answer is not None)
        finally:
            self._free.put(crew)
        if answer.failure:
            raise WORKER_FAILURES[answer.failure](answer.detail)
        return answer.parts

    def close(self) -> None:
        """End them, busy or not."""
        for crew in self._crews:
            crew.close()
