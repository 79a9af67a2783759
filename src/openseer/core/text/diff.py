"""Text diff by paragraph, then by word, in linear time.

Paragraphs that are unique in both texts are the anchors (patience diff), so that a paper of five hundred pages takes
milliseconds; only changed paragraphs are compared word by word.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SAME, REMOVED, ADDED, CHANGED = "same", "gone", "come", "changed"
MAX_HEADING = 100
"""Characters; shorter paragraphs may be headings."""
NUMBERED = re.compile(r"^\s*(?:\d{1,2}(?:\.\d{1,2})*[.):]?|(?:[IVX]{1,5}|[A-Z])[.):])\s+(?=\S)")
LOOK_AHEAD = 6
"""Paragraphs among which the new version of a changed one is searched."""
MIN_SIMILARITY = 0.35
"""Minimum Jaccard similarity of two versions of a paragraph."""
MAX_WORDS = 400
"""Longer paragraphs are not compared by word."""
WORD_BUDGET = 30_000
"""Total number of words that are compared one by one."""


@dataclass(frozen=True, slots=True)
class WordRun:
    """A run of equal, removed or added words in a changed paragraph."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A run of equal paragraphs, or one removed, added or changed paragraph."""

    kind: str
    count: int = 1
    old: str = ""
    new: str = ""
    words: tuple[WordRun, ...] = ()


def differences(old: Sequence[str], new: Sequence[str]) -> list[Difference]:
    """Differences between two texts, in reading order."""
    return list(_Comparison(old, new).compare())


def _normalised(paragraph: str) -> str:
    """A paragraph normalised for comparison: without case, line breaks, hyphens and heading numbers.

    >>> _normalised("A well-known Re-\\nsult.") == _normalised("a wellknown result")
    True
    >>> _normalised("IV. Results") == _normalised("4 Results")
    True
    """
    if len(paragraph) < MAX_HEADING:
        paragraph = NUMBERED.sub("", paragraph)
    return re.sub(r"[\W_]+", "", paragraph.casefold())


class _Comparison:
    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self._old, self._new = old, new
        self._old_keys, self._new_keys = (
            [_normalised(one) for one in old],
            [_normalised(one) for one in new],
        )
        self._budget = WORD_BUDGET

    def compare(self) -> Iterator[Difference]:
        at_old = at_new = same = 0
        for i, j in [*self._matches(), (len(self._old_keys), len(self._new_keys))]:
            if i > at_old or j > at_new:
                if same:
                    yield Difference(SAME, same)
                same = 0
                yield from self._gap(range(at_old, i), range(at_new, j))
            same += 1
            at_old, at_new = i + 1, j + 1
        if same > 1:
            yield Difference(SAME, same - 1)  # the sentinel at the end is no paragraph

    def _matches(self) -> list[tuple[int, int]]:
        """Pairs of equal paragraphs, in ascending order in both texts."""
        anchors = _longest_increasing(_unique_pairs(self._old_keys, self._new_keys))
        found: list[tuple[int, int]] = []
        edge_old = edge_new = 0
        for i, j in [*anchors, (len(self._old_keys), len(self._new_keys))]:
            found += self._common_ends(range(edge_old, i), range(edge_new, j))
            if i < len(self._old_keys):
                found.append((i, j))
            edge_old, edge_new = i + 1, j + 1
        return found

    def _common_ends(self, old: range, new: range) -> list[tuple[int, int]]:
        """Equal paragraphs at both ends of a gap between anchors."""
        start = 0
        while start < min(len(old), len(new)) and self._old_keys[old[start]] == self._new_keys[new[start]]:
            start += 1
        end = 0
        while end < min(len(old), len(new)) - start and self._old_keys[old[-1 - end]] == self._new_keys[new[-1 - end]]:
            end += 1
        tail = [(old[-1 - n], new[-1 - n]) for n in reversed(range(end))]
        return [*((old[n], new[n]) for n in range(start)), *tail]

    def _gap(self, old: range, new: range) -> Iterator[Difference]:
        """Removed, added and changed paragraphs of a gap."""
        at = 0
        for i in old:
            successor = self._successor(self._old[i], new[at : at + LOOK_AHEAD])
            if successor is None:
                yield Difference(REMOVED, old=self._old[i])
                continue
            for j in new[at : successor - new[0]]:
                yield Difference(ADDED, new=self._new[j])
            at = successor - new[0] + 1
            yield self._changed(self._old[i], self._new[successor])
        for j in new[at:]:
            yield Difference(ADDED, new=self._new[j])

    def _successor(self, paragraph: str, among: range) -> int | None:
        words = set(paragraph.casefold().split())
        best, chosen = MIN_SIMILARITY, None
        for j in among:
            others = set(self._new[j].casefold().split())
            similarity = len(words & others) / max(1, len(words | others))
            if similarity > best:
                best, chosen = similarity, j
        return chosen

    def _changed(self, old: str, new: str) -> Difference:
        a, b = re.findall(r"\S+\s*", old), re.findall(r"\S+\s*", new)
        self._budget -= len(a) + len(b)
        if max(len(a), len(b)) > MAX_WORDS or self._budget < 0:
            return Difference(CHANGED, old=old, new=new)
        return Difference(CHANGED, old=old, new=new, words=tuple(_word_runs(a, b)))


def _word_runs(old: Sequence[str], new: Sequence[str]) -> Iterator[WordRun]:
    before, after = ([word.strip() for word in words] for words in (old, new))
    for kind, i, i_end, j, j_end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            yield WordRun(SAME, "".join(new[j:j_end]))
            continue
        if i < i_end:
            yield WordRun(REMOVED, "".join(old[i:i_end]))
        if j < j_end:
            yield WordRun(ADDED, "".join(new[j:j_end]))


def _unique_pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Positions of paragraphs that are unique in both texts, in the order of the first."""
    in_old, in_new = Counter(old), Counter(new)
    position = {text: j for j, text in enumerate(new) if in_new[text] == 1}
    return [(i, position[text]) for i, text in enumerate(old) if text and in_old[text] == 1 and text in position]


def _longest_increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Longest increasing subsequence of pairs."""
    tails: list[int] = []
    tail_pairs: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        at = bisect_left(tails, j)
        before.append(tail_pairs[at - 1] if at else -1)
        tails[at : at + 1] = [j]
        tail_pairs[at : at + 1] = [number]
    chosen, number = [], tail_pairs[-1] if tail_pairs else -1
    while number >= 0:
        chosen.append(pairs[number])
        number = before[number]
    return chosen[::-1]
