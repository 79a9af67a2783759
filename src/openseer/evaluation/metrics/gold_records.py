"""Gold records of several formats as `MatchFields`."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

from openseer.core.model.description import MatchFields
from openseer.core.text.person_names import split_name
from openseer.extract.references.parse_reference import parse_people

YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
NUMBER_LABEL = re.compile(r"^\W*(?:vol(?:ume)?|pp?|pages?|no)\b\W*", re.I)
NAME_SEPARATOR = re.compile(r";|&| and | et al|\bund\b", re.I)
COMPLETE_NAME = re.compile(r"[^,;&]+\s[^,;&\s]{2,}")
"""A complete name between commas: "Gottfried Vossen", not "Brodley" or "C. E."."""


def match_fields(record: dict[str, Any]) -> MatchFields:
    """Fields of a record with title, authors, venue, year (all optional); Cora's author, date and journal too."""
    venue = ("venue", "journal", "booktitle", "institution", "publisher")
    return MatchFields(
        title=_clean(record.get("title")),
        authors=authors_in(record.get("authors") or record.get("author") or ""),
        year=_year(record.get("year") or record.get("date")),
        venue=next((_clean(record[name]) for name in venue if record.get(name)), ""),
        volume=NUMBER_LABEL.sub("", _clean(record.get("volume"))),
        pages=NUMBER_LABEL.sub("", _clean(record.get("pages"))),
        doi=str(record.get("doi") or ""),
        arxiv=str(record.get("arxiv") or ""),
    )


def string_record(row: dict[str, Any]) -> MatchFields:
    """Fields of a row of `reference-doi` gold."""
    return MatchFields(
        title=str(row.get("atitle") or ""),
        authors=authors_in([str(row["firstAuthor"])]) if row.get("firstAuthor") else (),
        venue=str(row.get("jtitle") or ""),
        volume=str(row.get("volume") or ""),
        pages=str(row.get("firstPage") or ""),
    )


def authors_in(printed: str | Sequence[str]) -> tuple[tuple[str, str], ...]:
    """(family, given) of each author; a string of complete names is split at commas, others as in references.

    >>> authors_in("Ada King, Bob Lee"), authors_in("King, A. & Lee, B.")
    ((('King', 'Ada'), ('Lee', 'Bob')), (('King', 'A.'), ('Lee', 'B.')))
    """
    if not isinstance(printed, str):
        return tuple(_pair(html.unescape(name)) for name in printed if name.strip())
    text = html.unescape(printed).strip(" ,;")
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not NAME_SEPARATOR.search(text) and parts and all(COMPLETE_NAME.fullmatch(part) for part in parts):
        return tuple(_pair(part) for part in parts)
    return tuple((one.family or one.name, one.given) for one in parse_people(text))


def _pair(name: str) -> tuple[str, str]:
    one = split_name(name)
    return one.family or one.name, one.given


def _clean(value: Any) -> str:
    return html.unescape(str(value or "")).strip(" .,;:\"'`")


def _year(value: Any) -> int | None:
    found = YEAR.search(str(value or ""))
    return int(found.group()) if found else None
