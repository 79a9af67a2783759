"""The strings that a page of a PDF shows, found in its content stream so that letters can be exchanged in place."""

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
NAMED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"", b"\r\n": b""}
GAP = -180.0
"""Kerning, in thousandths of the size, from which on it is a space between words."""
DIGIT_NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
DIGITS = {name: str(value) for value, name in enumerate(DIGIT_NAMES)}
BLANK = " "


@dataclass(slots=True)
class Font:
    """What the codes of a font stand for, as far as letters, digits and a few signs go."""

    width: int
    """Bytes of a code."""
    signs: dict[int, str]
    seen: dict[str, int] = field(default_factory=dict)
    """Signs that were met, with their codes: only these are sure to be in a font that was cut down."""


@dataclass(slots=True)
class Piece:
    """One string of a content stream."""

    start: int
    end: int
    codes: list[int]
    font: Font


@dataclass(slots=True)
class PageText:
    """The text of a page in the order of its stream, and where each sign of it stands."""

    stream: bytes
    pieces: list[Piece]
    text: str
    places: list[tuple[int, int]]
    """For each sign of the text: the piece and the place in it; (-1, 0) for a gap."""

    def changed(self, signs: Mapping[int, str]) -> bytes:
        """The stream with other signs at some places of the text; one that the font may lack stays as it is."""
        touched: dict[int, list[int]] = {}
        for at, sign in signs.items():
            number, place = self.places[at]
            if number >= 0 and sign in self.pieces[number].font.seen:
                codes = touched.setdefault(number, list(self.pieces[number].codes))
                codes[place] = self.pieces[number].font.seen[sign]
        parts, at = [], 0
        for number, codes in sorted(touched.items()):
            piece = self.pieces[number]
            code = b"".join(one.to_bytes(piece.font.width, "big") for one in codes)
            parts += [self.stream[at : piece.start], b"<", code.hex().encode(), b">"]
            at = piece.end
        return b"".join([*parts, self.stream[at:]])


def page_text(stream: bytes, fonts: Mapping[str, Font]) -> PageText:
    """Find the strings of a stream, and what they say where their fonts tell it."""
    pieces: list[Piece] = []
    signs: list[str] = []
    places: list[tuple[int, int]] = []
    for kind, found, font in _shown(stream, fonts):
        if kind == "gap":
            signs.append(BLANK)
            places.append((-1, 0))
            continue
        raw = _unescaped(found[0][1:-1]) if kind == "literal" else _unhexed(found[0])
        codes = [int.from_bytes(raw[at : at + font.width], "big") for at in range(0, len(raw), font.width)]
        for place, code in enumerate(codes):
            sign = font.signs.get(code, "?" if font.width == 2 else BLANK if code == 32 else "?")
            if sign not in ("?", BLANK):
                font.seen.setdefault(sign, code)
            signs.append(sign)
            places.append((len(pieces), place))
        if len(raw) % font.width == 0:
            pieces.append(Piece(found.start(), found.end(), codes, font))
        else:
            del signs[-len(codes) :], places[-len(codes) :]
    return PageText(stream, pieces, "".join(signs), places)


def _shown(stream: bytes, fonts: Mapping[str, Font]) -> Iterator[tuple[str, re.Match[bytes], Font]]:
    """Strings in a known font, and the gaps between them."""
    font: Font | None = None
    inside = False
    for found in TOKEN.finditer(stream):
        kind = str(found.lastgroup)
        if kind == "font":
            font = fonts.get(found["font"].decode("latin-1"))
        elif kind in ("open", "close"):
            inside = kind == "open"
        elif font is None:
            continue
        elif kind in ("literal", "hex"):
            yield kind, found, font
        elif kind == "move" or (kind == "number" and inside and float(found[0]) < GAP):
            yield "gap", found, font


def _unescaped(literal: bytes) -> bytes:
    if b"\\" not in literal:
        return literal
    return ESCAPE.sub(lambda one: bytes([int(one[1], 8) & 255]) if one[1] else NAMED.get(one[2], one[2]), literal)


def _unhexed(found: bytes) -> bytes:
    digits = b"".join(found[1:-1].split())
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())


def font_of(resource: Mapping[str, Any]) -> Font | None:
    """What a font's codes mean: by its own table, else by its encoding; nothing for two bytes without a table."""
    wide = resource.get("/Subtype") == "/Type0"
    if "/ToUnicode" in resource:
        try:
            table = resource["/ToUnicode"].get_object().get_data()
        except AttributeError:
            return None
        return Font(2 if wide else 1, _told(table))
    if wide:
        return None
    signs = {code: chr(code) for code in range(33, 127)}
    encoding = resource.get("/Encoding")
    if encoding is not None and hasattr(encoding.get_object(), "keys"):
        signs |= _differences(encoding.get_object().get("/Differences", ()))
    return Font(1, signs)


def _differences(listed: Any) -> dict[int, str]:
    signs, code = {}, 0
    for entry in listed.get_object() if hasattr(listed, "get_object") else listed:
        if isinstance(entry, int):
            code = int(entry)
            continue
        name = str(entry).removeprefix("/")
        signs[code] = name if len(name) == 1 else DIGITS.get(name, {"period": ".", "slash": "/"}.get(name, "?"))
        code += 1
    return signs


def _told(table: bytes) -> dict[int, str]:
    """The codes of a ToUnicode table that stand for one sign of ASCII."""
    signs: dict[int, str] = {}
    for block in re.findall(rb"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for code, meant in re.findall(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
            signs[int(code, 16)] = _sign(int(meant, 16))
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for low, high, start in re.findall(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
            first = int(low, 16)
            for code in range(first, min(int(high, 16), first + 255) + 1):
                signs[code] = _sign(int(start, 16) + code - first)
        for low, _, meant in re.findall(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*\[([^\]]*)\]", block):
            for number, one in enumerate(re.findall(rb"<([0-9A-Fa-f]+)>", meant)):
                signs[int(low, 16) + number] = _sign(int(one, 16))
    return signs


def _sign(value: int) -> str:
    return chr(value) if 32 <= value < 127 else "?"
