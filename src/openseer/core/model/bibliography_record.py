"""Imported bibliography records, and the reasons for rejected ones."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class BibliographyRecord:
    """One record of an imported bibliography (BibTeX, RIS, CSL-JSON or table)."""

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
        """Dictionary for JSON, without empty fields."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def of_record(cls, values: dict[str, Any]) -> BibliographyRecord:
        """The inverse of `as_record`."""
        authors = tuple((family, given) for family, given in values.get("authors", ()))
        return cls(**{**values, "authors": authors, "keywords": tuple(values.get("keywords", ()))})


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that was not imported."""

    line: int
    """First line in the file, from 1; 0 for formats without lines."""
    name: str
    """Citation key, or the start of the title; "" without either."""
    why: str
