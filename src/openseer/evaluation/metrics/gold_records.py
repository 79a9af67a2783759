"""Bibliographic records as they stand in gold sets, in the form in which they are matched."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

from openseer.core.model.description import MatchFields
from openseer.core.text.person_names import split_name
from openseer.extract.references.parse_reference import parse_people

YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
LABEL = re.compile(r"^\W*(?:vol(?:ume)?|pp?|pages?|no)\b\W*", re.I)
JOINED = re.compile(r";|&| and | et al|\bund\b", re.I)
GIVEN_FIRST = re.compile(r"[^,;&]+\s[^,;&\s]{2,}")
"""A piece between commas that is a whole name: "Gottfried Vossen", not "Brodley" or "C. E."."""


def match_fields(record: dict[str, Any]) -> MatchFields:
    """A record with id, title, authors, venue, year, any missing; Cora's author, date and journal are understood."""
    venue = ("venue", "journal", "booktitle", "institution", "publisher")
    return MatchFields(
        title=_clean(record.get("title")),
        authors=authors_in(record.get("authors") or record.get("author") or ""),
        year=_year(record.get("year") or record.get("date")),
        venue=next((_clean(record[name]) for name in venue if record.get(name)), ""),
        volume=LABEL.sub("", _clean(record.get("volume"))),
        pages=LABEL.sub("", _clean(record.get("pages"))),
        doi=str(record.get("doi") or ""),
        arxiv=str(record.get("arxiv") or ""),
    )


def string_record(row: dict[str, Any]) -> MatchFields:
    """The record of a reference string, as `reference-doi` gold names its fields."""
    return MatchFields(
        title=str(row.get("atitle") or ""),
        authors=authors_in([str(row["firstAuthor"])]) if row.get("firstAuthor") else (),
        venue=str(row.get("jtitle") or ""),
        volume=str(row.get("volume") or ""),
        pages=str(row.get("firstPage") or ""),
    )


def authors_in(printed: str | Sequence[str]) -> tuple[tuple[str, str], ...]:
    """(family, given) of each; one string of whole names between commas is cut there, others as in references.

    >>> authors_in("Ada King, Bob Lee"), authors_in("King, A. & Lee, B.")
    ((('King', 'Ada'), ('Lee', 'Bob')), (('King', 'A.'), ('Lee', 'B.')))
    """
    if not isinstance(printed, str):
        return tuple(_pair(html.unescape(name)) for name in printed if name.strip())
    text = html.unescape(printed).strip(" ,;")
    pieces = [piece.strip() for piece in text.split(",") if piece.strip()]
    if not JOINED.search(text) and pieces and all(GIVEN_FIRST.fullmatch(piece) for piece in pieces):
        return tuple(_pair(piece) for piece in pieces)
    return tuple((one.family or one.name, one.given) for one in parse_people(text))


def _pair(name: str) -> tuple[str, str]:
    one = split_name(name)
    return one.family or one.name, one.given


def _clean(value: Any) -> str:
    return html.unescape(str(value or "")).strip(" .,;:\"'`")


def _year(value: Any) -> int | None:
    found = YEAR.search(str(value or ""))
    return int(found.group()) if found else None
