"""Training of gradient-boosted trees: LightGBM with a fixed seed on one thread, for reproducible models."""

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
    """Rows and labels of one document."""

    id: str
    source: str
    features: NDArray[np.float64]
    labels: NDArray[np.int64]


def train_ensemble(documents: Sequence[Example], names: Sequence[str], rounds: int, **settings: Any) -> TreeEnsemble:
    """Trees over all rows; documents of one source are weighted together by the square root of their number."""
    sources = [one.source for one in documents]
    weight = [sources.count(source) ** -0.5 for source in sources]
    data = lightgbm.Dataset(
        np.vstack([one.features for one in documents]),
        np.concatenate([one.labels for one in documents]),
        weight=np.repeat(weight, [len(one.labels) for one in documents]),
    )
    model = lightgbm.train({**SETTINGS, **settings}, data, rounds).dump_model()
    return ensemble_of_model({**model, "feature_names": names})


class Trainer(Protocol):
    """Training function of a script, with excluded documents."""

    def __call__(self, out: Path, leave_out: frozenset[str] = ...) -> None: ...


def trainer(
    model: str, examples: Callable[[], Sequence[Example]], names: Sequence[str], rounds: int, **settings: Any
) -> Trainer:
    """Training function of one tree ensemble, without the excluded documents and those that may not be shipped."""

    def train_model(out: Path, leave_out: frozenset[str] = frozenset()) -> None:
        selected = [one for one in examples() if may_be_shipped(one.id) and one.id not in leave_out]
        (out / model).write_bytes(train_ensemble(selected, names, rounds, **settings).as_bytes())
        print(f"{model}: {len(selected)} documents, {sum(len(one.labels) for one in selected)} rows")

    return train_model


def may_be_shipped(name: str) -> bool:
    """False for the acl-* papers (CC BY-NC-SA), which are for evaluation only."""
    return not name.startswith("acl-")


def command(train_model: Trainer, about: str | None) -> None:
    """Train and write the shipped model."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=MODELS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    train_model(options.out)
