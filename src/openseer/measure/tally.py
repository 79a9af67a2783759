"""Counting what is right, one document after the other."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """Shares and F1 by name, in per cent."""

    shares: dict[str, list[float]] = field(default_factory=dict)
    """name -> [right, all]"""
    lists: dict[str, list[int]] = field(default_factory=dict)
    """name -> [right, found, wanted]"""

    def share(self, name: str, right: float) -> None:
        """One more case, right or in part."""
        old = self.shares.setdefault(name, [0.0, 0.0])
        old[0], old[1] = old[0] + right, old[1] + 1

    def f1(self, name: str, right: int, found: int, wanted: int) -> None:
        """One more list."""
        old = self.lists.setdefault(name, [0, 0, 0])
        self.lists[name] = [old[0] + right, old[1] + found, old[2] + wanted]

    def scores(self) -> dict[str, float]:
        """Every score there is."""
        shares = {name: 100 * right / total for name, (right, total) in self.shares.items() if total}
        lists = {
            name: 200 * right / (found + wanted)
            for name, (right, found, wanted) in self.lists.items()
            if found + wanted
        }
        return shares | lists
