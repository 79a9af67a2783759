"""Metrics of citation markers against hand-counted gold: markers found on each page, and their references."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from openseer.evaluation.precision_recall import Tally
from openseer.evaluation.string_similarity import letters

ENTRY_LABEL = re.compile(r"\s*(?:\[(\d{1,3})\]|\((\d{1,3})\)|(\d{1,3})[.)])")
PageMarker = tuple[int, str]
"""A page, and the letters and digits of a marker."""


def score_citation_markers(gold: Mapping[str, Any], found: Mapping[str, Any], tally: Tally) -> None:
    """Score the markers of the annotated pages: `mentions` (F1), and `links`, the share of found markers with the right
    entries. Equal markers of a page match in any order, those with the same entries first."""
    gold_entries: dict[PageMarker, list[set[int]]] = defaultdict(list)
    for page, printed, _, entries in gold["mentions"]:
        gold_entries[page, letters(printed)].append(set(entries))
    count = 0
    correct = 0
    for page_marker, linked in _markers(found, set(gold["pages"])).items():
        count += len(linked)
        remaining = gold_entries.get(page_marker, [])
        for entries in sorted(linked, key=lambda one: one not in remaining):
            if not remaining:
                break
            match = next((one for one in remaining if one == entries), remaining[0])
            remaining.remove(match)
            correct += 1
            tally.share("links", match == entries)
    tally.f1("mentions", correct, count, len(gold["mentions"]))


def _markers(found: Mapping[str, Any], pages: set[int]) -> dict[PageMarker, list[set[int]]]:
    """Extracted markers of these pages, each with its linked entries."""
    references = found.get("references") or []
    linked: dict[tuple[int, str, tuple[float, ...]], set[int]] = {}
    for number, entry in enumerate(references, 1):
        label = ENTRY_LABEL.match(entry["raw"])
        printed = int(next(filter(None, label.groups()))) if label else number
        for context in entry["contexts"]:
            if context["page"] in pages:
                key = (context["page"], letters(context["printed"]), tuple(context["box"] or ()))
                linked.setdefault(key, set()).add(printed)
    markers: dict[PageMarker, list[set[int]]] = defaultdict(list)
    for (page, marker_text, _), entries in linked.items():
        markers[page, marker_text].append(entries)
    return markers
