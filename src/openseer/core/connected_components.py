"""Connected components: what hangs together by a chain of pairs."""

from __future__ import annotations

from collections.abc import Iterable


def connected_components(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The names in groups, each sorted; a name that no pair mentions stands alone."""
    groups = {name: [name] for name in sorted(names)}
    for one, other in pairs:
        mine, theirs = groups[one], groups[other]
        if mine is theirs:
            continue
        if len(mine) < len(theirs):
            mine, theirs = theirs, mine
        mine.extend(theirs)
        groups.update(dict.fromkeys(theirs, mine))
    return [sorted(group) for group in {id(group): group for group in groups.values()}.values()]
