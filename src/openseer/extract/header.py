"""The header: title, authors, abstract and publication facts, mostly from the first page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from openseer.extract.abstracts import abstract_of, abstract_text, keywords_of, unnamed_abstract
from openseer.extract.authors import authors_of, names_in, people_of
from openseer.extract.headings import ABSTRACT, INTRODUCTION, is_heading
from openseer.extract.imprint import find_arxiv, find_doi, find_venue, find_volume, find_year
from openseer.extract.lines import Line, body_size
from openseer.extract.names import AFFILIATION
from openseer.extract.titles import plain_title, subtitle_of, title_of
from openseer.extract.words import Sheets
from openseer.records.extraction import Author, Box, Evidence


@dataclass(frozen=True, slots=True)
class Header:
    """What the first pages say about the document; the fields bear the names they have in an Extraction."""

    title: str = ""
    authors: tuple[Author, ...] = ()
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    venue: str = ""
    year: int | None = None
    volume: str = ""
    doi: str = ""
    arxiv: str = ""
    evidence: dict[str, tuple[Evidence, ...]] = field(default_factory=dict)


def header_of(lines: Sequence[Line], sheets: Sheets) -> Header:
    """Title first; all else is looked for relative to it."""
    front = [line for line in lines if line.page <= 2]
    title = title_of(front, body_size(lines))
    inner = [line for line in front if not line.margin]
    subtitle = subtitle_of(inner, title, body_size(lines))
    whole = ": ".join(filter(None, (plain_title(title), plain_title(subtitle))))
    title = [*title, *subtitle]
    abstract = abstract_of(inner)
    authors, named = authors_of(_zone(inner, title, abstract))
    authors = authors or _named_in_file(sheets.info)
    abstract = abstract or unnamed_abstract(inner, title, named)
    doi, doi_line = find_doi(sheets.pages, lines)
    printed = _around(front, title, abstract)
    first = sheets.pages[0]
    year, year_line = find_year(printed, sheets.info.get("CreationDate", ""), first.height)
    return Header(
        title=whole,
        authors=tuple(authors),
        abstract=abstract_text(abstract),
        keywords=keywords_of(inner),
        venue=find_venue(printed, whole),
        year=year,
        volume=find_volume(printed),
        doi=doi,
        arxiv=find_arxiv(first, printed),
        evidence=_evidence(title=title, authors=named, abstract=abstract, year=[year_line], doi=[doi_line]),
    )


def _around(lines: Sequence[Line], title: Sequence[Line], abstract: Sequence[Line]) -> list[Line]:
    """The first page without title and abstract."""
    skip = {id(line) for line in (*title, *abstract)}
    return [line for line in lines if line.page == 1 and id(line) not in skip]


def _zone(lines: Sequence[Line], title: Sequence[Line], abstract: Sequence[Line]) -> list[Line]:
    """The lines under the title, down to the abstract or the first section, in any column the title spans."""
    page = title[0].page if title else 1
    top = title[-1].base + 0.3 * title[-1].size if title else 0.0
    column = title[0].column if title else -1
    lines = [
        line for line in lines if line.page == page and line.base > top and (column < 0 or line.column in (column, -1))
    ]
    stops = [line.base for line in lines if is_heading(ABSTRACT, line.text) or is_heading(INTRODUCTION, line.text)]
    stops += [line.base for line in abstract if line.page == page][:1]
    stops += [one.base for one, two in pairwise(lines) if _is_prose(one) and _is_prose(two)][:1]
    end = min(stops, default=1e6)
    return [line for line in lines if line.base < end - 2][:80]


def _is_prose(line: Line) -> bool:
    """Running text: many small words, none of them telling of a place."""
    words = line.text.split()
    small = sum(word.islower() and len(word) > 1 for word in words)
    return len(words) >= 6 and small > 0.6 * len(words) and not AFFILIATION.search(line.text)


def _named_in_file(info: dict[str, str]) -> list[Author]:
    """The authors the properties of the file name, when they have the shape of names."""
    return people_of(names_in(info.get("Author", "")))


def _evidence(**found: Sequence[Line | None]) -> dict[str, tuple[Evidence, ...]]:
    """Where each datum stands: one box per page."""
    return {name: tuple(_places([line for line in lines if line])) for name, lines in found.items() if any(lines)}


def _places(lines: Sequence[Line]) -> Iterable[Evidence]:
    for page in sorted({line.page for line in lines}):
        yield Evidence(page, _frame([line.box for line in lines if line.page == page]), 0.7, "rules")


def _frame(boxes: Sequence[Box]) -> Box:
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    return (round(left, 1), round(top, 1), round(right, 1), round(bottom, 1))
