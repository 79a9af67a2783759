"""A PDF becomes pages of words: the whole text of a page at once, then a few questions to pdfium per word."""

from __future__ import annotations

import ctypes
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from openseer.errors import Corrupt, Encrypted
from openseer.extract.words import HYPHEN, MAX_CHARACTERS, MAX_PAGES, Font, Link, Page, Sheets, Word, font_of

MAX_LINKS = 2000
NEED_PASSWORD = 4  # FPDF_ERR_PASSWORD
PIECE = re.compile("[^\\s\ufffe\x02\x00\ufffd]+(?:[\ufffe\x02])?")
MIXED = re.compile(r"[^\W\d_].*[\d*†‡§¶∗,]|[\d*†‡§¶∗,].*[^\W\d_]|[^\x00-\u024f\u0370-\u052f‐-”]")

Style = tuple[Font, float, float]
"""Font, size on paper, and the angle of the text as shown."""


def read_pages(path: Path) -> Sheets:
    """All pages of the file; a page that cannot be read is left out with a warning."""
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == NEED_PASSWORD or "password" in str(error).lower():
            raise Encrypted("The document needs a password.") from None
        raise Corrupt(f"pdfium: {error}") from None
    with document:
        return _read_document(document)


def _read_document(document: Any) -> Sheets:
    count = len(document)
    warnings = [f"Only the first {MAX_PAGES} of {count} pages were read."] if count > MAX_PAGES else []
    pages = []
    for number in range(min(count, MAX_PAGES)):
        try:
            pages.append(_read_page(document, number, warnings))
        except (pdfium.PdfiumError, ValueError, OSError) as error:
            warnings.append(f"Page {number + 1} could not be read: {error}")
    if count == 0 or not pages:
        raise Corrupt("No page of the document can be read.")
    return Sheets(tuple(pages), count, _info(document), tuple(warnings))


def _info(document: Any) -> dict[str, str]:
    try:
        return {key: value for key, value in document.get_metadata_dict().items() if value}
    except (pdfium.PdfiumError, UnicodeDecodeError):
        return {}


def _read_page(document: Any, number: int, warnings: list[str]) -> Page:
    page = document[number]
    try:
        turn = _turn(page)
        text_page = page.get_textpage()
        try:
            letters = _Letters(text_page.raw, number < 2, turn)
            if letters.cut:
                warnings.append(f"Page {number + 1}: only the first {MAX_CHARACTERS:,} characters were read.")
            words = tuple(letters.words())
        finally:
            text_page.close()
        return Page(number + 1, *turn.shown, words, tuple(_links(document, page, turn)), " ".join(letters.aside))
    finally:
        page.close()


class _Turn:
    """From the coordinates of the file to those of the page as shown: origin top left, rotation undone."""

    def __init__(self, box: tuple[float, float, float, float], quarter: int) -> None:
        left, bottom, right, top = box
        self.quarter = quarter
        wide, high = right - left, top - bottom
        self.shown = (high, wide) if quarter % 2 else (wide, high)
        self._left, self._bottom, self._right, self._top = left, bottom, right, top

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        if self.quarter == 0:
            return x - self._left, self._top - y
        if self.quarter == 1:
            return y - self._bottom, x - self._left
        if self.quarter == 2:
            return self._right - x, y - self._bottom
        return self._top - y, self._right - x


def _turn(page: Any) -> _Turn:
    rect = raw.FS_RECTF()
    if not raw.FPDF_GetPageBoundingBox(page.raw, rect):
        raise ValueError("it has no size")
    return _Turn((rect.left, rect.bottom, rect.right, rect.top), raw.FPDFPage_GetRotation(page.raw) % 4)


