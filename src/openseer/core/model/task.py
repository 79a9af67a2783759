"""Task: one document to be read by one extractor in one version, the one queue. Job: what somebody asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

READER = "reader"
"""The extractor of papers: text, header, references and the rest."""
IMPORTER = "importer"
"""The extractor of lists of records."""
NORMAL_PRIORITY, LOW_PRIORITY = 0, 1
"""Priorities: what is read at once, and what takes long and waits for the others."""
RETRYABLE = ("timeout", "memory", "crashed", "store_unavailable")
"""Failures that may pass; the same bytes are corrupt for ever."""


class TaskState(StrEnum):
    """Where a task stands."""

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
    """Drawn once, so that a retry keeps it."""
    state: TaskState = TaskState.WAITING
    attempts: int = 0
    error: str = ""
    priority: int = NORMAL_PRIORITY
    not_before: float = 0.0
    """When it may be tried again, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a document that fails is tried again, and after how long."""

    attempts: int = 3
    pause: float = 60.0
    """Seconds before the second attempt; four times as long before each further one."""

    def after(self, outcome: str, attempts: int, now: float) -> tuple[TaskState, float]:
        """Where a task stands after so many attempts, and when it may be tried again."""
        if outcome not in RETRYABLE:
            return TaskState.DONE, 0.0
        if attempts >= self.attempts:
            return TaskState.QUARANTINED, 0.0
        return TaskState.WAITING, now + self.pause * 4 ** (attempts - 1)


class JobState(StrEnum):
    """What becomes of a job."""

    ACTIVE = "active"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Job:
    """Something that somebody asked for, with its documents."""

    id: str
    at: float
    what: str
    state: JobState
    counts: Mapping[str, int] = field(default_factory=dict)
    """Its documents by outcome, or by where their task stands while there is none; counted, never stored."""
