"""The body: the whole text, and the sections it is divided into."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from openseer.core.model.extraction import Box, Extraction, Paragraph, Section
from openseer.extract.body.outline import Heading, outline_of
from openseer.extract.body.section_types import kind_of
from openseer.extract.context import PaperContext
from openseer.extract.layout.language import language_of
from openseer.extract.layout.lines import Line, join_lines
from openseer.extract.layout.paragraphs import BodyLayout, is_body_text, paragraphs, running_text_mask
from openseer.extract.layout.toc import toc_lines
from openseer.extract.pdf.page_model import HYPHEN, UNSAFE

name, version = "body", 3
needs = ("header",)
MAX_SECTIONS = 1000
BETWEEN = "\n\n"
"""What stands between two paragraphs."""
TELLING = 120
"""A paragraph of fewer letters does not tell its language."""


def extract(opened: PaperContext, found: Extraction) -> dict[str, Any]:
    """The sections."""
    return {"sections": sections_of(body_lines(opened, found))}


def text_of(lines: Sequence[Line], pages: int) -> str:
    """The text of all pages in reading order, a form feed between two pages, heads and page numbers left out."""
    by_page: dict[int, list[str]] = {}
    for line in lines:
        if not line.margin:
            by_page.setdefault(line.page, []).append(line.text)
    last = max(by_page, default=0)
    texts = ("\n".join(by_page.get(number, ())) for number in range(1, min(pages, last) + 1))
    return re.sub(HYPHEN + r"\n?", "", "\f".join(texts))


def body_lines(opened: PaperContext, found: Extraction) -> list[Line]:
    """The lines of the text: no running heads, no title, authors and abstract, no contents, no bibliography."""
    apart = {id(line) for section in opened.bibliography for line in section} | toc_lines(opened.lines)
    taken: dict[int, list[Box]] = {}
    for field in ("title", "authors", "abstract"):
        for one in found.evidence.get(field, ()):
            if one.box:
                taken.setdefault(one.page, []).append(one.box)
    return [
        line
        for line in opened.lines
        if not line.margin
        and id(line) not in apart
        and not (line.page in taken and any(_lies_in(line, box) for box in taken[line.page]))
    ]


def _lies_in(line: Line, box: Box) -> bool:
    x0, y0, x1, y1 = box
    return x0 - 1 <= line.x0 and line.x1 <= x1 + 1 and y0 <= line.base - 0.3 * line.size <= y1


def sections_of(body: Sequence[Line]) -> tuple[Section, ...]:
    """Headings with the text that follows them; text before the first has a section without heading."""
    headings = outline_of(body)[:MAX_SECTIONS]
    setting = BodyLayout(body)
    fixed = frozenset(at for one in headings for at in range(one.at, one.at + (one.lines if not one.run_in else 1)))
    keep = running_text_mask(body, setting, fixed)
    ends = [*(one.at for one in headings[1:]), len(body)]
    opening = _opening(body[: headings[0].at if headings else len(body)], keep, setting)
    spans = [(one, slice(one.at, end)) for one, end in zip(headings, ends, strict=False)]
    return (*opening, *(_section(one, body[span], keep[span], setting) for one, span in spans))


def _opening(lines: Sequence[Line], keep: Sequence[bool], setting: BodyLayout) -> Iterator[Section]:
    """What stands before the first heading, without addresses and notices."""
    kept = [line for line, wanted in zip(lines, keep, strict=False) if wanted]
    parts = [part for part in paragraphs(kept, setting) if is_body_text(part, setting)]
    if parts:
        yield _filled(Section("", 1, "", parts[0][0].page), parts)


def _section(heading: Heading, lines: Sequence[Line], keep: Sequence[bool], setting: BodyLayout) -> Section:
    section = Section(heading.text, heading.level, kind_of(heading.text), lines[0].page)
    start = 0 if heading.run_in else heading.lines
    kept = [line for line, wanted in zip(lines[start:], keep[start:], strict=True) if wanted]
    parts = list(paragraphs(kept, setting))
    return _filled(section, parts, heading.text if heading.run_in else "")


def _filled(section: Section, parts: Sequence[Sequence[Line]], opening: str = "") -> Section:
    """A section with its paragraphs; a heading that stands in the line of the first is cut off."""
    texts = [UNSAFE.sub("", join_lines(part)) for part in parts]  # here, since places are counted in what is kept
    if opening and texts and texts[0].startswith(opening):
        texts[0] = texts[0][len(opening) :].strip()
    at, places = 0, []
    for text, part in zip(texts, parts, strict=True):
        if text:
            places.append(Paragraph((at, at + len(text)), part[0].page, _language(text)))
            at += len(text) + len(BETWEEN)
    return replace(section, text=BETWEEN.join(filter(None, texts)), paragraphs=tuple(places))


def _language(text: str) -> str:
    return language_of(text[:300], 40) if len(text) >= TELLING else ""
