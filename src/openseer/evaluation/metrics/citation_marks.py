"""Scores of citation contexts against marks counted by hand: which were found on a page, and where they lead."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from openseer.evaluation.precision_recall import Tally
from openseer.evaluation.string_similarity import letters

LABEL = re.compile(r"\s*(?:\[(\d{1,3})\]|\((\d{1,3})\)|(\d{1,3})[.)])")
Place = tuple[int, str]
"""A page, and a mark by its letters and digits."""


def score_mentions(gold: Mapping[str, Any], found: Mapping[str, Any], tally: Tally) -> None:
    """The marks on the pages that were counted: `mentions` (F1), and `links`, the share of found marks that lead to
    the right entries. Equal marks of a page are matched in any order, those that lead to the same entries first."""
    wanted: dict[Place, list[set[int]]] = defaultdict(list)
    for page, printed, _, entries in gold["mentions"]:
        wanted[page, letters(printed)].append(set(entries))
    count = 0
    right = 0
    for place, leads in _marks(found, set(gold["pages"])).items():
        count += len(leads)
        left = wanted.get(place, [])
        for entries in sorted(leads, key=lambda one: one not in left):
            if not left:
                break
            match = next((one for one in left if one == entries), left[0])
            left.remove(match)
            right += 1
            tally.share("links", match == entries)
    tally.f1("mentions", right, count, len(gold["mentions"]))


def _marks(found: Mapping[str, Any], pages: set[int]) -> dict[Place, list[set[int]]]:
    """Each mark that was read on these pages, with the entries it leads to."""
    references = found.get("references") or []
    leads: dict[tuple[int, str, tuple[float, ...]], set[int]] = {}
    for number, entry in enumerate(references, 1):
        label = LABEL.match(entry["raw"])
        printed = int(next(filter(None, label.groups()))) if label else number
        for context in entry["contexts"]:
            if context["page"] in pages:
                key = (context["page"], letters(context["printed"]), tuple(context["box"] or ()))
                leads.setdefault(key, set()).add(printed)
    marks: dict[Place, list[set[int]]] = defaultdict(list)
    for (page, printed_mark, _), entries in leads.items():
        marks[page, printed_mark].append(entries)
    return marks
