"""Tasks of the queue (one document, one extractor, one version), retry policy, and jobs that group tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

READER = "reader"
"""Extractor of papers: text, header, references and the rest."""
IMPORTER = "importer"
"""Extractor of bibliography files."""
NORMAL_PRIORITY, LOW_PRIORITY = 0, 1
"""Task priorities; long documents get the low one."""
RETRYABLE = ("timeout", "memory", "crashed", "store_unavailable")
"""Transient failures; a corrupt file stays corrupt."""


class TaskState(StrEnum):
    """State of a task."""

    WAITING = "waiting"
    LEASED = "held"
    DONE = "done"
    CANCELLED = "cancelled"
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True)
class Task:
    """One row of the queue."""

    sha1: str
    extractor: str
    extractor_version: int
    """The version of the extractor."""
    generation: int
    """Number of this extraction of the document; a retry keeps it."""
    state: TaskState = TaskState.WAITING
    attempts: int = 0
    error: str = ""
    priority: int = NORMAL_PRIORITY
    not_before: float = 0.0
    """Time of the next attempt, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Number and delay of retries of a failed document."""

    attempts: int = 3
    pause: float = 60.0
    """Seconds before the second attempt; the delay quadruples with each further one."""

    def after(self, outcome: str, attempts: int, now: float) -> tuple[TaskState, float]:
        """State of a task after this many attempts, and the time of the next one."""
        if outcome not in RETRYABLE:
            return TaskState.DONE, 0.0
        if attempts >= self.attempts:
            return TaskState.QUARANTINED, 0.0
        return TaskState.WAITING, now + self.pause * 4 ** (attempts - 1)


class JobState(StrEnum):
    """State of a job."""

    ACTIVE = "active"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Job:
    """A user request with its documents."""

    id: str
    at: float
    what: str
    state: JobState
    counts: Mapping[str, int] = field(default_factory=dict)
    """Documents by outcome, or by task state before there is one; computed, never stored."""
