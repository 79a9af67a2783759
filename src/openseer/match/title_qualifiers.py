"""Title qualifiers that distinguish works: part numbers, editions, and notices such as errata and replies."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from openseer.core.text.normalize import words_of

_ROMAN = "i ii iii iv v vi vii viii ix x xi xii"
ROMAN = {word: number for number, word in enumerate(_ROMAN.split(), 1)}
SPELLED = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "first": 1, "second": 2, "third": 3, "fourth": 4}
_COUNTED = "part parts pt teil partie parte deel часть vol volume band tome chapter kapitel series"
COUNTED = frozenset(_COUNTED.split())
NOTICES = {
    "erratum": "erratum errata corrigendum corrigenda correction corrections retraction addendum berichtigung",
    "reply": "reply response rejoinder comment comments commentary discussion replik erwiderung kommentar letter",
    "review": "review rezension recension reseña",
    "editorial": "editorial preface foreword vorwort",
}
NOTICE_OF = {word: notice for notice, words in NOTICES.items() for word in words.split()}
MAX_NOTICE_POSITION = 3
"""Number of first words that may name a notice."""
EDITION = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th)? (?:edition|aufl\w*|ed)\b|\b(second|third|fourth|fifth|revised) edition\b"
)


class Qualifiers(NamedTuple):
    """Qualifiers of a title; "" and 0 if absent."""

    part: int = 0
    notice: str = ""
    edition: str = ""


@lru_cache(65536)
def qualifiers_of(title: str) -> Qualifiers:
    """
    >>> qualifiers_of("Foundations of search, Part II").part, qualifiers_of("Reply to: On bees").notice
    (2, 'reply')
    """
    words = words_of(title)
    edition = EDITION.search(" ".join(words))
    return Qualifiers(_part(words), _notice(words), next(filter(None, edition.groups()), "") if edition else "")


def _part(words: tuple[str, ...]) -> int:
    """The number after "part", or a Roman numeral at the end of the title."""
    for word, after in pairwise(words):
        if word in COUNTED and (number := _number(after)):
            return number
    if len(words) > 2 and words[-1] in ROMAN and words[-1] not in ("i", "v", "x"):
        return ROMAN[words[-1]]
    return 0


def _number(word: str) -> int:
    if word.isdecimal():
        return int(word[:6])
    return ROMAN.get(word, 0) or SPELLED.get(word, 0)


def _notice(words: tuple[str, ...]) -> str:
    """The notice named by the first word, or by one of the first words before "to", "on" or "of"."""
    for at, word in enumerate(words[:MAX_NOTICE_POSITION]):
        follows = words[at + 1 : at + 2]
        if word in NOTICE_OF and len(words) > at + 2 and (follows in (("to",), ("on",), ("zu",), ("of",)) or at == 0):
            return NOTICE_OF[word] if NOTICE_OF[word] != "review" or follows == ("of",) else ""
    return ""


def contradict(ones: Iterable[Qualifiers], others: Iterable[Qualifiers]) -> bool:
    """True if two groups of titles cannot be one work: different parts, editions or notices."""
    one, other = _combine(ones), _combine(others)
    parts = one.parts and other.parts and not one.parts & other.parts
    editions = one.editions and other.editions and not one.editions & other.editions
    return bool(parts or editions or one.notices != other.notices)


class _CombinedQualifiers(NamedTuple):
    parts: frozenset[int]
    notices: frozenset[str]
    editions: frozenset[str]


def _combine(qualifiers: Iterable[Qualifiers]) -> _CombinedQualifiers:
    """Combined qualifiers; a notice counts only if every title has it, since a title may lack its first words."""
    every = list(qualifiers)
    notices = frozenset(one.notice for one in every)
    return _CombinedQualifiers(
        frozenset(one.part for one in every if one.part),
        notices if len(notices) == 1 else frozenset({""}),
        frozenset(one.edition for one in every if one.edition),
    )
