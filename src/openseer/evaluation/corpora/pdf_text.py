"""Text strings of a PDF content stream, with positions, so that letters can be replaced in place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

TOKEN = re.compile(
    rb"(?P<image>\bBI\b.{0,400}?\bID\s.*?\sEI\b)"
    rb"|(?P<comment>%[^\r\n]*)"
    rb"|(?P<aside><<.*?>>)"
    rb"|(?P<literal>\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\))"
    rb"|(?P<hex><[0-9A-Fa-f\s]*>)"
    rb"|/(?P<font>[^\s/<>\[\]()]+)\s+[-+.\d]+\s+Tf\b"
    rb"|(?P<move>\bT[dDm*](?![\w*]))"
    rb"|(?P<open>\[)|(?P<close>\])"
    rb"|(?<![\w/.])(?P<number>[-+]?\d*\.?\d+)(?![\w.])",
    re.DOTALL,
)
ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(\r\n|.))", re.DOTALL)
ESCAPED_CHARACTERS = {
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"b": b"\b",
    b"f": b"\f",
    b"\n": b"",
    b"\r": b"",
    b"\r\n": b"",
}
GAP_KERNING = -180.0
"""Kerning, in thousandths of the font size, that counts as a space between words."""
DIGIT_NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
DIGITS = {name: str(value) for value, name in enumerate(DIGIT_NAMES)}
BLANK = " "


@dataclass(slots=True)
class Font:
    """Code table of a font: letters, digits and a few other characters."""

    width: int
    """Bytes per code."""
    characters: dict[int, str]
    used: dict[str, int] = field(default_factory=dict)
    """Characters in use, with their codes: only these are surely in a subset font."""


@dataclass(slots=True)
class StringOperand:
    """String operand of a content stream."""

    start: int
    end: int
    codes: list[int]
    font: Font


@dataclass(slots=True)
class PageText:
    """Text of a page in stream order, with the position of each character."""

    stream: bytes
    operands: list[StringOperand]
    text: str
    positions: list[tuple[int, int]]
    """String operand and position in it of each character; (-1, 0) for a gap."""

    def replaced(self, characters: Mapping[int, str]) -> bytes:
        """The stream with replaced characters; those that the font may lack are left unchanged."""
        changed_codes: dict[int, list[int]] = {}
        for at, character in characters.items():
            number, offset = self.positions[at]
            if number >= 0 and character in self.operands[number].font.used:
                codes = changed_codes.setdefault(number, list(self.operands[number].codes))
                codes[offset] = self.operands[number].font.used[character]
        parts, at = [], 0
        for number, codes in sorted(changed_codes.items()):
            operand = self.operands[number]
            code = b"".join(one.to_bytes(operand.font.width, "big") for one in codes)
            parts += [self.stream[at : operand.start], b"<", code.hex().encode(), b">"]
            at = operand.end
        return b"".join([*parts, self.stream[at:]])


def page_text(stream: bytes, fonts: Mapping[str, Font]) -> PageText:
    """Parse the strings of a stream and decode them by their fonts."""
    operands: list[StringOperand] = []
    characters: list[str] = []
    positions: list[tuple[int, int]] = []
    for kind, found, font in _strings_and_gaps(stream, fonts):
        if kind == "gap":
            characters.append(BLANK)
            positions.append((-1, 0))
            continue
        raw = _unescaped(found[0][1:-1]) if kind == "literal" else _unhexed(found[0])
        codes = [int.from_bytes(raw[at : at + font.width], "big") for at in range(0, len(raw), font.width)]
        for offset, code in enumerate(codes):
            character = font.characters.get(code, "?" if font.width == 2 else BLANK if code == 32 else "?")
            if character not in ("?", BLANK):
                font.used.setdefault(character, code)
            characters.append(character)
            positions.append((len(operands), offset))
        if len(raw) % font.width == 0:
            operands.append(StringOperand(found.start(), found.end(), codes, font))
        else:
            del characters[-len(codes) :], positions[-len(codes) :]
    return PageText(stream, operands, "".join(characters), positions)


def _strings_and_gaps(stream: bytes, fonts: Mapping[str, Font]) -> Iterator[tuple[str, re.Match[bytes], Font]]:
    """Strings in known fonts, and the gaps between them."""
    font: Font | None = None
    in_array = False
    for found in TOKEN.finditer(stream):
        kind = str(found.lastgroup)
        if kind == "font":
            font = fonts.get(found["font"].decode("latin-1"))
        elif kind in ("open", "close"):
            in_array = kind == "open"
        elif font is None:
            continue
        elif kind in ("literal", "hex"):
            yield kind, found, font
        elif kind == "move" or (kind == "number" and in_array and float(found[0]) < GAP_KERNING):
            yield "gap", found, font


def _unescaped(literal: bytes) -> bytes:
    if b"\\" not in literal:
        return literal
    return ESCAPE.sub(
        lambda one: bytes([int(one[1], 8) & 255]) if one[1] else ESCAPED_CHARACTERS.get(one[2], one[2]), literal
    )


def _unhexed(found: bytes) -> bytes:
    digits = b"".join(found[1:-1].split())
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())


def font_of(resource: Mapping[str, Any]) -> Font | None:
    """Code table of a font, from ToUnicode or its encoding; None for two-byte fonts without ToUnicode."""
    is_two_byte = resource.get("/Subtype") == "/Type0"
    if "/ToUnicode" in resource:
        try:
            table = resource["/ToUnicode"].get_object().get_data()
        except AttributeError:
            return None
        return Font(2 if is_two_byte else 1, _to_unicode(table))
    if is_two_byte:
        return None
    characters = {code: chr(code) for code in range(33, 127)}
    encoding = resource.get("/Encoding")
    if encoding is not None and hasattr(encoding.get_object(), "keys"):
        characters |= _differences(encoding.get_object().get("/Differences", ()))
    return Font(1, characters)


def _differences(listed: Any) -> dict[int, str]:
    characters, code = {}, 0
    for entry in listed.get_object() if hasattr(listed, "get_object") else listed:
        if isinstance(entry, int):
            code = int(entry)
            continue
        name = str(entry).removeprefix("/")
        characters[code] = name if len(name) == 1 else DIGITS.get(name, {"period": ".", "slash": "/"}.get(name, "?"))
        code += 1
    return characters


def _to_unicode(table: bytes) -> dict[int, str]:
    """Codes of a ToUnicode table that stand for one ASCII character."""
    characters: dict[int, str] = {}
    for block in re.findall(rb"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for code, value in re.findall(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
            characters[int(code, 16)] = _ascii_character(int(value, 16))
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for low, high, start in re.findall(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
            first = int(low, 16)
            for code in range(first, min(int(high, 16), first + 255) + 1):
                characters[code] = _ascii_character(int(start, 16) + code - first)
        for low, _, value in re.findall(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*\[([^\]]*)\]", block):
            for number, one in enumerate(re.findall(rb"<([0-9A-Fa-f]+)>", value)):
                characters[int(low, 16) + number] = _ascii_character(int(one, 16))
    return characters


def _ascii_character(value: int) -> str:
    return chr(value) if 32 <= value < 127 else "?"
