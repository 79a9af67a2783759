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
REJECTED_BEFORE = "rejected_before"
"""Counted for a file whose document was rejected, or could not be read, by an earlier run."""
UNREADABLE = "unreadable"
"""Counted for a file that cannot be opened, so that there is no document."""
MAX_TROUBLES = 10_000
"""Troubles kept for the report of a run; every document also has its row in the library."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A file that was not ingested, and why."""

    path: str
    outcome: str
    reason: str
    before: bool = False
    """True if an earlier run found it."""


@dataclass(slots=True)
class Progress:
    """Counts of a run; the scanning and the writing thread both add to them."""

    total: int = 0
    """Files found."""
    counts: Counter[str] = field(default_factory=Counter)
    troubles: list[Trouble] = field(default_factory=list)
    """Files that were not ingested."""
    current: str = ""
    """The file sent to a worker last."""
    writing_since: float = 0.0
    """When the current write began, by the monotonic clock; 0 while nothing is written."""
    started: float = field(default_factory=time.monotonic)
    writing: float = 0.0
    """Seconds spent on writing batches."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def done(self) -> int:
        return self.counts.total()

    @property
    def finished_before(self) -> int:
        """Files of documents that earlier runs finished."""
        return self.counts[ALREADY_DONE] + self.counts[REJECTED_BEFORE]

    @property
    def read(self) -> int:
        """Files read in this run."""
        return self.done - self.finished_before

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
        if outcome != "ingested":
            self.trouble(path, outcome, detail)

    def finish_known(self, path: str, outcome: str, detail: str) -> None:
        """Count a document that an earlier run finished, and keep the reason if it was rejected."""
        rejected = bool(outcome) and outcome != "ingested"
        self.count(REJECTED_BEFORE if rejected else ALREADY_DONE)
        if rejected:
            self.trouble(path, outcome, detail, before=True)

    def trouble(self, path: str, outcome: str, reason: str, before: bool = False) -> None:
        """Keep the reason why a file was not ingested."""
        if len(self.troubles) < MAX_TROUBLES:
            self.troubles.append(Trouble(printable(path), outcome, reason, before))
