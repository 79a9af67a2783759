"""Authors of lines that a file marks as such."""

from __future__ import annotations

import re
from collections.abc import Sequence

from openseer.core.model.extraction import Author
from openseer.core.text.person_names import is_name, names_institution, split_name

CORRESPONDENCE = re.compile(
    r"[*∗†‡§¶#]?\s*(?:e-?mails?\b|correspond\w*|address|tel\b|contact|to whom|these authors|equal).*", re.I | re.S
)
AFFILIATION_MARKS = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻*∗†‡§¶#\d]+(?:,[⁰¹²³⁴⁵⁶⁷⁸⁹*∗†‡§¶#\d]+)*")
AUTHOR_BREAK = re.compile(r"\s*(?:[,;&]|\band\b|\bund\b|\bet\b)\s*")
MIN_NAMES_SHARE = 0.8


def authors_in(lines: Sequence[str]) -> tuple[Author, ...]:
    """Authors, if the lines hold hardly anything but names.

    >>> [one.family for one in authors_in(["Ada King¹, Bob Lee* E-mail: lee@example.org"])]
    ['King', 'Lee']
    """
    parts = [part for line in lines for part in names_in(line)]
    names = [part for part in parts if is_name(part) or _may_be_name(part)]
    if not names or sum(map(is_name, parts)) < MIN_NAMES_SHARE * len(parts):
        return ()
    split = map(split_name, names)
    return tuple(Author(name.name, name.given, name.family) for name in split)


def _may_be_name(part: str) -> bool:
    """True for an unusual name among others."""
    return 1 < len(part.split()) < 8 and not re.search(r"[\d@:]", part) and not names_institution(part)


def names_in(line: str) -> list[str]:
    """Parts of a line, without the marks of affiliations and the address of the author to write to."""
    plain = AFFILIATION_MARKS.sub(" ", CORRESPONDENCE.sub("", line))
    return [" ".join(part.split()) for part in AUTHOR_BREAK.split(plain) if part.strip(" .")] or [""]
