"""Paragraphs from lines, joined across columns, pages and floats; captions, tables and notes are left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from openseer.extract.layout.language import STOP_WORDS
from openseer.extract.layout.lines import Line, body_size
from openseer.extract.layout.text_stream import BULLETS, CAPTION, CELL_GAP_EMS, SIZE_TOLERANCE
from openseer.extract.pdf.page_model import HYPHEN

WORD = re.compile(r"[^\W\d_]{2,}")
NOTE_LABEL = re.compile(r"(?:\d{1,3}|[*†‡§¶∗a-h])(?:[).\s]\s*|(?=[^\W\d_]))")
NOTICE = re.compile(
    r"\W*(?:proceedings of|appearing in|copyright\b|©|c ?⃝|\(?c\)? (?:19|20)\d\d\b|received\b.{0,60}\d{4}|"
    r"correspond(?:ence|ing author)|"
    r"e-?mail\b|noname manuscript|\(will be inserted|this is an open[- ]access|licensed under|doi:|https?://(?:dx\.)?doi|"
    r"preliminary work|how to cite|cite this|to cite)",
    re.I,
)
"""Start of a publisher's notice on the page."""
SENTENCE_END = re.compile(r"[.!?:…。？！][\"”’»)\]\d,–-]{0,12}$")
NUMERIC_VALUE = re.compile(r"[-+±<>=(~∼]*\d[\d.,:%±()*/–−-]*")
PARAGRAPH_GAP = 1.35
"""Ratio to the usual line distance; a larger distance means white space above the line."""
MAX_PROSE_LETTER_EMS = 0.55
"""Ems per letter; lines of prose are set tighter."""
MIN_TABLE_CELLS = 4
"""Consecutive single-word paragraphs that count as table cells."""
MIN_BLOCK_LETTERS = 8
"""Letters; blocks with fewer are not text."""


class Block(NamedTuple):
    """Consecutive lines in one style."""

    first: int
    end: int
    """Exclusive index of its last line."""


class ColumnEdges(NamedTuple):
    """The usual left and right edge of the lines of a column."""

    left: float
    right: float


