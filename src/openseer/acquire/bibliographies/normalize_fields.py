"""Normalisation of raw fields to a record: white space, years, pages, DOIs and arXiv ids."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass

from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord

MAX_BYTES = 50_000_000
"""Size of one file, enough for more than a hundred thousand records."""
MAX_RECORD = 1_000_000
"""Characters of one record."""
MAX_TEXT = 20_000
"""Characters of a field, usually an abstract."""
MAX_LINE = 2_000
"""Characters of a title, a venue or a URL."""
MAX_PEOPLE = 5_000
MAX_LABEL_LENGTH = 60
"""Characters of a title that identify a record in an error message."""

DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+")
ARXIV_ID = r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?"
ARXIV_NAMED = re.compile(rf"arxiv(?:\.org/(?:abs|pdf)/|[:./ ]\s*){ARXIV_ID}(?!\d)", re.I)
ARXIV_BARE = re.compile(rf"(?:arxiv:\s*)?{ARXIV_ID}(?:\s*\[[\w.-]+\])?", re.I)
YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")
DASHES = re.compile(r"\s*(?:-{2,3}|[‐‑‒–—−])\s*")
ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z]{2,8});")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]+")
MARKUP = re.compile(
    r"</?(?:[a-z]{1,4}:)?(?:i|b|em|strong|sub|sup|sc|scp|span|p|title|sec|italic|bold|jats:\w+)\b[^<>]{0,200}>", re.I
)


@dataclass(frozen=True, slots=True)
class RawRecord:
    """Text fields of one record, before normalisation."""

    line: int = 0
    name: str = ""
    title: str = ""
    authors: tuple[tuple[str, str], ...] = ()
    date: str = ""
    venue: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    abstract: str = ""
    type: str = ""
    keywords: tuple[str, ...] = ()
    publisher: str = ""


def build_record(raw: RawRecord) -> BibliographyRecord | RejectedRecord:
    """The normalised record, or a rejection if nothing identifies the work."""
    url = clean_line(raw.url)
    doi = find_doi(raw.doi) or (find_doi(url) if "doi.org/" in url.lower() else "")
    arxiv = find_arxiv(raw.arxiv, (url, doi, raw.venue))
    title = clean_line(raw.title).rstrip(" .") if raw.title.rstrip()[-1:] == "." else clean_line(raw.title)
    if not (any(c.isalnum() for c in title) or doi or arxiv):
        return RejectedRecord(raw.line, raw.name, "it has neither a title nor a DOI nor an arXiv id")
    return BibliographyRecord(
        title=title,
        authors=tuple(
            (clean_line(family), clean_line(given)) for family, given in raw.authors[:MAX_PEOPLE] if family.strip()
        ),
        year=find_year(raw.date),
        venue="" if "://" in raw.venue else clean_line(raw.venue),
        volume=clean_line(raw.volume)[:40],
        issue=clean_line(raw.issue)[:40],
        pages=DASHES.sub("-", clean_line(raw.pages))[:60],
        doi=doi,
        arxiv=arxiv,
        url=url if url.lower().startswith(("http://", "https://", "ftp://")) else "",
        abstract=_clean(raw.abstract, MAX_TEXT),
        type=raw.type or "other",
        keywords=tuple(unique(clean_line(word)[:200] for word in raw.keywords))[:100],
        publisher=clean_line(raw.publisher),
    )


def clean_line(text: str) -> str:
    """One line without control characters, entities and markup, with single spaces.

    >>> clean_line("Search &amp; <i>find</i>")
    'Search & find'
    """
    return _clean(text, MAX_LINE)


def _clean(text: str, limit: int) -> str:
    without_markup = MARKUP.sub("", CONTROL.sub(" ", unescape_entities(text[: 4 * limit])))
    return " ".join(without_markup.split())[:limit].rstrip()


def unescape_entities(text: str) -> str:
    """Text without HTML entities, which many exports contain."""
    return html.unescape(text) if ENTITY.search(text) else text


def find_year(date: str) -> int | None:
    """The first year in a date of any form, 1400 to 2099.

    >>> find_year("12 May 1997")
    1997
    """
    found = YEAR.search(date[:200])
    return int(found[1]) if found else None


def find_doi(text: str) -> str:
    """The DOI in a URL or phrase, or an empty string.

    >>> find_doi("https://doi.org/10.1016/S0169-7552(97)00031-7.")
    '10.1016/S0169-7552(97)00031-7'
    """
    found = DOI.search(text[:MAX_LINE])
    if not found:
        return ""
    doi = found[0].rstrip(".,;:]}'")
    return doi[:-1] if doi.endswith(")") and doi.count("(") < doi.count(")") else doi


def find_arxiv(id_field: str, other_fields: Iterable[str] = ()) -> str:
    """The arXiv id in its own field, or in a URL, DOI or venue that mentions arXiv.

    >>> find_arxiv("2403.01234v2 [cs.DL]")
    '2403.01234'
    >>> find_arxiv("", ["arXiv preprint arXiv:2403.01234"])
    '2403.01234'
    """
    whole_field = ARXIV_BARE.fullmatch(id_field.strip()[:60])
    if whole_field:
        return whole_field[1]
    for text in (id_field, *other_fields):
        if found := ARXIV_NAMED.search(text[:MAX_LINE]):
            return found[1]
    return ""


def page_range(first: str, last: str) -> str:
    """Page range of first and last page; a range in `first` is unchanged."""
    first, last = first.strip(), last.strip()
    is_pair = first and last and first != last and not re.search("[-‐‑‒–—]", first)
    return f"{first}-{last}" if is_pair else first or last


def unique(words: Iterable[str]) -> list[str]:
    """The words without duplicates and empty ones."""
    return [word for word in dict.fromkeys(words) if word]


def record_label(title: str) -> str:
    """Start of the title that identifies a record without key in an error message."""
    line = clean_line(title)
    return line if len(line) <= MAX_LABEL_LENGTH else line[: MAX_LABEL_LENGTH - 1] + "…"
