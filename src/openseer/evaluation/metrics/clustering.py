"""Clustering metrics: pairwise F1, pairwise F1 across two lists, and B-cubed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any


def score_clusters(gold: Mapping[str, str], found: Mapping[str, str]) -> dict[str, float]:
    """Scores in per cent; `across` counts pairs between two lists, named by the id before "-" ("acm-12", "dblp-7")."""
    gold_sizes, found_sizes = Counter(gold.values()), Counter(found[name] for name in gold)
    common_sizes = Counter((gold[name], found[name]) for name in gold)
    precision = sum(common_sizes[gold[name], found[name]] / found_sizes[found[name]] for name in gold) / len(gold)
    recall = sum(common_sizes[gold[name], found[name]] / gold_sizes[gold[name]] for name in gold) / len(gold)
    common_pairs, found_pairs, gold_pairs = _pairs(common_sizes), _pairs(found_sizes), _pairs(gold_sizes)
    scores = {
        "pairs": f1(common_pairs, found_pairs, gold_pairs),
        "pairs.p": 100 * common_pairs / max(1, found_pairs),
        "pairs.r": 100 * common_pairs / max(1, gold_pairs),
        "b3": 200 * precision * recall / (precision + recall),
    }
    found_across, gold_across = _across(found), _across(gold)
    return (
        {**scores, "across": f1(len(found_across & gold_across), len(found_across), len(gold_across))}
        if gold_across
        else scores
    )


def f1(common: int, found: int, gold: int) -> float:
    """F1 in per cent from counts."""
    return 200 * common / (found + gold) if found + gold else 0.0


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
