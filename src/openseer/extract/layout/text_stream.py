"""Running text from lines, joined across line ends, columns and pages, with the line and box of each character."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from openseer.core.model.extraction import Box, Section
from openseer.extract.layout.lines import Line, body_size
from openseer.extract.pdf.page_model import HYPHEN, Word

STREAM_BREAK = "\n"
"""Separator where a sentence cannot continue: at a heading, a caption, a cell."""
CAPTION = re.compile(
    r"(?:Fig(?:ure|\.)?|Table|Tab\.|Tabelle|Abb(?:ildung|\.)|Scheme|Box|Algorithm|Figura|Tabla|TABLE|FIG\w*\.?) ?"
    r"\d{1,3}[a-z]?(?:[.:|]|$| [^\W\d_a-z])"
)
BULLETS = tuple("•●▪◦‣")
RAISED_SIZE = 0.86
"""Ratio to the line's font size; smaller characters above the baseline are raised."""
CELL_GAP_EMS = 1.5
"""Ems; a wider space separates two cells of a table."""
SIZE_TOLERANCE = 0.06
"""Relative difference below which two font sizes count as equal."""


@dataclass(slots=True)
class TextStream:
    """One stream of text: the body, or text in another size (notes, captions, tables)."""

    size: float
    is_body: bool = False
    """True for the body text."""
    lines: list[Line] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    """The heading above each line."""
    starts: list[int] = field(default_factory=list)
    """The offset of each line in the text."""
    pieces: list[str] = field(default_factory=list)
    text: str = ""

    def add(self, line: Line, heading: str) -> None:
        """Append a line; a line under another heading starts after a break."""
        is_separate = self._is_separate(line, heading)
        separator = STREAM_BREAK if is_separate else " "
        if not self.lines:
            separator = ""
        elif not is_separate and self.pieces[-1].endswith(HYPHEN):
            self.pieces[-1] = self.pieces[-1][:-1]
            # a range of numbers may be divided at its dash, which is kept
            separator = "-" if self.pieces[-1][-1:].isdecimal() and line.text[:1].isdecimal() else ""
        end = self.starts[-1] + len(self.pieces[-1]) if self.starts else 0
        self.pieces += (separator, line.text)
        self.starts.append(end + len(separator))
        self.lines.append(line)
        self.headings.append(heading)

    def _is_separate(self, line: Line, heading: str) -> bool:
        if not self.lines or self.headings[-1] != heading:
            return True
        previous, text = self.lines[-1], line.text
        if text[:1].islower():
            return False
        if heading.endswith(previous.text.strip()):
            return True
        if previous.page == line.page and previous.column == line.column:
            if not -0.4 * line.size < line.base - previous.base < 2.1 * line.size:
                return True
            if text.startswith(BULLETS) or _is_run_in_heading(previous, line):
                return True
        return bool(CAPTION.match(text))

    def close(self) -> TextStream:
        """Assemble the text."""
        self.text = "".join(self.pieces).replace(HYPHEN, "-")
        self.pieces = []
        return self

    def line_at(self, offset: int) -> int:
        """Number of the line that holds the character."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def page_at(self, offset: int) -> int:
        return self.lines[self.line_at(offset)].page

    def locate(self, start: int, end: int) -> tuple[int, Box]:
        """Page and box of a span of text; if it continues in the next line, of its first part."""
        number = self.line_at(start)
        line, begin = self.lines[number], self.starts[number]
        first, last = start - begin, end - begin
        left, right = line.x1, line.x0
        for offset, word in _words_with_offsets(line):
            size = max(1, len(word.text))
            if offset < last and offset + size > first:
                letter_width = (word.x1 - word.x0) / size
                left = min(left, word.x0 + letter_width * max(0, first - offset))
                right = max(right, word.x1 - letter_width * max(0, offset + size - last))
        if left > right:
            left, right = line.x0, line.x1
        _, top, _, bottom = line.box
        return line.page, (round(left, 1), round(top, 1), round(right, 1), round(bottom, 1))

    def table_row(self, start: int, end: int) -> tuple[int, int] | None:
        """Span of the table row around a span of text, or None in prose."""
        number = self.line_at(start)
        line, begin = self.lines[number], self.starts[number]
        min_gap = CELL_GAP_EMS * line.size
        gaps = sum(two.x0 - one.x1 > min_gap for one, two in pairwise(line.words))
        if gaps < 1 + self.is_body:  # in the body, two columns may be merged
            return None
        return begin, max(end, begin + len(line.text))

    def raised_spans(self) -> list[tuple[int, int]]:
        """Spans of small type above the baseline; neighbouring spans are merged."""
        spans: list[tuple[int, int]] = []
        for start, line in zip(self.starts, self.lines, strict=True):
            max_size, top = RAISED_SIZE * line.size, line.base - 0.08 * line.size
            if not any([word.size < max_size for word in line.words]):
                continue
            for offset, word in _words_with_offsets(line):
                if word.size < max_size and word.base < top:
                    first, last = start + offset, start + offset + len(word.text)
                    if spans and not self.text[spans[-1][1] : first].strip(" "):
                        first = spans.pop()[0]
                    spans.append((first, last))
        return spans


def _is_run_in_heading(previous: Line, line: Line) -> bool:
    """True if the previous line is a separate heading by its font and its free space."""
    if previous.font == line.font or previous.text.endswith((",", ";", "-", HYPHEN)) or line.base - previous.base < 2:
        return False
    return previous.x1 < line.x1 - 2 * line.size or (
        previous.font.bold and not line.font.bold and len(previous.text) < 80
    )


def _words_with_offsets(line: Line) -> Iterator[tuple[int, Word]]:
    """Each word with its offset in the text of the line."""
    offset = 0
    for word in line.words:
        start = line.text.find(word.text, offset)
        if start >= 0:
            yield start, word
            offset = start + len(word.text)


def text_streams(lines: Sequence[Line], sections: Sequence[Section]) -> list[TextStream]:
    """Text streams of the lines, the body first; each font size is a stream."""
    size = body_size(lines)
    same_size_letters = sum(len(line.text) for line in lines if abs(line.size - size) <= SIZE_TOLERANCE * size)
    mixed = 2 * same_size_letters < sum(len(line.text) for line in lines)  # a scan: each line has its own size
    result = [TextStream(size, is_body=True)]
    headings_of_page: dict[int, list[str]] = {}
    for section in sections:
        headings_of_page.setdefault(section.page, []).append(section.heading)
    heading, page, page_headings = "", 0, headings_of_page.get(0, [])
    for line in lines:
        if line.page != page:
            page = line.page
            page_headings = headings_of_page.get(page, [])
        if page_headings and len(line.text) < 160 and (found_heading := _matching_heading(line.text, page_headings)):
            heading = found_heading
        _stream_of_size(result, line.size, mixed).add(line, heading)
    return [stream.close() for stream in result]


def _matching_heading(text: str, headings: Sequence[str]) -> str:
    """The section heading that equals the line or contains it."""
    stripped = text.strip()
    for title in headings:
        if title == stripped or (len(stripped) > 8 and (title.startswith(stripped) or title.endswith(stripped))):
            return title
    return ""


def _stream_of_size(streams: list[TextStream], size: float, mixed: bool) -> TextStream:
    if mixed:
        return streams[0]
    for stream in streams:
        if abs(stream.size - size) <= SIZE_TOLERANCE * stream.size:
            return stream
    streams.append(TextStream(size))
    return streams[-1]
