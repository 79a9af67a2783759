"""A hyphen at a line end: was the word divided there, or is it one of two words? The rest of the document knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from openseer.extract.layout.lines import Line
from openseer.extract.pdf.page_model import HYPHEN

WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
LAST = re.compile(rf"([^\W\d_]+(?:[-‐][^\W\d_]+)*)(?:{HYPHEN}|[-‐])$")
FIRST = re.compile(r"\s*([^\W\d_]+)")
LONG = 4
"""Letters of a word that may stand on its own in a compound the document has nowhere else."""


def with_hyphens(lines: Sequence[Line]) -> list[Line]:
    """The same lines, so that joining them gives the words meant.

    A line that ends in a hyphen to be kept ends in that and the mark; one that ends in a divided word, in the mark."""
    may_end = [number for number, line in enumerate(lines) if line.text.endswith((HYPHEN, "-", "‐"))]
    ends = [(number, found) for number in may_end if (found := LAST.search(lines[number].text[-60:]))]
    if not ends:
        return list(lines)
    known = _words(lines, {number for number, _ in ends})
    mended = list(lines)
    for number, found in ends:
        following = FIRST.match(lines[number + 1].text) if number + 1 < len(lines) else None
        if following is None:
            continue
        printed = lines[number].text
        name = not printed.endswith(HYPHEN) and following.group(1)[0].isupper()  # no word is divided before a capital
        keeps = name or _keeps(found.group(1), following.group(1), known)
        mended[number] = lines[number]._replace(text=printed[:-1] + ("-" if keeps else "") + HYPHEN)
    return mended


def _words(lines: Sequence[Line], divided: Iterable[int]) -> frozenset[str]:
    """Every word of the document in small letters, but for the two halves of words at line ends."""
    texts = [line.text for line in lines]
    for number in divided:
        texts[number] = texts[number].rpartition(" ")[0]
        if number + 1 < len(texts):
            texts[number + 1] = texts[number + 1].partition(" ")[2]
    return frozenset(WORD.findall("\n".join(texts).lower()))


def _keeps(one: str, two: str, known: frozenset[str]) -> bool:
    """
    >>> _keeps("fusion", "targeted", frozenset({"fusion", "targeted"}))
    True
    >>> _keeps("inter", "national", frozenset({"international", "national"}))
    False
    """
    one, two = one.lower(), two.lower()
    if f"{one}{two}" in known:
        return False
    if f"{one}-{two}" in known:
        return True
    last = one.rsplit("-", 1)[-1]
    return min(len(last), len(two)) >= LONG and last in known and two in known
