"""Lines become running text: joined over line ends, columns and pages, each character still known by line and place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from openseer.core.model.extraction import Box, Section
from openseer.extract.layout.lines import Line, body_size
from openseer.extract.pdf.page_model import HYPHEN, Word

BREAK = "\n"
"""Stands where a sentence cannot go on: at a heading, a caption, a cell."""
CAPTION = re.compile(
    r"(?:Fig(?:ure|\.)?|Table|Tab\.|Tabelle|Abb(?:ildung|\.)|Scheme|Box|Algorithm|Figura|Tabla|TABLE|FIG\w*\.?) ?"
    r"\d{1,3}[a-z]?(?:[.:|]|$| [^\W\d_a-z])"
)
BULLETS = tuple("•●▪◦‣")
SMALL = 0.86
"""What is set smaller than this share of its line, and above it, is raised."""
CELL = 1.5
"""A space wider than this many ems stands between two cells of a table."""
ALIKE = 0.06
"""Two sizes of type closer than this share are one."""


@dataclass(slots=True)
class TextStream:
    """One stream of text: the body, or what is set in another size (notes, captions, tables)."""

    size: float
    main: bool = False
    """Whether it is the body."""
    lines: list[Line] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    """What each line stands under."""
    starts: list[int] = field(default_factory=list)
    """Where each line begins in the text."""
    pieces: list[str] = field(default_factory=list)
    text: str = ""

    def add(self, line: Line, heading: str) -> None:
        """One more line; what stands under another heading begins anew."""
        apart = self._is_apart(line, heading)
        gap = BREAK if apart else " "
        if not self.lines:
            gap = ""
        elif not apart and self.pieces[-1].endswith(HYPHEN):
            self.pieces[-1] = self.pieces[-1][:-1]
            # a range of numbers may be divided at its dash, which then is no hyphen
            gap = "-" if self.pieces[-1][-1:].isdecimal() and line.text[:1].isdecimal() else ""
        last = self.starts[-1] + len(self.pieces[-1]) if self.starts else 0
        self.pieces += (gap, line.text)
        self.starts.append(last + len(gap))
        self.lines.append(line)
        self.headings.append(heading)

    def _is_apart(self, line: Line, heading: str) -> bool:
        if not self.lines or self.headings[-1] != heading:
            return True
        last, text = self.lines[-1], line.text
        if text[:1].islower():
            return False
        if heading.endswith(last.text.strip()):
            return True
        if last.page == line.page and last.column == line.column:
            if not -0.4 * line.size < line.base - last.base < 2.1 * line.size:
                return True
            if text.startswith(BULLETS) or _is_title(last, line):
                return True
        return bool(CAPTION.match(text))

    def close(self) -> TextStream:
        """The text put together."""
        self.text = "".join(self.pieces).replace(HYPHEN, "-")
        self.pieces = []
        return self

    def line_at(self, offset: int) -> int:
        """The number of the line that holds this character."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def page_at(self, offset: int) -> int:
        return self.lines[self.line_at(offset)].page

    def place(self, start: int, end: int) -> tuple[int, Box]:
        """Page and box of a piece of text; where it goes on in the next line, of its first part."""
        number = self.line_at(start)
        line, begin = self.lines[number], self.starts[number]
        low, high = start - begin, end - begin
        left, right = line.x1, line.x0
        for at, word in _spots(line):
            size = max(1, len(word.text))
            if at < high and at + size > low:
                wide = (word.x1 - word.x0) / size
                left = min(left, word.x0 + wide * max(0, low - at))
                right = max(right, word.x1 - wide * max(0, at + size - high))
        if left > right:
            left, right = line.x0, line.x1
        _, top, _, bottom = line.box
        return line.page, (round(left, 1), round(top, 1), round(right, 1), round(bottom, 1))

    def cells(self, start: int, end: int) -> tuple[int, int] | None:
        """From where to where the row of a table goes that holds this piece; none where lines are prose."""
        number = self.line_at(start)
        line, begin = self.lines[number], self.starts[number]
        wide = CELL * line.size
        gaps = sum(two.x0 - one.x1 > wide for one, two in pairwise(line.words))
        if gaps < 1 + self.main:  # two columns of the body may have been taken for one
            return None
        return begin, max(end, begin + len(line.text))

    def raised(self) -> list[tuple[int, int]]:
        """Where small type stands above the line; neighbours are put together."""
        spans: list[tuple[int, int]] = []
        for start, line in zip(self.starts, self.lines, strict=True):
            low, top = SMALL * line.size, line.base - 0.08 * line.size
            if not any([word.size < low for word in line.words]):
                continue
            for at, word in _spots(line):
                if word.size < low and word.base < top:
                    first, last = start + at, start + at + len(word.text)
                    if spans and not self.text[spans[-1][1] : first].strip(" "):
                        first = spans.pop()[0]
                    spans.append((first, last))
        return spans


def _is_title(last: Line, line: Line) -> bool:
    """Whether a line is a heading of its own, by its font and because it leaves room."""
    if last.font == line.font or last.text.endswith((",", ";", "-", HYPHEN)) or line.base - last.base < 2:
        return False
    return last.x1 < line.x1 - 2 * line.size or (last.font.bold and not line.font.bold and len(last.text) < 80)


def _spots(line: Line) -> Iterator[tuple[int, Word]]:
    """Each word with its place in the text of the line."""
    at = 0
    for word in line.words:
        found = line.text.find(word.text, at)
        if found >= 0:
            yield found, word
            at = found + len(word.text)


def streams(lines: Sequence[Line], sections: Sequence[Section]) -> list[TextStream]:
    """The running texts of these lines, the body first: what is set in one size is read on over what is not."""
    usual = body_size(lines)
    even = sum(len(line.text) for line in lines if abs(line.size - usual) <= ALIKE * usual)
    mixed = 2 * even < sum(len(line.text) for line in lines)  # a scan: each line has a size of its own
    found = [TextStream(usual, main=True)]
    known: dict[int, list[str]] = {}
    for section in sections:
        known.setdefault(section.page, []).append(section.heading)
    heading, page, here = "", 0, known.get(0, [])
    for line in lines:
        if line.page != page:
            page = line.page
            here = known.get(page, [])
        if here and len(line.text) < 160 and (title := _heading(line.text, here)):
            heading = title
        _stream(found, line.size, mixed).add(line, heading)
    return [one.close() for one in found]


def _heading(text: str, headings: Sequence[str]) -> str:
    """The heading that this line is, or a part of."""
    bare = text.strip()
    for title in headings:
        if title == bare or (len(bare) > 8 and (title.startswith(bare) or title.endswith(bare))):
            return title
    return ""


def _stream(found: list[TextStream], size: float, mixed: bool) -> TextStream:
    if mixed:
        return found[0]
    for one in found:
        if abs(one.size - size) <= ALIKE * one.size:
            return one
    found.append(TextStream(size))
    return found[-1]
