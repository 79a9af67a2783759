"""A linear chain of labels over a text: the weights of its clues, and the best path through them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from openseer.extract.pdf import native
from openseer.extract.references.token_features import SLOTS, STRETCHES, WINDOW, Keys, Slot, word_features

Floats = NDArray[np.float32]
LARGEST = 500
"""The heaviest weight of a written model."""
BESIDE = re.compile(r"(-?\d):")
MOST = (60_000, 15_000)
"""Sums that are kept, of keys and of words; a process that has met more begins anew, so that its memory stays small."""


class TokenFeatureSet(NamedTuple):
    """The clues a model knows, and their weights: for every label, and for words at every distance."""

    names: Mapping[str, int]
    weights: NDArray[np.int16]


class _Rows(dict[Any, int]):
    """For every key of one slot the row of the table that holds the sum of its weights; row 0 is nothing."""

    def __init__(self, clues: Slot, names: Mapping[str, int], add: Callable[[list[int]], int]) -> None:
        super().__init__()
        self._clues, self._names, self._add = clues, names, add

    def __missing__(self, key: Any) -> int:
        known = [at for clue in self._clues(key) if (at := self._names.get(clue)) is not None]
        if not known:
            return 0
        row = self[key] = self._add(known)
        return row


class _Sums:
    """Rows of sums of weights, found again by their keys."""

    def __init__(self, known: TokenFeatureSet, slots: Sequence[Slot]) -> None:
        self._weights = known.weights
        self.table: Floats = np.zeros((1024, *known.weights.shape[1:]), np.float32)
        self.used = 1
        self.rows = [_Rows(slot, known.names, self._add) for slot in slots]

    def _add(self, known: list[int]) -> int:
        if self.used == len(self.table):
            self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        self.table[self.used] = np.add.reduce(self._weights.take(known, axis=0), axis=0)
        self.used += 1
        return self.used - 1


class LinearChainModel:
    """A trained model: the weight of every clue for every label, and of every label after another."""

    def __init__(self, labels: Sequence[str], words: TokenFeatureSet, others: TokenFeatureSet, steps: Floats) -> None:
        self.labels = tuple(labels)
        self._words, self._others = words, others
        self._steps = np.ascontiguousarray(steps, np.float32)
        self._onto = np.ascontiguousarray(self._steps.T)
        self._both = np.stack([self._steps, self._onto])
        self._lock = Lock()
        self._forget()

    @classmethod
    def read(cls, data: bytes) -> Self:
        """A model as `written` gives it."""
        with np.load(io.BytesIO(data)) as file:
            labels = file["labels"].tobytes().decode().split("\n")
            words = _unpacked(file, "words", (len(WINDOW), len(labels)))
            return cls(labels, words, _unpacked(file, "others", (len(labels),)), file["steps"])

    def tag(self, keys: Keys) -> list[str]:
        """The best label for every word."""
        if len(keys.words) < 5:
            return []
        with self._lock:  # the tables grow while they are read
            scores = self._scores(keys)
        if native.library is None:
            return [self.labels[at] for at in self._path(scores)]
        path = native.library.path(np.ascontiguousarray(scores), self._steps, self._onto)
        return [self.labels[at] for at in path]

    def _scores(self, keys: Keys) -> Floats:
        """What speaks for each label, for every word."""
        count = len(keys.words) - 4
        if self._sums.used > MOST[0] or self._near.used > MOST[1]:
            self._forget()
        words = [*map(self._near.rows[0].__getitem__, keys.words)]  # before the table is used: it may grow
        single, parts = list[int](), list[int]()
        for rows, column in zip(self._slots, keys.single, strict=True):
            single += map(rows.__getitem__, column)
        for stretch in keys.stretches:
            parts += map(_Rows.__getitem__, self._stretches, stretch)
        table, near, total = self._sums.table, self._near.table.take(words, axis=0), np.add.reduce
        scores: Floats = total(table.take(single, axis=0).reshape(len(SLOTS), count, -1), axis=0)
        stretches = total(table.take(parts, axis=0).reshape(len(keys.lengths), len(STRETCHES), -1), axis=1)
        scores += stretches.repeat(keys.lengths, axis=0)
        for at, offset in enumerate(WINDOW):
            scores += near[2 + offset : 2 + offset + count, at]
        return scores

    def _path(self, scores: Floats) -> list[int]:
        """The best path (Viterbi), worked out from both ends at once, which takes half the steps.

        Where a half came from is found again on the way back, for the path alone."""
        steps, onto, ways, half = self._steps, self._onto, np.empty_like(self._both), len(scores) // 2
        if not half:
            return [int(scores[0].argmax())]
        pairs = np.stack([scores[:half], scores[: -half - 1 : -1]], axis=1)
        best = pairs[0]
        passed = [best]
        for pair in pairs[1:]:
            np.add(self._both, best[:, :, None], out=ways)
            best = np.maximum.reduce(ways, axis=1)
            best += pair
            passed.append(best)
        lefts, rights = [one[0] for one in passed], [one[1] for one in passed]
        if len(scores) % 2:
            lefts.append(np.maximum.reduce(steps + lefts[-1][:, None], axis=0) + scores[half])
        left, right = divmod(int((steps + lefts.pop()[:, None] + rights.pop()).argmax()), len(steps))
        path = [left]
        for best in reversed(lefts):
            path.append(int((onto[path[-1]] + best).argmax()))
        path.reverse()
        path.append(right)
        for best in reversed(rights):
            path.append(int((steps[path[-1]] + best).argmax()))
        return path

    def _forget(self) -> None:
        self._near = _Sums(self._words, (word_features,))
        self._sums = _Sums(self._others, (*SLOTS, *STRETCHES))
        self._slots, self._stretches = self._sums.rows[: len(SLOTS)], self._sums.rows[len(SLOTS) :]


def _unpacked(file: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...]) -> TokenFeatureSet:
    names = file[f"{name}_names"].tobytes().decode().split("\n")
    weights = np.zeros((len(names), *shape), np.int16)
    weights.ravel()[np.cumsum(file[f"{name}_gaps"], dtype=np.int64)] = file[f"{name}_weights"]
    return TokenFeatureSet({clue: at for at, clue in enumerate(names)}, weights)


def written(states: Mapping[tuple[str, str], float], steps: Mapping[tuple[str, str], float]) -> bytes:
    """A model as bytes: weights as whole numbers (only their order counts), those near nothing left out."""
    scale = max(map(abs, states.values())) / LARGEST
    labels = sorted({label for _, label in states} | {label for pair in steps for label in pair})
    at = {label: number for number, label in enumerate(labels)}
    onto = np.zeros((len(labels), len(labels)), np.float32)
    for (one, other), weight in steps.items():
        onto[at[one], at[other]] = weight / scale
    words, others = dict[tuple[str, int], int](), dict[tuple[str, int], int]()
    for (clue, label), weight in states.items():
        value = round(weight / scale)
        if value and (found := BESIDE.match(clue)):
            place = WINDOW.index(int(found[1])) * len(labels) + at[label]
            words[clue[found.end() :], place] = value
        elif value:
            others[clue, at[label]] = value
    out = io.BytesIO()
    arrays: dict[str, NDArray[Any]] = {"labels": _text(labels), "steps": onto}
    arrays |= _packed("words", words, len(WINDOW) * len(labels)) | _packed("others", others, len(labels))
    np.savez_compressed(out, allow_pickle=False, **arrays)
    return out.getvalue()


def _packed(name: str, values: Mapping[tuple[str, int], int], width: int) -> dict[str, NDArray[Any]]:
    names = sorted({clue for clue, _ in values})
    number = {clue: row for row, clue in enumerate(names)}
    places = sorted((number[clue] * width + place, value) for (clue, place), value in values.items())
    return {
        f"{name}_names": _text(names),
        f"{name}_gaps": np.diff([place for place, _ in places], prepend=0).astype(np.uint32),
        f"{name}_weights": np.array([value for _, value in places], np.int16),
    }


def _text(lines: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode(), np.uint8)
