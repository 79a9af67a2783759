"""Changes of works, which every projection follows, and acts of people, which can be undone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkChange:
    """A work that is not as it was; sequence numbers have no gaps."""

    sequence: int
    work: str
    counts_only: bool = False
    """Whether it is merely cited more or less often than before: no hurry."""


@dataclass(frozen=True, slots=True)
class CurationAction:
    """Something a person decided. Append-only."""

    id: int
    at: float
    who: str
    what: str
    """merge, split, undo, or the visibility that was given to a document: deleted, dmca, restricted, public."""
    why: str
    subject: str
    inverse: str = ""
    """What undoes it."""
