"""The questions of glyphs.py asked from C, a page at a time, and the path of chain.py: where set-up could compile it.

Without it everything works, and reading the pages takes about twice the time."""

from __future__ import annotations

import ctypes
import importlib.util
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pypdfium2 import raw

from openseer.extract.pdf import glyph_queries
from openseer.extract.pdf.glyph_queries import MAX_NAME, Runs, Style, Turn, address_of

VERSION = 2
"""Of the C file this module talks to: a library left over from another one is not used."""

Floats = NDArray[np.float32]
UTF_32 = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
MAX_STYLES, MAX_FONTS = 1024, 256
RUN = 40
"""Bytes of `struct run`: four whole numbers and three real ones."""
STYLE = struct.Struct("=dffii")
FUNCTIONS = (
    "FPDFText_GetTextObject",
    "FPDFText_GetCharOrigin",
    "FPDFText_GetCharBox",
    "FPDFText_GetMatrix",
    "FPDFText_GetFontSize",
    "FPDFTextObj_GetFont",
    "FPDFFont_GetBaseFontName",
    "FPDFText_GetUnicode",
)
"""In the order of `struct pdfium`."""


class _Found(ctypes.Structure):
    """`struct found`."""

    _fields_ = (
        ("box", ctypes.c_double * 4),
        ("quarter", ctypes.c_int32),
        ("styles_count", ctypes.c_int32),
        ("fonts_count", ctypes.c_int32),
        ("pad", ctypes.c_int32),
        ("styles", ctypes.c_char * (STYLE.size * MAX_STYLES)),
        ("fonts", ctypes.c_char * (MAX_NAME * MAX_FONTS)),
    )


class Library:
    """The compiled part; it gives what the functions of the same name in glyphs.py give."""

    def __init__(self, file: Path) -> None:
        self._pdfium = (ctypes.c_void_p * len(FUNCTIONS))(*(address_of(getattr(raw, name)) for name in FUNCTIONS))
        self._table = ctypes.addressof(self._pdfium)
        library = ctypes.PyDLL(str(file))  # keeps the interpreter lock: pdfium is not thread-safe
        self.version = library.openseer_version()
        self._runs, self._letters = library.openseer_runs, library.openseer_letters
        number, address, text = ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p
        self._runs.argtypes = (address, address, number, text, text, number, address, address)
        self._runs.restype = number
        self._letters.argtypes = (address, address, number, address)
        self._letters.restype = None
        self._path = library.openseer_path
        self._path.argtypes = (address, number, number, address, address, address, address)
        self._path.restype = None

    def runs(self, page: int, text: str, careful: bytes, turn: Turn) -> Runs:
        """The words of a page; one with more styles than any real page has is left to Python."""
        total = len(text)
        found = _Found(box=turn.box, quarter=turn.quarter)
        room = bytearray(RUN * max(total, 1))
        codes = text.encode(UTF_32)
        places = ctypes.addressof(found), _address_in(room)
        count = self._runs(self._table, page, total, codes, careful or None, len(careful), *places)
        if count < 0:
            return glyph_queries.runs(page, text, careful, turn)
        with memoryview(room)[: RUN * count] as rows, rows.cast("i") as whole, rows.cast("d") as real:
            starts, ends, styles, glued = (whole[place::10].tolist() for place in range(4))
            x0, x1, base = (real[place::5].tolist() for place in range(2, 5))
        return Runs(starts, ends, styles, glued, x0, x1, base, list(_styles(found)), list(_fonts(found)))

    def letters(self, page: int, total: int) -> str:
        """The text of a page, one letter per character number."""
        codes = bytearray(4 * max(total, 1))
        self._letters(self._table, page, total, _address_in(codes))
        return codes[: 4 * total].decode(UTF_32)

    def path(self, scores: Floats, steps: Floats, onto: Floats) -> list[int]:
        """The best path through a chain of labels: what `Chain._path` finds."""
        count, labels = scores.shape
        room, found = np.empty_like(scores), np.empty(count, np.int32)
        tables = (steps.ctypes.data, onto.ctypes.data, room.ctypes.data, found.ctypes.data)
        self._path(scores.ctypes.data, count, labels, *tables)
        path: list[int] = found.tolist()
        return path


def _address_in(room: bytearray) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(room))


def _styles(found: _Found) -> Iterator[Style]:
    size = STYLE.size * found.styles_count
    for points, a, b, font, _ in STYLE.iter_unpack(
        ctypes.string_at(ctypes.addressof(found) + _Found.styles.offset, size)
    ):
        yield Style(font, points, a, b)


def _fonts(found: _Found) -> Iterator[bytes]:
    start = ctypes.addressof(found) + _Found.fonts.offset
    for place in range(found.fonts_count):
        yield ctypes.string_at(start + MAX_NAME * place)


def _load() -> Library | None:
    """The library if it was built, and for this module."""
    spec = importlib.util.find_spec("openseer.extract.pdf._runs")
    if spec is None or spec.origin is None:
        return None
    try:
        found = Library(Path(spec.origin))
    except (OSError, AttributeError):
        return None
    return found if found.version == VERSION else None


library: Library | None = _load()
"""None where it was not built, or where a test wants the pages read by Python alone."""
