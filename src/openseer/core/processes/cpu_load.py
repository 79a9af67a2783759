"""CPU load of other processes; background work waits while it is high."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

SAMPLE_SECONDS = 1.0
"""CPU time over which the load is measured."""
BUSY_SHARE, SATURATED_SHARE = 0.15, 0.85
"""Share of the CPU that other processes use when background work waits, and when it waits longer."""
MAX_WAIT_SECONDS, MAX_LONG_WAIT_SECONDS = 10.0, 60.0
"""After this time background work gets one turn all the same."""
STAT = Path("/proc/stat")


class IdleDetector:
    """Detects whether other processes use the CPU (Linux; elsewhere the machine always counts as idle)."""

    def __init__(self, cpu_seconds: Callable[[], tuple[float, float]] | None = None) -> None:
        self._cpu_seconds = cpu_seconds or _cpu_seconds
        self._before, self._max_wait = self._cpu_seconds(), 0.0
        self._last_turn = time.monotonic()

    def is_busy(self, now: float | None = None) -> bool:
        """True while background work should wait."""
        now = time.monotonic() if now is None else now
        total, others = self._cpu_seconds()
        passed = total - self._before[0]
        if passed >= SAMPLE_SECONDS * (os.cpu_count() or 1):
            share = (others - self._before[1]) / passed
            busy = MAX_WAIT_SECONDS if share < SATURATED_SHARE else MAX_LONG_WAIT_SECONDS
            self._max_wait = busy if share > BUSY_SHARE else 0.0
            self._before = (total, others)
        if self._max_wait and now - self._last_turn < self._max_wait:
            return True
        self._last_turn = now
        return False


def _cpu_seconds() -> tuple[float, float]:
    """CPU seconds of all cores since boot, and those that other processes used."""
    try:
        ticks = [int(one) for one in STAT.read_text().split("\n", 1)[0].split()[1:9]]
    except (OSError, ValueError):
        return 0.0, 0.0
    tick = os.sysconf("SC_CLK_TCK")
    idle = ticks[3] + ticks[4]
    return sum(ticks) / tick, (sum(ticks) - idle) / tick - time.process_time()
