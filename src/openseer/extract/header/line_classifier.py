"""What each line of the first page is, as likelihoods: title, author, abstract, or anything else."""

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
    """The lines of a first page and what each of them may be; a line of another page is nothing."""

    shares: dict[int, tuple[float, ...]]
    """By the identity of the line."""

    def title(self, line: Line) -> float:
        return self._share(line, TITLE)

    def author(self, line: Line) -> float:
        return self._share(line, AUTHOR)

    def abstract(self, line: Line) -> float:
        return self._share(line, ABSTRACT)

    def _share(self, line: Line, kind: int) -> float:
        found = self.shares.get(id(line))
        return found[kind] if found else 0.0


def line_labels(first: Sequence[Line], lines: Sequence[Line], sheets: PageModel) -> LineLabels:
    """The first page as the trees see it."""
    if not first:
        return LineLabels({})
    shares = load_ensemble(model_file(MODEL)).predict(features_of(first, lines, sheets))
    return LineLabels({id(line): tuple(row) for line, row in zip(first, shares.tolist(), strict=True)})
