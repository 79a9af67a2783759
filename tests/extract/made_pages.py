"""Synthetic pages: lines of a given size and position as a page model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from openseer.extract.layout.lines import Line, lines_of
from openseer.extract.pdf.page_model import Font, Page, PageModel, Word

PLAIN, BOLD = Font("Serif"), Font("Serif-Bold", bold=True)


class Set(NamedTuple):
    """One printed line: its text, where it begins, and how it is set."""

    text: str
    y: float
    size: float = 10.0
    x: float = 72.0
    font: Font = PLAIN


def page_of(lines: Iterable[Set], number: int = 1) -> Page:
    words: list[Word] = []
    for line in lines:
        x = line.x
        for text in line.text.split():
            wide = 0.5 * line.size * len(text)
            words.append(Word(text, x, x + wide, line.y, line.size, line.font))
            x += wide + 0.25 * line.size
    return Page(number, 595.0, 842.0, tuple(words))


def lines_and_page_model(*pages: Iterable[Set], info: dict[str, str] | None = None) -> tuple[list[Line], PageModel]:
    """Lines and page model of these pages."""
    sheets = tuple(page_of(lines, number) for number, lines in enumerate(pages, 1))
    return lines_of(sheets), PageModel(sheets, len(sheets), info or {})


PROSE = "the words of this line say nothing of note but they are as many as in other lines"


def prose(y: float, count: int, x: float = 72.0, size: float = 10.0) -> list[Set]:
    return [Set(PROSE, y + 12 * number, size, x) for number in range(count)]
