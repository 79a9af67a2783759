"""Alignment of found items with gold items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Gold = TypeVar("Gold")
Found = TypeVar("Found")


def align(
    gold: Sequence[Gold], found: Sequence[Found], similarity: Callable[[Gold, Found], float], minimum: float
) -> list[tuple[int, int]]:
    """One-to-one pairs of positions with at least this similarity: most similar first, ties by relative position."""
    similarities = ((similarity(one, two), i, j) for i, one in enumerate(gold) for j, two in enumerate(found))
    candidates = [
        (-score, abs(i / len(gold) - j / len(found)), i, j) for score, i, j in similarities if score >= minimum
    ]
    return one_to_one((i, j) for _, _, i, j in sorted(candidates))


def one_to_one(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Greedy one-to-one selection from pairs in order of preference.

    >>> one_to_one([(0, 1), (0, 0), (1, 1), (2, 0)])
    [(0, 1), (2, 0)]
    """
    left, right, selected = set[int](), set[int](), []
    for one, two in pairs:
        if one not in left and two not in right:
            left.add(one)
            right.add(two)
            selected.append((one, two))
    return selected
