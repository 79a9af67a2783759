"""The body: the whole text, and the sections it is divided into."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from openseer.extract.headings import section_type
from openseer.extract.lines import Line, flow
from openseer.extract.opened import Opened
from openseer.extract.outline import Heading, outline_of
from openseer.extract.words import HYPHEN
from openseer.records.extraction import Evidence, Extraction, Section

name, version = "body", 2
needs = ("header",)
MAX_SECTIONS = 1000


def extract(opened: Opened, found: Extraction) -> dict[str, Any]:
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


def body_lines(opened: Opened, found: Extraction) -> list[Line]:
    """The lines of the text: no running heads, no title, authors and abstract, no bibliography."""
    cited = {id(line) for section in opened.bibliography for line in section}
    taken = [one for field in ("title", "authors", "abstract") for one in found.evidence.get(field, ())]
    return [
        line
        for line in opened.lines
        if not line.margin and id(line) not in cited and not any(_lies_in(line, one) for one in taken)
    ]


def _lies_in(line: Line, place: Evidence) -> bool:
    if place.box is None:
        return False
    x0, y0, x1, y1 = place.box
    return (
        line.page == place.page and x0 - 1 <= line.x0 and line.x1 <= x1 + 1 and y0 <= line.base - 0.3 * line.size <= y1
    )


def sections_of(body: Sequence[Line]) -> tuple[Section, ...]:
    """Headings with the text that follows them."""
    headings = outline_of(body)[:MAX_SECTIONS]
    ends = [*(one.at for one in headings[1:]), len(body)]
    return tuple(_section(one, body, end) for one, end in zip(headings, ends, strict=False))


def _section(heading: Heading, body: Sequence[Line], end: int) -> Section:
    if heading.run_in:
        text = flow(body[heading.at : end])
        text = text[len(heading.text) :].strip() if text.startswith(heading.text) else text
    else:
        text = flow(body[heading.at + heading.lines : end])
    return Section(heading.text, heading.level, section_type(heading.text), body[heading.at].page, text)
