"""The questions to pdfium about the characters of one page, asked from Python; native.py asks the same ones from C."""

from __future__ import annotations

import ctypes
import math
import re
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from pypdfium2 import raw

from openseer.extract.pdf.page_model import HYPHEN

ADDRESS, NUMBER, DOUBLE = ctypes.c_void_p, ctypes.c_int, ctypes.c_double
PIECE = re.compile(f"[^\\s{HYPHEN}\x00\ufffd]+")
"""What stands between two spaces."""
BLANK = array("f", bytes(24))
MAX_NAME = 256
"""Bytes of a font's name with its end mark; a font with a longer one is taken for one without a font."""


def address_of(thing: Any) -> int:
    """Where a handle or a function of pdfium lies; 0 for none."""
    return ctypes.cast(thing, ADDRESS).value or 0


def _bound(name: str, result: Any, *arguments: Any) -> Any:
    """A function of the wheel's own library, called without giving up the interpreter lock, and at half the price."""
    return ctypes.PYFUNCTYPE(result, *arguments)(address_of(getattr(raw, name)))


# The three asked for every word have no argument types, which saves a third: whoever calls them gives ADDRESS objects.
_object = _bound("FPDFText_GetTextObject", ADDRESS)
_origin = _bound("FPDFText_GetCharOrigin", NUMBER)
_box = _bound("FPDFText_GetCharBox", NUMBER)
_matrix = _bound("FPDFText_GetMatrix", NUMBER, ADDRESS, NUMBER, ADDRESS)
_size = _bound("FPDFText_GetFontSize", DOUBLE, ADDRESS, NUMBER)
_font = _bound("FPDFTextObj_GetFont", ADDRESS, ADDRESS)
_name = _bound("FPDFFont_GetBaseFontName", ctypes.c_size_t, ADDRESS, ADDRESS, ctypes.c_size_t)
_unicode = _bound("FPDFText_GetUnicode", ctypes.c_uint, ADDRESS, NUMBER)


class Turn:
    """From the coordinates of the file to those of the page as shown: origin top left, rotation undone."""

    def __init__(self, box: tuple[float, float, float, float], quarter: int) -> None:
        left, bottom, right, top = box
        self.box, self.quarter = box, quarter
        wide, high = right - left, top - bottom
        self.shown = (high, wide) if quarter % 2 else (wide, high)

    def columns(self, xs: Sequence[float], ys: Sequence[float]) -> tuple[list[float], list[float]]:
        """Many points at once."""
        left, bottom, right, top = self.box
        if self.quarter == 0:
            return [x - left for x in xs], [top - y for y in ys]
        if self.quarter == 1:
            return [y - bottom for y in ys], [x - left for x in xs]
        if self.quarter == 2:
            return [right - x for x in xs], [y - bottom for y in ys]
        return [top - y for y in ys], [right - x for x in xs]

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        (across,), (down,) = self.columns((x,), (y,))
        return across, down


class Style(NamedTuple):
    """How characters are set; styles are compared by the number of their font, not by the font's place in memory."""

    font: int
    size: float
    """On paper, in steps of a fifth of a point."""
    a: float
    b: float
    """The first row of the text matrix, which tells the angle."""


class Runs(NamedTuple):
    """The words of one page in columns, cut where font, size or baseline change."""

    starts: Sequence[int]
    ends: Sequence[int]
    """Places in the text; the mark of a divided word belongs to it."""
    styles: Sequence[int]
    """Places in `looks`."""
    glued: Sequence[int]
    x0: Sequence[float]
    x1: Sequence[float]
    base: Sequence[float]
    looks: Sequence[Style]
    fonts: Sequence[bytes]
    """Names of the fonts as the file has them."""


def round_size(size: float) -> float:
    """To a fifth of a point; nonsense is 0."""
    return round(size * 5) / 5 if math.isfinite(size) else 0.0


def letters(page: int, total: int) -> str:
    """The text of a page, one letter per character number."""
    return "".join(_letter(_unicode(page, index)) for index in range(total))


def _letter(code: int) -> str:
    return "\ufffd" if 0xD800 <= code < 0xE000 or code > 0x10FFFF else chr(code)


def heights(page: int, indexes: range) -> list[float]:
    """How high the boxes of some characters are."""
    spot, sides = _room(4)
    found = []
    for index in indexes:
        _box(ADDRESS(page), index, *sides)
        found.append(abs(spot[3] - spot[2]))
    return found


def _room(count: int) -> tuple[array[float], list[ctypes.c_void_p]]:
    """Real numbers for pdfium to write, and where each of them lies."""
    room = array("d", bytes(8 * count))
    return room, [ADDRESS(room.buffer_info()[0] + 8 * place) for place in range(count)]


def runs(page: int, text: str, careful: bytes, turn: Turn) -> Runs:
    """Ask for the ends of each piece, and for all its letters where the ends differ or `careful` has a 1 for it."""
    return _Asking(page, turn).runs(text, careful)


