"""A question as ranking sees it: its words in order, how rare each is, and perhaps what it means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openseer.search.meaning import Vectors
from openseer.search.stems import NAMES, NUMBERS, hashed, stem, words_of

YEAR = re.compile(r"(?:1[5-9]|20)\d\d")

Frequency = Callable[[str], int]
"""How many works hold a stem."""


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """The words of a question; those of one stem are one word that is wanted more."""

    numbers: NDArray[np.uint32]
    """Each word once, as `forward` numbers it."""
    weights: NDArray[np.float64]
    """How much each says: its rarity, as often as it was written."""
    order: NDArray[np.int64]
    """The words as they follow each other, by their place in `numbers`."""
    names: NDArray[np.uint32]
    """Each word once, as names are numbered."""
    title: int
    """The number of the whole, were it a title."""
    years: tuple[int, ...]
    vector: Vectors | None = None

    @property
    def rarity(self) -> NDArray[np.float64]:
        """Of each word, however often it was written."""
        return self.weights / np.bincount(self.order, minlength=len(self.numbers))


def wanted(texts: Sequence[str], frequency: Frequency, total: int, vector: Vectors | None = None) -> Wanted:
    """Analyse the words of a question, small ones among them."""
    words = words_of(" ".join(texts))
    said = [(number, word) for word in words if (number := NUMBERS[word])]
    places = {number: place for place, number in enumerate(dict(said))}
    counts = Counter(number for number, _ in said)
    stems = {number: stem(word) for number, word in reversed(said)}
    rare = [rarity(frequency(stems[number]), total) * counts[number] for number in places]
    return Wanted(
        np.array(list(places), dtype=np.uint32),
        np.array(rare, dtype=np.float64),
        np.array([places[number] for number, _ in said], dtype=np.int64),
        np.array(sorted({NAMES[word] for word in words} - {0}), dtype=np.uint32),
        hashed(" ".join(words)),
        tuple(int(word) for word in words if YEAR.fullmatch(word)),
        vector,
    )


def rarity(frequency: int, total: int) -> float:
    """What a word says that stands in so many of so many works (BM25's)."""
    return float(np.log1p(max(0.5, total - frequency + 0.5) / (frequency + 0.5)))
