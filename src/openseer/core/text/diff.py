"""What differs between two texts, by paragraph and then by word; never more work than grows with their length.

Paragraphs that stand once in either text anchor the comparison (patience), so that a paper of five hundred pages takes
milliseconds; only paragraphs that replaced one another are compared word by word.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SAME, GONE, COME, CHANGED = "same", "gone", "come", "changed"
HEADING = 100
"""A shorter paragraph may be a heading."""
NUMBERED = re.compile(r"^\s*(?:\d{1,2}(?:\.\d{1,2})*[.):]?|(?:[IVX]{1,5}|[A-Z])[.):])\s+(?=\S)")
LOOK_AHEAD = 6
"""Paragraphs among which the successor of a changed one is looked for."""
ALIKE = 0.35
"""Share of common words from which a paragraph is the successor of another."""
MOST_WORDS = 400
"""A longer paragraph is shown whole instead of word by word."""
BUDGET = 30_000
"""Words that are compared one by one, in all."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a changed paragraph."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A run of equal paragraphs, or one that is gone, has come, or was changed."""

    kind: str
    count: int = 1
    old: str = ""
    new: str = ""
    words: tuple[Piece, ...] = ()


def differences(old: Sequence[str], new: Sequence[str]) -> list[Difference]:
    """What it takes to come from one text to the other, in the order of reading."""
    return list(_Comparison(old, new).walk())


def _plain(paragraph: str) -> str:
    """What counts of a paragraph: neither case nor line breaks nor hyphens, nor the number of a heading.

    >>> _plain("A well-known Re-\\nsult.") == _plain("a wellknown result")
    True
    >>> _plain("IV. Results") == _plain("4 Results")
    True
    """
    if len(paragraph) < HEADING:
        paragraph = NUMBERED.sub("", paragraph)
    return re.sub(r"[\W_]+", "", paragraph.casefold())


class _Comparison:
    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self._old, self._new = old, new
        self._a, self._b = [_plain(one) for one in old], [_plain(one) for one in new]
        self._budget = BUDGET

    def walk(self) -> Iterator[Difference]:
        at_old = at_new = same = 0
        for i, j in [*self._matches(), (len(self._a), len(self._b))]:
            if i > at_old or j > at_new:
                if same:
                    yield Difference(SAME, same)
                same = 0
                yield from self._between(range(at_old, i), range(at_new, j))
            same += 1
            at_old, at_new = i + 1, j + 1
        if same > 1:
            yield Difference(SAME, same - 1)  # the end itself is no paragraph

    def _matches(self) -> list[tuple[int, int]]:
        """Pairs of equal paragraphs, rising in both texts."""
        anchors = _rising(_unique_pairs(self._a, self._b))
        found: list[tuple[int, int]] = []
        edge_old = edge_new = 0
        for i, j in [*anchors, (len(self._a), len(self._b))]:
            found += self._grown(range(edge_old, i), range(edge_new, j))
            if i < len(self._a):
                found.append((i, j))
            edge_old, edge_new = i + 1, j + 1
        return found

    def _grown(self, old: range, new: range) -> list[tuple[int, int]]:
        """Equal paragraphs at either end of a gap between anchors."""
        start = 0
        while start < min(len(old), len(new)) and self._a[old[start]] == self._b[new[start]]:
            start += 1
        end = 0
        while end < min(len(old), len(new)) - start and self._a[old[-1 - end]] == self._b[new[-1 - end]]:
            end += 1
        tail = [(old[-1 - n], new[-1 - n]) for n in reversed(range(end))]
        return [*((old[n], new[n]) for n in range(start)), *tail]

    def _between(self, old: range, new: range) -> Iterator[Difference]:
        """Paragraphs that are gone, have come, or replaced one another."""
        at = 0
        for i in old:
            follower = self._follower(self._old[i], new[at : at + LOOK_AHEAD])
            if follower is None:
                yield Difference(GONE, old=self._old[i])
                continue
            for j in new[at : follower - new[0]]:
                yield Difference(COME, new=self._new[j])
            at = follower - new[0] + 1
            yield self._changed(self._old[i], self._new[follower])
        for j in new[at:]:
            yield Difference(COME, new=self._new[j])

    def _follower(self, paragraph: str, among: range) -> int | None:
        words = set(paragraph.casefold().split())
        best, chosen = ALIKE, None
        for j in among:
            others = set(self._new[j].casefold().split())
            alike = len(words & others) / max(1, len(words | others))
            if alike > best:
                best, chosen = alike, j
        return chosen

    def _changed(self, old: str, new: str) -> Difference:
        a, b = re.findall(r"\S+\s*", old), re.findall(r"\S+\s*", new)
        self._budget -= len(a) + len(b)
        if max(len(a), len(b)) > MOST_WORDS or self._budget < 0:
            return Difference(CHANGED, old=old, new=new)
        return Difference(CHANGED, old=old, new=new, words=tuple(_by_words(a, b)))


def _by_words(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    before, after = ([word.strip() for word in words] for words in (old, new))
    for kind, i, i_end, j, j_end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            yield Piece(SAME, "".join(new[j:j_end]))
            continue
        if i < i_end:
            yield Piece(GONE, "".join(old[i:i_end]))
        if j < j_end:
            yield Piece(COME, "".join(new[j:j_end]))


def _unique_pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Where paragraphs stand that are in each text once, in the order of the first."""
    in_old, in_new = Counter(old), Counter(new)
    place = {text: j for j, text in enumerate(new) if in_new[text] == 1}
    return [(i, place[text]) for i, text in enumerate(old) if text and in_old[text] == 1 and text in place]


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest choice of pairs that rises in both numbers."""
    tails: list[int] = []
    holders: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        at = bisect_left(tails, j)
        before.append(holders[at - 1] if at else -1)
        tails[at : at + 1] = [j]
        holders[at : at + 1] = [number]
    chosen, number = [], holders[-1] if holders else -1
    while number >= 0:
        chosen.append(pairs[number])
        number = before[number]
    return chosen[::-1]
