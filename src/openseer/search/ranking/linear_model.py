"""The second stage of ranking: the first hits of the index in a better order, and why each stands where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import orjson

from openseer.core.errors import Misconfigured
from openseer.search.ranking.features import FEATURES, Candidates, Real, Whole, features_of
from openseer.search.ranking.query_terms import QueryTerms

MODEL = Path(__file__).parent / "models" / "ranker.json"
SAID = {
    "words": "its words match the question",
    "title": "its title holds words of the question",
    "side_by_side": "words stand side by side as in the question",
    "phrase": "its title says the question word by word",
    "title_run": "the question says its title word by word",
    "same_title": "the question is its title",
    "authors": "the question names its authors",
    "by_them": "the question is its authors and its year",
    "venue": "the question names where it appeared",
    "year": "the question names its year",
    "first": "the index found it early",
    "cited": "it is cited often",
    "age": "its age",
    "full_text": "its full text is here",
    "neighbours": "works like it match too",
    "meaning": "it means something alike",
}
"""Each signal in a reader's words."""
LEAST = 0.005
"""A reason with less weight than this is not told."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason of a hit's place."""

    signal: str
    said: str
    points: float
    """What it adds to the score."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Candidates with their new scores."""

    scores: Real
    parts: Real
    """What each signal adds to each score."""
    by_meaning: bool
    """Whether vectors were there to compare."""

    @property
    def order(self) -> Whole:
        """The candidates, best first; equal ones stay as they were."""
        return np.argsort(-self.scores, kind="stable")

    def reasons(self, candidate: int) -> tuple[Reason, ...]:
        """Why a candidate stands where it stands, the weightiest reason first."""
        told = [
            Reason(name, SAID[name], float(part)) for name, part in zip(FEATURES, self.parts[candidate], strict=True)
        ]
        return tuple(sorted((one for one in told if abs(one.points) >= LEAST), key=lambda one: -abs(one.points)))


@dataclass(frozen=True, slots=True, eq=False)
class Reranker:
    """What each signal is worth, with vectors and without."""

    words: Real
    meaning: Real

    def rank(self, wanted: QueryTerms, candidates: Candidates) -> Ranking:
        """Score all candidates of one search."""
        by_meaning = _has_vectors(wanted, candidates)
        if not len(candidates.forward):
            return Ranking(np.zeros(0), np.zeros((0, len(FEATURES))), by_meaning)
        parts = features_of(wanted, candidates) * (self.meaning if by_meaning else self.words)
        return Ranking(parts.sum(axis=1), parts, by_meaning)


def _has_vectors(wanted: QueryTerms, candidates: Candidates) -> bool:
    return wanted.vector is not None and candidates.vectors is not None and bool(candidates.vectors.any())


def reranker_of(weights: Mapping[str, Mapping[str, float]]) -> Reranker:
    """From the weights of each signal by name; one that is not named weighs nothing."""
    return Reranker(*(np.array([weights[name].get(one, 0.0) for one in FEATURES]) for name in ("words", "meaning")))


@cache
def load_reranker(file: Path = MODEL) -> Reranker:
    """The one that comes with the program."""
    return reranker_of(orjson.loads(file.read_bytes()))


def learned_reranker(file: Path) -> Reranker:
    """The one that a library has learned, as soon as it has; before, the one that comes with the program."""
    try:
        written = file.stat().st_mtime_ns
    except OSError:
        return load_reranker()
    return _learned(file, written)


@lru_cache(maxsize=8)
def _learned(file: Path, written: int) -> Reranker:
    try:
        return reranker_of(orjson.loads(file.read_bytes()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Misconfigured(
            f"{file.name} holds no weights of ranking: {error}.", "Take it away: `openseer train-ranker --reset`."
        ) from None
