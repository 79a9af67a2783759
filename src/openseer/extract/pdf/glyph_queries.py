"""Queries to pdfium about the characters of a page, in Python; native.py is the same in C."""

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
WORD_PATTERN = re.compile(f"[^\\s{HYPHEN}\x00\ufffd]+")
EMPTY_MATRIX = array("f", bytes(24))
MAX_FONT_NAME_BYTES = 256
"""Bytes with the terminating zero; a font with a longer name counts as unnamed."""


def address_of(thing: Any) -> int:
    """Memory address of a pdfium handle or function; 0 for none."""
    return ctypes.cast(thing, ADDRESS).value or 0


def _pdfium_function(name: str, result_type: Any, *argument_types: Any) -> Any:
    """A pdfium function that keeps the interpreter lock, which halves the cost of a call."""
    return ctypes.PYFUNCTYPE(result_type, *argument_types)(address_of(getattr(raw, name)))


# The three functions called for every word have no argument types, which saves a third; callers pass ADDRESS objects.
_object = _pdfium_function("FPDFText_GetTextObject", ADDRESS)
_origin = _pdfium_function("FPDFText_GetCharOrigin", NUMBER)
_box = _pdfium_function("FPDFText_GetCharBox", NUMBER)
_matrix = _pdfium_function("FPDFText_GetMatrix", NUMBER, ADDRESS, NUMBER, ADDRESS)
_size = _pdfium_function("FPDFText_GetFontSize", DOUBLE, ADDRESS, NUMBER)
_font = _pdfium_function("FPDFTextObj_GetFont", ADDRESS, ADDRESS)
_name = _pdfium_function("FPDFFont_GetBaseFontName", ctypes.c_size_t, ADDRESS, ADDRESS, ctypes.c_size_t)
_unicode = _pdfium_function("FPDFText_GetUnicode", ctypes.c_uint, ADDRESS, NUMBER)


class PageTransform:
    """Transform from file coordinates to the page as shown: origin top left, rotation undone."""

    def __init__(self, box: tuple[float, float, float, float], quarter: int) -> None:
        left, bottom, right, top = box
        self.box, self.quarter_turns = box, quarter
        width, height = right - left, top - bottom
        self.shown_size = (height, width) if quarter % 2 else (width, height)

    def transform(self, xs: Sequence[float], ys: Sequence[float]) -> tuple[list[float], list[float]]:
        """Transform many points at once."""
        left, bottom, right, top = self.box
        if self.quarter_turns == 0:
            return [x - left for x in xs], [top - y for y in ys]
        if self.quarter_turns == 1:
            return [y - bottom for y in ys], [x - left for x in xs]
        if self.quarter_turns == 2:
            return [right - x for x in xs], [y - bottom for y in ys]
        return [top - y for y in ys], [right - x for x in xs]

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        (shown_x,), (shown_y,) = self.transform((x,), (y,))
        return shown_x, shown_y


class GlyphStyle(NamedTuple):
    """Font number, size and angle of characters."""

    font: int
    size: float
    """Points on the page, rounded to a fifth."""
    a: float
    b: float
    """The first row of the text matrix, which gives the angle."""


class WordRuns(NamedTuple):
    """The words of one page as columns, cut where font, size or baseline change."""

    starts: Sequence[int]
    ends: Sequence[int]
    """Offsets in the text; the hyphen character of a divided word is included."""
    styles: Sequence[int]
    """Indexes into `style_table`."""
    glued: Sequence[int]
    x0: Sequence[float]
    x1: Sequence[float]
    base: Sequence[float]
    style_table: Sequence[GlyphStyle]
    fonts: Sequence[bytes]
    """Font names as in the file."""


def round_size(size: float) -> float:
    """Font size rounded to a fifth of a point; 0 if not finite."""
    return round(size * 5) / 5 if math.isfinite(size) else 0.0


def letters(page: int, total: int) -> str:
    """The text of a page, one letter per character index."""
    return "".join(_letter(_unicode(page, index)) for index in range(total))


def _letter(code: int) -> str:
    return "\ufffd" if 0xD800 <= code < 0xE000 or code > 0x10FFFF else chr(code)


def heights(page: int, indexes: range) -> list[float]:
    """Heights of the character boxes."""
    box, box_addresses = _double_buffer(4)
    result = []
    for index in indexes:
        _box(ADDRESS(page), index, *box_addresses)
        result.append(abs(box[3] - box[2]))
    return result


def _double_buffer(count: int) -> tuple[array[float], list[ctypes.c_void_p]]:
    """A buffer of doubles for pdfium, and the address of each."""
    buffer = array("d", bytes(8 * count))
    return buffer, [ADDRESS(buffer.buffer_info()[0] + 8 * position) for position in range(count)]


def runs(page: int, text: str, inspect: bytes, transform: PageTransform) -> WordRuns:
    """Word runs: each word is queried at its ends, and at all letters if these differ or `inspect` has a 1 for it."""
    return _RunBuilder(page, transform).runs(text, inspect)