class _Asking:
    def __init__(self, page: int, turn: Turn) -> None:
        self._page, self._turn = page, turn
        self._matrix = array("f", BLANK)
        self._styles: dict[int | None, int] = {}
        self._looks: dict[Style, int] = {}
        self._seen: list[tuple[int, float]] = []
        self._fonts: dict[int, int] = {}
        self._plain: dict[bytes, int] = {}
        self._names: list[bytes] = []

    def runs(self, text: str, careful: bytes) -> Runs:
        spans = [match.span() for match in PIECE.finditer(text)]
        found: list[tuple[int, int, int, int, float, float, float]] = []
        objects, places = self._ask_ends(spans)
        pieces = zip(spans, careful or bytes(len(spans)), objects, *self._shown(places), strict=True)
        for (start, end), slowly, (one, two), x0, right, base, last in pieces:
            style = self._style(start, one)
            if end - start == 1 or not (slowly or self._differs(style, self._style(end - 1, two), base, last)):
                found.append((start, end, style, 0, x0, max(x0, right), base))
            else:
                found += self._cut(start, end)
        if not found:
            return Runs((), (), (), (), (), (), (), (), ())
        starts, ends, styles, glued, x0s, x1s, bases = zip(*found, strict=True)
        divided = {match.start() for match in re.finditer(HYPHEN, text)}
        marked = [end + (end in divided) for end in ends]
        return Runs(starts, marked, styles, glued, x0s, x1s, bases, list(self._looks), self._names)

    def _ask_ends(self, spans: Sequence[tuple[int, int]]) -> tuple[list[tuple[int | None, int | None]], array[float]]:
        """The text objects of the first and the last letter of each; the origins of both, and the box of the last."""
        page, objects, places = ADDRESS(self._page), [], array("d")
        spot, (x, y, x2, y2, *sides) = _room(8)
        for start, end in spans:
            last = end - 1
            objects.append((_object(page, start), _object(page, last)))
            _origin(page, start, x, y)
            _origin(page, last, x2, y2)
            _box(page, last, *sides)
            places += spot
        return objects, places

    def _shown(self, places: array[float]) -> tuple[list[float], list[float], list[float], list[float]]:
        """Origins of the words, right ends of their last letters, baselines of both."""
        turn = self._turn.columns
        x0, base = turn(places[0::8], places[1::8])
        _, last = turn(places[2::8], places[3::8])
        one, _ = turn(places[4::8], places[6::8])
        two, _ = turn(places[5::8], places[7::8])
        return x0, list(map(max, one, two)), base, last

    def _differs(self, one: int, two: int, y: float, y2: float) -> bool:
        return (one != two and self._seen[one] != self._seen[two]) or (y != y2 and _whole(y) != _whole(y2))

    def _cut(self, start: int, end: int) -> Iterator[tuple[int, int, int, int, float, float, float]]:
        """A piece letter by letter, cut where two neighbours differ."""
        objects, places = self._ask_ends([(index, index + 1) for index in range(start, end)])
        x0, right, base, _ = self._shown(places)
        styles = [self._style(start + place, thing) for place, (thing, _) in enumerate(objects)]
        letters = pairwise(zip(styles, base, strict=True))
        cuts = [place for place, ((a, y), (b, y2)) in enumerate(letters, 1) if self._differs(a, b, y, y2)]
        for low, high in pairwise([0, *cuts, end - start]):
            x1 = max(x0[low], right[high - 1])
            yield start + low, start + high, styles[low], int(low > 0), x0[low], x1, base[low]

    def _style(self, index: int, thing: int | None) -> int:
        style = self._styles.get(thing)
        if style is None or not thing:
            style = self._styles[thing] = self._ask_style(index, thing)
        return style

    def _ask_style(self, index: int, thing: int | None) -> int:
        matrix = self._matrix
        matrix[:] = BLANK
        _matrix(self._page, index, matrix.buffer_info()[0])
        a, b, c, d, _, _ = matrix
        size = _size(self._page, index) * (math.sqrt(c * c + d * d) or 1.0)
        style = Style(self._font(_font(thing) if thing else None), round_size(size), a, b)
        if style not in self._looks:
            self._looks[style] = len(self._looks)
            self._seen.append((style.font, style.size))
        return self._looks[style]

    def _font(self, font: int | None) -> int:
        number = self._fonts.get(font or 0)
        if number is None:
            name = _font_name(font)
            number = self._plain.setdefault(name.split(b"+", 1)[-1], len(self._names))
            if number == len(self._names):
                self._names.append(name)
            self._fonts[font or 0] = number
        return number


def _font_name(font: int | None) -> bytes:
    buffer = ctypes.create_string_buffer(MAX_NAME)
    if not font or _name(font, ctypes.addressof(buffer), MAX_NAME) > MAX_NAME:
        return b"?"
    return buffer.value


def _whole(y: float) -> float:
    return round(y) if math.isfinite(y) else 0.0
