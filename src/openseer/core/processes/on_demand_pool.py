"""Workers on demand: a blocking call from any thread, for foreign files in web requests."""

from __future__ import annotations

import queue

from openseer.core.errors import WORKER_FAILURES, TooMany
from openseer.core.processes.worker_pool import Limits, Work, WorkerPool

WAIT_SECONDS = 10.0
"""How long a call waits for a free worker."""


class OnDemandPool:
    """Workers for one function, each started on first use."""

    def __init__(self, work: Work, size: int, limits: Limits) -> None:
        self._pools = [WorkerPool[int](work, 1, limits) for _ in range(size)]
        self._free: queue.LifoQueue[WorkerPool[int]] = queue.LifoQueue()  # the last one used is warm
        for pool in self._pools:
            self._free.put(pool)

    def call(self, job: bytes, timeout: float = WAIT_SECONDS) -> tuple[bytes, ...]:
        """Result of one job; raises Timeout, OutOfMemory or Crashed if the worker failed, TooMany if none is free."""
        try:
            pool = self._free.get(timeout=timeout)
        except queue.Empty:
            raise TooMany("All workers are busy.", "Try again in a moment.") from None
        try:
            result = next(result for result in pool.run([(0, job)]) if result is not None)
        finally:
            self._free.put(pool)
        if result.failure:
            raise WORKER_FAILURES[result.failure](result.detail)
        return result.parts

    def close(self) -> None:
        """Stop all workers, busy or not."""
        for pool in self._pools:
            pool.close()
