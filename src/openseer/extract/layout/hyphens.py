"""Hyphens at line ends: divided words and compounds, distinguished by the vocabulary of the document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from openseer.extract.layout.lines import Line
from openseer.extract.pdf.page_model import HYPHEN

WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
LAST_WORD = re.compile(rf"([^\W\d_]+(?:[-‐][^\W\d_]+)*)(?:{HYPHEN}|[-‐])$")
FIRST_WORD = re.compile(r"\s*([^\W\d_]+)")
MIN_PART_LETTERS = 4
"""Letters of each part of a compound that occurs nowhere else in the document."""


def resolve_hyphens(lines: Sequence[Line]) -> list[Line]:
    """Lines whose hyphens are resolved, so that joining them gives the intended words.

    A line with a hard hyphen ends in "-" and HYPHEN, a line with a divided word in HYPHEN alone."""
    candidates = [number for number, line in enumerate(lines) if line.text.endswith((HYPHEN, "-", "‐"))]
    ends = [(number, found) for number in candidates if (found := LAST_WORD.search(lines[number].text[-60:]))]
    if not ends:
        return list(lines)
    vocabulary = _vocabulary(lines, {number for number, _ in ends})
    resolved = list(lines)
    for number, found in ends:
        following = FIRST_WORD.match(lines[number + 1].text) if number + 1 < len(lines) else None
        if following is None:
            continue
        printed = lines[number].text
        before_capital = (
            not printed.endswith(HYPHEN) and following.group(1)[0].isupper()
        )  # no word is divided before a capital
        keeps_hyphen = before_capital or _keeps_hyphen(found.group(1), following.group(1), vocabulary)
        resolved[number] = lines[number]._replace(text=printed[:-1] + ("-" if keeps_hyphen else "") + HYPHEN)
    return resolved


def _vocabulary(lines: Sequence[Line], divided_lines: Iterable[int]) -> frozenset[str]:
    """All words of the document in lower case, without the halves of words at line ends."""
    texts = [line.text for line in lines]
    for number in divided_lines:
        texts[number] = texts[number].rpartition(" ")[0]
        if number + 1 < len(texts):
            texts[number + 1] = texts[number + 1].partition(" ")[2]
    return frozenset(WORD.findall("\n".join(texts).lower()))


def _keeps_hyphen(first: str, second: str, vocabulary: frozenset[str]) -> bool:
    """True if two parts form a compound with a hard hyphen.

    >>> _keeps_hyphen("fusion", "targeted", frozenset({"fusion", "targeted"}))
    True
    >>> _keeps_hyphen("inter", "national", frozenset({"international", "national"}))
    False
    """
    first, second = first.lower(), second.lower()
    if f"{first}{second}" in vocabulary:
        return False
    if f"{first}-{second}" in vocabulary:
        return True
    last = first.rsplit("-", 1)[-1]
    return min(len(last), len(second)) >= MIN_PART_LETTERS and last in vocabulary and second in vocabulary
