"""Titles and names in the form in which they are compared, in any script."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

SPECIAL = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ﬁ": "fi", "ﬂ": "fl"}
)

SPACED = str.maketrans({code: " " for code in range(128) if not chr(code).isalnum()})


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """Lower-case words without accents or punctuation: "Größe, 2. Teil" -> ("grosse", "2", "teil")."""
    if text.isascii():  # the same, eight times as fast
        return tuple(text.lower().translate(SPACED).split())
    cased = unicodedata.normalize("NFKD", text).casefold().translate(SPECIAL)
    folded = unicodedata.normalize("NFKD", cased)
    bare = "".join(c if c.isalnum() else " " for c in folded if not unicodedata.combining(c))
    return tuple(bare.split())


@lru_cache(maxsize=65536)
def squeezed(text: str) -> str:
    """The same without spaces, so that "near duplicates" equals "near-duplicates" and "nearduplicates"."""
    return "".join(words_of(text))


def plain_doi(text: str) -> str:
    """A DOI as it is compared: lower case, no resolver, no trailing punctuation."""
    start = text.lower().find("10.")
    return text.lower()[start:].strip().rstrip(".,;)") if start >= 0 else ""


def plain_arxiv(text: str) -> str:
    """An arXiv id without prefix and version: "arXiv:2403.01234v2" -> "2403.01234"."""
    bare = text.strip().lower().removeprefix("arxiv:").strip()
    head, mark, version = bare.rpartition("v")
    return head if mark and version.isdigit() and head else bare
