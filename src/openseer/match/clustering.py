"""Partition: descriptions into works, from verdicts and constraints. Pure, and the same in any order."""

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
ALL, CORE = 24, 12
"""Up to so many descriptions are all compared with each other; in a larger group each is with the first of them."""


def cluster(
    fields: Mapping[str, MatchFields], verdicts: Sequence[MatchLink], constraints: Sequence[LinkConstraint]
) -> list[list[str]]:
    """What hangs together by verdicts and must-links, taken apart again where the rest speaks against it."""
    links = [(one.low, one.high) for one in verdicts]
    must = [(bond.low, bond.high) for bond in constraints if bond.must]
    apart = frozenset((bond.low, bond.high) for bond in constraints if not bond.must)
    together = connected_components(fields, [*links, *must])
    pairs = {names[0]: _asked(names) for names in together}
    odds = log_odds(fields, [pair for asked in pairs.values() for pair in asked])
    groups = []
    for names in together:
        inside = set(names)
        groups += _works(
            {name: fields[name] for name in names},
            {pair: odds[pair] for pair in pairs[names[0]]},
            [pair for pair in must if pair[0] in inside],
            frozenset(pair for pair in apart if inside.issuperset(pair)),
        )
    return sorted(sorted(group) for group in groups)


def _works(
    fields: Mapping[str, MatchFields], odds: Mapping[Pair, float], must: Sequence[Pair], apart: frozenset[Pair]
) -> list[list[str]]:
    names = sorted(fields)
    if len(names) == 1:
        return [names]
    said = {name: qualifiers_of(fields[name].title) for name in names}
    dois = {name: _printed_doi(name, fields[name]) for name in names}
    quiet = not apart and not any(map(any, said.values())) and len(set(filter(None, dois.values()))) < 2
    if quiet and min(odds.values()) >= 0:
        return [names]
    conflict = _Conflicts(said, dois, apart).between
    same = [*must, *_of_one_text(fields, odds, conflict)]
    return average_linkage(names, _shared(odds, same) if same else odds, same, conflict)


def _of_one_text(fields: Mapping[str, MatchFields], odds: Mapping[Pair, float], conflict: Conflict) -> list[Pair]:
    """Papers in hand that are versions by their text, under whatever titles."""
    return [
        (one, other)
        for (one, other), value in odds.items()
        if value >= 0 and is_one_text(fields[one], fields[other]) and not conflict([one], [other])
    ]


def _shared(odds: Mapping[Pair, float], same: Sequence[Pair]) -> dict[Pair, float]:
    """What speaks for one of several versions speaks for all: who cites a paper knows one of its titles, and who says
    that two works are one means all that was found to be of either."""
    names = {name for pair in same for name in pair}
    leader = {name: group[0] for group in connected_components(names, same) for name in group}
    best: dict[Pair, float] = {}
    for one, other in odds:
        pair = leader.get(one, one), leader.get(other, other)
        best[pair] = best[pair[::-1]] = max(odds[one, other], best.get(pair, odds[one, other]))
    return {(one, other): best[leader.get(one, one), leader.get(other, other)] for one, other in odds}


def _asked(names: Sequence[str]) -> list[Pair]:
    if len(names) <= ALL:
        return list(combinations(names, 2))
    core = names[:CORE]
    return [pair for name in names for one in core if (pair := (min(one, name), max(one, name))) and one < name]


def _printed_doi(name: str, fields: MatchFields) -> str:
    """A publisher's DOI printed in a header or given by a librarian; one in a reference is evidence only."""
    return plain_doi(fields.doi) if name[0] != "r" and is_published(fields.doi) else ""


class _Conflicts:
    """What cannot be of one work, whatever the verdicts say."""

    def __init__(self, said: Mapping[str, Qualifiers], dois: Mapping[str, str], apart: frozenset[Pair]) -> None:
        self._said, self._dois, self._apart = said, dois, apart

    def between(self, ones: Collection[str], others: Collection[str]) -> bool:
        """A person's cannot-link, two publishers' DOIs, other parts or editions, a notice and what it is on."""
        if self._apart and any((min(a, b), max(a, b)) in self._apart for a in ones for b in others):
            return True
        mine, theirs = ({self._dois[name] for name in names} - {""} for names in (ones, others))
        if mine and theirs and mine != theirs:
            return True
        return contradict([self._said[name] for name in ones], [self._said[name] for name in others])


Conflict = Callable[[Collection[str], Collection[str]], bool]


def average_linkage(
    names: Sequence[str],
    odds: Mapping[Pair, float],
    must: Sequence[Pair] = (),
    conflict: Conflict = lambda ones, others: False,
) -> list[list[str]]:
    """Groups joined from the strongest link on, as long as the mean of the log-odds between two is not negative."""
    return _Linking(names, odds, conflict).run(must)


class _Linking:
    """Groups under the name of their first member, and the sum and number of the log-odds between two of them."""

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
                kept, gone = sorted((leader[one], leader[other]))
                leader.update(dict.fromkeys(self._groups[gone], kept))
                self._join(kept, gone)
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
                continue  # one of them was joined meanwhile; the pair as it is now stands further down
            if self._conflict(self._groups[one], self._groups[other]):
                continue
            for third in self._join(one, other):
                if self._mean(one, third) >= 0:
                    heapq.heappush(heap, (-self._mean(one, third), min(one, third), max(one, third)))
        return list(self._groups.values())

    def _mean(self, one: str, other: str) -> float:
        total, count = self._sums[one].get(other, (-1.0, 1))
        return total / count

    def _join(self, kept: str, gone: str) -> list[str]:
        """Put two groups together; names the groups whose links to it changed."""
        self._groups[kept] += self._groups.pop(gone)
        mine, theirs = self._sums[kept], self._sums.pop(gone)
        for third, (total, count) in theirs.items():
            self._sums[third].pop(gone, None)
            if third != kept:
                before, times = mine.get(third, (0.0, 0))
                mine[third] = self._sums[third][kept] = (before + total, times + count)
        mine.pop(gone, None)
        return sorted(theirs.keys() - {kept})
