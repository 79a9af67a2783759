"""Lines become paragraphs: joined over line ends, columns, pages and floats; captions, tables and notes left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from openseer.extract.layout.language import STOPS
from openseer.extract.layout.lines import Line, body_size
from openseer.extract.layout.text_stream import ALIKE, BULLETS, CAPTION, CELL
from openseer.extract.pdf.page_model import HYPHEN

WORD = re.compile(r"[^\W\d_]{2,}")
NOTE = re.compile(r"(?:\d{1,3}|[*†‡§¶∗a-h])(?:[).\s]\s*|(?=[^\W\d_]))")
FURNITURE = re.compile(
    r"\W*(?:proceedings of|appearing in|copyright\b|©|c ?⃝|\(?c\)? (?:19|20)\d\d\b|received\b.{0,60}\d{4}|"
    r"correspond(?:ence|ing author)|"
    r"e-?mail\b|noname manuscript|\(will be inserted|this is an open[- ]access|licensed under|doi:|https?://(?:dx\.)?doi|"
    r"preliminary work|how to cite|cite this|to cite)",
    re.I,
)
"""How notices begin that stand on a page and are no part of the text."""
ENDS = re.compile(r"[.!?:…。？！][\"”’»)\]\d,–-]{0,12}$")
VALUE = re.compile(r"[-+±<>=(~∼]*\d[\d.,:%±()*/–−-]*")
APART = 1.35
"""A line that stands so many usual steps below another has white above it."""
LOOSE = 0.55
"""Lines of prose are set tighter than this many ems a letter."""
CELLS = 4
"""So many lone words below each other are cells."""
LETTERED = 8
"""A block with fewer letters says nothing."""


class Block(NamedTuple):
    """Lines that stand below each other, set alike."""

    first: int
    last: int
    """The number behind its last line."""


class Edges(NamedTuple):
    """Where most lines of a column begin and end."""

    left: float
    right: float


class Setting:
    """How the text of a document is set: type size, distance of lines, columns."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.size = body_size(lines)
        even = sum(len(line.text) for line in lines if self.is_usual(line))
        self.mixed = 2 * even < sum(len(line.text) for line in lines)
        """A scan: each line has a size of its own."""
        steps = Counter(
            round(two.base - one.base, 1)
            for one, two in pairwise(lines)
            if one.column == two.column and 0 < two.base - one.base < 3 * self.size and self.is_usual(two)
        )
        self.leading = steps.most_common(1)[0][0] if steps else 1.2 * self.size
        columns: dict[tuple[int, int], list[Line]] = {}
        for line in lines:
            if self.is_usual(line):
                columns.setdefault((line.page, line.column), []).append(line)
        self._edges = {column: _edges(members) for column, members in columns.items()}

    def is_usual(self, line: Line) -> bool:
        return abs(line.size - self.size) <= ALIKE * self.size

    def edges(self, line: Line) -> Edges:
        return self._edges.get((line.page, line.column), Edges(line.x0, line.x1))


def _edges(lines: Sequence[Line]) -> Edges:
    lefts = Counter(round(line.x0) for line in lines)
    rights = sorted(line.x1 for line in lines)
    return Edges(lefts.most_common(1)[0][0], rights[int(0.8 * (len(rights) - 1))])


def running_lines(lines: Sequence[Line], setting: Setting, fixed: frozenset[int] = frozenset()) -> list[bool]:
    """Which lines are part of the running text; those whose number is in `fixed`, headings, always are."""
    keep = [True] * len(lines)
    floats: list[Block] = []
    blocks = list(_blocks(lines, setting, fixed))
    for block in blocks:
        if block.first not in fixed and _is_float(lines[block.first : block.last], setting):
            floats.append(block)
    captions = {block.last for block in floats} | {block.first for block in floats}
    for block in blocks:
        part = lines[block.first : block.last]
        beside = block.first in captions or block.last in captions
        if block.first not in fixed and beside and not setting.is_usual(part[0]) and not _is_prose(part):
            floats.append(block)
    for block in floats:
        keep[block.first : block.last] = [False] * (block.last - block.first)
    return keep


def _blocks(lines: Sequence[Line], setting: Setting, fixed: frozenset[int]) -> Iterator[Block]:
    start = 0
    for at in range(1, len(lines) + 1):
        if at == len(lines) or at in fixed or at - 1 in fixed or _parts(lines[at - 1], lines[at], setting):
            yield Block(start, at)
            start = at


def _parts(last: Line, line: Line, setting: Setting) -> bool:
    """Whether a line begins a new block: elsewhere, further down, or in another type."""
    if line.page != last.page or line.column != last.column:
        return True
    if not -0.4 * line.size < line.base - last.base < APART * setting.leading:
        return True
    if not setting.mixed and abs(line.size - last.size) > ALIKE * last.size:
        return True
    return bool(CAPTION.match(line.text))


