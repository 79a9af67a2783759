"""The forms in which lists of records come, and how one is told from another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from openseer.acquire.bibliographies import bibtex, csl_json, csv_table, ris
from openseer.acquire.bibliographies.decode_text import text_of
from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord

VERSION = 1
"""Of all readers of records; when it grows, files are read again."""


@dataclass(frozen=True, slots=True)
class Format:
    """One form of record list."""

    name: str
    mime: str
    suffixes: tuple[str, ...]
    """The first is that under which the original is kept."""
    mark: re.Pattern[str]
    """What stands near the beginning of such a file."""
    read: Callable[[str], Iterator[BibliographyRecord | RejectedRecord]]


FORMATS = (
    Format(
        "bibtex",
        "text/x-bibtex",
        ("bib", "bibtex"),
        re.compile(r"^\s{0,9}@[A-Za-z]{3,20}\s{0,9}[{(]", re.M),
        bibtex.read,
    ),
    Format("ris", "application/x-research-info-systems", ("ris",), re.compile(r"^TY\s{1,3}-\s", re.M), ris.read),
    Format(
        "csl",
        "application/vnd.citationstyles.csl+json",
        ("json", "csljson"),
        re.compile(r"\A\s{0,99}[\[{]"),
        csl_json.read,
    ),
    Format(
        "table",
        "text/csv",
        ("csv", "tsv", "tab"),
        re.compile(
            r"\A[^\n@{]{0,2000}\b(?:title|doi|TI)\b[^\n]{0,2000}[,;\t]|\A[^\n@{]{0,2000}[,;\t][^\n]{0,2000}\b(?:title|doi|TI)\b",
            re.I,
        ),
        csv_table.read,
    ),
)  # one line for each; a new one adds its mime type to `records.document.RECORD_LISTS`
BY_NAME = {one.name: one for one in FORMATS}


def format_of(name: str, head: bytes) -> Format | None:
    """By suffix and content when they agree, then by content, then by suffix; None for what is none of these."""
    if b"%PDF-" in head[:1024]:
        return None
    text = text_of(head)
    suffix = PurePath(name).suffix.lower().removeprefix(".")
    named = next((one for one in FORMATS if suffix in one.suffixes), None)
    if named is not None and named.mark.search(text):
        return named
    found = next((one for one in FORMATS if one.mark.search(text)), None)
    return found if found is not None and (named is not None or "\0" not in text) else named
