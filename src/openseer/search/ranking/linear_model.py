"""Linear ranking model: weighted sum of the features of each candidate, with reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import orjson

from openseer.core.errors import Misconfigured
from openseer.search.ranking.features import FEATURES, CandidateRows, Floats, Ints, features_of
from openseer.search.ranking.query_terms import QueryTerms

MODEL_FILE = Path(__file__).parent / "models" / "ranker.json"
EXPLANATIONS = {
    "words": "its words match the query",
    "title": "its title has words of the query",
    "side_by_side": "words are adjacent as in the query",
    "phrase": "the query is a phrase of its title",
    "title_run": "its title is a phrase of the query",
    "same_title": "the query is its title",
    "authors": "the query names its authors",
    "by_them": "the query is its authors and year",
    "venue": "the query names its venue",
    "year": "the query names its year",
    "first": "the index ranks it high",
    "cited": "it is cited often",
    "age": "its age",
    "preferred": "its full text is here, or the query names it",
    "neighbours": "similar works match too",
    "meaning": "its meaning is similar",
}
"""Feature -> explanation for users."""
MIN_REASON = 0.005
"""Minimum contribution of a reason that is shown."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason of the rank of a hit."""

    signal: str
    said: str
    points: float
    """Contribution to the score."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Candidates with their new scores."""

    scores: Floats
    parts: Floats
    """Contribution of each feature to each score."""
    used_embeddings: bool
    """True if embeddings were compared."""

    @property
    def order(self) -> Ints:
        """Candidates, best first; equal ones keep their order."""
        return np.argsort(-self.scores, kind="stable")

    def reasons(self, candidate: int) -> tuple[Reason, ...]:
        """Reasons of the rank of a candidate, largest contribution first."""
        reasons = [
            Reason(name, EXPLANATIONS[name], float(part))
            for name, part in zip(FEATURES, self.parts[candidate], strict=True)
        ]
        return tuple(
            sorted((one for one in reasons if abs(one.points) >= MIN_REASON), key=lambda one: -abs(one.points))
        )


@dataclass(frozen=True, slots=True, eq=False)
class Reranker:
    """Feature weights, without embeddings (`words`) and with them (`meaning`)."""

    words: Floats
    meaning: Floats

    def rank(self, query: QueryTerms, candidates: CandidateRows) -> Ranking:
        """Score all candidates of one search."""
        used_embeddings = _has_embeddings(query, candidates)
        if not len(candidates.forward):
            return Ranking(np.zeros(0), np.zeros((0, len(FEATURES))), used_embeddings)
        parts = features_of(query, candidates) * (self.meaning if used_embeddings else self.words)
        return Ranking(parts.sum(axis=1), parts, used_embeddings)


def _has_embeddings(query: QueryTerms, candidates: CandidateRows) -> bool:
    return query.vector is not None and candidates.vectors is not None and bool(candidates.vectors.any())


def _with_preference(weights: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Trained weights with the shipped preference for full texts: files of former versions have none."""
    at, shipped = FEATURES.index("preferred"), load_reranker()
    preference = {"words": shipped.words[at], "meaning": shipped.meaning[at]}
    return {way: {"preferred": preference[way], **weights[way]} for way in preference}


def reranker_of(weights: Mapping[str, Mapping[str, float]]) -> Reranker:
    """A reranker with weights by feature name; missing ones are 0."""
    return Reranker(*(np.array([weights[name].get(one, 0.0) for one in FEATURES]) for name in ("words", "meaning")))


@cache
def load_reranker(file: Path = MODEL_FILE) -> Reranker:
    """The reranker of a model file, by default the shipped one."""
    return reranker_of(orjson.loads(file.read_bytes()))


def trained_reranker(file: Path) -> Reranker:
    """The reranker trained on a library; the shipped one before it was trained."""
    try:
        modified_ns = file.stat().st_mtime_ns
    except OSError:
        return load_reranker()
    return _trained(file, modified_ns)


@lru_cache(maxsize=8)
def _trained(file: Path, modified_ns: int) -> Reranker:
    try:
        return reranker_of(_with_preference(orjson.loads(file.read_bytes())))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Misconfigured(
            f"{file.name} has no valid ranking weights: {error}.", "Remove it: `openseer train-ranker --reset`."
        ) from None
