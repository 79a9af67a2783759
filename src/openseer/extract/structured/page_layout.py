"""Typesetting of structured text: pages of words with fonts and positions, as a PDF would show it.

The extractors read titles, headings and bibliographies by their typography, so each role gets a style of its own."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from openseer.core.errors import Corrupt
from openseer.extract.pdf.page_model import MAX_PAGES, Font, Page, PageModel, PageSize, Word, clean
from openseer.extract.structured.document import Block, Role, StructuredText
from openseer.extract.structured.superscripts import parts_of

PAPER = PageSize()
MARGIN, TOP, BOTTOM = 72.0, 80.0, 760.0
CHARACTER, WIDE_CHARACTER, SPACE = 0.5, 1.0, 0.3
"""Widths in ems: of a letter, of a letter of East Asia, of a blank."""
LEADING = 1.25
RAISED_SIZE, RAISED_BY = 0.65, 0.35
"""Size of superscripts, and their height above the line, relative to the type."""
MAX_WORD = 60
"""Characters of a word that are kept together; longer ones, and text without blanks, are broken."""
MAX_BLOCKS = 200_000
"""Limit for hostile files; the rest is skipped."""
MIN_LINE_SIZE = 5.0
"""Smallest type of preformatted lines, which are made to fit the page."""

ROMAN, BOLD, ITALIC = Font("Text"), Font("Text-Bold", bold=True), Font("Text-Italic", italic=True)
TYPEWRITER = Font("Text-Typewriter")


class Style(NamedTuple):
    """Typography of a role."""

    size: float = 10.0
    font: Font = ROMAN
    centred: bool = False
    first_indent: float = 0.0
    indent: float = 0.0
    """Indentation of the lines after the first."""
    before: float = 4.0
    """Space above."""


STYLES = {
    Role.TITLE: Style(18.0, BOLD, centred=True, before=0.0),
    Role.AUTHORS: Style(12.0, ROMAN, centred=True, before=12.0),
    Role.AFFILIATION: Style(10.0, ITALIC, centred=True, before=6.0),
    Role.PARAGRAPH: Style(first_indent=14.0, before=3.0),
    Role.ITEM: Style(first_indent=12.0, indent=24.0, before=3.0),
    Role.REFERENCE: Style(indent=18.0, before=5.0),
    Role.TABLE: Style(8.0, before=8.0),
    Role.CAPTION: Style(9.0, before=10.0),
    Role.NOTE: Style(8.0, before=8.0),
    Role.LINES: Style(10.0, TYPEWRITER, before=10.0),
}
HEADINGS = (
    Style(14.0, BOLD, before=18.0),
    Style(12.0, BOLD, before=14.0),
    Style(11.0, BOLD, before=12.0),
    Style(10.0, Font("Text-BoldItalic", bold=True, italic=True), before=10.0),
)


def typeset(document: StructuredText) -> PageModel:
    """The pages of a document; raises Corrupt if it has no text."""
    setter = _Typesetter()
    breaks = frozenset(document.page_breaks)
    for number, block in enumerate(document.blocks[:MAX_BLOCKS]):
        if number in breaks:
            setter.new_page()
        setter.add(block)
    pages = setter.finish()
    if not pages:
        raise Corrupt("The document has no text.")
    warnings = document.warnings
    if len(document.blocks) > MAX_BLOCKS or len(pages) > MAX_PAGES:
        warnings = (*warnings, f"Only the first {MAX_PAGES} pages were read.")
    info = {"Title": document.stated.title} if document.stated.title else {}
    return PageModel(pages[:MAX_PAGES], document.pages or len(pages), info, warnings)


class _Typesetter:
    """Places lines of words from top to bottom."""

    def __init__(self) -> None:
        self._pages: list[Page] = []
        self._words: list[Word] = []
        self._y = TOP

    def add(self, block: Block) -> None:
        """Set a block."""
        if block.role is Role.TABLE:
            rows = (" ".join(filter(None, map(_one_line, row))) for row in block.rows)
            self._lines([row for row in rows if row], STYLES[Role.TABLE])
        elif block.role is Role.LINES:
            self._preformatted(block.text)
        elif text := _one_line(block.text):
            style = HEADINGS[min(max(1, block.level), 4) - 1] if block.role is Role.HEADING else STYLES[block.role]
            self._paragraph(text.split(" "), style)

    def new_page(self) -> None:
        """Begin a new page, unless this one is empty."""
        if self._words:
            self._pages.append(Page(len(self._pages) + 1, PAPER.width, PAPER.height, tuple(self._words)))
            self._words = []
        self._y = TOP

    def finish(self) -> tuple[Page, ...]:
        """All pages."""
        self.new_page()
        return tuple(self._pages)

    def _paragraph(self, words: Sequence[str], style: Style) -> None:
        self._y += style.before
        indent = style.first_indent
        for line in _broken(words, style, PAPER.width - 2 * MARGIN):
            self._line(line, style, MARGIN + indent)
            indent = style.indent

    def _lines(self, lines: Sequence[str], style: Style) -> None:
        self._y += style.before
        for line in lines:
            for part in _broken(line.split(" "), style, PAPER.width - 2 * MARGIN):
                self._line(part, style, MARGIN)

    def _preformatted(self, text: str) -> None:
        """Lines with their own indentation, in a size in which they fit."""
        lines = [line.expandtabs(8).rstrip() for line in text.split("\n")]
        longest = max((len(line) for line in lines), default=0)
        style = STYLES[Role.LINES]
        room = PAPER.width - 2 * MARGIN
        style = style._replace(size=max(MIN_LINE_SIZE, min(style.size, room / max(1.0, CHARACTER * longest))))
        self._y += style.before
        for line in lines:
            bare = line.lstrip(" ")
            indent = min((len(line) - len(bare)) * CHARACTER * style.size, room / 2)
            if not bare:
                self._y += 0.7 * LEADING * style.size
            for part in _broken(bare.split(" "), style, room - indent) if bare else ():
                self._line(part, style, MARGIN + indent)

    def _line(self, line: Sequence[_Piece], style: Style, x: float) -> None:
        self._y += LEADING * style.size
        if self._y > BOTTOM:
            self.new_page()
            self._y = TOP + LEADING * style.size
        if style.centred:
            x = (PAPER.width - _width_of(line, style.size)) / 2
        for text, glued, raised in line:
            if glued:
                x -= SPACE * style.size
            size = style.size * (RAISED_SIZE if raised else 1.0)
            base = self._y - (RAISED_BY * style.size if raised else 0.0)
            end = x + _word_width(text) * size
            if text:
                self._words.append(Word(text, x, end, base, size, style.font, glued))
            x = end + SPACE * style.size


def _one_line(text: str) -> str:
    return " ".join(clean(text).split())


class _Piece(NamedTuple):
    """A part of a line in one style."""

    text: str
    glued: bool = False
    """True if no blank stands before it."""
    raised: bool = False

    @property
    def width(self) -> float:
        """Width in ems."""
        return _word_width(self.text) * (RAISED_SIZE if self.raised else 1.0)


def _broken(words: Sequence[str], style: Style, room: float) -> Iterator[list[_Piece]]:
    """Words as lines that fit."""
    line: list[_Piece] = []
    width = style.first_indent
    for piece in _pieces(words):
        needed = (piece.width + (0 if piece.glued else SPACE)) * style.size
        if line and width + needed > room and not (piece.glued and len(piece.text) < MAX_WORD / 3):
            yield line
            line, width = [], style.indent
        line.append(piece)
        width += needed
    if line:
        yield line


def _pieces(words: Sequence[str]) -> Iterator[_Piece]:
    """Words, long ones in parts, with superscript numbers on their own."""
    for word in words:
        is_first = True
        for part, raised in parts_of(word) if not word.isascii() else ((word, False),):
            for start in range(0, max(1, len(part)), MAX_WORD):
                yield _Piece(part[start : start + MAX_WORD], not is_first, raised)
                is_first = False


def _width_of(line: Sequence[_Piece], size: float) -> float:
    return sum(piece.width + (0 if piece.glued else SPACE) for piece in line) * size - SPACE * size


def _word_width(text: str) -> float:
    """Width in ems."""
    if text.isascii():
        return CHARACTER * len(text)
    return sum(WIDE_CHARACTER if unicodedata.east_asian_width(one) in "WF" else CHARACTER for one in text)
