"""Whether other programs are at work: what can wait then waits."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

SAMPLE_SECONDS = 1.0
"""Seconds over which the processor is looked at."""
MUCH, NEARLY_ALL = 0.15, 0.85
"""Share of it that others take when they are at work, and when they leave nothing to spare."""
PAUSE, LONG_PAUSE = 10.0, 60.0
"""Seconds after which they are at rest for once all the same, so that what waits is done at last."""
STAT = Path("/proc/stat")


class IdleDetector:
    """Looks at the processor (Linux; elsewhere nobody is seen)."""

    def __init__(self, spent: Callable[[], tuple[float, float]] | None = None) -> None:
        self._spent = spent or _spent
        self._before, self._pause = self._spent(), 0.0
        self._let = time.monotonic()

    def is_busy(self, now: float | None = None) -> bool:
        """Whether they took much of the processor of late."""
        now = time.monotonic() if now is None else now
        total, theirs = self._spent()
        passed = total - self._before[0]
        if passed >= SAMPLE_SECONDS * (os.cpu_count() or 1):
            share = (theirs - self._before[1]) / passed
            self._pause = 0.0 if share <= MUCH else PAUSE if share < NEARLY_ALL else LONG_PAUSE
            self._before = (total, theirs)
        if self._pause and now - self._let < self._pause:
            return True
        self._let = now
        return False


def _spent() -> tuple[float, float]:
    """Seconds of all processors since the machine started, and those that other processes took."""
    try:
        told = [int(one) for one in STAT.read_text().split("\n", 1)[0].split()[1:9]]
    except (OSError, ValueError):
        return 0.0, 0.0
    tick = os.sysconf("SC_CLK_TCK")
    idle = told[3] + told[4]
    return sum(told) / tick, (sum(told) - idle) / tick - time.process_time()
