"""Inference of gradient-boosted trees trained by LightGBM: no library to load, a few microseconds a row."""

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
"""Version of the C interface."""
NODE = np.dtype(
    [("threshold", "<f8"), ("left", "<i4"), ("right", "<i4"), ("feature", "<i4"), ("pad", "<i4")], align=True
)
"""Layout of `struct node`: left if the feature is at most the threshold; a leaf has feature -1 and its value as
threshold."""

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TreeEnsemble:
    """Gradient-boosted trees, cycling through the classes; one class is a binary classifier."""

    classes: int
    features: tuple[str, ...]
    """Feature names in column order."""
    roots: NDArray[np.int32]
    nodes: NDArray[np.void]

    def predict(self, rows: Rows) -> Rows:
        """Probability of each class for each row; of the positive class for a binary classifier."""
        if rows.shape[1:] != (len(self.features),):
            raise ValueError(f"the trees have {len(self.features)} features, not {rows.shape[1:]}")
        rows = np.ascontiguousarray(rows, dtype=np.float64)
        sums = _walk(self, rows) if library is None else _walk_natively(self, rows, library)
        if self.classes == 1:
            return 1 / (1 + np.exp(-sums))
        powers = np.exp(sums - sums.max(axis=1, keepdims=True))
        probabilities: Rows = powers / powers.sum(axis=1, keepdims=True)
        return probabilities

    def as_bytes(self) -> bytes:
        """Deterministic file format."""
        header = {"classes": self.classes, "features": self.features, "roots": self.roots.tolist()}
        return gzip.compress(orjson.dumps(header) + b"\n" + self.nodes.tobytes(), mtime=0)


def ensemble_from_bytes(data: bytes) -> TreeEnsemble:
    """Inverse of `as_bytes`."""
    header, _, nodes = gzip.decompress(data).partition(b"\n")
    values = orjson.loads(header)
    roots = np.array(values["roots"], dtype=np.int32)
    return TreeEnsemble(values["classes"], tuple(values["features"]), roots, np.frombuffer(nodes, dtype=NODE))


@cache
def load_ensemble(file: Path) -> TreeEnsemble:
    """A model file, cached."""
    return ensemble_from_bytes(file.read_bytes())


def ensemble_of_model(model: dict[str, Any]) -> TreeEnsemble:
    """Convert the output of LightGBM's `dump_model()`."""
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
    """Nodes of one tree, each before its children."""
    rows: list[tuple[float, int, int, int, int]] = []

    def add(node: dict[str, Any]) -> int:
        position = len(rows)
        rows.append((node.get("leaf_value", 0.0), 0, 0, -1, 0))
        if "split_feature" in node:
            if node["decision_type"] != "<=":
                raise ValueError("only splits of numbers are supported")
            left, right = add(node["left_child"]), add(node["right_child"])
            rows[position] = (node["threshold"], left, right, node["split_feature"], 0)
        return position

    add(tree)
    return np.array(rows, dtype=NODE)


def _walk(trees: TreeEnsemble, rows: Rows) -> Rows:
    """Sums of leaf values in numpy: all rows descend all trees together, level by level."""
    feature, threshold = trees.nodes["feature"].copy(), trees.nodes["threshold"].copy()
    children = np.stack([trees.nodes["right"], trees.nodes["left"]], axis=1).ravel()
    at = np.tile(trees.roots, len(rows))
    row = np.repeat(np.arange(len(rows)), len(trees.roots))
    active = np.flatnonzero(feature[at] >= 0)
    while len(active):
        nodes = at[active]
        goes_left = rows[row[active], feature[nodes]] <= threshold[nodes]
        at[active] = children[2 * nodes + goes_left]
        active = active[feature[at[active]] >= 0]
    summed: Rows = threshold[at].reshape(len(rows), len(trees.roots) // trees.classes, trees.classes).sum(axis=1)
    return summed


def _walk_natively(trees: TreeEnsemble, rows: Rows, walk: Any) -> Rows:
    sums = np.zeros((len(rows), trees.classes))
    walk(
        trees.nodes.ctypes.data,
        trees.roots.ctypes.data,
        len(trees.roots),
        trees.classes,
        rows.ctypes.data,
        *rows.shape,
        sums.ctypes.data,
    )
    return sums


def _load() -> Any:
    """The compiled function, if it was built with the same interface version."""
    spec = importlib.util.find_spec("openseer.core.ml._forest")
    if spec is None or spec.origin is None:
        return None
    try:
        found = ctypes.CDLL(spec.origin)
        is_current = found.openseer_forest_version() == VERSION
    except (OSError, AttributeError):
        return None
    integer, pointer = ctypes.c_int32, ctypes.c_void_p
    found.openseer_forest.argtypes = (pointer, pointer, integer, integer, pointer, integer, integer, pointer)
    found.openseer_forest.restype = None
    return found.openseer_forest if is_current else None


library: Any = _load()
"""Compiled inference; None if it is not built, or in tests of the numpy version."""
