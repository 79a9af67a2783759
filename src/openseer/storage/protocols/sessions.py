"""The promises of what readers leave behind: which works they opened, and lists they walk through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from openseer.core.model.click import Click


class ClickLog(Protocol):
    """Which works readers opened for which words: no names, no addresses, days only. Its size is bounded."""

    def add(self, words: str, work: str, place: int) -> None:
        """Note that a work was opened today; when there are too many, the oldest are forgotten."""

    def all(self) -> Iterator[Click]:
        """All of them, the oldest first."""

    def clear(self) -> None:
        """Forget all of them."""

    def close(self) -> None:
        """Give back what is held."""


Ranked = tuple[str, float]
"""A work in a list, by its id, and its score."""


class ResultSnapshots(Protocol):
    """Results that somebody walks through, kept for some minutes so that pages neither repeat nor lose works."""

    def put(self, works: Sequence[Ranked], name: str = "") -> str:
        """Keep a list, in place of the one of this name or under a new one; the name."""

    def get(self, name: str) -> list[Ranked] | None:
        """A list, which is then kept for as long again; None if there is none any more."""

    def close(self) -> None:
        """Give back what is held."""