def _is_float(block: Sequence[Line], setting: Setting) -> bool:
    """A caption, a table, the words of a figure, or a note at the foot."""
    first = block[0]
    if CAPTION.match(first.text) or FURNITURE.match(first.text) or _is_chart(block):
        return True
    if len(block) < 6 and any("@" in line.text for line in block) and not _is_prose(block):
        return True
    rows = sum(_is_row(line) for line in block)
    if rows > 0.4 * len(block) and (rows > 1 or not _is_prose(block)):
        return True
    if setting.mixed or setting.is_usual(first):
        return False
    small = first.size < setting.size
    if small and NOTE.match(first.text) and _is_note(first):
        return True
    letters = sum(map(str.isalpha, "".join(line.text for line in block)))
    return letters < LETTERED or (small and not _is_prose(block))


def _is_chart(block: Sequence[Line]) -> bool:
    """Dots and dashes, hardly a letter or digit among them."""
    if len(block[0].text) > 40:  # a glance is enough for most
        return False
    signs = "".join(line.text for line in block).replace(" ", "")
    return sum(map(str.isalnum, signs)) < 0.4 * len(signs)


def _is_note(line: Line) -> bool:
    """Whether a line of small type opens with a raised mark or a number."""
    word = line.words[0]
    return word.size < 0.86 * line.size or word.text[:1].isdecimal() or word.text[:1] in "*†‡§¶∗"


def _is_row(line: Line) -> bool:
    """Whether a line is cut into cells, or holds more numbers than words."""
    words, text = line.words, line.text
    if len(words) < 3:
        return False
    if line.x1 - line.x0 > LOOSE * line.size * len(text):  # else there is no room for wide spaces
        wide = CELL * line.size
        if sum([two.x0 - one.x1 > wide for one, two in pairwise(words)]) > 1:
            return True
    if not text[-1].isdecimal() and text[-1] not in ")%*":
        return False
    pieces = text.split()
    return len(pieces) > 2 and 2 * len(list(filter(VALUE.fullmatch, pieces))) > len(pieces)


def _is_prose(block: Sequence[Line]) -> bool:
    words = WORD.findall(" ".join(line.text for line in block).lower())
    return len(words) > 4 * len(block) and sum(word in STOPS for word in words) > 0.15 * len(words)


def is_text(block: Sequence[Line], setting: Setting) -> bool:
    """Whether lines before the first heading are text rather than addresses and notices."""
    return len(block) > 1 and (setting.mixed or setting.is_usual(block[0])) and _is_prose(block)


def paragraphs(lines: Sequence[Line], setting: Setting) -> Iterator[list[Line]]:
    """Lines of running text cut into paragraphs; a row of lone words without end is a table whose cells were cut."""
    for cells, parts in groupby(_cut(lines, setting), _is_cell):
        group = list(parts)
        if not cells or len(group) < CELLS:
            yield from group


def _is_cell(part: Sequence[Line]) -> bool:
    text = part[0].text
    return len(part) < 3 and len(text) < 45 and not text.startswith(BULLETS) and not ENDS.search(part[-1].text.rstrip())


def _cut(lines: Sequence[Line], setting: Setting) -> Iterator[list[Line]]:
    part: list[Line] = []
    for line in lines:
        if part and _begins(part[-1], line, setting):
            yield part
            part = []
        part.append(line)
    if part:
        yield part


def _begins(last: Line, line: Line, setting: Setting) -> bool:
    """Whether a line opens a paragraph, by its first letter, the end of the line above, and where both stand."""
    text, before = line.text, last.text.rstrip()
    if before.endswith(HYPHEN):
        return False
    if text.startswith(BULLETS):
        return True
    ended = bool(ENDS.search(before))
    if line.page != last.page or line.column != last.column:
        return ended and (_is_indented(line, setting) or _is_short(last, setting))
    step = line.base - last.base
    resized = not setting.mixed and abs(line.size - last.size) > ALIKE * last.size
    if resized or step > APART * setting.leading:
        return ended or not text[:1].islower()
    if step < 0.5 * line.size or text[:1].islower():
        return False
    stepped_in = line.x0 - last.x0 > 0.7 * line.size and _is_indented(line, setting)
    return stepped_in or (ended and _is_short(last, setting))


def _is_indented(line: Line, setting: Setting) -> bool:
    return 0.7 * line.size < line.x0 - setting.edges(line).left < 5 * line.size


def _is_short(line: Line, setting: Setting) -> bool:
    """Whether a line ends well before the edge of its column."""
    edges = setting.edges(line)
    return line.x1 < edges.right - max(1.5 * line.size, 0.06 * (edges.right - edges.left))
