"""Change feed of works (read by every projection), and curation actions, which can be undone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkChange:
    """One changed work; sequence numbers have no gaps."""

    sequence: int
    work: str
    counts_only: bool = False
    """True if only the citation counts changed; such changes are applied in batches."""


@dataclass(frozen=True, slots=True)
class CurationAction:
    """A decision of a curator. Append-only."""

    id: int
    at: float
    who: str
    what: str
    """merge, split, undo, or the new visibility of a document: deleted, dmca, restricted, public."""
    why: str
    subject: str
    inverse: str = ""
    """The state before it, needed to undo it."""
