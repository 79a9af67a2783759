"""Teaches the trees that tell title, author and abstract lines of a first page from the rest.

.venv/bin/python -m training.header [--out DIR]
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from openseer.extract.clues import CLUES, clues_of
from openseer.extract.zones import MODEL
from training.growing import command, grow
from training.papers import UNKNOWN, Paper, each_paper, labels_of, may_be_shipped


class Example(NamedTuple):
    """The lines of one first page."""

    id: str
    source: str
    clues: NDArray[np.float64]
    labels: NDArray[np.int64]


def example(paper: Paper) -> Example:
    """The lines of the first page with their labels."""
    labels = np.array(labels_of(paper.first, paper.gold), dtype=np.int64)
    clues = clues_of(paper.first, paper.lines, paper.sheets)
    return Example(paper.gold["id"], paper.gold["source"], clues[labels != UNKNOWN], labels[labels != UNKNOWN])


@cache
def examples() -> list[Example]:
    """Every paper, read once."""
    return each_paper(example)


def train_model(out: Path, leave_out: frozenset[str] = frozenset()) -> None:
    """Write the model that has not seen the papers left out."""
    papers = [one for one in examples() if may_be_shipped(one.id) and one.id not in leave_out]
    forest = grow(
        papers,
        CLUES,
        rounds=100,
        objective="multiclass",
        num_class=4,
        num_leaves=15,
        learning_rate=0.08,
        min_data_in_leaf=10,
        feature_fraction=0.6,
        lambda_l2=1.0,
    )
    (out / MODEL).write_bytes(forest.as_bytes())
    print(f"{MODEL}: {len(papers)} papers, {sum(len(paper.labels) for paper in papers)} lines")


if __name__ == "__main__":
    command(train_model, __doc__)
