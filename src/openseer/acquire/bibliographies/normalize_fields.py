"""From the raw fields of any format to one record: whitespace, years, pages, DOIs and arXiv ids in one form."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass

from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord

MAX_BYTES = 50_000_000
"""Of one file; more than a hundred thousand records fit."""
MAX_RECORD = 1_000_000
"""Characters of one record."""
MAX_TEXT = 20_000
"""Characters of a field that are kept; only abstracts come near."""
MAX_LINE = 2_000
"""Characters of a title, a venue or an address."""
MAX_PEOPLE = 5_000
SHOWN = 60
"""Characters of a title that name a record in a complaint."""

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
class Raw:
    """The fields of one record as a format gives them, still as text."""

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


def finished(raw: Raw) -> BibliographyRecord | RejectedRecord:
    """The record, or why there is none: one that names nothing cannot be looked for."""
    url = line_of(raw.url)
    doi = find_doi(raw.doi) or (find_doi(url) if "doi.org/" in url.lower() else "")
    arxiv = find_arxiv(raw.arxiv, (url, doi, raw.venue))
    title = line_of(raw.title).rstrip(" .") if raw.title.rstrip()[-1:] == "." else line_of(raw.title)
    if not (any(c.isalnum() for c in title) or doi or arxiv):
        return RejectedRecord(raw.line, raw.name, "it has neither a title nor a DOI nor an arXiv id")
    return BibliographyRecord(
        title=title,
        authors=tuple(
            (line_of(family), line_of(given)) for family, given in raw.authors[:MAX_PEOPLE] if family.strip()
        ),
        year=find_year(raw.date),
        venue="" if "://" in raw.venue else line_of(raw.venue),
        volume=line_of(raw.volume)[:40],
        issue=line_of(raw.issue)[:40],
        pages=DASHES.sub("-", line_of(raw.pages))[:60],
        doi=doi,
        arxiv=arxiv,
        url=url if url.lower().startswith(("http://", "https://", "ftp://")) else "",
        abstract=_clean(raw.abstract, MAX_TEXT),
        type=raw.type or "other",
        keywords=tuple(unique(line_of(word)[:200] for word in raw.keywords))[:100],
        publisher=line_of(raw.publisher),
    )


def line_of(text: str) -> str:
    """One clean line: no control characters, no entities, no markup, single spaces.

    >>> line_of("Search &amp; <i>find</i>")
    'Search & find'
    """
    return _clean(text, MAX_LINE)


def _clean(text: str, limit: int) -> str:
    bare = MARKUP.sub("", CONTROL.sub(" ", unescaped(text[: 4 * limit])))
    return " ".join(bare.split())[:limit].rstrip()


def unescaped(text: str) -> str:
    """Text without the entities of HTML that exports are full of."""
    return html.unescape(text) if ENTITY.search(text) else text


def find_year(date: str) -> int | None:
    """The first year in a date of any form; 1400 to 2099.

    >>> find_year("12 May 1997")
    1997
    """
    found = YEAR.search(date[:200])
    return int(found[1]) if found else None


def find_doi(text: str) -> str:
    """A DOI out of an address or a phrase; "" when there is none.

    >>> find_doi("https://doi.org/10.1016/S0169-7552(97)00031-7.")
    '10.1016/S0169-7552(97)00031-7'
    """
    found = DOI.search(text[:MAX_LINE])
    if not found:
        return ""
    doi = found[0].rstrip(".,;:]}'")
    return doi[:-1] if doi.endswith(")") and doi.count("(") < doi.count(")") else doi


def find_arxiv(named: str, hints: Iterable[str] = ()) -> str:
    """The arXiv id in the field that should hold one, or else in an address, DOI or venue that speaks of arXiv.

    >>> find_arxiv("2403.01234v2 [cs.DL]")
    '2403.01234'
    >>> find_arxiv("", ["arXiv preprint arXiv:2403.01234"])
    '2403.01234'
    """
    bare = ARXIV_BARE.fullmatch(named.strip()[:60])
    if bare:
        return bare[1]
    for text in (named, *hints):
        if found := ARXIV_NAMED.search(text[:MAX_LINE]):
            return found[1]
    return ""


def page_range(first: str, last: str) -> str:
    """ "12" and "34" are "12-34"; what is a range already stays one."""
    first, last = first.strip(), last.strip()
    is_pair = first and last and first != last and not re.search("[-‐‑‒–—]", first)
    return f"{first}-{last}" if is_pair else first or last


def unique(words: Iterable[str]) -> list[str]:
    """Each word once, in order, without the empty ones."""
    return [word for word in dict.fromkeys(words) if word]


def title_start(title: str) -> str:
    """What a record without a key is called in a complaint."""
    line = line_of(title)
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"
