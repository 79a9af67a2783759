"""Train the line classifier of first pages (title, author, abstract, other).

.venv/bin/python -m training.header [--out DIR]
"""

from __future__ import annotations

from functools import cache

import numpy as np

from openseer.extract.header.line_classifier import MODEL
from openseer.extract.header.line_features import FEATURES, features_of
from training.growing import Example, command, trainer
from training.papers import UNKNOWN, Paper, each_paper, labels_of


def example(paper: Paper) -> Example:
    """The lines of the first page with their labels."""
    labels = np.array(labels_of(paper.first, paper.gold), dtype=np.int64)
    features = features_of(paper.first, paper.lines, paper.page_model)
    return Example(paper.gold["id"], paper.gold["source"], features[labels != UNKNOWN], labels[labels != UNKNOWN])


@cache
def examples() -> list[Example]:
    """Examples of every paper, extracted once."""
    return each_paper(example)


train_model = trainer(
    MODEL,
    examples,
    FEATURES,
    rounds=100,
    objective="multiclass",
    num_class=4,
    num_leaves=15,
    learning_rate=0.08,
    min_data_in_leaf=10,
    feature_fraction=0.6,
    lambda_l2=1.0,
)

if __name__ == "__main__":
    command(train_model, __doc__)
