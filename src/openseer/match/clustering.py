"""Constrained average-linkage clustering of descriptions into works. Pure; the order of its input does not matter."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

from openseer.core.connected_components import connected_components
from openseer.core.model.description import LinkConstraint, MatchFields, MatchLink
from openseer.core.text.normalize import plain_doi
from openseer.match.pairwise import is_one_text, is_published, log_odds
from openseer.match.title_qualifiers import Qualifiers, contradict, qualifiers_of

Pair = tuple[str, str]
MAX_ALL_PAIRS, CORE_SIZE = 24, 12
"""Components up to the first size are compared pair by pair; in larger ones each member with the first ones."""


def cluster(
    fields: Mapping[str, MatchFields], match_links: Sequence[MatchLink], constraints: Sequence[LinkConstraint]
) -> list[list[str]]:
    """Split each component of links and must-links into works."""
    links = [(one.low, one.high) for one in match_links]
    must = [(constraint.low, constraint.high) for constraint in constraints if constraint.must]
    apart = frozenset((constraint.low, constraint.high) for constraint in constraints if not constraint.must)
    component_names = connected_components(fields, [*links, *must])
    pairs = {names[0]: _pairs_of(names) for names in component_names}
    odds = log_odds(fields, [pair for of_component in pairs.values() for pair in of_component])
    groups = []
    for names in component_names:
        inside = set(names)
        groups += _split(
            {name: fields[name] for name in names},
            {pair: odds[pair] for pair in pairs[names[0]]},
            [pair for pair in must if pair[0] in inside],
            frozenset(pair for pair in apart if inside.issuperset(pair)),
        )
    return sorted(sorted(group) for group in groups)


def _split(
    fields: Mapping[str, MatchFields], odds: Mapping[Pair, float], must: Sequence[Pair], apart: frozenset[Pair]
) -> list[list[str]]:
    names = sorted(fields)
    if len(names) == 1:
        return [names]
    qualifiers = {name: qualifiers_of(fields[name].title) for name in names}
    dois = {name: _printed_doi(name, fields[name]) for name in names}
    undisputed = not apart and not any(map(any, qualifiers.values())) and len(set(filter(None, dois.values()))) < 2
    if undisputed and min(odds.values()) >= 0:
        return [names]
    conflict = _Conflicts(qualifiers, dois, apart).between
    same = [*must, *_same_texts(fields, odds, conflict)]
    return average_linkage(names, _shared_odds(odds, same) if same else odds, same, conflict)


def _same_texts(fields: Mapping[str, MatchFields], odds: Mapping[Pair, float], conflict: Conflict) -> list[Pair]:
    """Pairs of full texts that are versions by their text, whatever their titles."""
    return [
        (one, other)
        for (one, other), value in odds.items()
        if value >= 0 and is_one_text(fields[one], fields[other]) and not conflict([one], [other])
    ]


def _shared_odds(odds: Mapping[Pair, float], same: Sequence[Pair]) -> dict[Pair, float]:
    """Log-odds in which evidence for one of several versions counts for all of them: a citation has the title of one
    version, and a must-link means whole works."""
    names = {name for pair in same for name in pair}
    leader = {name: group[0] for group in connected_components(names, same) for name in group}
    best: dict[Pair, float] = {}
    for one, other in odds:
        pair = leader.get(one, one), leader.get(other, other)
        best[pair] = best[pair[::-1]] = max(odds[one, other], best.get(pair, odds[one, other]))
    return {(one, other): best[leader.get(one, one), leader.get(other, other)] for one, other in odds}


def _pairs_of(names: Sequence[str]) -> list[Pair]:
    if len(names) <= MAX_ALL_PAIRS:
        return list(combinations(names, 2))
    core = names[:CORE_SIZE]
    return [pair for name in names for one in core if (pair := (min(one, name), max(one, name))) and one < name]


def _printed_doi(name: str, fields: MatchFields) -> str:
    """A publisher's DOI of a header or an imported record; DOIs of references are evidence only."""
    return plain_doi(fields.doi) if name[0] != "r" and is_published(fields.doi) else ""


class _Conflicts:
    """Groups that cannot be one work, whatever their log-odds."""

    def __init__(self, qualifiers: Mapping[str, Qualifiers], dois: Mapping[str, str], apart: frozenset[Pair]) -> None:
        self._qualifiers, self._dois, self._apart = qualifiers, dois, apart

    def between(self, ones: Collection[str], others: Collection[str]) -> bool:
        """True for a cannot-link, two publishers' DOIs, different parts or editions, a notice and its subject."""
        if self._apart and any((min(a, b), max(a, b)) in self._apart for a in ones for b in others):
            return True
        mine, theirs = ({self._dois[name] for name in names} - {""} for names in (ones, others))
        if mine and theirs and mine != theirs:
            return True
        return contradict([self._qualifiers[name] for name in ones], [self._qualifiers[name] for name in others])


Conflict = Callable[[Collection[str], Collection[str]], bool]


def average_linkage(
    names: Sequence[str],
    odds: Mapping[Pair, float],
    must: Sequence[Pair] = (),
    conflict: Conflict = lambda ones, others: False,
) -> list[list[str]]:
    """Groups merged by falling mean log-odds, as long as these are not negative and no conflict forbids it."""
    return _Linkage(names, odds, conflict).run(must)


class _Linkage:
    """Groups by the name of their first member, with sum and number of the log-odds between each two."""

    def __init__(self, names: Sequence[str], odds: Mapping[Pair, float], conflict: Conflict) -> None:
        self._groups = {name: [name] for name in names}
        self._conflict = conflict
        self._sums: dict[str, dict[str, tuple[float, int]]] = {name: {} for name in names}
        for (one, other), value in odds.items():
            self._sums[one][other] = self._sums[other][one] = (value, 1)

    def run(self, must: Sequence[Pair]) -> list[list[str]]:
        leader = {name: name for name in self._groups}
        for one, other in sorted(must):
            if leader[one] != leader[other]:
                into, merged = sorted((leader[one], leader[other]))
                leader.update(dict.fromkeys(self._groups[merged], into))
                self._merge(into, merged)
        heap = [
            (-self._mean(one, other), one, other)
            for one in self._groups
            for other in self._sums[one]
            if one < other and self._mean(one, other) >= 0
        ]
        heapq.heapify(heap)
        while heap:
            mean, one, other = heapq.heappop(heap)
            if one not in self._groups or other not in self._groups or self._mean(one, other) != -mean:
                continue  # one of them was merged meanwhile; the new pair is further down the heap
            if self._conflict(self._groups[one], self._groups[other]):
                continue
            for third in self._merge(one, other):
                if self._mean(one, third) >= 0:
                    heapq.heappush(heap, (-self._mean(one, third), min(one, third), max(one, third)))
        return list(self._groups.values())

    def _mean(self, one: str, other: str) -> float:
        total, count = self._sums[one].get(other, (-1.0, 1))
        return total / count

    def _merge(self, into: str, merged: str) -> list[str]:
        """Merge two groups; returns the groups whose mean log-odds with it changed."""
        self._groups[into] += self._groups.pop(merged)
        mine, theirs = self._sums[into], self._sums.pop(merged)
        for third, (total, count) in theirs.items():
            self._sums[third].pop(merged, None)
            if third != into:
                before, pairs = mine.get(third, (0.0, 0))
                mine[third] = self._sums[third][into] = (before + total, pairs + count)
        mine.pop(merged, None)
        return sorted(theirs.keys() - {into})
