"""A question as ranking sees it: its words in order, how rare each is, and perhaps what it means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openseer.core.model.query import YEAR
from openseer.core.text.spelling_variants import spellings
from openseer.search.embeddings.encoder import Vectors
from openseer.search.terms import NAMES, NUMBERS, PRINTED_WORDS, hashed, stem, words_of

Frequency = Callable[[str], int]
"""How many works hold a stem."""
SMALL = 0.5
"""What a small word says."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Words of a question as printed, two that follow each other, small ones too.

    A word that no work has is a slip of the pen: the words round it follow each other with any word between."""

    keys: NDArray[np.uint64]
    """Both numbers in one; see `pair_keys`."""
    gaps: NDArray[np.bool_]
    """Whether any word may stand between."""
    weights: NDArray[np.float64]


def pair_keys(first: NDArray[np.uint32], second: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Two numbers as one."""
    found: NDArray[np.uint64] = first.astype(np.uint64) << np.uint64(32) | second
    return found


@dataclass(frozen=True, slots=True, eq=False)
class QueryTerms:
    """The words of a question; those of one stem are one word that is wanted more."""

    numbers: NDArray[np.uint32]
    """Each word once, as `forward` numbers it."""
    weights: NDArray[np.float64]
    """How much each says: its rarity, as often as it was written."""
    order: NDArray[np.int64]
    """The words as they follow each other, by their place in `numbers`."""
    names: NDArray[np.uint32]
    """Each word once, as names are numbered."""
    pairs: Pairs
    title: int
    """The number of the whole, were it a title."""
    years: tuple[int, ...]
    telling: int
    """How many different words it has that say something: so many names are all of it."""
    vector: Vectors | None = None

    @property
    def rarity(self) -> NDArray[np.float64]:
        """Of each word, however often it was written."""
        return self.weights / np.bincount(self.order, minlength=len(self.numbers))


def query_terms(texts: Sequence[str], frequency: Frequency, total: int, vector: Vectors | None = None) -> QueryTerms:
    """Analyse the words of a question, small ones among them."""
    words = words_of(" ".join(texts))
    said = [number for word in words if (number := NUMBERS[word])]
    often = {NUMBERS[word]: _often(word, frequency) for word in dict.fromkeys(words) if NUMBERS[word]}
    places = {number: place for place, number in enumerate(often)}
    counts = Counter(said)
    return QueryTerms(
        np.array(list(places), dtype=np.uint32),
        np.array(
            [inverse_document_frequency(often[number], total) * counts[number] for number in places], dtype=np.float64
        ),
        np.array([places[number] for number in said], dtype=np.int64),
        np.array(sorted({NAMES[word] for word in words} - {0}), dtype=np.uint32),
        _pairs(words, {number: inverse_document_frequency(times, total) for number, times in often.items() if times}),
        hashed(" ".join(words)),
        tuple(int(word) for word in words if YEAR.fullmatch(word)),
        len({NAMES[word] for word in words if NUMBERS[word]} - {0}),
        vector,
    )


def _often(word: str, frequency: Frequency) -> int:
    """In how many works a word stands, in whichever spelling."""
    return sum(map(frequency, {stem(one) for one in spellings(word)}))


def _pairs(words: Sequence[str], known: Mapping[int, float]) -> Pairs:
    """`known` tells what the words say that some work has; a small word says little."""
    says = [known.get(number, 0.0) if (number := NUMBERS[word]) else SMALL for word in words]
    near = [(at, at + 1) for at in range(len(words) - 1)]
    wide = [(at, at + 2) for at in range(len(words) - 2) if not says[at + 1]]
    kept = {(words[one], words[other]): (one, other) for one, other in near + wide if says[one] and says[other]}
    numbers = np.array([[PRINTED_WORDS[one], PRINTED_WORDS[other]] for one, other in kept], dtype=np.uint32)
    numbers = numbers.reshape(-1, 2)
    return Pairs(
        pair_keys(numbers[:, 0], numbers[:, 1]),
        np.array([other - one > 1 for one, other in kept.values()], dtype=np.bool_),
        np.array([says[one] + says[other] for one, other in kept.values()], dtype=np.float64),
    )


def inverse_document_frequency(frequency: int, total: int) -> float:
    """What a word says that stands in so many of so many works (BM25's)."""
    return float(np.log1p(max(0.5, total - frequency + 0.5) / (frequency + 0.5)))
