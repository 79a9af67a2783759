"""Reader of DOC: paragraphs with styles, lists, tables, notes, text boxes and headers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from openseer.core.model.file_head import FileHead
from openseer.extract.office.paragraphs import Paragraph, paragraph_text, running_heads, structure_of
from openseer.extract.ole.container import START, opened
from openseer.extract.ole.word_formatting import Formatting, Look, applied
from openseer.extract.ole.word_lists import WordLists
from openseer.extract.ole.word_text import NOTE_PAIRS, Piece, WordFile, word_file
from openseer.extract.rtf.charsets import symbol_text
from openseer.extract.structured.document import Role, StructuredText
from openseer.extract.structured.superscripts import raised

name, version = "doc", 1
mime, suffix = "application/msword", "doc"
MARK = "WordDocument".encode("utf-16-le")
marks: tuple[bytes, ...] = (MARK,)
MAX_CELL_CHARACTERS = 1500
"""A cell with more text lays out a page; its paragraphs are text."""
ENDS = "\r\x07\x0c\x0e"
"""Marks at the end of a paragraph, a cell, a page and a column."""
MARKS = re.compile("[\r\x07\x0c\x0e\x13\x14\x15\x02\x05]")
SPACES = str.maketrans({"\t": " ", "\x1e": "-", "\x1f": "", "\xad": ""})
OTHER_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f]")
NOTE_MARKS = "\x02\x05"
"""Places of footnotes, endnotes and comments."""


def recognises(head: FileHead) -> bool:
    """True for an OLE file with a stream of Word."""
    return head.start.startswith(START) and MARK in head.marks


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> StructuredText:
    """The structure of a document."""
    with opened(path) as container:
        document = _Document(word_file(container))
        paragraphs = [*document.story("main"), *document.unused_notes(), *document.story("boxes")]
        heads = running_heads([*document.story("headers"), *document.story("header boxes")])
        return structure_of([*paragraphs, *heads], container.properties())


@dataclass(slots=True)
class _Open:
    """The paragraph and the table being read."""

    parts: list[str] = field(default_factory=list)
    bold: int = 0
    whole: int = 0
    size: float = 0.0
    cell: list[str] = field(default_factory=list)
    row: list[str] = field(default_factory=list)
    rows: list[tuple[str, ...]] = field(default_factory=list)
    attached: list[Paragraph] = field(default_factory=list)
    starts_page: bool = False
    fields: list[bool] = field(default_factory=list)
    """For each open field whether its result has begun."""


class _Document:
    """The stories of a document."""

    def __init__(self, word: WordFile) -> None:
        self._word = word
        self._formatting = Formatting(word)
        self._lists = WordLists(word)
        self._used: set[int] = set()
        self._notes: dict[int, list[Paragraph]] = {}
        self._notes = dict(self._note_texts())

    def story(self, name: str) -> list[Paragraph]:
        """Paragraphs and tables of a story."""
        return self._paragraphs(*self._word.story(name))

    def unused_notes(self) -> list[Paragraph]:
        """Notes without a place in the text."""
        return [one for at, note in self._notes.items() if at not in self._used for one in note]

    def _note_texts(self) -> Iterator[tuple[int, list[Paragraph]]]:
        """Paragraphs of each note, by the number of the character that refers to it."""
        for kind, (references, texts, size) in NOTE_PAIRS.items():
            start, end = self._word.story(kind)
            if start == end:
                continue
            places = self._word.positions(references, size)[:-1]
            bounds = self._word.positions(texts, 0)
            for number, (first, last) in enumerate(pairwise(bounds)):
                found = self._paragraphs(min(end, start + first), min(end, start + last))
                notes = [one if one.rows else replace(one, role=Role.NOTE, level=0, marker="") for one in found]
                if notes:
                    yield (places[number] if number < len(places) else -start - first - 1), notes
            if not bounds:
                notes = [replace(one, role=Role.NOTE) for one in self._paragraphs(start, end)]
                yield -start - 1, notes

    def _paragraphs(self, start: int, end: int) -> list[Paragraph]:
        """Paragraphs and tables between two characters."""
        found: list[Paragraph] = []
        current = _Open()
        for piece, look in self._runs(start, end):
            self._add_run(piece, look, current, found)
        self._end_paragraph(Look(), current, found)
        _end_table(current, found)
        return found

    def _runs(self, start: int, end: int) -> Iterator[tuple[Piece, Look]]:
        """Runs of characters with the same formatting."""
        looks: dict[tuple[Look, bytes], Look] = {}
        for piece in self._word.pieces_of(start, end):
            at = piece.start
            while at < piece.end:
                offset = piece.offset + (at - piece.start) * piece.width
                run_end, data = self._formatting.characters.at(offset)
                last = min(piece.end, at + max(1, (run_end - offset) // piece.width))
                base = self._formatting.paragraph(offset)
                if (base, data) not in looks:
                    looks[base, data] = applied(base, data, style=base)
                yield Piece(at, last, offset, piece.width), looks[base, data]
                at = last

    def _add_run(self, run: Piece, look: Look, current: _Open, found: list[Paragraph]) -> None:
        text = self._word.text(run)
        at = 0
        for mark in MARKS.finditer(text):
            _write(text[at : mark.start()], look, current)
            at = mark.end()
            character = mark[0]
            if character in ENDS:
                place = run.offset + mark.start() * run.width
                self._end(character, self._formatting.paragraph(place), current, found)
            elif character in NOTE_MARKS:
                if all(current.fields) and not look.deleted:
                    current.attached += self._note(run.start + mark.start())
            else:
                _change_field(character, current.fields)
        _write(text[at:], look, current)

    def _note(self, place: int) -> list[Paragraph]:
        self._used.add(place)
        return self._notes.get(place, [])

    def _end(self, character: str, look: Look, current: _Open, found: list[Paragraph]) -> None:
        """End a paragraph, a cell or a row."""
        if character == "\x07":
            is_row_end = look.ends_row if self._word.has_formatting else not current.parts and bool(current.row)
            if is_row_end:
                _end_row(current)
            else:
                _end_cell(current)
        elif look.in_table and character == "\r":
            current.cell.append(_joined(current.parts))
            _clear(current)
        else:
            self._end_paragraph(look, current, found)
            current.starts_page = current.starts_page or character == "\x0c"

    def _end_paragraph(self, look: Look, current: _Open, found: list[Paragraph]) -> None:
        _end_table(current, found)
        text = _joined(current.parts)
        if text:
            is_listed = bool(look.list_number)
            found.append(
                Paragraph(
                    text,
                    style=self._formatting.style_name(look),
                    level=look.outline + 1 if look.outline < 9 else 0,
                    bold=current.bold > 0.9 * max(1, current.whole),
                    centred=look.centred,
                    size=current.size,
                    marker=self._lists.marker(look.list_number, look.list_level) if is_listed else "",
                    depth=look.list_level + 1,
                    starts_page=current.starts_page or look.starts_page,
                )
            )
            current.starts_page = False
        _clear(current)
        found += current.attached
        current.attached = []


def _write(text: str, look: Look, current: _Open) -> None:
    """Add the text of a run to its paragraph."""
    if not text or look.hidden or look.deleted or not all(current.fields):
        return
    if look.symbol:
        text = symbol_text(look.symbol) * len(text)
    plain = OTHER_CONTROLS.sub("", text.translate(SPACES))
    current.parts.append(raised(plain) if look.raised else plain)
    count = len(plain.strip())
    current.whole += count
    current.bold += count if look.bold else 0
    current.size = current.size or (look.size if count else 0.0)


def _change_field(character: str, fields: list[bool]) -> None:
    if character == "\x13":
        fields.append(False)
    elif fields and character == "\x14":
        fields[-1] = True
    elif fields:
        fields.pop()


def _clear(current: _Open) -> None:
    current.parts, current.bold, current.whole, current.size = [], 0, 0, 0.0


def _end_cell(current: _Open) -> None:
    current.cell.append(_joined(current.parts))
    current.row.append(" ".join(filter(None, current.cell)))
    current.cell = []
    _clear(current)


def _end_row(current: _Open) -> None:
    if current.cell or _joined(current.parts):
        _end_cell(current)
    if any(current.row):
        current.rows.append(tuple(current.row))
    current.row = []
    _clear(current)


def _end_table(current: _Open, found: list[Paragraph]) -> None:
    """Add the rows so far, as paragraphs if they lay out a page."""
    if current.row or current.cell:
        parts, current.parts = current.parts, []
        _end_row(current)
        current.parts = parts
    rows, current.rows = current.rows, []
    if not rows:
        return
    if max(len(cell) for row in rows for cell in row) > MAX_CELL_CHARACTERS or max(map(len, rows)) < 2:
        found += [Paragraph(cell) for row in rows for cell in row if cell]
    else:
        found.append(Paragraph(rows=tuple(rows)))


def _joined(parts: list[str]) -> str:
    return paragraph_text(parts)
