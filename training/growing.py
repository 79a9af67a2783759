"""How every forest is grown: LightGBM with a fixed seed on one thread, so that the same data give the same model."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import lightgbm
import numpy as np
from numpy.typing import NDArray

from openseer.core.ml.tree_ensemble import TreeEnsemble, ensemble_of_model

CORPUS = Path(os.environ.get("CORPUS_DIR", "../shared/corpus"))
MODELS = Path(__file__).parents[1] / "src" / "openseer" / "extract" / "models"
SETTINGS: dict[str, Any] = {
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "seed": 7,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}


class Example(NamedTuple):
    """One document as trees learn from it: rows, each with its label."""

    id: str
    source: str
    clues: NDArray[np.float64]
    labels: NDArray[np.int64]


def grow(documents: Sequence[Example], names: Sequence[str], rounds: int, **settings: Any) -> TreeEnsemble:
    """Trees over all rows; the documents of one source weigh together as the square root of their number."""
    sources = [one.source for one in documents]
    weight = [sources.count(source) ** -0.5 for source in sources]
    data = lightgbm.Dataset(
        np.vstack([one.clues for one in documents]),
        np.concatenate([one.labels for one in documents]),
        weight=np.repeat(weight, [len(one.labels) for one in documents]),
    )
    model = lightgbm.train({**SETTINGS, **settings}, data, rounds).dump_model()
    return ensemble_of_model({**model, "feature_names": names})


class Trainer(Protocol):
    """What every program of this folder offers: a model that has not seen what is left out."""

    def __call__(self, out: Path, leave_out: frozenset[str] = ...) -> None: ...


def trainer(
    model: str, examples: Callable[[], Sequence[Example]], names: Sequence[str], rounds: int, **settings: Any
) -> Trainer:
    """The program that grows one forest from all examples but those left out and those no shipped model may see."""

    def train_model(out: Path, leave_out: frozenset[str] = frozenset()) -> None:
        kept = [one for one in examples() if may_be_shipped(one.id) and one.id not in leave_out]
        (out / model).write_bytes(grow(kept, names, rounds, **settings).as_bytes())
        print(f"{model}: {len(kept)} documents, {sum(len(one.labels) for one in kept)} rows")

    return train_model


def may_be_shipped(name: str) -> bool:
    """The acl-* papers are CC BY-NC-SA: they measure, and no shipped model learns from them."""
    return not name.startswith("acl-")


def command(train_model: Trainer, about: str | None) -> None:
    """Write the model that is shipped."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=MODELS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    train_model(options.out)
