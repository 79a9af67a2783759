"""Query terms: the terms of a query in order, with IDF weights and optionally its embedding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openseer.core.model.query import YEAR
from openseer.core.text.spelling_variants import spellings
from openseer.search.embeddings.encoder import Vectors
from openseer.search.terms import NAME_IDS, PRINTED_IDS, STEM_IDS, stem, text_id, whole_name_id, words_of

DocumentFrequency = Callable[[str], int]
"""Stem -> number of works that contain it."""
MAX_ORGANISATION_WORDS = 7
"""Words of the name of an organisation."""
MAX_NAME_WORDS = 60
"""Words of a query in which names are looked for."""
STOP_WORD_WEIGHT = 0.5
"""Weight of a stop word in a phrase."""


@dataclass(frozen=True, slots=True, eq=False)
class WordPairs:
    """Adjacent words of a query as printed, stop words included.

    A word that occurs in no work is a typo: its neighbours count as a pair with any word between them."""

    keys: NDArray[np.uint64]
    """Both term ids in one; see `pair_keys`."""
    gaps: NDArray[np.bool_]
    """True if any one word may stand between."""
    weights: NDArray[np.float64]


def pair_keys(first: NDArray[np.uint32], second: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Combine two 32-bit ids into one 64-bit key."""
    found: NDArray[np.uint64] = first.astype(np.uint64) << np.uint64(32) | second
    return found


@dataclass(frozen=True, slots=True, eq=False)
class QueryTerms:
    """Terms of a query; words with the same stem are one term of higher weight."""

    ids: NDArray[np.uint32]
    """Distinct stem ids."""
    weights: NDArray[np.float64]
    """IDF times the frequency in the query."""
    order: NDArray[np.int64]
    """The sequence of terms, as positions in `ids`."""
    names: NDArray[np.uint32]
    """Distinct name ids, sorted: of single words, and of runs of words that may be an organisation."""
    name_words: NDArray[np.int64]
    """Number of words of each of them."""
    pairs: WordPairs
    title: int
    """Id of the whole query as a title."""
    years: tuple[int, ...]
    distinct_words: int
    """Number of distinct words without stop words."""
    typed_words: int
    """Number of all words."""
    vector: Vectors | None = None

    @property
    def idf(self) -> NDArray[np.float64]:
        """IDF of each term."""
        return self.weights / np.bincount(self.order, minlength=len(self.ids))


def query_terms(
    texts: Sequence[str], frequency: DocumentFrequency, total: int, vector: Vectors | None = None
) -> QueryTerms:
    """Analyse the words of a query."""
    words = words_of(" ".join(texts))
    terms = [term for word in words if (term := STEM_IDS[word])]
    frequencies = {
        STEM_IDS[word]: _document_frequency(word, frequency) for word in dict.fromkeys(words) if STEM_IDS[word]
    }
    positions = {term: position for position, term in enumerate(frequencies)}
    counts = Counter(terms)
    names = _names(words)
    return QueryTerms(
        np.array(list(positions), dtype=np.uint32),
        np.array(
            [inverse_document_frequency(frequencies[term], total) * counts[term] for term in positions],
            dtype=np.float64,
        ),
        np.array([positions[term] for term in terms], dtype=np.int64),
        np.array(list(names), dtype=np.uint32),
        np.array(list(names.values()), dtype=np.int64),
        _word_pairs(
            words, {term: inverse_document_frequency(count, total) for term, count in frequencies.items() if count}
        ),
        text_id(" ".join(words)),
        tuple(int(word) for word in words if YEAR.fullmatch(word)),
        len({NAME_IDS[word] for word in words if STEM_IDS[word]} - {0}),
        len(words),
        vector,
    )


def _names(words: Sequence[str]) -> dict[int, int]:
    """Ids of words and runs of words, sorted, each with its number of words."""
    found = {NAME_IDS[word]: 1 for word in words[:MAX_NAME_WORDS] if NAME_IDS[word]}
    for size in range(2, MAX_ORGANISATION_WORDS + 1):
        for start in range(min(len(words), MAX_NAME_WORDS) - size + 1):
            found[whole_name_id(words[start : start + size])] = size
    return dict(sorted(found.items()))


def _document_frequency(word: str, frequency: DocumentFrequency) -> int:
    """Number of works that contain a word in any spelling."""
    return sum(map(frequency, {stem(one) for one in spellings(word)}))


def _word_pairs(words: Sequence[str], known_idf: Mapping[int, float]) -> WordPairs:
    """Pairs of adjacent words; `known_idf` has the words that occur in some work."""
    weights = [known_idf.get(term, 0.0) if (term := STEM_IDS[word]) else STOP_WORD_WEIGHT for word in words]
    adjacent = [(at, at + 1) for at in range(len(words) - 1)]
    with_gap = [(at, at + 2) for at in range(len(words) - 2) if not weights[at + 1]]
    pairs = {
        (words[one], words[other]): (one, other)
        for one, other in adjacent + with_gap
        if weights[one] and weights[other]
    }
    ids = np.array([[PRINTED_IDS[one], PRINTED_IDS[other]] for one, other in pairs], dtype=np.uint32)
    ids = ids.reshape(-1, 2)
    return WordPairs(
        pair_keys(ids[:, 0], ids[:, 1]),
        np.array([other - one > 1 for one, other in pairs.values()], dtype=np.bool_),
        np.array([weights[one] + weights[other] for one, other in pairs.values()], dtype=np.float64),
    )


def inverse_document_frequency(frequency: int, total: int) -> float:
    """BM25 inverse document frequency."""
    return float(np.log1p(max(0.5, total - frequency + 0.5) / (frequency + 0.5)))
