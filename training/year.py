"""Train the selection of the publication year.

.venv/bin/python -m training.year [--out DIR]
"""

from __future__ import annotations

from functools import cache

import numpy as np

from openseer.extract.header.line_classifier import ABSTRACT, TITLE
from openseer.extract.header.year import FEATURES, MODEL, feature_rows, latest_year, year_candidates
from openseer.extract.layout.reference_sections import reference_sections
from training.growing import Example, command, trainer
from training.papers import UNKNOWN, Paper, each_paper, labels_of


def example(paper: Paper) -> Example | None:
    """The candidates, or None if the right year is not among them."""
    labels = labels_of(paper.first, paper.gold)
    inside = (TITLE, ABSTRACT, UNKNOWN)
    other_lines = [line for line, label in zip(paper.first, labels, strict=True) if label not in inside]
    reference_lines = [line for section in reference_sections(paper.lines) for line in section]
    candidates_found = year_candidates(other_lines, paper.lines, paper.page_model, latest_year(reference_lines))
    right = np.array([one.year == paper.gold.get("year") for one in candidates_found], dtype=np.int64)
    return (
        Example(paper.gold["id"], paper.gold["source"], feature_rows(candidates_found), right) if right.any() else None
    )


@cache
def examples() -> list[Example]:
    """Examples of every paper with a known year, extracted once."""
    return [one for one in each_paper(example) if one]


train_model = trainer(
    MODEL,
    examples,
    FEATURES,
    rounds=200,
    objective="binary",
    num_leaves=7,
    learning_rate=0.06,
    min_data_in_leaf=5,
    feature_fraction=0.5,
    lambda_l2=2.0,
)

if __name__ == "__main__":
    command(train_model, __doc__)
