"""Where the bibliography stands: which lines belong to it, from its heading to whatever follows it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from openseer.extract.layout.headings import AFTER_REFERENCES, REFERENCES, is_heading
from openseer.extract.layout.lines import Line, body_size

NUMBER = re.compile(r"\[?\(?\d{1,3}[\].)]")
YEAR = re.compile(r"\b(?:1[6-9]\d\d|20\d\d)")
SINGLE = re.compile(r"reference\W*", re.I)
AUTHOR_START = re.compile(
    r"(?:[a-z]{2,3} )?[^\W\d_a-z][\w'’-]+(?: [^\W\d_a-z][\w'’-]+)?(?:,| [^\W\d_a-z]{1,3}[,.]| and |\. \()|"
    r"(?:[^\W\d_a-z]\. ?){1,3}[^\W\d_a-z]"
)


def reference_sections(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines of each bibliography, heading left out; most documents have one."""
    body = [line for line in lines if not line.margin]
    starts = [
        number
        for number, line in enumerate(body)
        if is_heading(REFERENCES, line.text) and _stands_out(body, number) and _followed_by_entries(body, number)
    ]
    several = [start for start in starts if not SINGLE.fullmatch(body[start].text.strip())]
    starts = several or starts  # "Reference" alone heads a column of a table where there is a bibliography besides
    size = body_size(body[: starts[0]]) if starts else 0.0
    sections = []
    for start in starts:
        end = next((other for other in starts if other > start), len(body))
        sections.append(_section(body[start], body[start + 1 : end], size))
    return [section for section in sections if section]


def _stands_out(body: Sequence[Line], number: int) -> bool:
    """The last word of a paragraph may be "bibliography.": in lower case it is a heading only in a type of its own."""
    return not body[number].text[:1].islower() or number == 0 or body[number].style != body[number - 1].style


def _followed_by_entries(body: Sequence[Line], number: int) -> bool:
    """A heading counts when years follow it soon: a table of contents or a sentence has none."""
    after = body[number + 1 : number + 25]
    text = " ".join(line.text for line in after)
    if len(after) > 15 and len(text) < 24 * len(after):  # the head of a column in a table
        return False
    return len(YEAR.findall(text)) >= max(1, len(after) // 10) and not re.search(r"(?:\. ){5}|\.{6}", text)


def _section(heading: Line, lines: Sequence[Line], body: float) -> list[Line]:
    """The lines in the type of the list up to its end; a box in between is skipped."""
    if not lines:
        return []
    size = body_size(lines[:12])
    fonts = {line.font.name for line in lines[:16] if _alike(line.size, size)}
    taken: list[Line] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if taken and _ends_section(heading, line, taken):
            if _alike(size, body):
                return taken + _next_column(lines, at)
            at = _resumes(lines, at, size, fonts)
            continue
        if _alike(line.size, size):
            taken.append(line)
        at += 1
    return taken


def _alike(one: float, two: float) -> bool:
    return abs(one - two) <= 0.1 * two


def _next_column(lines: Sequence[Line], at: int) -> list[Line]:
    """What goes on in the next column of the page, above what ended the list in this one."""
    end = lines[at]
    beside = [line for line in lines[at:] if line.page == end.page and line.column == end.column + 1]
    begins = bool(beside) and AUTHOR_START.match(beside[0].text) and end.column >= 0
    goes_on = begins and YEAR.search(" ".join(line.text for line in beside[:3]))
    return [line for line in beside if line.base < end.base and _alike(line.size, beside[0].size)] if goes_on else []


def _resumes(lines: Sequence[Line], at: int, size: float, fonts: set[str]) -> int:
    """Where the list goes on behind a box: the same small type again within two pages."""
    for number in range(at + 1, min(len(lines), at + 150)):
        line = lines[number]
        if line.page > lines[at].page + 2:
            break
        if (
            _alike(line.size, size)
            and line.font.name in fonts
            and (AUTHOR_START.match(line.text) or NUMBER.match(line.text))
        ):
            return number
    return len(lines)


def _ends_section(heading: Line, line: Line, taken: Sequence[Line]) -> bool:
    """A heading of the kind that follows a bibliography, or one set like the heading of the bibliography."""
    unlike = line.font != taken[0].font or line.size > taken[0].size * 1.02 or line.text.isupper()
    if is_heading(AFTER_REFERENCES, line.text) and unlike:
        return True
    same_style = line.style == heading.style and heading.style != taken[0].style
    return same_style and line.size >= taken[0].size and bool(re.fullmatch(r"[^\W\d_a-z][^\d]{4,78}", line.text))
