"""Compiled versions of glyph_queries.py and of the Viterbi path of sequence_model.py, where set-up could build them.

Without the library everything works, but reading the pages takes about twice the time."""

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
from openseer.extract.pdf.glyph_queries import MAX_FONT_NAME_BYTES, GlyphStyle, PageTransform, WordRuns, address_of

VERSION = 2
"""Version of the C file; a library of another version is not used."""

Floats = NDArray[np.float32]
UTF_32 = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
MAX_STYLES, MAX_FONTS = 1024, 256
RUN_BYTES = 40
"""Bytes of `struct run`: four integers and three doubles."""
STYLE_STRUCT = struct.Struct("=dffii")
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


class _PageRuns(ctypes.Structure):
    """`struct found`."""

    _fields_ = (
        ("box", ctypes.c_double * 4),
        ("quarter", ctypes.c_int32),
        ("styles_count", ctypes.c_int32),
        ("fonts_count", ctypes.c_int32),
        ("pad", ctypes.c_int32),
        ("styles", ctypes.c_char * (STYLE_STRUCT.size * MAX_STYLES)),
        ("fonts", ctypes.c_char * (MAX_FONT_NAME_BYTES * MAX_FONTS)),
    )


class NativeLibrary:
    """The compiled library, with the results of the functions of the same name in glyph_queries.py."""

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

    def runs(self, page: int, text: str, inspect: bytes, transform: PageTransform) -> WordRuns:
        """The words of a page; a page with too many styles is processed in Python."""
        total = len(text)
        found = _PageRuns(box=transform.box, quarter=transform.quarter_turns)
        buffer = bytearray(RUN_BYTES * max(total, 1))
        codes = text.encode(UTF_32)
        addresses = ctypes.addressof(found), _buffer_address(buffer)
        count = self._runs(self._table, page, total, codes, inspect or None, len(inspect), *addresses)
        if count < 0:
            return glyph_queries.runs(page, text, inspect, transform)
        with memoryview(buffer)[: RUN_BYTES * count] as rows, rows.cast("i") as whole, rows.cast("d") as real:
            starts, ends, styles, glued = (whole[offset::10].tolist() for offset in range(4))
            x0, x1, base = (real[offset::5].tolist() for offset in range(2, 5))
        return WordRuns(starts, ends, styles, glued, x0, x1, base, list(_styles(found)), list(_fonts(found)))

    def letters(self, page: int, total: int) -> str:
        """The text of a page, one letter per character index."""
        codes = bytearray(4 * max(total, 1))
        self._letters(self._table, page, total, _buffer_address(codes))
        return codes[: 4 * total].decode(UTF_32)

    def path(self, scores: Floats, steps: Floats, transposed_steps: Floats) -> list[int]:
        """The best path through a chain of labels, as `LinearChainModel._path`."""
        count, labels = scores.shape
        buffer, found = np.empty_like(scores), np.empty(count, np.int32)
        tables = (steps.ctypes.data, transposed_steps.ctypes.data, buffer.ctypes.data, found.ctypes.data)
        self._path(scores.ctypes.data, count, labels, *tables)
        path: list[int] = found.tolist()
        return path


def _buffer_address(buffer: bytearray) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(buffer))


def _styles(found: _PageRuns) -> Iterator[GlyphStyle]:
    size = STYLE_STRUCT.size * found.styles_count
    for points, a, b, font, _ in STYLE_STRUCT.iter_unpack(
        ctypes.string_at(ctypes.addressof(found) + _PageRuns.styles.offset, size)
    ):
        yield GlyphStyle(font, points, a, b)


def _fonts(found: _PageRuns) -> Iterator[bytes]:
    start = ctypes.addressof(found) + _PageRuns.fonts.offset
    for index in range(found.fonts_count):
        yield ctypes.string_at(start + MAX_FONT_NAME_BYTES * index)


def _load() -> NativeLibrary | None:
    """The library if it is built and has this version."""
    spec = importlib.util.find_spec("openseer.extract.pdf._runs")
    if spec is None or spec.origin is None:
        return None
    try:
        found = NativeLibrary(Path(spec.origin))
    except (OSError, AttributeError):
        return None
    return found if found.version == VERSION else None


library: NativeLibrary | None = _load()
"""None if it is not built, or if a test reads the pages in Python."""
