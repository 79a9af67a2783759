"""Text of DOC: the file information block, the piece table and the stories (main text, footnotes, headers ...)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from openseer.core.errors import Corrupt, Encrypted
from openseer.extract.ole.container import Container, u16, u32

WORD_97, WORD_6 = 0xA5EC, 0xA5DC
FIRST_VERSION_97 = 0xC0
"""Versions of the format from Word 97 on."""
COMPLEX, ENCRYPTED, TABLE_1 = 0x0004, 0x0100, 0x0200
STORIES = ("main", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header boxes")
FIRST_PAIR = 0x9A
CLX, STYLES, CHARACTERS, PARAGRAPHS, LISTS, LIST_OVERRIDES = 33, 1, 12, 13, 73, 74
"""Numbers of pairs (offset, size) in the file information block."""
NOTE_PAIRS = {"footnotes": (2, 3, 2), "comments": (4, 5, 30), "endnotes": (46, 47, 2)}
"""Kind of note -> pair of its references, pair of its texts, bytes of data for each reference."""
MAX_PIECES = 500_000
CODE_PAGES = {
    0x19: "cp1251",
    0x08: "cp1253",
    0x1F: "cp1254",
    0x15: "cp1250",
    0x05: "cp1250",
    0x0E: "cp1250",
    0x11: "cp932",
}
"""Language of a Word 6 file, without its region -> encoding; else Windows-1252."""


class Piece(NamedTuple):
    """A run of text that stands in one place of the file."""

    start: int
    """Number of its first character."""
    end: int
    offset: int
    """Offset of its first byte."""
    width: int
    """Bytes of a character."""


@dataclass(frozen=True, slots=True)
class WordFile:
    """A DOC: the streams, the pieces in order and the lengths of the stories."""

    data: bytes
    table: bytes
    pieces: tuple[Piece, ...]
    lengths: tuple[int, ...]
    """Characters of each story."""
    encoding: str = "cp1252"
    has_formatting: bool = True
    """False for Word 6 and 95, whose formatting is not read."""
    objects: bytes = b""
    """The stream with long paragraph properties."""

    def story(self, name: str) -> tuple[int, int]:
        """First character of a story, and the one after its last."""
        at = STORIES.index(name)
        start = sum(self.lengths[:at])
        return start, start + self.lengths[at]

    def pair(self, number: int) -> bytes:
        """The bytes of the table stream that a pair names."""
        at = FIRST_PAIR + 8 * number
        if not self.has_formatting or at + 8 > len(self.data):
            return b""
        offset, size = u32(self.data, at), u32(self.data, at + 4)
        return self.table[offset : offset + size]

    def after_pair(self, number: int) -> bytes:
        """The bytes that follow those of a pair."""
        at = FIRST_PAIR + 8 * number
        return self.table[u32(self.data, at) + u32(self.data, at + 4) :]

    def pieces_of(self, start: int, end: int) -> Iterator[Piece]:
        """The pieces between two characters."""
        for piece in self.pieces:
            first, last = max(start, piece.start), min(end, piece.end)
            if first < last:
                yield Piece(first, last, piece.offset + (first - piece.start) * piece.width, piece.width)

    def text(self, piece: Piece) -> str:
        """Text of a piece."""
        data = self.data[piece.offset : piece.offset + (piece.end - piece.start) * piece.width]
        return data.decode("utf-16-le", "replace") if piece.width == 2 else data.decode(self.encoding, "replace")

    def positions(self, number: int, size: int) -> list[int]:
        """Character numbers of a table of positions, whose entries have data of a size."""
        data = self.pair(number)
        count = max(0, (len(data) - 4) // (4 + size))
        return [u32(data, 4 * at) for at in range(count + 1)] if data else []


def word_file(container: Container) -> WordFile:
    """The text structure of a document; raises Encrypted, or Corrupt for what is no Word file."""
    data = container.stream("WordDocument")
    if len(data) < 0x60 or u16(data, 0) not in (WORD_97, WORD_6):
        raise Corrupt("The document has no text of Word.")
    flags = u16(data, 0x0A)
    if flags & ENCRYPTED:
        raise Encrypted("The document needs a password.")
    if u16(data, 2) < FIRST_VERSION_97:
        return _word_6(data, flags)
    table = container.stream("1Table" if flags & TABLE_1 else "0Table")
    lengths = struct.unpack_from("<8I", data, 0x4C)
    at = FIRST_PAIR + 8 * CLX
    clx = table[u32(data, at) : u32(data, at) + u32(data, at + 4)]
    pieces = tuple(_pieces(clx, is_wide=True))
    if not pieces:
        raise Corrupt("The document has no table of its text.")
    return WordFile(data, table, pieces, _checked(lengths, pieces), objects=container.stream("Data"))


def _word_6(data: bytes, flags: int) -> WordFile:
    """A file of Word 6 or 95, whose text is in one place unless it was saved fast."""
    lengths = struct.unpack_from("<8I", data, 0x34)
    start, clx_at = u32(data, 0x18), 0x160
    pieces: tuple[Piece, ...] = (Piece(0, sum(lengths), start, 1),)
    if flags & COMPLEX:
        offset, size = u32(data, clx_at), u32(data, clx_at + 4)
        pieces = tuple(_pieces(data[offset : offset + size], is_wide=False)) or pieces
    encoding = CODE_PAGES.get(u16(data, 6) & 0x3FF, "cp1252")
    return WordFile(data, b"", pieces, _checked(lengths, pieces), encoding, has_formatting=False)


def _checked(lengths: tuple[int, ...], pieces: tuple[Piece, ...]) -> tuple[int, ...]:
    """Lengths that do not exceed the text."""
    left = max(piece.end for piece in pieces)
    found = []
    for length in lengths:
        found.append(min(length, left))
        left -= found[-1]
    return tuple(found)


def _pieces(clx: bytes, is_wide: bool) -> Iterator[Piece]:
    """The pieces that the complex part of the file lists."""
    at = 0
    while at < len(clx) and clx[at] == 1:
        at += 3 + u16(clx, at + 1)
    if at >= len(clx) or clx[at] != 2:
        return
    size = u32(clx, at + 1)
    count = min(max(0, (size - 4) // 12), MAX_PIECES)
    first = at + 5
    for number in range(count):
        start, end = u32(clx, first + 4 * number), u32(clx, first + 4 * number + 4)
        offset = u32(clx, first + 4 * (count + 1) + 8 * number + 2)
        is_narrow = bool(offset & 0x40000000) or not is_wide
        if is_wide and is_narrow:
            offset = (offset & 0x3FFFFFFF) // 2
        if start < end:
            yield Piece(start, end, offset, 1 if is_narrow else 2)
