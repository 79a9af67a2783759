"""Superscript numbers: kept in text as the characters of Unicode, and raised again when pages are set."""

from __future__ import annotations

import re
from collections.abc import Iterator

RAISED, PLAIN = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n"
SUPERSCRIPTS = str.maketrans(f"{PLAIN}−–", f"{RAISED}⁻⁻")
PLAIN_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789–")
START, END = "\ufdd0", "\ufdd1"
"""Marks around superscripts; no characters of a text."""
MARKED = re.compile(f"{START}(.*?){END}", re.S)
NUMBER = re.compile(r"[-+−]?\d+(?:\s*[,–-]\s*\d+)*|[-+n]")
MARKER = re.compile(r"(?:(?<=[^\W\d_]{3})|(?<=[.,;:)\]”’\"*]))[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,⁻–-][⁰¹²³⁴⁵⁶⁷⁸⁹]+)*")
"""A number after a word or a mark of punctuation; after a unit it is a power."""


def superscript(text: str) -> str:
    """Digits of a superscript as Unicode has them, so that they stay apart from the word before.

    >>> superscript("1,2"), superscript("th")
    ('¹,²', 'th')
    """
    return text.translate(SUPERSCRIPTS) if NUMBER.fullmatch(text.strip()) else text


def raised(text: str) -> str:
    """Text of a superscript run between marks; `with_superscripts` resolves them when the paragraph is complete."""
    return f"{START}{text}{END}"


def with_superscripts(text: str) -> str:
    """Text with its marked superscripts, neighbouring ones as one.

    >>> with_superscripts("seas" + raised("[1") + raised("]") + " rise" + raised("2") + raised(",3"))
    'seas[1] rise²,³'
    """
    if START not in text:
        return text
    return MARKED.sub(lambda found: superscript(found[1]), text.replace(END + START, ""))


def parts_of(word: str) -> Iterator[tuple[str, bool]]:
    """Parts of a word, with plain digits; true for those that are raised.

    >>> list(parts_of("tides¹,²."))
    [('tides', False), ('1,2', True), ('.', False)]
    """
    at = 0
    for found in MARKER.finditer(word):
        yield word[at : found.start()], False
        yield found[0].translate(PLAIN_DIGITS), True
        at = found.end()
    if at < len(word):
        yield word[at:], False
