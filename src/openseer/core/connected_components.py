"""Connected components of an undirected graph."""

from __future__ import annotations

from collections.abc import Iterable


def connected_components(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The names grouped by connected component, each group sorted; a name without pairs is a group of its own."""
    groups = {name: [name] for name in sorted(names)}
    for one, other in pairs:
        larger, smaller = groups[one], groups[other]
        if larger is smaller:
            continue
        if len(larger) < len(smaller):
            larger, smaller = smaller, larger
        larger.extend(smaller)
        groups.update(dict.fromkeys(smaller, larger))
    return [sorted(group) for group in {id(group): group for group in groups.values()}.values()]
