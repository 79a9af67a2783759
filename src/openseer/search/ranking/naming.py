"""Topic or name: the probability that a query names a candidate, from the words of its title, its authors and its year.

"gastric cancer" is a topic, "kingma adam 2014" names a work. Ranking prefers works with full text; a work that is only
cited is preferred as much if the query names it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MODEL_FILE = Path(__file__).parent / "models" / "naming.json"
NAMING_FEATURES = (
    "constant", "few_words", "explained", "rivals", "title_share", "title_words", "title_idf", "adjacent", "title_run",
    "phrase", "phrase_words", "phrase_rivals", "author", "year", "explained_share", "explained_words",
    "author_and_year",
)  # fmt: skip
NEARLY_ALL = 0.99
"""Share of the query from which on a candidate counts as matching all of it."""


@dataclass(frozen=True, slots=True, eq=False)
class NamingEvidence:
    """What a query and each candidate have in common."""

    title_terms: Floats
    """Distinct query terms in the title."""
    title_idf: Floats
    """Sum of their IDF."""
    title_share: Floats
    """Share of the title that consists of query terms."""
    adjacent: Floats
    """Share of adjacent query terms that are adjacent in the candidate."""
    phrase: Floats
    """Share of the query that is a phrase of the title."""
    title_run: Floats
    """Share of the title that is a phrase of the query."""
    named_authors: Floats
    """Query words that are names of its authors."""
    of_year: Floats
    """1 if the query has its year."""
    known_words: int
    """Distinct query words that occur in any candidate: a misspelt word says nothing."""
    typed_words: int
    """All words of the query."""


def naming_features(evidence: NamingEvidence) -> Floats:
    """Feature matrix: one row a candidate, one column for each of `NAMING_FEATURES`."""
    known = max(1, evidence.known_words)
    explained = np.minimum(1.0, (evidence.title_terms + evidence.named_authors + evidence.of_year) / known)
    title_words = np.log1p(evidence.title_terms)
    author = np.minimum(1.0, evidence.named_authors)
    columns = (
        np.ones(len(explained)),
        np.full(len(explained), 1.0 / known),
        explained,
        _rivals(explained),
        evidence.title_share,
        title_words,
        evidence.title_idf / 10,
        evidence.adjacent,
        evidence.title_run,
        evidence.phrase,
        evidence.phrase * np.log1p(evidence.typed_words),
        evidence.phrase * _rivals(evidence.phrase),
        author,
        evidence.of_year,
        explained * evidence.title_share,
        explained * title_words,
        explained * author * evidence.of_year,
    )
    return np.stack(columns, axis=1)


def _rivals(shares: Floats) -> Floats:
    """Log of the number of other candidates that match all of the query."""
    matches_all = shares >= NEARLY_ALL
    rivals: Floats = np.log1p(matches_all.sum() - matches_all)
    return rivals


def naming_probability(evidence: NamingEvidence) -> Floats:
    """Probability of each candidate that the query names it."""
    return logistic(naming_features(evidence) @ _weights())


def logistic(logits: Floats) -> Floats:
    """Logistic function."""
    found: Floats = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return found


@cache
def _weights() -> Floats:
    weights = orjson.loads(MODEL_FILE.read_bytes())
    return np.array([weights[name] for name in NAMING_FEATURES])