class BodyLayout:
    """Typesetting of the body text: font size, line distance, column edges."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.size = body_size(lines)
        usual_letters = sum(len(line.text) for line in lines if self.is_usual(line))
        self.mixed = 2 * usual_letters < sum(len(line.text) for line in lines)
        """True for a scan, where each line has a size of its own."""
        steps = Counter(
            round(below.base - above.base, 1)
            for above, below in pairwise(lines)
            if above.column == below.column and 0 < below.base - above.base < 3 * self.size and self.is_usual(below)
        )
        self.leading = steps.most_common(1)[0][0] if steps else 1.2 * self.size
        columns: dict[tuple[int, int], list[Line]] = {}
        for line in lines:
            if self.is_usual(line):
                columns.setdefault((line.page, line.column), []).append(line)
        self._edges = {column: _column_edges(members) for column, members in columns.items()}

    def is_usual(self, line: Line) -> bool:
        return abs(line.size - self.size) <= SIZE_TOLERANCE * self.size

    def edges(self, line: Line) -> ColumnEdges:
        return self._edges.get((line.page, line.column), ColumnEdges(line.x0, line.x1))


def _column_edges(lines: Sequence[Line]) -> ColumnEdges:
    lefts = Counter(round(line.x0) for line in lines)
    rights = sorted(line.x1 for line in lines)
    return ColumnEdges(lefts.most_common(1)[0][0], rights[int(0.8 * (len(rights) - 1))])


def running_text_mask(
    lines: Sequence[Line], layout: BodyLayout, heading_lines: frozenset[int] = frozenset()
) -> list[bool]:
    """For each line, True if it belongs to the running text; lines in `heading_lines` always do."""
    mask = [True] * len(lines)
    floats: list[Block] = []
    blocks = list(_blocks(lines, layout, heading_lines))
    for block in blocks:
        if block.first not in heading_lines and _is_float(lines[block.first : block.end], layout):
            floats.append(block)
    captions = {block.end for block in floats} | {block.first for block in floats}
    for block in blocks:
        block_lines = lines[block.first : block.end]
        by_caption = block.first in captions or block.end in captions
        if (
            block.first not in heading_lines
            and by_caption
            and not layout.is_usual(block_lines[0])
            and not _is_prose(block_lines)
        ):
            floats.append(block)
    for block in floats:
        mask[block.first : block.end] = [False] * (block.end - block.first)
    return mask


def _blocks(lines: Sequence[Line], layout: BodyLayout, heading_lines: frozenset[int]) -> Iterator[Block]:
    start = 0
    for at in range(1, len(lines) + 1):
        if (
            at == len(lines)
            or at in heading_lines
            or at - 1 in heading_lines
            or _begins_block(lines[at - 1], lines[at], layout)
        ):
            yield Block(start, at)
            start = at


def _begins_block(previous: Line, line: Line, layout: BodyLayout) -> bool:
    """True if a line begins a new block: in another place or another type."""
    if line.page != previous.page or line.column != previous.column:
        return True
    if not -0.4 * line.size < line.base - previous.base < PARAGRAPH_GAP * layout.leading:
        return True
    if not layout.mixed and abs(line.size - previous.size) > SIZE_TOLERANCE * previous.size:
        return True
    return bool(CAPTION.match(line.text))


def _is_float(block: Sequence[Line], layout: BodyLayout) -> bool:
    """True for a caption, a table, the words of a figure, or a footnote."""
    first = block[0]
    if CAPTION.match(first.text) or NOTICE.match(first.text) or _is_chart(block):
        return True
    if len(block) < 6 and any("@" in line.text for line in block) and not _is_prose(block):
        return True
    rows = sum(_is_table_row(line) for line in block)
    if rows > 0.4 * len(block) and (rows > 1 or not _is_prose(block)):
        return True
    if layout.mixed or layout.is_usual(first):
        return False
    is_small = first.size < layout.size
    if is_small and NOTE_LABEL.match(first.text) and _is_note(first):
        return True
    letters = sum(map(str.isalpha, "".join(line.text for line in block)))
    return letters < MIN_BLOCK_LETTERS or (is_small and not _is_prose(block))


def _is_chart(block: Sequence[Line]) -> bool:
    """True for leaders and rules with hardly a letter or digit."""
    if len(block[0].text) > 40:  # fast path
        return False
    characters = "".join(line.text for line in block).replace(" ", "")
    return sum(map(str.isalnum, characters)) < 0.4 * len(characters)


def _is_note(line: Line) -> bool:
    """True if a small line opens with a raised marker or a number."""
    word = line.words[0]
    return word.size < 0.86 * line.size or word.text[:1].isdecimal() or word.text[:1] in "*†‡§¶∗"


def _is_table_row(line: Line) -> bool:
    """True if a line is split into cells, or has more numbers than words."""
    words, text = line.words, line.text
    if len(words) < 3:
        return False
    if line.x1 - line.x0 > MAX_PROSE_LETTER_EMS * line.size * len(text):  # otherwise wide spaces do not fit
        min_gap = CELL_GAP_EMS * line.size
        if sum([two.x0 - one.x1 > min_gap for one, two in pairwise(words)]) > 1:
            return True
    if not text[-1].isdecimal() and text[-1] not in ")%*":
        return False
    words_of_text = text.split()
    return len(words_of_text) > 2 and 2 * len(list(filter(NUMERIC_VALUE.fullmatch, words_of_text))) > len(words_of_text)


def _is_prose(block: Sequence[Line]) -> bool:
    words = WORD.findall(" ".join(line.text for line in block).lower())
    return len(words) > 4 * len(block) and sum(word in STOP_WORDS for word in words) > 0.15 * len(words)


def is_body_text(block: Sequence[Line], layout: BodyLayout) -> bool:
    """True if lines before the first heading are text instead of addresses and notices."""
    return len(block) > 1 and (layout.mixed or layout.is_usual(block[0])) and _is_prose(block)


def paragraphs(lines: Sequence[Line], layout: BodyLayout) -> Iterator[list[Line]]:
    """Running text split into paragraphs; series of table cells are left out."""
    for cells, paragraph_group in groupby(_split(lines, layout), _is_cell):
        group = list(paragraph_group)
        if not cells or len(group) < MIN_TABLE_CELLS:
            yield from group


def _is_cell(lines: Sequence[Line]) -> bool:
    text = lines[0].text
    return (
        len(lines) < 3
        and len(text) < 45
        and not text.startswith(BULLETS)
        and not SENTENCE_END.search(lines[-1].text.rstrip())
    )


def _split(lines: Sequence[Line], layout: BodyLayout) -> Iterator[list[Line]]:
    paragraph: list[Line] = []
    for line in lines:
        if paragraph and _begins_paragraph(paragraph[-1], line, layout):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield paragraph


def _begins_paragraph(previous: Line, line: Line, layout: BodyLayout) -> bool:
    """True if a line begins a paragraph, by its first letter, the end of the previous line, and both positions."""
    text, before = line.text, previous.text.rstrip()
    if before.endswith(HYPHEN):
        return False
    if text.startswith(BULLETS):
        return True
    sentence_ended = bool(SENTENCE_END.search(before))
    if line.page != previous.page or line.column != previous.column:
        return sentence_ended and (_is_indented(line, layout) or _is_short(previous, layout))
    step = line.base - previous.base
    resized = not layout.mixed and abs(line.size - previous.size) > SIZE_TOLERANCE * previous.size
    if resized or step > PARAGRAPH_GAP * layout.leading:
        return sentence_ended or not text[:1].islower()
    if step < 0.5 * line.size or text[:1].islower():
        return False
    indented = line.x0 - previous.x0 > 0.7 * line.size and _is_indented(line, layout)
    return indented or (sentence_ended and _is_short(previous, layout))


def _is_indented(line: Line, layout: BodyLayout) -> bool:
    return 0.7 * line.size < line.x0 - layout.edges(line).left < 5 * line.size


def _is_short(line: Line, layout: BodyLayout) -> bool:
    """True if a line ends well before the right edge of its column."""
    edges = layout.edges(line)
    return line.x1 < edges.right - max(1.5 * line.size, 0.06 * (edges.right - edges.left))
