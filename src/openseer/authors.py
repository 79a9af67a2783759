"""Authors as printed: the works of a name and of the forms compatible with it. People are not told apart yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from openseer.extract.names import split_name
from openseer.identify.normal import squeezed, words_of
from openseer.library.opening import Library

CAVEAT = "People are not told apart yet: namesakes are listed together."


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed name and what stands beside it in the library."""

    name: str
    forms: tuple[tuple[str, int], ...]
    """Compatible printed forms, with the number of works each stands on; the most frequent first."""
    affiliations: tuple[str, ...]
    emails: tuple[str, ...]
    works: tuple[str, ...]


def printed_name(library: Library, name: str) -> Printed:
    """What the headers and imported records of a library say of a name."""
    wanted = split_name(name)
    places = [
        one
        for one in library.records.written_by(squeezed(wanted.family or name))
        if are_compatible(wanted.given, split_name(one.author.name).given)
    ]
    forms = Counter(form for _, form in {(one.work, one.author.name) for one in places})
    return Printed(
        name,
        tuple(sorted(forms.items(), key=lambda form: (-form[1], form[0]))),
        _said(one.author.affiliation for one in places),
        _said(one.author.email for one in places),
        tuple(sorted({one.work for one in places} & library.records.public(one.work for one in places))),
    )


def are_compatible(one: str, other: str) -> bool:
    """Whether two sets of given names may be of one person: one may be missing, or an initial of the other.

    >>> are_compatible("Ada B.", "A."), are_compatible("Ada", "Alan"), are_compatible("", "Ada")
    (True, False, True)
    """
    return all(
        mine.startswith(theirs) or theirs.startswith(mine)
        for mine, theirs in zip(_given(one), _given(other), strict=False)
    )


def _given(names: str) -> list[str]:
    """Words; capitals that stand together are initials: "JK" is "J. K."."""
    return [
        letter
        for word in names.replace(".", " ").split()
        for letter in (list(word.lower()) if word.isupper() and len(word) < 4 else words_of(word))
    ]


def _said(values: Iterable[str]) -> tuple[str, ...]:
    """Each value once, the most frequent first."""
    counts = Counter(filter(None, values))
    return tuple(sorted(counts, key=lambda value: (-counts[value], value)))
