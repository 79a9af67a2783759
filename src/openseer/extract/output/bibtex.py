"""BibTeX output: the document itself and its references."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from openseer.core.model.extraction import Author, Extraction, Name, Reference
from openseer.core.text.bibtex_escape import bibtex_person, bibtex_text, bibtex_url

TYPES = {
    "article": "article",
    "inproceedings": "inproceedings",
    "book": "book",
    "chapter": "incollection",
    "thesis": "phdthesis",
    "report": "techreport",
    "preprint": "misc",
    "web": "misc",
}
VENUES = {"inproceedings": "booktitle", "incollection": "booktitle", "article": "journal"}


def bibtex(found: Extraction, path: Path) -> bytes:
    """All entries; keys consist of family name, year and first word, and are unique."""
    document = Reference(
        raw="",
        type="article" if found.academic.type in ("article", "preprint", "") else found.academic.type,
        title=found.title,
        authors=tuple(_as_name(author) for author in found.authors),
        venue=found.venue,
        year=found.year,
        volume=found.volume,
        issue=found.issue,
        pages=found.page_range,
        doi=found.doi,
        arxiv=found.arxiv,
    )
    used: Counter[str] = Counter()
    return "\n".join(_entry(one, _key(one, used)) for one in (document, *found.references)).encode()


def _as_name(author: Author) -> Name:
    return Name(author.name, author.given, author.family)


def _entry(one: Reference, key: str) -> str:
    kind = TYPES.get(one.type, "misc")
    lines = [f"  {name} = {{{value}}}," for name, value in _fields(one, kind) if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def _fields(one: Reference, kind: str) -> Iterator[tuple[str, str]]:
    yield "author", _people(one.authors)
    yield "editor", _people(one.editors)
    yield "title", f"{{{bibtex_text(one.title)}}}" if one.title else ""
    yield VENUES.get(kind, "howpublished"), bibtex_text(one.venue)
    yield "year", str(one.year or "")
    yield "volume", bibtex_text(one.volume)
    yield "number", bibtex_text(one.issue)
    yield "pages", re.sub(r"\s*[-–—]+\s*", "--", bibtex_text(one.pages))
    yield "publisher", bibtex_text(one.publisher)
    yield "institution" if kind == "techreport" else "school", bibtex_text(one.institution)
    yield "address", bibtex_text(one.location)
    yield "doi", bibtex_url(one.doi)
    yield "eprint", bibtex_url(one.arxiv)
    yield "url", bibtex_url(one.url)
    yield "note", bibtex_text(one.note if one.title else one.raw)


def _people(names: Sequence[Name]) -> str:
    """
    >>> _people([Name("Ada King", "Ada", "King"), Name("UNESCO")])
    'King, Ada and {UNESCO}'
    """
    return " and ".join(bibtex_person(one.family or one.name, one.given) for one in names)


def _key(one: Reference, used: Counter[str]) -> str:
    family = one.authors[0].family or one.authors[0].name if one.authors else "anon"
    word = next((word for word in re.findall(r"\w{4,}", _ascii(one.title))), "")
    key = re.sub(r"\W", "", f"{_ascii(family)}{one.year or ''}{word}") or "entry"
    used[key] += 1
    return key if used[key] == 1 else f"{key}{used[key]}"


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
