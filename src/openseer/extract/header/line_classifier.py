"""What each line of the first page is, as likelihoods: title, author, abstract, or anything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openseer.core.ml.tree_ensemble import load_forest
from openseer.extract.header.line_features import clues_of
from openseer.extract.layout.lines import Line
from openseer.extract.models.paths import model
from openseer.extract.pdf.page_model import Sheets

MODEL = "header.forest.gz"
OTHER, TITLE, AUTHOR, ABSTRACT = range(4)
"""The classes of the model."""


@dataclass(frozen=True, slots=True)
class Zones:
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


def zones_of(first: Sequence[Line], lines: Sequence[Line], sheets: Sheets) -> Zones:
    """The first page as the trees see it."""
    if not first:
        return Zones({})
    shares = load_forest(model(MODEL)).predict(clues_of(first, lines, sheets))
    return Zones({id(line): tuple(row) for line, row in zip(first, shares.tolist(), strict=True)})
