"""Weighted majority vote over the descriptions of a work, with deterministic tie-breaking."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from openseer.core.model.description import MatchFields
from openseer.core.model.work import DescriptionCount, WorkFields
from openseer.core.text.normalize import squeezed
from openseer.match.venue_names import venue_of

WEIGHTS = {"correction": 1000.0, "import": 30.0, "header": 10.0, "reference": 1.0}
"""A correction outweighs everything; the header of the paper outweighs some hundred citing papers."""

Value = Any


def vote(counts: Iterable[DescriptionCount]) -> WorkFields:
    """For each field the value with the greatest weight; of equal weights the one that sorts first."""
    counts = list(counts)
    if len(counts) == 1:
        return _single(counts[0].fields)
    weighted = [(one, WEIGHTS[one.kind] * (1 + math.log2(one.count))) for one in counts]
    venue = _majority(weighted, lambda one: one.fields.venue, squeezed) or ""
    with_volume = [pair for pair in weighted if pair[0].fields.volume and _fits(pair[0].fields.venue, venue)]
    return WorkFields(
        title=_majority(weighted, lambda one: one.fields.title, squeezed) or "",
        authors=_majority(weighted, lambda one: one.fields.authors, _surnames) or (),
        year=_majority(weighted, lambda one: one.fields.year, str),
        venue=venue,
        volume=_majority(with_volume, lambda one: one.fields.volume, str) or "",
        pages=_majority(weighted, lambda one: one.fields.pages, squeezed) or "",
        doi=_majority(weighted, lambda one: one.fields.doi, str.lower) or "",
        arxiv=_majority(weighted, lambda one: one.fields.arxiv, str.lower) or "",
    )


def _single(fields: MatchFields) -> WorkFields:
    """The fields of a single description, the usual case of works that are only cited."""
    return WorkFields(
        fields.title, fields.authors, fields.year, fields.venue, fields.volume, fields.pages, fields.doi, fields.arxiv
    )


def _fits(venue: str, chosen: str) -> bool:
    """True if a volume printed with one venue may apply to the other: both must be of the same kind."""
    if not venue or not chosen or squeezed(venue) == squeezed(chosen):
        return True
    return venue_of(venue).kind == venue_of(chosen).kind


def _surnames(authors: tuple[tuple[str, str], ...]) -> str:
    return "|".join(squeezed(family) for family, _ in authors)


def _majority(
    weighted: list[tuple[DescriptionCount, float]],
    value_of: Callable[[DescriptionCount], Value],
    key: Callable[[Value], str],
) -> Value:
    """Value with the greatest total weight; values with equal `key` are added, the heaviest spelling is returned."""
    weights: dict[str, float] = defaultdict(float)
    spellings: dict[str, dict[Value, float]] = defaultdict(lambda: defaultdict(float))
    for one, weight in weighted:
        value = value_of(one)
        if value:
            weights[key(value)] += weight
            spellings[key(value)][value] += weight
    if not weights:
        return None
    winner = min(weights, key=lambda value: (-weights[value], value))
    return min(spellings[winner], key=lambda value: (-spellings[winner][value], str(value)))
