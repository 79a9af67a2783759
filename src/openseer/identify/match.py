"""Verdicts: whether two descriptions are of one work. A pure function of the two."""

from __future__ import annotations

from openseer.identify.normal import squeezed
from openseer.records.description import MatchFields, Verdict

VERSION = 1
"""The matcher's version; a verdict of a higher one replaces that of a lower."""
SHORTEST = 8
"""Characters a normalised title needs to say anything: "Index" and "Preface" are everybody's."""


def judge(one: tuple[str, MatchFields], other: tuple[str, MatchFields]) -> Verdict | None:
    """The exact verdict: same normalised title, same first author. None when they are not one."""
    title, surname = _identity(one[1])
    if len(title) < SHORTEST or not surname or (title, surname) != _identity(other[1]):
        return None
    return Verdict.of(one[0], other[0], 1.0, "same title and first author", VERSION)


def _identity(fields: MatchFields) -> tuple[str, str]:
    return squeezed(fields.title), squeezed(fields.authors[0][0]) if fields.authors else ""
