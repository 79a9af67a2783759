"""Teaches the trees that tell headings from other lines.

.venv/bin/python -m training.outline [--out DIR]

The gold is that of `CORPUS/deep`, our samples and invented papers; headings it calls optional teach nothing.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import numpy as np
from rapidfuzz import fuzz

from openseer.extract.body.body import body_lines
from openseer.extract.body.outline import FEATURES, MODEL, body_style_of, features_of, heading_candidates
from openseer.extract.context import PaperContext
from openseer.extract.reader import EXTRACTORS, run_extractors
from training.growing import CORPUS, Example, command, trainer
from training.layouts import invented
from training.papers import Paper, each_paper, plain

UNKNOWN = -1


def example(paper: Paper) -> Example | None:
    """The candidates of a paper with their labels, or None when its headings are not known."""
    file = CORPUS / "deep" / f"{paper.gold['id']}.json"
    sections = json.loads(file.read_text(encoding="utf-8"))["sections"] if file.exists() else paper.gold.get("sections")
    if not sections:
        return None
    opened = PaperContext(paper.sheets, paper.lines)
    body = body_lines(opened, run_extractors(EXTRACTORS[:1], opened))
    usual = body_style_of(body)
    found = heading_candidates(body, usual)
    labels = np.array(labels_of([one.text for one in found], sections), dtype=np.int64)
    known = labels != UNKNOWN
    return Example(paper.gold["id"], paper.gold["source"], features_of(found, body, usual)[known], labels[known])


def labels_of(texts: list[str], sections: list[dict[str, Any]]) -> list[int]:
    """1 for a heading, 0 for none, -1 for one that the gold calls optional."""
    wanted = [(bare(one["heading"]), bool(one.get("optional"))) for one in sections]
    labels = []
    for text in map(bare, texts):
        alike = [optional for heading, optional in wanted if heading and fuzz.ratio(text, heading) > 85]
        labels.append(0 if not alike else UNKNOWN if all(alike) else 1)
    return labels


def bare(heading: str) -> str:
    """A heading without its number."""
    return plain(re.sub(r"^\s*(?:\d+(?:\.\d+)*[.):]?|[IVX]+[.)]|[A-Z][.)](?=\s+[A-Z]))\s*(?=\S)", "", heading))


@cache
def examples() -> list[Example]:
    """Every paper whose headings are known, read once."""
    return [one for one in each_paper(example, invented) if one]


train_model = trainer(
    MODEL,
    examples,
    FEATURES,
    rounds=200,
    objective="binary",
    num_leaves=8,
    learning_rate=0.06,
    min_data_in_leaf=30,
    feature_fraction=0.3,
    lambda_l2=10.0,
)

if __name__ == "__main__":
    command(train_model, __doc__)
