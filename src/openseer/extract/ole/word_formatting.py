"""Formatting of DOC: property changes of characters and paragraphs, and the style sheet."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from openseer.extract.ole.container import DAMAGES, u16, u32
from openseer.extract.ole.word_text import CHARACTERS, PARAGRAPHS, STYLES, WordFile

PAGE_BYTES = 512
MAX_INHERITANCE = 20
OPERAND_BYTES = (1, 1, 2, 4, 2, 2, 0, 3)
"""Size of an operand by the last three bits of its code; 0: it states its size."""
LONG_TABLE, TABS = 0xD608, 0xC615
BUILT_IN = {
    **{level: f"heading {level}" for level in range(1, 10)},
    29: "footnote text", 30: "annotation text", 31: "header", 32: "footer", 34: "caption", 43: "endnote text",
    62: "Title", 74: "Subtitle", 101: "HTML Preformatted",
}  # fmt: skip
"""Numbers of built-in styles, whose names differ by language."""
TITLE_LEVELS = frozenset(range(1, 10))


@dataclass(frozen=True, slots=True)
class Look:
    """Formatting of a paragraph and of its characters."""

    style: int = 0
    bold: bool = False
    size: float = 10.0
    hidden: bool = False
    deleted: bool = False
    raised: bool = False
    symbol: str = ""
    centred: bool = False
    outline: int = 9
    in_table: bool = False
    ends_row: bool = False
    list_number: int = 0
    list_level: int = 0
    starts_page: bool = False


FLAGS = {0x0835: "bold", 0x083C: "hidden", 0x0800: "deleted"}
"""Codes of switches of characters; 128: as the style, 129: the opposite."""
VALUES = {0x2640: "outline", 0x260A: "list_level", 0x460B: "list_number"}
SWITCHES = {0x2416: "in_table", 0x244B: "in_table", 0x2417: "ends_row", 0x244C: "ends_row", 0x2407: "starts_page"}


def changes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Codes and operands of property changes."""
    at = 0
    while at + 2 < len(data):
        code = u16(data, at)
        at += 2
        size = OPERAND_BYTES[code >> 13]
        if code == LONG_TABLE:
            size = u16(data, at) + 1
        elif not size:
            size = data[at] + 1
            if code == TABS and data[at] == 255:
                return
        yield code, data[at : at + size]
        at += size


def applied(look: Look, data: bytes, style: Look | None = None) -> Look:
    """Formatting after property changes."""
    values: dict[str, Any] = {}
    base = style or look
    for code, operand in changes(data):
        number = int.from_bytes(operand[:2], "little")
        if code in FLAGS:
            kept = bool(getattr(base, FLAGS[code]))
            values[FLAGS[code]] = bool(number) if number < 2 else kept if number == 128 else not kept
        elif code in SWITCHES:
            values[SWITCHES[code]] = bool(operand[:1] != b"\0")
        elif code in VALUES:
            values[VALUES[code]] = number
        elif code == 0x4A43:
            values["size"] = number / 2
        elif code in (0x2403, 0x2461):
            values["centred"] = number == 1
        elif code == 0x2A48:
            values["raised"] = number == 1
        elif code == 0x6A09 and len(operand) >= 4:
            values["symbol"] = chr(u16(operand, 2))
    return replace(look, **values) if values else look


