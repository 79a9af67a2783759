"""Progress of an ingest run: counts by outcome, and the files that were not ingested."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from openseer.core.telemetry.counters import counters
from openseer.core.text.printable_path import printable

ALREADY_DONE = "known"
"""Counted for a file whose document is finished; never an outcome of a document."""
UNREADABLE = "unreadable"
"""Counted for a file that cannot be opened, so that there is no document."""
MAX_TROUBLES = 10_000
"""Troubles kept for the report of a run; every document also has its row in the library."""


@dataclass(slots=True)
class Progress:
    """Counts of a run; the scanning and the writing thread both add to them."""

    total: int = 0
    """Files found."""
    counts: Counter[str] = field(default_factory=Counter)
    troubles: list[tuple[str, str]] = field(default_factory=list)
    """(path, reason) of files that were not ingested."""
    started: float = field(default_factory=time.monotonic)
    writing: float = 0.0
    """Seconds spent on writing batches."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def done(self) -> int:
        return self.counts.total()

    @property
    def read(self) -> int:
        """Files read in this run, without those already done."""
        return self.done - self.counts[ALREADY_DONE]

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def count(self, outcome: str) -> None:
        """Count a file."""
        counters.count("openseer_documents_total", outcome=outcome)
        with self._lock:
            self.counts[outcome] += 1

    def finish(self, path: str, outcome: str, detail: str) -> None:
        """Count a document with its outcome, and keep the reason if it was not ingested."""
        self.count(outcome)
        if outcome != "ingested" and len(self.troubles) < MAX_TROUBLES:
            self.trouble(path, f"{outcome}: {detail}")

    def trouble(self, path: str, reason: str) -> None:
        """Keep the reason why a file was not ingested."""
        self.troubles.append((printable(path), reason))
