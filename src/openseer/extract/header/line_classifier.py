"""Classifier of first-page lines: probabilities of title, author, abstract and other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openseer.core.ml.tree_ensemble import load_ensemble
from openseer.extract.header.line_features import features_of
from openseer.extract.layout.lines import Line
from openseer.extract.models.paths import model_file
from openseer.extract.pdf.page_model import PageModel

MODEL = "header.forest.gz"
OTHER, TITLE, AUTHOR, ABSTRACT = range(4)
"""The classes of the model."""


@dataclass(frozen=True, slots=True)
class LineLabels:
    """Class probabilities of the lines of a first page; 0 for lines of other pages."""

    probabilities: dict[int, tuple[float, ...]]
    """By the identity of the line."""

    def title(self, line: Line) -> float:
        return self._probability(line, TITLE)

    def author(self, line: Line) -> float:
        return self._probability(line, AUTHOR)

    def abstract(self, line: Line) -> float:
        return self._probability(line, ABSTRACT)

    def _probability(self, line: Line, label: int) -> float:
        found = self.probabilities.get(id(line))
        return found[label] if found else 0.0


def line_labels(first: Sequence[Line], lines: Sequence[Line], page_model: PageModel) -> LineLabels:
    """Class probabilities of each line of the first page."""
    if not first:
        return LineLabels({})
    probabilities = load_ensemble(model_file(MODEL)).predict(features_of(first, lines, page_model))
    return LineLabels({id(line): tuple(row) for line, row in zip(first, probabilities.tolist(), strict=True)})
