"""Finds what each signal is worth: the weights are moved one by one as long as right answers come further up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openseer.search.ranking.features import FEATURES, Real

TOP = 10
STEPS = (0.5, 0.2, 0.1, 0.05)
LEAST = 0.0004
"""A smaller gain of the mean is chance."""
STILL = ("first", "age", "cited", "full_text", "by_them")
"""Signals that do not carry from library to library, or of which questions with known answers tell too little."""
_discount = 1 / np.log2(np.arange(2, TOP + 2))


@dataclass(frozen=True, slots=True, eq=False)
class TrainingQuery:
    """Questions of one kind, with the signals of their candidates and how right each of these is."""

    rows: NDArray[np.float32]
    """Question, candidate, signal; lists are filled up with candidates that nobody wants."""
    gains: NDArray[np.float32]
    """Question, candidate: 2^relevance - 1, and -1 for what only fills up."""
    ideal: Real
    """Of each question, the gain of the best answer there could be."""

    def scores(self, weights: Real) -> Real:
        """nDCG of the first ten, of each question."""
        points = self.rows @ weights.astype(np.float32)
        points[self.gains < 0] = -np.inf
        top = np.argsort(-points, axis=1, kind="stable")[:, :TOP]
        found = np.maximum(0, np.take_along_axis(self.gains, top, axis=1))
        score: Real = (found @ _discount[: found.shape[1]]) / self.ideal
        return score

    def reciprocals(self, weights: Real) -> Real:
        """One through the place of the first right answer, of each question; 0 where it is not there."""
        points = self.rows @ weights.astype(np.float32)
        points[self.gains < 0] = -np.inf
        right = np.take_along_axis(self.gains, np.argsort(-points, axis=1, kind="stable"), axis=1) > 0
        found: Real = right.any(axis=1) / (1.0 + right.argmax(axis=1))
        return found

    def part(self, chosen: NDArray[np.bool_]) -> TrainingQuery:
        """Some of its questions."""
        return TrainingQuery(self.rows[chosen], self.gains[chosen], self.ideal[chosen])


def task_of(questions: Sequence[tuple[Real, Real, Real]]) -> TrainingQuery:
    """From signals, relevance of the candidates, and all relevances there are, of each question."""
    width = max(len(relevance) for _, relevance, _ in questions)
    rows = np.zeros((len(questions), width, questions[0][0].shape[1]), dtype=np.float32)
    gains = np.full((len(questions), width), -1, dtype=np.float32)
    ideal = np.zeros(len(questions))
    for at, (signals, relevance, judged) in enumerate(questions):
        rows[at, : len(signals)] = signals
        gains[at, : len(signals)] = np.exp2(relevance) - 1
        best = np.sort(np.exp2(judged) - 1)[::-1][:TOP]
        ideal[at] = best @ _discount[: len(best)]
    return TrainingQuery(rows, gains, ideal)


def quality(tasks: Mapping[str, TrainingQuery], worth: Mapping[str, float], weights: Real) -> float:
    """The mean over the tasks, each as much as it is worth."""
    total = sum(worth[name] for name in tasks)
    return float(sum(worth[name] * task.scores(weights).mean() for name, task in tasks.items()) / total)


def fit(tasks: Mapping[str, TrainingQuery], worth: Mapping[str, float], start: Real, free: Sequence[int]) -> Real:
    """The weights found from `start`; only those of the signals in `free` are moved, and none below nothing."""
    weights, best = start.copy(), quality(tasks, worth, start)
    for step in STEPS:
        moved = True
        while moved:
            moved = False
            for signal in free:
                for change in (step, -step):
                    tried = weights.copy()
                    tried[signal] = max(0.0, round(tried[signal] + change, 3))
                    reached = quality(tasks, worth, tried)
                    if reached > best + LEAST:
                        weights, best, moved = tried, reached, True
    return weights


def movable(by_meaning: bool) -> list[int]:
    """The signals whose weights are looked for; words, or meaning, are the measure of the others."""
    measure = "meaning" if by_meaning else "words"
    hidden = (*STILL, measure, *(() if by_meaning else ("meaning",)))
    return [at for at, name in enumerate(FEATURES) if name not in hidden]


def named(weights: Real) -> dict[str, float]:
    """Weights by the names of their signals, as they are written down; those of nothing are left out."""
    return {name: float(weight) for name, weight in zip(FEATURES, weights, strict=True) if weight}
