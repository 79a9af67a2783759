"""Location of the bibliography: the lines from its heading to the next part of the paper."""

from __future__ import annotations

import re
from collections.abc import Sequence

from openseer.extract.layout.headings import AFTER_REFERENCES, REFERENCES, is_heading
from openseer.extract.layout.lines import Line, body_size

NUMBER = re.compile(r"\[?\(?\d{1,3}[\].)]")
YEAR = re.compile(r"\b(?:1[6-9]\d\d|20\d\d)")
SINGLE_REFERENCE = re.compile(r"reference\W*", re.I)
AUTHOR_START = re.compile(
    r"(?:[a-z]{2,3} )?[^\W\d_a-z][\w'’-]+(?: [^\W\d_a-z][\w'’-]+)?(?:,| [^\W\d_a-z]{1,3}[,.]| and |\. \()|"
    r"(?:[^\W\d_a-z]\. ?){1,3}[^\W\d_a-z]"
)


def reference_sections(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines of each bibliography without its heading; most documents have one."""
    body = [line for line in lines if not line.margin]
    starts = [
        number
        for number, line in enumerate(body)
        if is_heading(REFERENCES, line.text) and _stands_out(body, number) and _followed_by_entries(body, number)
    ]
    several = [start for start in starts if not SINGLE_REFERENCE.fullmatch(body[start].text.strip())]
    starts = several or starts  # may head a table
    size = body_size(body[: starts[0]]) if starts else 0.0
    sections = []
    for start in starts:
        end = next((other for other in starts if other > start), len(body))
        sections.append(_section(body[start], body[start + 1 : end], size))
    return [section for section in sections if section]


def _stands_out(body: Sequence[Line], number: int) -> bool:
    """True for a heading in upper case or in its own style; a paragraph may end in the word "bibliography."."""
    return not body[number].text[:1].islower() or number == 0 or body[number].style != body[number - 1].style


def _followed_by_entries(body: Sequence[Line], number: int) -> bool:
    """True if years follow the heading soon, unlike in a table of contents or a sentence."""
    after = body[number + 1 : number + 25]
    text = " ".join(line.text for line in after)
    if len(after) > 15 and len(text) < 24 * len(after):  # a column header of a table
        return False
    return len(YEAR.findall(text)) >= max(1, len(after) // 10) and not re.search(r"(?:\. ){5}|\.{6}", text)


def _section(heading: Line, lines: Sequence[Line], body: float) -> list[Line]:
    """The lines in the font size of the list up to its end; a box in between is skipped."""
    if not lines:
        return []
    size = body_size(lines[:12])
    fonts = {line.font.name for line in lines[:16] if _similar_size(line.size, size)}
    section_lines: list[Line] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if section_lines and _ends_section(heading, line, section_lines):
            if _similar_size(size, body):
                return section_lines + _next_column(lines, at)
            at = _resume_after_box(lines, at, size, fonts)
            continue
        if _similar_size(line.size, size):
            section_lines.append(line)
        at += 1
    return section_lines


def _similar_size(one: float, two: float) -> bool:
    return abs(one - two) <= 0.1 * two


def _next_column(lines: Sequence[Line], at: int) -> list[Line]:
    """The rest of the list in the next column of the page, above the line that ends it in this one."""
    end = lines[at]
    next_lines = [line for line in lines[at:] if line.page == end.page and line.column == end.column + 1]
    begins = bool(next_lines) and AUTHOR_START.match(next_lines[0].text) and end.column >= 0
    continues = begins and YEAR.search(" ".join(line.text for line in next_lines[:3]))
    return (
        [line for line in next_lines if line.base < end.base and _similar_size(line.size, next_lines[0].size)]
        if continues
        else []
    )


def _resume_after_box(lines: Sequence[Line], at: int, size: float, fonts: set[str]) -> int:
    """Index where the list continues after a box: the same small type within two pages."""
    for number in range(at + 1, min(len(lines), at + 150)):
        line = lines[number]
        if line.page > lines[at].page + 2:
            break
        if (
            _similar_size(line.size, size)
            and line.font.name in fonts
            and (AUTHOR_START.match(line.text) or NUMBER.match(line.text))
        ):
            return number
    return len(lines)


def _ends_section(heading: Line, line: Line, section_lines: Sequence[Line]) -> bool:
    """True for a heading that follows bibliographies, or one set like the heading of the bibliography."""
    differs = line.font != section_lines[0].font or line.size > section_lines[0].size * 1.02 or line.text.isupper()
    if is_heading(AFTER_REFERENCES, line.text) and differs:
        return True
    same_style = line.style == heading.style and heading.style != section_lines[0].style
    return (
        same_style and line.size >= section_lines[0].size and bool(re.fullmatch(r"[^\W\d_a-z][^\d]{4,78}", line.text))
    )
