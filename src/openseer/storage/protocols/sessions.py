"""Interfaces of the stores written by readers: click log and result snapshots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from openseer.core.model.click import Click


class ClickLog(Protocol):
    """Log of clicked results by query words and day, without names and addresses. Its size is bounded."""

    def add(self, words: str, work: str, place: int) -> None:
        """Count a click of today; above the size limit the oldest clicks are deleted."""

    def all(self) -> Iterator[Click]:
        """All clicks, oldest first."""

    def clear(self) -> None:
        """Delete all clicks."""

    def close(self) -> None:
        """Close the store."""


Ranked = tuple[str, float]
"""Work id and score."""


class ResultSnapshots(Protocol):
    """Result lists stored for some minutes, so that pagination neither repeats nor loses works."""

    def put(self, works: Sequence[Ranked], name: str = "") -> str:
        """Store a list under this name or a new one; returns the name."""

    def get(self, name: str) -> list[Ranked] | None:
        """Get a list and renew its expiry; None if it has expired."""

    def close(self) -> None:
        """Close the store."""