class Runs:
    """Property changes by byte offsets of the text."""

    def __init__(self, word: WordFile, pair: int) -> None:
        self._starts: list[int] = []
        self._entries: list[tuple[int, int, bytes]] = []
        positions, is_paragraph = word.pair(pair), pair == PARAGRAPHS
        count = max(0, (len(positions) - 4) // 8)
        for number in range(count):
            page = u32(positions, 4 * (count + 1) + 4 * number) & 0x3FFFFF
            data = word.data[page * PAGE_BYTES : (page + 1) * PAGE_BYTES]
            if len(data) == PAGE_BYTES:
                self._entries += _page_entries(data, is_paragraph)
        self._entries.sort()
        self._starts = [start for start, _, _ in self._entries]

    def at(self, offset: int) -> tuple[int, bytes]:
        """End of the run at an offset, and its changes; the end of the file where there is none."""
        at = bisect_right(self._starts, offset) - 1
        if at >= 0 and offset < self._entries[at][1]:
            return self._entries[at][1], self._entries[at][2]
        return (self._starts[at + 1] if at + 1 < len(self._starts) else 1 << 40), b""


def _page_entries(page: bytes, is_paragraph: bool) -> Iterator[tuple[int, int, bytes]]:
    """Runs of one page of formatting."""
    count = page[-1]
    first, width = 4 * (count + 1), 13 if is_paragraph else 1
    for number in range(count):
        if first + width * number >= PAGE_BYTES - 1 or 4 * number + 8 > PAGE_BYTES:
            return
        start, end = u32(page, 4 * number), u32(page, 4 * number + 4)
        at = 2 * page[first + width * number]
        if start >= end:
            continue
        data = b""
        if at and is_paragraph and at + 1 < PAGE_BYTES:
            data = page[at + 2 : at + 2 + 2 * page[at + 1]] if not page[at] else page[at + 1 : at + 2 * page[at]]
        elif at and not is_paragraph:
            data = page[at + 1 : at + 1 + page[at]]
        yield start, end, data


@dataclass(frozen=True, slots=True)
class Style:
    """A style of the style sheet."""

    name: str
    base: int
    look: Look


class Formatting:
    """Formatting of the paragraphs and characters of a document."""

    def __init__(self, word: WordFile) -> None:
        self._word = word
        self._styles = dict(_styles(word.pair(STYLES)))
        self.characters = Runs(word, CHARACTERS)
        self.paragraphs = Runs(word, PARAGRAPHS)
        self._looks: dict[bytes, Look] = {}

    def paragraph(self, offset: int) -> Look:
        """Formatting of the paragraph whose end mark stands at an offset."""
        _, data = self.paragraphs.at(offset)
        if data not in self._looks:
            self._looks[data] = self._paragraph_look(data)
        return self._looks[data]

    def _paragraph_look(self, data: bytes) -> Look:
        style = u16(data, 0) if len(data) > 1 else 0
        known = self._styles.get(style)
        look = replace(known.look if known else Look(), style=style)
        for code, operand in changes(data[2:]):
            if code in (0x6646, 0x6645) and len(operand) == 4:  # the changes are in another stream
                at = u32(operand, 0)
                objects = self._word.objects
                if at + 2 <= len(objects):
                    look = applied(look, objects[at + 2 : at + 2 + u16(objects, at)])
        return applied(look, data[2:])

    def style_name(self, look: Look) -> str:
        """Name of the style of a paragraph."""
        known = self._styles.get(look.style)
        return known.name if known else ""


def _styles(data: bytes) -> Iterator[tuple[int, Style]]:
    """The style sheet, each style with what it inherits."""
    raw: dict[int, tuple[str, int, bytes, bytes]] = {}
    try:
        for key, found in _raw_styles(data):
            raw[key] = found
    except DAMAGES:
        pass  # the styles so far
    for number, (name, base, _, _) in raw.items():
        chain, at = [number], base
        while at in raw and at not in chain and len(chain) < MAX_INHERITANCE:
            chain.append(at)
            at = raw[at][1]
        look = Look()
        for one in reversed(chain):
            look = applied(applied(look, raw[one][2]), raw[one][3])
        yield number, Style(name, base, look)


def _raw_styles(data: bytes) -> Iterator[tuple[int, tuple[str, int, bytes, bytes]]]:
    """Name, base, paragraph changes and character changes of each paragraph style."""
    if len(data) < 8:
        return
    count, base_size = u16(data, 2), u16(data, 4)
    at = 2 + u16(data, 0)
    for number in range(count):
        if at + 2 > len(data):
            return
        size = u16(data, at)
        style = data[at + 2 : at + 2 + size]
        at += 2 + size
        if size < base_size + 2:
            continue
        built_in, kind = u16(style, 0) & 0xFFF, u16(style, 2)
        length = u16(style, base_size)
        end = base_size + 2 + 2 * length
        name = style[base_size + 2 : end].decode("utf-16-le", "replace").split(",")[0]
        if kind & 0xF != 1:
            continue
        paragraph, after = _sized(style, end + 2)
        characters, _ = _sized(style, after)
        level = built_in if built_in in TITLE_LEVELS else 0
        outline = (0x2640).to_bytes(2, "little") + bytes([level - 1]) if level else b""
        yield number, (BUILT_IN.get(built_in, name), kind >> 4, paragraph[2:] + outline, characters)


def _sized(style: bytes, at: int) -> tuple[bytes, int]:
    """Bytes with their size before them, and the place after them, at an even offset."""
    at += at & 1
    if at + 2 > len(style):
        return b"", at
    size = u16(style, at)
    return style[at + 2 : at + 2 + size], at + 2 + size
