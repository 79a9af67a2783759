"""Which of the things found are which of the things wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Wanted = TypeVar("Wanted")
Given = TypeVar("Given")


def paired(
    wanted: Sequence[Wanted], given: Sequence[Given], alike: Callable[[Wanted, Given], float], least: float
) -> list[tuple[int, int]]:
    """Places in both lists of those that are one: the likest first, of equal ones those at about the same place; each
    is used once."""
    likes = ((alike(one, two), i, j) for i, one in enumerate(wanted) for j, two in enumerate(given))
    near = [(-like, abs(i / len(wanted) - j / len(given)), i, j) for like, i, j in likes if like >= least]
    return once((i, j) for _, _, i, j in sorted(near))


def once(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those pairs, best first, of which neither side is in a pair before.

    >>> once([(0, 1), (0, 0), (1, 1), (2, 0)])
    [(0, 1), (2, 0)]
    """
    left, right, kept = set[int](), set[int](), []
    for one, two in pairs:
        if one not in left and two not in right:
            left.add(one)
            right.add(two)
            kept.append((one, two))
    return kept
