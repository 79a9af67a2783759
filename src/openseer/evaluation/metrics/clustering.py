"""How well records were put into works: F1 over pairs, over pairs of two lists, and B-cubed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any


def score_clusters(gold: Mapping[str, str], found: Mapping[str, str]) -> dict[str, float]:
    """In per cent; `across` counts pairs whose ids differ before the last "-", as of two lists ("acm-12", "dblp-7")."""
    wanted, got = Counter(gold.values()), Counter(found[name] for name in gold)
    both = Counter((gold[name], found[name]) for name in gold)
    precision = sum(both[gold[name], found[name]] / got[found[name]] for name in gold) / len(gold)
    recall = sum(both[gold[name], found[name]] / wanted[gold[name]] for name in gold) / len(gold)
    hits, ours, theirs = _pairs(both), _pairs(got), _pairs(wanted)
    scores = {
        "pairs": f1(hits, ours, theirs),
        "pairs.p": 100 * hits / max(1, ours),
        "pairs.r": 100 * hits / max(1, theirs),
        "b3": 200 * precision * recall / (precision + recall),
    }
    mine, their = _across(found), _across(gold)
    return {**scores, "across": f1(len(mine & their), len(mine), len(their))} if their else scores


def f1(both: int, got: int, wanted: int) -> float:
    return 200 * both / (got + wanted) if got + wanted else 0.0


def _pairs(sizes: Counter[Any]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes.values())


def _across(works: Mapping[str, str]) -> set[tuple[str, str]]:
    groups: dict[str, list[str]] = {}
    for name, work in works.items():
        groups.setdefault(work, []).append(name)
    return {
        (one, other)
        for group in groups.values()
        for one in group
        for other in group
        if one.rpartition("-")[0] < other.rpartition("-")[0]
    }