class _Letters:
    """The characters of one page, asked for in bulk and then word by word."""

    def __init__(self, text_page: Any, careful: bool, turn: _Turn) -> None:
        self._page, self._careful, self._turn = text_page, careful, turn
        total = raw.FPDFText_CountChars(text_page)
        self.cut = total > MAX_CHARACTERS
        self._text = self._bulk(max(0, min(total, MAX_CHARACTERS)))
        self._styles: dict[int, Style] = {}
        self._fonts: dict[int, Font] = {}
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._sides = [ctypes.c_double() for _ in range(4)]
        self._nameless: dict[Font, list[float]] = defaultdict(list)
        self.aside: list[str] = []

    def _bulk(self, total: int) -> str:
        """One letter per character index, so that an offset into the text is pdfium's index."""
        if not total:
            return ""
        buffer = (ctypes.c_ushort * (total + 1))()
        written = raw.FPDFText_GetText(self._page, 0, total, buffer) - 1
        text = bytes(buffer)[: 2 * max(written, 0)].decode("utf-16-le", "replace")
        if len(text) == total == written:
            return text
        return "".join(map(self._letter, range(total)))

    def _letter(self, index: int) -> str:
        code = raw.FPDFText_GetUnicode(self._page, index)
        return "\ufffd" if 0xD800 <= code < 0xE000 or code > 0x10FFFF else chr(code)

    def words(self) -> Iterator[Word]:
        """Words in stream order, cut where font, size or baseline change; text that is not upright is dropped."""
        found = [word for match in PIECE.finditer(self._text) for word in self._runs(match)]
        sizes = {font: _round(median(heights)) for font, heights in self._nameless.items()}
        for word in found:
            yield word._replace(size=sizes[word.font]) if word.font in sizes else word

    def _runs(self, match: re.Match[str]) -> Iterator[Word]:
        start, end = match.span()
        text = match.group()
        hyphen = text[-1] in "\ufffe\x02"
        end -= hyphen
        text = text[: end - start]
        if end == start:
            return
        cuts = [start, *self._changes(start, end, text), end]
        for low, high in pairwise(cuts):
            word = self._word(low, high, low > start)
            if word:
                yield word._replace(text=word.text + HYPHEN) if hyphen and high == end else word

    def _changes(self, start: int, end: int, text: str) -> list[int]:
        """Where a word changes its style: its two ends tell in most cases, letters one by one when they differ."""
        if end - start < 2:
            return []
        if not (self._careful and MIXED.search(text)) and self._look(start) == self._look(end - 1):
            return []
        looks = [self._look(index) for index in range(start, end)]
        return [start + i for i, (one, two) in enumerate(pairwise(looks), 1) if one != two]

    def _look(self, index: int) -> tuple[Font, float, int]:
        font, size, _ = self._style(index)
        raw.FPDFText_GetCharOrigin(self._page, index, self._x, self._y)
        _, y = self._turn(self._x.value, self._y.value)
        return font, size, round(y)

    def _word(self, start: int, end: int, glued: bool) -> Word | None:
        font, size, angle = self._style(start)
        if abs(angle) > 0.1:
            if len(self.aside) < 200:
                self.aside.append(self._text[start:end])
            return None
        raw.FPDFText_GetCharOrigin(self._page, start, self._x, self._y)
        x0, base = self._turn(self._x.value, self._y.value)
        x1 = self._right(end - 1)
        if not font.name:
            self._measure(start, end, font)
        return Word(self._text[start:end], x0, max(x0, x1), base, size, font, glued)

    def _right(self, index: int) -> float:
        left, right, bottom, top = self._sides
        raw.FPDFText_GetCharBox(self._page, index, left, right, bottom, top)
        return max(self._turn(left.value, bottom.value)[0], self._turn(right.value, top.value)[0])

    def _measure(self, start: int, end: int, font: Font) -> None:
        """Fonts without a name (Type 3) lie about their size: the height of the glyphs tells it."""
        left, right, bottom, top = self._sides
        for index in range(start, min(end, start + 3)):
            raw.FPDFText_GetCharBox(self._page, index, left, right, bottom, top)
            letter = self._text[index]
            share = 0.45 if letter in "aceimnorsuvwxz" else 0.68 if letter.isupper() or letter in "bdfhklt" else 0.0
            height = abs(top.value - bottom.value)
            if share and 1 < height < 100:
                self._nameless[font].append(height / share)

    def _style(self, index: int) -> Style:
        thing = raw.FPDFText_GetTextObject(self._page, index)
        address = ctypes.cast(thing, ctypes.c_void_p).value or 0
        style = self._styles.get(address)
        if style is None or not address:
            style = self._styles[address] = self._ask_style(index, thing if address else None)
        return style

    def _ask_style(self, index: int, thing: Any) -> Style:
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(self._page, index, matrix)
        points = raw.FPDFText_GetFontSize(self._page, index)
        size = _round(points * (math.hypot(matrix.c, matrix.d) or 1.0))
        angle = math.remainder(math.atan2(matrix.b, matrix.a) - self._turn.quarter * math.pi / 2, 2 * math.pi)
        return (self._font(raw.FPDFTextObj_GetFont(thing)) if thing else Font("?")), size, angle

    def _font(self, font: Any) -> Font:
        address = ctypes.cast(font, ctypes.c_void_p).value or 0
        if address not in self._fonts:
            self._fonts[address] = _ask_font(font)
        return self._fonts[address]


def _ask_font(font: Any) -> Font:
    if not font:
        return Font("?")
    name = _string(lambda buffer, size: raw.FPDFFont_GetBaseFontName(font, buffer, size))
    return font_of(name)


def _string(ask: Callable[[Any, int], int]) -> str:
    buffer = ctypes.create_string_buffer(256)
    length = ask(buffer, 256)
    return buffer.raw[: max(0, min(length, 256) - 1)].decode("utf-8", "replace")


def _round(size: float) -> float:
    return round(size * 5) / 5 if math.isfinite(size) else 0.0


def _links(document: Any, page: Any, turn: _Turn) -> Iterator[Link]:
    position, link, rect = ctypes.c_int(0), raw.FPDF_LINK(), raw.FS_RECTF()
    for _ in range(MAX_LINKS):
        if not raw.FPDFLink_Enumerate(page.raw, position, link):
            return
        action = raw.FPDFLink_GetAction(link)
        if (
            not action
            or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI
            or not raw.FPDFLink_GetAnnotRect(link, rect)
        ):
            continue
        uri = _string(lambda buffer, size, action=action: raw.FPDFAction_GetURIPath(document.raw, action, buffer, size))  # type: ignore[misc]
        (x0, y0), (x1, y1) = turn(rect.left, rect.top), turn(rect.right, rect.bottom)
        if uri:
            yield Link((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)), uri)
