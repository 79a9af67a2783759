"""Weight tuning: coordinate ascent on the nDCG of queries with known answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openseer.search.ranking.features import FEATURES, Floats

CUTOFF = 10
STEP_SIZES = (0.5, 0.2, 0.1, 0.05)
MIN_GAIN = 0.0004
"""Minimum gain of the mean; smaller ones are noise."""
FIXED_FEATURES = ("first", "age", "cited", "preferred", "by_them")
"""Features whose weights stay fixed: they do not transfer between libraries, or training queries cover them badly."""
_discount = 1 / np.log2(np.arange(2, CUTOFF + 2))


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """Queries of one kind with the features and gains of their candidates."""

    rows: NDArray[np.float32]
    """Query x candidate x feature, padded to the longest list."""
    gains: NDArray[np.float32]
    """Query x candidate: 2^relevance - 1; -1 for padding."""
    ideal: Floats
    """DCG of the ideal ranking of each query."""

    def ndcg(self, weights: Floats) -> Floats:
        """nDCG@10 of each query."""
        points = self.rows @ weights.astype(np.float32)
        points[self.gains < 0] = -np.inf
        top = np.argsort(-points, axis=1, kind="stable")[:, :CUTOFF]
        found = np.maximum(0, np.take_along_axis(self.gains, top, axis=1))
        score: Floats = (found @ _discount[: found.shape[1]]) / self.ideal
        return score

    def reciprocal_ranks(self, weights: Floats) -> Floats:
        """Reciprocal rank of the first relevant candidate of each query; 0 if there is none."""
        points = self.rows @ weights.astype(np.float32)
        points[self.gains < 0] = -np.inf
        right = np.take_along_axis(self.gains, np.argsort(-points, axis=1, kind="stable"), axis=1) > 0
        found: Floats = right.any(axis=1) / (1.0 + right.argmax(axis=1))
        return found

    def subset(self, chosen: NDArray[np.bool_]) -> TrainingSet:
        """A part of the queries."""
        return TrainingSet(self.rows[chosen], self.gains[chosen], self.ideal[chosen])


def training_set(queries: Sequence[tuple[Floats, Floats, Floats]]) -> TrainingSet:
    """Build a set from the features, the relevance of the candidates, and all relevances of each query."""
    width = max(len(relevance) for _, relevance, _ in queries)
    rows = np.zeros((len(queries), width, queries[0][0].shape[1]), dtype=np.float32)
    gains = np.full((len(queries), width), -1, dtype=np.float32)
    ideal = np.zeros(len(queries))
    for at, (features, relevance, all_relevance) in enumerate(queries):
        rows[at, : len(features)] = features
        gains[at, : len(features)] = np.exp2(relevance) - 1
        best = np.sort(np.exp2(all_relevance) - 1)[::-1][:CUTOFF]
        ideal[at] = best @ _discount[: len(best)]
    return TrainingSet(rows, gains, ideal)


def quality(sets: Mapping[str, TrainingSet], kind_weights: Mapping[str, float], weights: Floats) -> float:
    """Mean nDCG, weighted by kind."""
    total = sum(kind_weights[name] for name in sets)
    return float(sum(kind_weights[name] * one.ndcg(weights).mean() for name, one in sets.items()) / total)


def fit(
    sets: Mapping[str, TrainingSet], kind_weights: Mapping[str, float], start: Floats, free: Sequence[int]
) -> Floats:
    """Weights found from `start`; only the features in `free` are changed, and no weight becomes negative."""
    weights, best = start.copy(), quality(sets, kind_weights, start)
    for step in STEP_SIZES:
        improved = True
        while improved:
            improved = False
            for feature in free:
                for change in (step, -step):
                    trial = weights.copy()
                    trial[feature] = max(0.0, round(trial[feature] + change, 3))
                    trial_quality = quality(sets, kind_weights, trial)
                    if trial_quality > best + MIN_GAIN:
                        weights, best, improved = trial, trial_quality, True
    return weights


def tunable_features(use_embeddings: bool) -> list[int]:
    """Features whose weights are tuned; `words`, or `meaning` with embeddings, is the fixed unit."""
    unit = "meaning" if use_embeddings else "words"
    fixed = (*FIXED_FEATURES, unit, *(() if use_embeddings else ("meaning",)))
    return [at for at, name in enumerate(FEATURES) if name not in fixed]


def weights_by_name(weights: Floats) -> dict[str, float]:
    """Weights by feature name, as in a model file; zeros are left out."""
    return {name: float(weight) for name, weight in zip(FEATURES, weights, strict=True) if weight}
