"""Train the heading detector.

.venv/bin/python -m training.outline [--out DIR]

Training data: `CORPUS/deep`, our samples and synthetic papers; optional headings are excluded.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import numpy as np
from rapidfuzz import fuzz

from openseer.extract.body.body import body_lines
from openseer.extract.body.heading_candidates import body_style_of, heading_candidates
from openseer.extract.body.outline import FEATURES, MODEL, features_of
from openseer.extract.context import PaperContext
from openseer.extract.reader import EXTRACTORS, run_extractors
from training.growing import CORPUS, Example, command, trainer
from training.layouts import invented
from training.papers import Paper, each_paper, normalise

UNKNOWN = -1


def example(paper: Paper) -> Example | None:
    """The candidates of a paper with their labels, or None if its headings are unknown."""
    file = CORPUS / "deep" / f"{paper.gold['id']}.json"
    sections = json.loads(file.read_text(encoding="utf-8"))["sections"] if file.exists() else paper.gold.get("sections")
    if not sections:
        return None
    context = PaperContext(paper.page_model, paper.lines)
    body = body_lines(context, run_extractors(EXTRACTORS[:1], context))
    body_style = body_style_of(body)
    found = heading_candidates(body, body_style)
    labels = np.array(labels_of([one.text for one in found], sections), dtype=np.int64)
    labelled = labels != UNKNOWN
    return Example(
        paper.gold["id"], paper.gold["source"], features_of(found, body, body_style)[labelled], labels[labelled]
    )


def labels_of(texts: list[str], sections: list[dict[str, Any]]) -> list[int]:
    """1 for a heading, 0 for none, -1 for an optional one."""
    gold_headings = [(without_number(one["heading"]), bool(one.get("optional"))) for one in sections]
    labels = []
    for text in map(without_number, texts):
        matches = [optional for heading, optional in gold_headings if heading and fuzz.ratio(text, heading) > 85]
        labels.append(0 if not matches else UNKNOWN if all(matches) else 1)
    return labels


def without_number(heading: str) -> str:
    """A heading without its number."""
    return normalise(re.sub(r"^\s*(?:\d+(?:\.\d+)*[.):]?|[IVX]+[.)]|[A-Z][.)](?=\s+[A-Z]))\s*(?=\S)", "", heading))


@cache
def examples() -> list[Example]:
    """Examples of every paper with known headings, extracted once."""
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
