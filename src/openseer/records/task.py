"""Task: one document to be read by one extractor in one version. The one queue."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

READER = "reader"
"""The extractor of papers, first lane: text, header and references."""
IMPORTER = "importer"
"""The extractor of lists of records."""


class TaskState(StrEnum):
    """Where a task stands."""

    WAITING = "waiting"
    HELD = "held"
    DONE = "done"
    CANCELLED = "cancelled"
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True)
class Task:
    """One row of the queue."""

    sha1: str
    extractor: str
    wanted: int
    """The version of the extractor."""
    generation: int
    """Drawn once, so that a retry keeps it."""
    state: TaskState = TaskState.WAITING
    attempts: int = 0
    error: str = ""
