"""Normalisation of titles, names and identifiers for comparison, in any script."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

SPECIAL_LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ﬁ": "fi", "ﬂ": "fl"}
)

ASCII_SPACING = str.maketrans({code: " " for code in range(128) if not chr(code).isalnum()})


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """Lower-case words without accents or punctuation: "Größe, 2. Teil" -> ("grosse", "2", "teil")."""
    if text.isascii():  # same result, eight times as fast
        return tuple(text.lower().translate(ASCII_SPACING).split())
    cased = unicodedata.normalize("NFKD", text).casefold().translate(SPECIAL_LETTERS)
    folded = unicodedata.normalize("NFKD", cased)
    spaced = "".join(c if c.isalnum() else " " for c in folded if not unicodedata.combining(c))
    return tuple(spaced.split())


@lru_cache(maxsize=65536)
def squeezed(text: str) -> str:
    """`words_of` without spaces: "near duplicates" equals "near-duplicates" and "nearduplicates"."""
    return "".join(words_of(text))


def plain_doi(text: str) -> str:
    """Normalised DOI: lower case, no resolver, no trailing punctuation."""
    start = text.lower().find("10.")
    return text.lower()[start:].strip().rstrip(".,;)") if start >= 0 else ""


def plain_arxiv(text: str) -> str:
    """Normalised arXiv id without prefix and version: "arXiv:2403.01234v2" -> "2403.01234"."""
    identifier = text.strip().lower().removeprefix("arxiv:").strip()
    head, letter_v, version = identifier.rpartition("v")
    return head if letter_v and version.isdigit() and head else identifier
