"""The header of a paper: title, authors, abstract and imprint, each with the place where it was found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from openseer.core.model.extraction import Author, Evidence, Extraction
from openseer.extract.context import PaperContext
from openseer.extract.header.abstract import LABEL, find_abstract, find_keywords, unlabelled
from openseer.extract.header.authors import authors_of
from openseer.extract.header.identifiers import find_arxiv, find_doi
from openseer.extract.header.line_classifier import line_labels
from openseer.extract.header.publication_info import find_publication_info
from openseer.extract.header.title import title_lines, title_of
from openseer.extract.header.year import CITATION, find_year, latest_year
from openseer.extract.layout.headings import ABSTRACT, INTRODUCTION, is_heading
from openseer.extract.layout.language import STOP_WORDS
from openseer.extract.layout.lines import Line, body_size, boxes_of

name, version = "header", 2
needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Header:
    """What the first pages say about the document; the fields bear the names they have in an Extraction."""

    title: str = ""
    authors: tuple[Author, ...] = ()
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    venue: str = ""
    volume: str = ""
    issue: str = ""
    page_range: str = ""
    year: int | None = None
    doi: str = ""
    arxiv: str = ""
    evidence: dict[str, tuple[Evidence, ...]] = field(default_factory=dict)


def extract(opened: PaperContext, found: Extraction) -> dict[str, Any]:
    """The fields of the header."""
    header = header_of(opened)
    return {field.name: getattr(header, field.name) for field in fields(header)}


def header_of(opened: PaperContext) -> Header:
    """Title first; all else is looked for relative to it."""
    lines, sheets = opened.lines, opened.sheets
    start, height = sheets.pages[0].number, sheets.pages[0].height
    first = [line for line in lines if line.page == start]
    front = [line for line in lines if line.page <= start + 2 and not line.margin]
    zones = line_labels(first, lines, sheets)
    titled = title_lines(first, height, zones.title)
    zone = author_zone(first, titled, body_size(lines))
    authors, author_lines = authors_of(zone, lines, zones.author, sheets.pages[0].links)
    abstract, abstract_lines = find_abstract(front, zones.abstract)
    if not abstract and author_lines:
        abstract, abstract_lines = unlabelled(first, author_lines, zones.abstract)
    inside = {id(line) for line in (*abstract_lines, *titled)}
    around = [line for line in first if id(line) not in inside]
    title = title_of(titled) or sheets.info.get("Title", "")
    cited = [line for section in opened.bibliography for line in section]
    year, year_line = find_year(around, lines, sheets, latest_year(cited))
    doi, doi_line = find_doi(sheets.pages, lines, set(map(id, cited)))
    return Header(
        title=title,
        authors=authors,
        abstract=abstract,
        keywords=find_keywords(front),
        **find_publication_info(around, lines, title, height)._asdict(),
        year=year,
        doi=doi,
        arxiv=find_arxiv(sheets.pages[0], lines),
        evidence=_evidence(
            title=titled, authors=author_lines, abstract=abstract_lines, year=[year_line], doi=[doi_line]
        ),
    )


def author_zone(first: Sequence[Line], titled: Sequence[Line], size: float) -> list[Line]:
    """The lines below the title and above whatever begins the text, in the order they were set."""
    if not titled:
        return []
    top, column = titled[-1].base, titled[-1].column
    below = [line for line in first if line.base > top + 0.5 and not line.margin]
    if column > 0:  # the title stands beside a column of notes: its own column is what counts
        below = [line for line in below if line.column in (column, -1)]
    end = min(
        (line.base for number, line in enumerate(below) if _begins_text(below, number, size)), default=float("inf")
    )
    return sorted((line for line in below if line.base < end - 0.3 * line.size), key=lambda line: line.order)


def _begins_text(lines: Sequence[Line], number: int, size: float) -> bool:
    """A label or heading, or three full lines of prose one below the other."""
    line = lines[number]
    if is_heading(INTRODUCTION, line.text) or is_heading(ABSTRACT, line.text) or CITATION.search(line.text):
        return True
    label = LABEL.match(line.text)
    if label and label.group(0).rstrip()[-1:] in ".:—–-":
        return True
    run = lines[number : number + 3]
    if len(run) < 3 or any(abs(one.size - line.size) > 0.3 or one.column != line.column for one in run):
        return False
    words = [re.findall(r"[^\W\d_]+", one.text.lower()) for one in run]
    common = [sum(word in STOP_WORDS for word in each) for each in words]
    total = sum(map(len, words))
    return (
        total >= 18
        and min(map(len, words)) > 4
        and min(common) > 0
        and sum(common) > 0.28 * total
        and line.size <= size * 1.25
    )


def _evidence(**found: Sequence[Line | None]) -> dict[str, tuple[Evidence, ...]]:
    """Where each datum stands."""
    return {name: tuple(_places([line for line in lines if line])) for name, lines in found.items() if any(lines)}


def _places(lines: Sequence[Line]) -> list[Evidence]:
    return [Evidence(page, box, 0.8, "rules") for page, box in boxes_of(lines)]
