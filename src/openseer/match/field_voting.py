"""Votes: the fields of a work from what was observed of it, with fixed tie-breaks."""

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
"""A person outweighs all; the paper itself outweighs some hundred papers that cite it."""

Value = Any


def vote(seen: Iterable[DescriptionCount]) -> WorkFields:
    """For each field the value with the greatest weight; equal weights go to the value that sorts first."""
    seen = list(seen)
    if len(seen) == 1:
        return _only(seen[0].fields)
    ballots = [(one, WEIGHTS[one.kind] * (1 + math.log2(one.count))) for one in seen]
    venue = _majority(ballots, lambda one: one.fields.venue, squeezed) or ""
    there = [ballot for ballot in ballots if ballot[0].fields.volume and _fits(ballot[0].fields.venue, venue)]
    return WorkFields(
        title=_majority(ballots, lambda one: one.fields.title, squeezed) or "",
        authors=_majority(ballots, lambda one: one.fields.authors, _surnames) or (),
        year=_majority(ballots, lambda one: one.fields.year, str),
        venue=venue,
        volume=_majority(there, lambda one: one.fields.volume, str) or "",
        pages=_majority(ballots, lambda one: one.fields.pages, squeezed) or "",
        doi=_majority(ballots, lambda one: one.fields.doi, str.lower) or "",
        arxiv=_majority(ballots, lambda one: one.fields.arxiv, str.lower) or "",
    )


def _only(fields: MatchFields) -> WorkFields:
    """Nobody else voted, as for most works that are only cited."""
    return WorkFields(
        fields.title, fields.authors, fields.year, fields.venue, fields.volume, fields.pages, fields.doi, fields.arxiv
    )


def _fits(venue: str, elected: str) -> bool:
    """Whether the volume of one venue may be that of the other: of a journal's it tells nothing about proceedings."""
    if not venue or not elected or squeezed(venue) == squeezed(elected):
        return True
    return venue_of(venue).kind == venue_of(elected).kind


def _surnames(authors: tuple[tuple[str, str], ...]) -> str:
    return "|".join(squeezed(family) for family, _ in authors)


def _majority(
    ballots: list[tuple[DescriptionCount, float]],
    value_of: Callable[[DescriptionCount], Value],
    sameness: Callable[[Value], str],
) -> Value:
    """Equal values under `sameness` add up; of the spellings of the winner the heaviest is shown."""
    camps: dict[str, float] = defaultdict(float)
    spellings: dict[str, dict[Value, float]] = defaultdict(lambda: defaultdict(float))
    for one, weight in ballots:
        value = value_of(one)
        if value:
            camps[sameness(value)] += weight
            spellings[sameness(value)][value] += weight
    if not camps:
        return None
    winner = min(camps, key=lambda camp: (-camps[camp], camp))
    return min(spellings[winner], key=lambda value: (-spellings[winner][value], str(value)))
