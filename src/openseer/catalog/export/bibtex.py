"""BibTeX, with the keys of the old CiteSeerX: Pinkall93computingdiscrete."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from openseer.catalog.export.publication_types import kind_of, lasting_address, names
from openseer.core.model.work import IndexedWork

TYPES = {
    "article": "article",
    "conference": "inproceedings",
    "report": "techreport",
    "thesis": "phdthesis",
    "book": "book",
    "chapter": "incollection",
}
VENUES = {
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "article": "journal",
    "techreport": "institution",
    "phdthesis": "school",
    "book": "publisher",
}
ESCAPES = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
"""Braces by their names: BibTeX counts those that are printed too."""
SEPARATOR = re.compile(r",|(^|\s)and(\s|$)", re.IGNORECASE)
"""What stands between names."""
CAPITALS = re.compile(r"\b\w*[A-Z]\w*[A-Z]\w*\b|(?<!^)\b[A-Z][\w]*")
"""Words whose capitals a style must not take away."""


def write(works: Sequence[IndexedWork], base: str) -> str:
    """An entry for each work; a key that is there already gets a letter."""
    times: Counter[str] = Counter()
    used: set[str] = set()
    entries = []
    for work in works:
        key = first = key_of(work)
        while key in used:
            times[first] += 1
            key = f"{first}{_letter(times[first] + 1)}"
        used.add(key)
        entries.append(_entry(work, key, base))
    return "\n".join(entries)


def key_of(work: IndexedWork) -> str:
    """Family name, two digits of the year, first two words of the title."""
    family = re.sub(r"\W", "", _plain(names(work)[0][0])) if work.authors else "Anonymous"
    year = f"{work.year % 100:02d}" if work.year else "_"
    return f"{family or 'Anonymous'}{year}{''.join(re.findall(r'[a-z0-9]+', _plain(work.title).lower())[:2])}"


def _letter(number: int) -> str:
    return chr(ord("a") + number - 1) if number <= 26 else str(number)


def _entry(work: IndexedWork, key: str, base: str) -> str:
    kind = TYPES.get(kind_of(work), "misc")
    lines = [f"\t{name} = {{{value}}}," for name, value in _fields(work, kind, base) if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def _fields(work: IndexedWork, kind: str, base: str) -> Iterator[tuple[str, str]]:
    yield "author", " and ".join(_person(family, given) for family, given in names(work))
    yield "title", CAPITALS.sub(lambda word: f"{{{word[0]}}}", _escaped(work.title))
    yield VENUES.get(kind, "howpublished"), _escaped(work.venue)
    yield "year", str(work.year or "")
    yield "volume", _escaped(work.volume)
    yield "pages", re.sub(r"\s*[-\u2013\u2014]+\s*", "--", _escaped(work.pages))
    yield "doi", work.doi
    yield "eprint", work.arxiv
    yield "archiveprefix", "arXiv" if work.arxiv else ""
    yield "url", lasting_address(work, base)
    yield "abstract", _escaped(work.abstract)
    yield "keywords", _escaped(", ".join(work.keywords))


def _person(family: str, given: str) -> str:
    """A name in parts; one that is no person's, and parts in which BibTeX would see another name, in braces."""
    if not given:
        return f"{{{_escaped(family)}}}"
    parts = (_escaped(family), _escaped(given))
    return ", ".join(f"{{{part}}}" if SEPARATOR.search(part) else part for part in parts)


def _escaped(text: str) -> str:
    return "".join(ESCAPES.get(letter, letter) for letter in " ".join(text.split()))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
