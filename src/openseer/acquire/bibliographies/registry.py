"""Registry of the bibliography formats, and format detection."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from openseer.acquire.bibliographies import bibtex, csl_json, csv_table, ris
from openseer.acquire.bibliographies.decode_text import decode_text
from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord

VERSION = 1
"""Version of all parsers; when it grows, files are parsed again."""


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """A bibliography format."""

    name: str
    mime: str
    suffixes: tuple[str, ...]
    """The first is the suffix of the stored original."""
    pattern: re.Pattern[str]
    """Pattern near the beginning of such a file."""
    read: Callable[[str], Iterator[BibliographyRecord | RejectedRecord]]


FORMATS = (
    RecordFormat(
        "bibtex",
        "text/x-bibtex",
        ("bib", "bibtex"),
        re.compile(r"^\s{0,9}@[A-Za-z]{3,20}\s{0,9}[{(]", re.M),
        bibtex.read,
    ),
    RecordFormat("ris", "application/x-research-info-systems", ("ris",), re.compile(r"^TY\s{1,3}-\s", re.M), ris.read),
    RecordFormat(
        "csl",
        "application/vnd.citationstyles.csl+json",
        ("json", "csljson"),
        re.compile(r"\A\s{0,99}[\[{]"),
        csl_json.read,
    ),
    RecordFormat(
        "table",
        "text/csv",
        ("csv", "tsv", "tab"),
        re.compile(
            r"\A[^\n@{]{0,2000}\b(?:title|doi|TI)\b[^\n]{0,2000}[,;\t]|\A[^\n@{]{0,2000}[,;\t][^\n]{0,2000}\b(?:title|doi|TI)\b",
            re.I,
        ),
        csv_table.read,
    ),
)  # a new format also adds its MIME type to `BIBLIOGRAPHY_TYPES`
BY_NAME = {one.name: one for one in FORMATS}


def format_of(name: str, head: bytes) -> RecordFormat | None:
    """The format by suffix and content if they agree, else by content, else by suffix; None if unknown."""
    if b"%PDF-" in head[:1024]:
        return None
    text = decode_text(head)
    suffix = PurePath(name).suffix.lower().removeprefix(".")
    by_suffix = next((one for one in FORMATS if suffix in one.suffixes), None)
    if by_suffix is not None and by_suffix.pattern.search(text):
        return by_suffix
    by_content = next((one for one in FORMATS if one.pattern.search(text)), None)
    return by_content if by_content is not None and (by_suffix is not None or "\0" not in text) else by_suffix
