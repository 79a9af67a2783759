"""BibTeX export, with citation keys as in CiteSeerX: Pinkall93computingdiscrete."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from openseer.catalog.export.publication_types import author_names, persistent_url, publication_type
from openseer.core.model.work import IndexedWork
from openseer.core.text.bibtex_escape import bibtex_person, bibtex_text, bibtex_url

TYPES = {
    "article": "article",
    "conference": "inproceedings",
    "report": "techreport",
    "thesis": "phdthesis",
    "book": "book",
    "chapter": "incollection",
}
VENUE_FIELDS = {
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "article": "journal",
    "techreport": "institution",
    "phdthesis": "school",
    "book": "publisher",
}
PROTECTED_WORD = re.compile(r"\b\w*[A-Z]\w*[A-Z]\w*\b|(?<!^)\b[A-Z][\w]*")
"""Words whose capitals a style must keep."""


def write(works: Sequence[IndexedWork], base: str) -> str:
    """One entry a work; repeated keys get a letter."""
    counts: Counter[str] = Counter()
    used: set[str] = set()
    entries = []
    for work in works:
        key = first = key_of(work)
        while key in used:
            counts[first] += 1
            key = f"{first}{_letter(counts[first] + 1)}"
        used.add(key)
        entries.append(_entry(work, key, base))
    return "\n".join(entries)


def key_of(work: IndexedWork) -> str:
    """Citation key: family name, two digits of the year, first two words of the title."""
    family = re.sub(r"\W", "", _ascii(author_names(work)[0][0])) if work.authors else "Anonymous"
    year = f"{work.year % 100:02d}" if work.year else "_"
    return f"{family or 'Anonymous'}{year}{''.join(re.findall(r'[a-z0-9]+', _ascii(work.title).lower())[:2])}"


def _letter(number: int) -> str:
    return chr(ord("a") + number - 1) if number <= 26 else str(number)


def _entry(work: IndexedWork, key: str, base: str) -> str:
    kind = TYPES.get(publication_type(work), "misc")
    lines = [f"\t{name} = {{{value}}}," for name, value in _fields(work, kind, base) if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def _fields(work: IndexedWork, kind: str, base: str) -> Iterator[tuple[str, str]]:
    yield "author", " and ".join(bibtex_person(family, given) for family, given in author_names(work))
    yield "title", PROTECTED_WORD.sub(lambda word: f"{{{word[0]}}}", bibtex_text(work.title))
    yield VENUE_FIELDS.get(kind, "howpublished"), bibtex_text(work.venue)
    yield "year", str(work.year or "")
    yield "volume", bibtex_text(work.volume)
    yield "pages", re.sub(r"\s*[-\u2013\u2014]+\s*", "--", bibtex_text(work.pages))
    yield "doi", bibtex_url(work.doi)
    yield "eprint", bibtex_url(work.arxiv)
    yield "archiveprefix", "arXiv" if work.arxiv else ""
    yield "url", bibtex_url(persistent_url(work, base))
    yield "abstract", bibtex_text(work.abstract)
    yield "keywords", bibtex_text(", ".join(work.keywords))


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
