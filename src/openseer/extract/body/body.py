"""Extractor of the body text and its sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from openseer.core.model.extraction import Box, Extraction, Paragraph, Section
from openseer.extract.body.outline import Heading, outline_of
from openseer.extract.body.section_types import section_type_of
from openseer.extract.context import PaperContext
from openseer.extract.layout.language import language_of
from openseer.extract.layout.lines import Line, join_lines
from openseer.extract.layout.paragraphs import BodyLayout, is_body_text, paragraphs, running_text_mask
from openseer.extract.layout.toc import toc_lines
from openseer.extract.pdf.page_model import HYPHEN, UNSAFE

name, version = "body", 3
needs = ("header",)
MAX_SECTIONS = 1000
PARAGRAPH_SEPARATOR = "\n\n"
MIN_LANGUAGE_LETTERS = 120
"""Letters of a paragraph; the language of a shorter one is not detected."""


def extract(context: PaperContext, found: Extraction) -> dict[str, Any]:
    """The sections."""
    return {"sections": sections_of(body_lines(context, found))}


def text_of(lines: Sequence[Line], pages: int) -> str:
    """Text of all pages in reading order, without running heads and page numbers; a form feed separates pages."""
    by_page: dict[int, list[str]] = {}
    for line in lines:
        if not line.margin:
            by_page.setdefault(line.page, []).append(line.text)
    last = max(by_page, default=0)
    texts = ("\n".join(by_page.get(number, ())) for number in range(1, min(pages, last) + 1))
    return re.sub(HYPHEN + r"\n?", "", "\f".join(texts))


def body_lines(context: PaperContext, found: Extraction) -> list[Line]:
    """The lines of the text without running heads, title, authors, abstract, table of contents and bibliography."""
    excluded_ids = {id(line) for section in context.bibliography for line in section} | toc_lines(context.lines)
    header_boxes: dict[int, list[Box]] = {}
    for field in ("title", "authors", "abstract"):
        for one in found.evidence.get(field, ()):
            if one.box:
                header_boxes.setdefault(one.page, []).append(one.box)
    return [
        line
        for line in context.lines
        if not line.margin
        and id(line) not in excluded_ids
        and not (line.page in header_boxes and any(_lies_in(line, box) for box in header_boxes[line.page]))
    ]


def _lies_in(line: Line, box: Box) -> bool:
    x0, y0, x1, y1 = box
    return x0 - 1 <= line.x0 and line.x1 <= x1 + 1 and y0 <= line.base - 0.3 * line.size <= y1


def sections_of(body: Sequence[Line]) -> tuple[Section, ...]:
    """Sections from headings and the text after them; text before the first heading gets a section without heading."""
    headings = outline_of(body)[:MAX_SECTIONS]
    layout = BodyLayout(body)
    heading_lines = frozenset(
        at
        for one in headings
        for at in range(one.first_line, one.first_line + (one.line_count if not one.run_in else 1))
    )
    mask = running_text_mask(body, layout, heading_lines)
    section_ends = [*(one.first_line for one in headings[1:]), len(body)]
    introduction = _text_before_headings(body[: headings[0].first_line if headings else len(body)], mask, layout)
    section_spans = [(one, slice(one.first_line, end)) for one, end in zip(headings, section_ends, strict=False)]
    return (*introduction, *(_section(one, body[span], mask[span], layout) for one, span in section_spans))


def _text_before_headings(lines: Sequence[Line], mask: Sequence[bool], layout: BodyLayout) -> Iterator[Section]:
    """Section of the text before the first heading, without addresses and notices."""
    selected = [line for line, is_running_text in zip(lines, mask, strict=False) if is_running_text]
    section_paragraphs = [part for part in paragraphs(selected, layout) if is_body_text(part, layout)]
    if section_paragraphs:
        yield _with_paragraphs(Section("", 1, "", section_paragraphs[0][0].page), section_paragraphs)


def _section(heading: Heading, lines: Sequence[Line], mask: Sequence[bool], layout: BodyLayout) -> Section:
    section = Section(heading.text, heading.level, section_type_of(heading.text), lines[0].page)
    start = 0 if heading.run_in else heading.line_count
    selected = [line for line, is_running_text in zip(lines[start:], mask[start:], strict=True) if is_running_text]
    section_paragraphs = list(paragraphs(selected, layout))
    return _with_paragraphs(section, section_paragraphs, heading.text if heading.run_in else "")


def _with_paragraphs(
    section: Section, section_paragraphs: Sequence[Sequence[Line]], run_in_heading: str = ""
) -> Section:
    """The section with its paragraphs; a run-in heading is removed from the first."""
    # unsafe characters are removed first, since offsets count the stored text
    texts = [UNSAFE.sub("", join_lines(lines)) for lines in section_paragraphs]
    if run_in_heading and texts and texts[0].startswith(run_in_heading):
        texts[0] = texts[0][len(run_in_heading) :].strip()
    offset, positions = 0, []
    for text, lines in zip(texts, section_paragraphs, strict=True):
        if text:
            positions.append(Paragraph((offset, offset + len(text)), lines[0].page, _language(text)))
            offset += len(text) + len(PARAGRAPH_SEPARATOR)
    return replace(section, text=PARAGRAPH_SEPARATOR.join(filter(None, texts)), paragraphs=tuple(positions))


def _language(text: str) -> str:
    return language_of(text[:300], 40) if len(text) >= MIN_LANGUAGE_LETTERS else ""
