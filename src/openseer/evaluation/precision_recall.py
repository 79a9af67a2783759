"""Accumulated accuracy, precision, recall and F1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """Scores by name, in per cent, accumulated over documents."""

    shares: dict[str, list[float]] = field(default_factory=dict)
    """name -> [correct, total]"""
    f1_counts: dict[str, list[int]] = field(default_factory=dict)
    """name -> [correct, found, gold]"""
    precision_recall_counts: dict[str, list[int]] = field(default_factory=dict)
    """name -> [correct, found, recalled, gold]"""

    def share(self, name: str, correct: float) -> None:
        """Add a case with its share of correctness (0 to 1)."""
        counts = self.shares.setdefault(name, [0.0, 0.0])
        counts[0], counts[1] = counts[0] + correct, counts[1] + 1

    def f1(self, name: str, correct: int, found: int, gold: int) -> None:
        """Add a list: F1."""
        counts = self.f1_counts.setdefault(name, [0, 0, 0])
        self.f1_counts[name] = [counts[0] + correct, counts[1] + found, counts[2] + gold]

    def precision_recall(self, name: str, found: tuple[int, int], gold: tuple[int, int]) -> None:
        """Add a list with separate counts for precision (correct, found) and recall (recalled, gold)."""
        counts = self.precision_recall_counts.setdefault(name, [0, 0, 0, 0])
        self.precision_recall_counts[name] = [one + more for one, more in zip(counts, (*found, *gold), strict=True)]

    def scores(self) -> dict[str, float]:
        """All scores."""
        shares = {name: 100 * correct / total for name, (correct, total) in self.shares.items() if total}
        f1_scores = {
            name: 200 * correct / (found + gold)
            for name, (correct, found, gold) in self.f1_counts.items()
            if found + gold
        }
        precision_recall = {
            f"{name}{part}": score
            for name, (correct, found, recalled, gold) in self.precision_recall_counts.items()
            if gold
            for part, score in _f1_scores(correct / max(1, found), recalled / gold)
        }
        return shares | f1_scores | precision_recall


def _f1_scores(precision: float, recall: float) -> Iterator[tuple[str, float]]:
    yield "", 200 * precision * recall / (precision + recall) if precision + recall else 0.0
    yield ".p", 100 * precision
    yield ".r", 100 * recall
