"""Boosted trees, grown by LightGBM in training/ and walked here: no library to load, a few microseconds a row."""

from __future__ import annotations

import ctypes
import gzip
import importlib.util
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

VERSION = 1
"""Of the C file this module talks to."""
NODE = np.dtype(
    [("threshold", "<f8"), ("left", "<i4"), ("right", "<i4"), ("feature", "<i4"), ("pad", "<i4")], align=True
)
"""As `struct node`: a row goes left when its feature is at most the threshold; a leaf has -1 and its value there."""

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TreeEnsemble:
    """Trees that speak in turn of each class; with one class the answer is one probability a row."""

    classes: int
    features: tuple[str, ...]
    """The names of the columns it was taught with, in order."""
    roots: NDArray[np.int32]
    nodes: NDArray[np.void]

    def predict(self, rows: Rows) -> Rows:
        """The probability of each class for each row."""
        if rows.shape[1:] != (len(self.features),):
            raise ValueError(f"the trees know {len(self.features)} features, not {rows.shape[1:]}")
        rows = np.ascontiguousarray(rows, dtype=np.float64)
        sums = _walk(self, rows) if library is None else _walk_natively(self, rows, library)
        if self.classes == 1:
            return 1 / (1 + np.exp(-sums))
        powers = np.exp(sums - sums.max(axis=1, keepdims=True))
        answer: Rows = powers / powers.sum(axis=1, keepdims=True)
        return answer

    def as_bytes(self) -> bytes:
        """To be kept in a file; equal forests give equal bytes."""
        head = {"classes": self.classes, "features": self.features, "roots": self.roots.tolist()}
        return gzip.compress(orjson.dumps(head) + b"\n" + self.nodes.tobytes(), mtime=0)


def ensemble_from_bytes(data: bytes) -> TreeEnsemble:
    """The forest that `as_bytes` wrote."""
    head, _, nodes = gzip.decompress(data).partition(b"\n")
    told = orjson.loads(head)
    roots = np.array(told["roots"], dtype=np.int32)
    return TreeEnsemble(told["classes"], tuple(told["features"]), roots, np.frombuffer(nodes, dtype=NODE))


@cache
def load_ensemble(file: Path) -> TreeEnsemble:
    """A forest that comes with the program, read once."""
    return ensemble_from_bytes(file.read_bytes())


def ensemble_of_model(model: dict[str, Any]) -> TreeEnsemble:
    """What LightGBM's `dump_model()` gives, as a Forest."""
    trees = [_nodes(tree["tree_structure"]) for tree in model["tree_info"]]
    roots = list(accumulate((len(tree) for tree in trees[:-1]), initial=0))
    for root, tree in zip(roots, trees, strict=True):
        tree["left"] += root
        tree["right"] += root
    nodes = np.concatenate(trees)
    return TreeEnsemble(
        model["num_tree_per_iteration"], tuple(model["feature_names"]), np.array(roots, dtype=np.int32), nodes
    )


def _nodes(tree: dict[str, Any]) -> NDArray[np.void]:
    """One tree as rows, a node before its children."""
    rows: list[tuple[float, int, int, int, int]] = []

    def add(node: dict[str, Any]) -> int:
        place = len(rows)
        rows.append((node.get("leaf_value", 0.0), 0, 0, -1, 0))
        if "split_feature" in node:
            if node["decision_type"] != "<=":
                raise ValueError("only trees over numbers are understood")
            left, right = add(node["left_child"]), add(node["right_child"])
            rows[place] = (node["threshold"], left, right, node["split_feature"], 0)
        return place

    add(tree)
    return np.array(rows, dtype=NODE)


def _walk(forest: TreeEnsemble, rows: Rows) -> Rows:
    """All rows go down all trees together, one level at a time."""
    feature, threshold = forest.nodes["feature"].copy(), forest.nodes["threshold"].copy()
    children = np.stack([forest.nodes["right"], forest.nodes["left"]], axis=1).ravel()
    at = np.tile(forest.roots, len(rows))
    number = np.repeat(np.arange(len(rows)), len(forest.roots))
    going = np.flatnonzero(feature[at] >= 0)
    while len(going):
        here = at[going]
        low = rows[number[going], feature[here]] <= threshold[here]
        at[going] = children[2 * here + low]
        going = going[feature[at[going]] >= 0]
    summed: Rows = threshold[at].reshape(len(rows), len(forest.roots) // forest.classes, forest.classes).sum(axis=1)
    return summed


def _walk_natively(forest: TreeEnsemble, rows: Rows, walk: Any) -> Rows:
    sums = np.zeros((len(rows), forest.classes))
    walk(
        forest.nodes.ctypes.data,
        forest.roots.ctypes.data,
        len(forest.roots),
        forest.classes,
        rows.ctypes.data,
        *rows.shape,
        sums.ctypes.data,
    )
    return sums


def _load() -> Any:
    """The compiled walk, if it was built and for this module."""
    spec = importlib.util.find_spec("openseer.core.ml._forest")
    if spec is None or spec.origin is None:
        return None
    try:
        found = ctypes.CDLL(spec.origin)
        fits = found.openseer_forest_version() == VERSION
    except (OSError, AttributeError):
        return None
    number, address = ctypes.c_int32, ctypes.c_void_p
    found.openseer_forest.argtypes = (address, address, number, number, address, number, number, address)
    found.openseer_forest.restype = None
    return found.openseer_forest if fits else None


library: Any = _load()
"""None where it was not built, or where a test wants the trees walked by numpy alone."""
