"""Extractor of the header: title, authors, abstract and publication data, with evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from openseer.core.model.extraction import Author, Evidence, Extraction
from openseer.extract.context import PaperContext
from openseer.extract.header.abstract import LABEL, find_abstract, find_keywords, unlabelled_abstract
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
    """Header fields, named as in an Extraction."""

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


def extract(context: PaperContext, found: Extraction) -> dict[str, Any]:
    """The fields of the header."""
    header = header_of(context)
    return {field.name: getattr(header, field.name) for field in fields(header)}


def header_of(context: PaperContext) -> Header:
    """The header fields; the title comes first, the others are located relative to it."""
    lines, page_model = context.lines, context.page_model
    start, height = page_model.pages[0].number, page_model.pages[0].height
    first = [line for line in lines if line.page == start]
    front = [line for line in lines if line.page <= start + 2 and not line.margin]
    labels = line_labels(first, lines, page_model)
    title_block = title_lines(first, height, labels.title)
    zone = author_zone(first, title_block, body_size(lines))
    authors, author_lines = authors_of(zone, lines, labels.author, page_model.pages[0].links)
    abstract, abstract_lines = find_abstract(front, labels.abstract)
    if not abstract and author_lines:
        abstract, abstract_lines = unlabelled_abstract(first, author_lines, labels.abstract)
    inside = {id(line) for line in (*abstract_lines, *title_block)}
    other_lines = [line for line in first if id(line) not in inside]
    title = title_of(title_block) or page_model.info.get("Title", "")
    reference_lines = [line for section in context.bibliography for line in section]
    year, year_line = find_year(other_lines, lines, page_model, latest_year(reference_lines))
    doi, doi_line = find_doi(page_model.pages, lines, set(map(id, reference_lines)))
    return Header(
        title=title,
        authors=authors,
        abstract=abstract,
        keywords=find_keywords(front),
        **find_publication_info(other_lines, lines, title, height)._asdict(),
        year=year,
        doi=doi,
        arxiv=find_arxiv(page_model.pages[0], lines),
        evidence=_evidence(
            title=title_block, authors=author_lines, abstract=abstract_lines, year=[year_line], doi=[doi_line]
        ),
    )


def author_zone(first: Sequence[Line], title_block: Sequence[Line], size: float) -> list[Line]:
    """The lines between title and text, in stream order."""
    if not title_block:
        return []
    top, column = title_block[-1].base, title_block[-1].column
    below = [line for line in first if line.base > top + 0.5 and not line.margin]
    if column > 0:  # beside a column of notes: use the column of the title only
        below = [line for line in below if line.column in (column, -1)]
    end = min(
        (line.base for number, line in enumerate(below) if _begins_text(below, number, size)), default=float("inf")
    )
    return sorted((line for line in below if line.base < end - 0.3 * line.size), key=lambda line: line.order)


def _begins_text(lines: Sequence[Line], number: int, size: float) -> bool:
    """True for a label or heading, or three full lines of prose."""
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
    stop_word_counts = [sum(word in STOP_WORDS for word in each) for each in words]
    word_count = sum(map(len, words))
    return (
        word_count >= 18
        and min(map(len, words)) > 4
        and min(stop_word_counts) > 0
        and sum(stop_word_counts) > 0.28 * word_count
        and line.size <= size * 1.25
    )


def _evidence(**lines_by_field: Sequence[Line | None]) -> dict[str, tuple[Evidence, ...]]:
    """Page and box of each field."""
    return {
        name: tuple(_evidence_of([line for line in lines if line]))
        for name, lines in lines_by_field.items()
        if any(lines)
    }


def _evidence_of(lines: Sequence[Line]) -> list[Evidence]:
    return [Evidence(page, box, 0.8, "rules") for page, box in boxes_of(lines)]
