"""Linear-chain sequence model: feature weights and the Viterbi path."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from openseer.extract.pdf import native
from openseer.extract.references.token_features import (
    SEGMENT_TEMPLATES,
    WINDOW,
    WORD_TEMPLATES,
    FeatureKeys,
    Template,
    word_features,
)

Floats = NDArray[np.float32]
MAX_WEIGHT = 500
"""Largest weight in a model file."""
OFFSET_PREFIX = re.compile(r"(-?\d):")
MAX_CACHED_ROWS = (60_000, 15_000)
"""Cached weight sums of features and of words; a full cache is cleared to limit memory."""


class TokenFeatureSet(NamedTuple):
    """Features of a model and their weights for every label, for words also by offset."""

    names: Mapping[str, int]
    weights: NDArray[np.int16]


class _RowIndex(dict[Any, int]):
    """For every key of a template, the table row with the sum of its weights; row 0 is zero."""

    def __init__(self, features: Template, names: Mapping[str, int], add: Callable[[list[int]], int]) -> None:
        super().__init__()
        self._features, self._names, self._add = features, names, add

    def __missing__(self, key: Any) -> int:
        known = [at for feature in self._features(key) if (at := self._names.get(feature)) is not None]
        if not known:
            return 0
        row = self[key] = self._add(known)
        return row


class _WeightSumCache:
    """Cached sums of weights by feature key."""

    def __init__(self, feature_set: TokenFeatureSet, templates: Sequence[Template]) -> None:
        self._weights = feature_set.weights
        self.table: Floats = np.zeros((1024, *feature_set.weights.shape[1:]), np.float32)
        self.used = 1
        self.rows = [_RowIndex(template, feature_set.names, self._add) for template in templates]

    def _add(self, feature_rows: list[int]) -> int:
        if self.used == len(self.table):
            self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        self.table[self.used] = np.add.reduce(self._weights.take(feature_rows, axis=0), axis=0)
        self.used += 1
        return self.used - 1


class LinearChainModel:
    """A trained model: weights of features for labels, and transition weights."""

    def __init__(
        self, labels: Sequence[str], words: TokenFeatureSet, others: TokenFeatureSet, transitions: Floats
    ) -> None:
        self.labels = tuple(labels)
        self._words, self._others = words, others
        self._transitions = np.ascontiguousarray(transitions, np.float32)
        self._transposed = np.ascontiguousarray(self._transitions.T)
        self._both_directions = np.stack([self._transitions, self._transposed])
        self._lock = Lock()
        self._clear_cache()

    @classmethod
    def read(cls, data: bytes) -> Self:
        """Load a model written by `model_bytes`."""
        with np.load(io.BytesIO(data)) as file:
            labels = file["labels"].tobytes().decode().split("\n")
            words = _unpack(file, "words", (len(WINDOW), len(labels)))
            return cls(labels, words, _unpack(file, "others", (len(labels),)), file["steps"])

    def tag(self, keys: FeatureKeys) -> list[str]:
        """The best label for every word."""
        if len(keys.words) < 5:
            return []
        with self._lock:  # reading may extend the tables
            scores = self._scores(keys)
        if native.library is None:
            return [self.labels[at] for at in self._path(scores)]
        path = native.library.path(np.ascontiguousarray(scores), self._transitions, self._transposed)
        return [self.labels[at] for at in path]

    def _scores(self, keys: FeatureKeys) -> Floats:
        """Score of each label for every word."""
        count = len(keys.words) - 4
        if self._feature_sums.used > MAX_CACHED_ROWS[0] or self._word_sums.used > MAX_CACHED_ROWS[1]:
            self._clear_cache()
        words = [*map(self._word_sums.rows[0].__getitem__, keys.words)]  # before the table is used: it may grow
        template_rows, segment_rows = list[int](), list[int]()
        for rows, column in zip(self._template_rows, keys.single, strict=True):
            template_rows += map(rows.__getitem__, column)
        for segment_keys in keys.segments:
            segment_rows += map(_RowIndex.__getitem__, self._segment_rows, segment_keys)
        table, word_rows, add = self._feature_sums.table, self._word_sums.table.take(words, axis=0), np.add.reduce
        scores: Floats = add(table.take(template_rows, axis=0).reshape(len(WORD_TEMPLATES), count, -1), axis=0)
        segment_sums = add(
            table.take(segment_rows, axis=0).reshape(len(keys.lengths), len(SEGMENT_TEMPLATES), -1), axis=1
        )
        scores += segment_sums.repeat(keys.lengths, axis=0)
        for at, offset in enumerate(WINDOW):
            scores += word_rows[2 + offset : 2 + offset + count, at]
        return scores

    def _path(self, scores: Floats) -> list[int]:
        """The best path (Viterbi), computed from both ends at once, which halves the number of steps.

        Back pointers are recomputed on the way back, for the path alone."""
        transitions, transposed, buffer, half = (
            self._transitions,
            self._transposed,
            np.empty_like(self._both_directions),
            len(scores) // 2,
        )
        if not half:
            return [int(scores[0].argmax())]
        pairs = np.stack([scores[:half], scores[: -half - 1 : -1]], axis=1)
        best = pairs[0]
        history = [best]
        for pair in pairs[1:]:
            np.add(self._both_directions, best[:, :, None], out=buffer)
            best = np.maximum.reduce(buffer, axis=1)
            best += pair
            history.append(best)
        lefts, rights = [one[0] for one in history], [one[1] for one in history]
        if len(scores) % 2:
            lefts.append(np.maximum.reduce(transitions + lefts[-1][:, None], axis=0) + scores[half])
        left, right = divmod(int((transitions + lefts.pop()[:, None] + rights.pop()).argmax()), len(transitions))
        path = [left]
        for best in reversed(lefts):
            path.append(int((transposed[path[-1]] + best).argmax()))
        path.reverse()
        path.append(right)
        for best in reversed(rights):
            path.append(int((transitions[path[-1]] + best).argmax()))
        return path

    def _clear_cache(self) -> None:
        self._word_sums = _WeightSumCache(self._words, (word_features,))
        self._feature_sums = _WeightSumCache(self._others, (*WORD_TEMPLATES, *SEGMENT_TEMPLATES))
        self._template_rows, self._segment_rows = (
            self._feature_sums.rows[: len(WORD_TEMPLATES)],
            self._feature_sums.rows[len(WORD_TEMPLATES) :],
        )


def _unpack(file: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...]) -> TokenFeatureSet:
    names = file[f"{name}_names"].tobytes().decode().split("\n")
    weights = np.zeros((len(names), *shape), np.int16)
    weights.ravel()[np.cumsum(file[f"{name}_gaps"], dtype=np.int64)] = file[f"{name}_weights"]
    return TokenFeatureSet({feature: at for at, feature in enumerate(names)}, weights)


def model_bytes(
    feature_weights: Mapping[tuple[str, str], float], transitions: Mapping[tuple[str, str], float]
) -> bytes:
    """A model as bytes, with integer weights (only their order counts); weights near zero are dropped."""
    scale = max(map(abs, feature_weights.values())) / MAX_WEIGHT
    labels = sorted({label for _, label in feature_weights} | {label for pair in transitions for label in pair})
    at = {label: number for number, label in enumerate(labels)}
    transition_matrix = np.zeros((len(labels), len(labels)), np.float32)
    for (one, other), weight in transitions.items():
        transition_matrix[at[one], at[other]] = weight / scale
    words, others = dict[tuple[str, int], int](), dict[tuple[str, int], int]()
    for (feature, label), weight in feature_weights.items():
        value = round(weight / scale)
        if value and (found := OFFSET_PREFIX.match(feature)):
            column = WINDOW.index(int(found[1])) * len(labels) + at[label]
            words[feature[found.end() :], column] = value
        elif value:
            others[feature, at[label]] = value
    out = io.BytesIO()
    arrays: dict[str, NDArray[Any]] = {"labels": _text(labels), "steps": transition_matrix}
    arrays |= _pack("words", words, len(WINDOW) * len(labels)) | _pack("others", others, len(labels))
    np.savez_compressed(out, allow_pickle=False, **arrays)
    return out.getvalue()


def _pack(name: str, values: Mapping[tuple[str, int], int], width: int) -> dict[str, NDArray[Any]]:
    names = sorted({feature for feature, _ in values})
    number = {feature: row for row, feature in enumerate(names)}
    sorted_weights = sorted((number[feature] * width + column, value) for (feature, column), value in values.items())
    return {
        f"{name}_names": _text(names),
        f"{name}_gaps": np.diff([column for column, _ in sorted_weights], prepend=0).astype(np.uint32),
        f"{name}_weights": np.array([value for _, value in sorted_weights], np.int16),
    }


def _text(lines: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode(), np.uint8)
