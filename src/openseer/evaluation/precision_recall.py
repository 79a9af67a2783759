"""Counting what is right, one document after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """Shares and F1 by name, in per cent."""

    shares: dict[str, list[float]] = field(default_factory=dict)
    """name -> [right, all]"""
    lists: dict[str, list[int]] = field(default_factory=dict)
    """name -> [right, found, wanted]"""
    sides: dict[str, list[int]] = field(default_factory=dict)
    """name -> [right, found, met, wanted]"""

    def share(self, name: str, right: float) -> None:
        """One more case, right or in part."""
        old = self.shares.setdefault(name, [0.0, 0.0])
        old[0], old[1] = old[0] + right, old[1] + 1

    def f1(self, name: str, right: int, found: int, wanted: int) -> None:
        """One more list."""
        old = self.lists.setdefault(name, [0, 0, 0])
        self.lists[name] = [old[0] + right, old[1] + found, old[2] + wanted]

    def both(self, name: str, found: tuple[int, int], wanted: tuple[int, int]) -> None:
        """One more list whose precision (right of the found) and recall (met of the wanted) are counted apart."""
        old = self.sides.setdefault(name, [0, 0, 0, 0])
        self.sides[name] = [one + more for one, more in zip(old, (*found, *wanted), strict=True)]

    def scores(self) -> dict[str, float]:
        """Every score there is."""
        shares = {name: 100 * right / total for name, (right, total) in self.shares.items() if total}
        lists = {
            name: 200 * right / (found + wanted)
            for name, (right, found, wanted) in self.lists.items()
            if found + wanted
        }
        sides = {
            f"{name}{part}": score
            for name, (right, found, met, wanted) in self.sides.items()
            if wanted
            for part, score in _parts(right / max(1, found), met / wanted)
        }
        return shares | lists | sides


def _parts(precision: float, recall: float) -> Iterator[tuple[str, float]]:
    yield "", 200 * precision * recall / (precision + recall) if precision + recall else 0.0
    yield ".p", 100 * precision
    yield ".r", 100 * recall
