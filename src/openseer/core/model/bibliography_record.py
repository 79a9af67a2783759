"""Imported: one record of a list that somebody else keeps, and what was wrong with one that could not be taken."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class BibliographyRecord:
    """What a librarian's record says of a work."""

    title: str = ""
    authors: tuple[tuple[str, str], ...] = ()
    """(family, given) in order."""
    year: int | None = None
    venue: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    abstract: str = ""
    type: str = ""
    """article, inproceedings, book, chapter, thesis, report, preprint, web or other."""
    keywords: tuple[str, ...] = ()
    publisher: str = ""

    def as_record(self) -> dict[str, Any]:
        """For JSON; what is empty is left out."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def of_record(cls, values: dict[str, Any]) -> BibliographyRecord:
        """The inverse of `as_record`."""
        authors = tuple((family, given) for family, given in values.get("authors", ()))
        return cls(**{**values, "authors": authors, "keywords": tuple(values.get("keywords", ()))})


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that was not taken."""

    line: int
    """Where it begins in the file, from 1; 0 where lines mean nothing."""
    name: str
    """Its key, or the start of its title; "" when it has neither."""
    why: str