class _RunBuilder:
    """Builds the word runs of one page and caches styles and fonts."""

    def __init__(self, page: int, transform: PageTransform) -> None:
        self._page, self._transform = page, transform
        self._matrix = array("f", EMPTY_MATRIX)
        self._styles: dict[int | None, int] = {}
        self._style_numbers: dict[GlyphStyle, int] = {}
        self._font_and_size: list[tuple[int, float]] = []
        self._fonts: dict[int, int] = {}
        self._font_numbers: dict[bytes, int] = {}
        self._names: list[bytes] = []

    def runs(self, text: str, inspect: bytes) -> WordRuns:
        spans = [match.span() for match in WORD_PATTERN.finditer(text)]
        found: list[tuple[int, int, int, int, float, float, float]] = []
        objects, coordinates = self._query_ends(spans)
        pieces = zip(spans, inspect or bytes(len(spans)), objects, *self._transformed(coordinates), strict=True)
        for (start, end), slowly, (one, two), x0, right, base, last in pieces:
            style = self._style(start, one)
            if end - start == 1 or not (slowly or self._differs(style, self._style(end - 1, two), base, last)):
                found.append((start, end, style, 0, x0, max(x0, right), base))
            else:
                found += self._split(start, end)
        if not found:
            return WordRuns((), (), (), (), (), (), (), (), ())
        starts, ends, styles, glued, x0s, x1s, bases = zip(*found, strict=True)
        divided = {match.start() for match in re.finditer(HYPHEN, text)}
        marked = [end + (end in divided) for end in ends]
        return WordRuns(starts, marked, styles, glued, x0s, x1s, bases, list(self._style_numbers), self._names)

    def _query_ends(self, spans: Sequence[tuple[int, int]]) -> tuple[list[tuple[int | None, int | None]], array[float]]:
        """Text objects of the first and last letter of each span, their origins, and the box of the last."""
        page, objects, coordinates = ADDRESS(self._page), [], array("d")
        values, (x, y, x2, y2, *box_addresses) = _double_buffer(8)
        for start, end in spans:
            last = end - 1
            objects.append((_object(page, start), _object(page, last)))
            _origin(page, start, x, y)
            _origin(page, last, x2, y2)
            _box(page, last, *box_addresses)
            coordinates += values
        return objects, coordinates

    def _transformed(self, coordinates: array[float]) -> tuple[list[float], list[float], list[float], list[float]]:
        """Origins of the words, right ends of their last letters, baselines of both."""
        transform = self._transform.transform
        x0, base = transform(coordinates[0::8], coordinates[1::8])
        _, last = transform(coordinates[2::8], coordinates[3::8])
        one, _ = transform(coordinates[4::8], coordinates[6::8])
        two, _ = transform(coordinates[5::8], coordinates[7::8])
        return x0, list(map(max, one, two)), base, last

    def _differs(self, one: int, two: int, y: float, y2: float) -> bool:
        return (one != two and self._font_and_size[one] != self._font_and_size[two]) or (
            y != y2 and _rounded(y) != _rounded(y2)
        )

    def _split(self, start: int, end: int) -> Iterator[tuple[int, int, int, int, float, float, float]]:
        """A word split where neighbouring letters differ."""
        objects, coordinates = self._query_ends([(index, index + 1) for index in range(start, end)])
        x0, right, base, _ = self._transformed(coordinates)
        styles = [self._style(start + position, text_object) for position, (text_object, _) in enumerate(objects)]
        letters = pairwise(zip(styles, base, strict=True))
        cuts = [position for position, ((a, y), (b, y2)) in enumerate(letters, 1) if self._differs(a, b, y, y2)]
        for low, high in pairwise([0, *cuts, end - start]):
            x1 = max(x0[low], right[high - 1])
            yield start + low, start + high, styles[low], int(low > 0), x0[low], x1, base[low]

    def _style(self, index: int, text_object: int | None) -> int:
        style = self._styles.get(text_object)
        if style is None or not text_object:
            style = self._styles[text_object] = self._query_style(index, text_object)
        return style

    def _query_style(self, index: int, text_object: int | None) -> int:
        matrix = self._matrix
        matrix[:] = EMPTY_MATRIX
        _matrix(self._page, index, matrix.buffer_info()[0])
        a, b, c, d, _, _ = matrix
        size = _size(self._page, index) * (math.sqrt(c * c + d * d) or 1.0)
        style = GlyphStyle(self._font(_font(text_object) if text_object else None), round_size(size), a, b)
        if style not in self._style_numbers:
            self._style_numbers[style] = len(self._style_numbers)
            self._font_and_size.append((style.font, style.size))
        return self._style_numbers[style]

    def _font(self, font: int | None) -> int:
        number = self._fonts.get(font or 0)
        if number is None:
            name = _font_name(font)
            number = self._font_numbers.setdefault(name.split(b"+", 1)[-1], len(self._names))
            if number == len(self._names):
                self._names.append(name)
            self._fonts[font or 0] = number
        return number


def _font_name(font: int | None) -> bytes:
    buffer = ctypes.create_string_buffer(MAX_FONT_NAME_BYTES)
    if not font or _name(font, ctypes.addressof(buffer), MAX_FONT_NAME_BYTES) > MAX_FONT_NAME_BYTES:
        return b"?"
    return buffer.value


def _rounded(y: float) -> float:
    return round(y) if math.isfinite(y) else 0.0
