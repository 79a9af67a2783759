"""The body: the whole text, and the sections it is divided into."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from openseer.extract.headings import section_type
from openseer.extract.lines import Line, body_size, flow
from openseer.extract.opened import Opened
from openseer.extract.words import HYPHEN
from openseer.records.extraction import Extraction, Section

name, version = "body", 1
needs: tuple[str, ...] = ()
NUMBERED = re.compile(
    r"(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+(?=[^\W\d_])|([IVX]{1,5})\.\s+(?=[^\W\d_a-z])|([A-Z])\.\s+(?=[A-Z][a-z])"
)
MAX_SECTIONS = 1000


def extract(opened: Opened, found: Extraction) -> dict[str, Any]:
    """The sections, and what the authors say thanks for."""
    sections = sections_of(opened.lines)
    return {"sections": sections, "acknowledgments": acknowledgments_of(sections)}


def text_of(lines: Sequence[Line], pages: int) -> str:
    """The text of all pages in reading order, a form feed between two pages, heads and page numbers left out."""
    by_page: dict[int, list[str]] = {}
    for line in lines:
        if not line.margin:
            by_page.setdefault(line.page, []).append(line.text)
    last = max(by_page, default=0)
    texts = ("\n".join(by_page.get(number, ())) for number in range(1, min(pages, last) + 1))
    return re.sub(HYPHEN + r"\n?", "", "\f".join(texts))


def sections_of(lines: Sequence[Line]) -> tuple[Section, ...]:
    """Headings with the text that follows them."""
    body = [line for line in lines if not line.margin]
    size = body_size(body)
    usual = Counter(line.font.name for line in body if line.size == size).most_common(1)
    plain = usual[0][0] if usual else ""
    starts = [at for at, line in enumerate(body) if _is_section(line, size, plain)][:MAX_SECTIONS]
    ends = [*starts[1:], len(body)]
    return tuple(_section(body[start], body[start + 1 : end]) for start, end in zip(starts, ends, strict=False))


def _is_section(line: Line, size: float, plain: str) -> bool:
    """A short line that is numbered or known, and looks unlike the body."""
    text = line.text.strip()
    if not 3 < len(text) < 100 or text.endswith((",", ";", HYPHEN)):
        return False
    apart = line.size > 1.05 * size or (line.size >= 0.93 * size and (line.font.bold or line.font.name != plain))
    if section_type(text):
        return apart or text.isupper() or len(text) < 25
    return (
        bool(NUMBERED.match(text)) and apart and not text.endswith(".") and line.font.bold | (line.size > 1.05 * size)
    )


def _section(heading: Line, lines: Sequence[Line]) -> Section:
    text = heading.text.strip()
    found = NUMBERED.match(text)
    level = found.group(1).count(".") + 1 if found and found.group(1) else 2 if found and found.group(3) else 1
    return Section(text, level, section_type(text), heading.page, flow(lines))


def acknowledgments_of(sections: Sequence[Section]) -> str:
    """The text under the heading of that name."""
    return next((section.text[:3000] for section in sections if section.type == "acknowledgments"), "")
