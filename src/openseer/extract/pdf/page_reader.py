"""A PDF becomes pages of words: the whole text of a page at once, then a few questions to pdfium per word."""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import compress
from pathlib import Path
from statistics import median
from typing import Any, cast

import pypdfium2 as pdfium
from pypdfium2 import raw

from openseer.core.errors import Corrupt, Encrypted
from openseer.extract.pdf import glyph_queries, native
from openseer.extract.pdf.glyph_queries import PIECE, Style, Turn, address_of, heights, round_size
from openseer.extract.pdf.page_model import HYPHEN, MAX_CHARACTERS, MAX_PAGES, Link, Page, PageModel, Word, font_of

MAX_LINKS = 2000
GARBAGE = b"no PDF"
NEED_PASSWORD = 4  # FPDF_ERR_PASSWORD
MAX_URI = 2048
MAX_ASIDE = 2000
DIVIDED = "\ufffe"
"""What the whole text of a page has for HYPHEN."""
ASTRAL, FILLER = re.compile("[\U00010000-\U0010ffff]"), "\u2060"
"""Signs that are two characters to pdfium, and what stands for the second of them: it is nothing in print."""
SIGN = re.compile(r"[\d*†‡§¶∗,]")
LETTER = re.compile(r"[^\W\d_]")
FOREIGN = re.compile(r"[^\x00-\u024f\u0370-\u052f‐-”]")


def read_pages(path: Path, some: Callable[[int], Iterable[int]] = range) -> PageModel:
    """The pages of the file, or `some` out of so many; one that cannot be read is left out with a warning."""
    with open_document(path) as document:
        return _read_document(document, some)


def open_document(path: Path) -> Any:
    """The file, open. pdfium may blame the file before this one: it is believed when it says it of this file alone."""
    try:
        return pdfium.PdfDocument(path)
    except pdfium.PdfiumError:
        raw.FPDF_LoadMemDocument(GARBAGE, len(GARBAGE), None)
    try:
        return pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == NEED_PASSWORD or "password" in str(error).lower():
            raise Encrypted("The document needs a password.") from None
        raise Corrupt(f"pdfium: {error}") from None


def _read_document(document: Any, some: Callable[[int], Iterable[int]]) -> PageModel:
    count = len(document)
    warnings = [f"Only the first {MAX_PAGES} of {count} pages were read."] if count > MAX_PAGES else []
    pages = []
    for number in some(min(count, MAX_PAGES)):
        try:
            pages.append(_read_page(document, number, warnings))
        except (pdfium.PdfiumError, ValueError, OSError) as error:
            warnings.append(f"Page {number + 1} could not be read: {error}")
    if count == 0 or not pages:
        raise Corrupt("No page of the document can be read.")
    return PageModel(tuple(pages), count, _info(document), tuple(warnings))


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
            words = letters.words()
        finally:
            text_page.close()
        return Page(number + 1, *turn.shown, words, tuple(_links(document, page, turn)), letters.aside)
    finally:
        page.close()


def _turn(page: Any) -> Turn:
    rect = raw.FS_RECTF()
    if not raw.FPDF_GetPageBoundingBox(page.raw, rect):
        raise ValueError("it has no size")
    return Turn((rect.left, rect.bottom, rect.right, rect.top), raw.FPDFPage_GetRotation(page.raw) % 4)


_word = cast(Callable[[tuple[Any, ...]], Word], partial(tuple.__new__, Word))
"""As Word._make, at half its price: there are hundreds on a page."""


class _Letters:
    """The characters of one page: the whole text at once, then its words in columns."""

    def __init__(self, text_page: Any, careful: bool, turn: Turn) -> None:
        self._page, self._quarter = address_of(text_page), turn.quarter
        reader = native.library or glyph_queries
        total = raw.FPDFText_CountChars(text_page)
        self.cut = total > MAX_CHARACTERS
        self._text = _text(text_page, max(0, min(total, MAX_CHARACTERS)), reader.letters)
        self._runs = reader.runs(self._page, self._text, _mixed(self._text) if careful else b"", turn)
        self._fonts = [font_of(name.decode("utf-8", "replace")) for name in self._runs.fonts]
        self.aside = ""

    def words(self) -> tuple[Word, ...]:
        """Words in stream order; text that is not upright is set aside."""
        runs, text = self._runs, self._text
        texts = [text[start:end] for start, end in zip(runs.starts, runs.ends, strict=True)]
        sizes = [look.size for look in runs.looks]
        fonts = [self._fonts[look.font] for look in runs.looks]
        columns = (
            texts,
            runs.x0,
            runs.x1,
            runs.base,
            map(sizes.__getitem__, runs.styles),
            map(fonts.__getitem__, runs.styles),
            map(bool, runs.glued),
        )
        words = map(_word, zip(*columns, strict=True))
        kept = self._kept(texts)
        found = tuple(words) if kept is None else tuple(compress(words, kept))
        if any(not font.name for font in self._fonts):
            found = self._measured(found, kept)
        if FILLER not in text:
            return found
        return tuple(word._replace(text=word.text.replace(FILLER, "")) for word in found if word.text != FILLER)

    def _kept(self, texts: list[str]) -> list[bool] | None:
        """Which words stand upright and somewhere on the paper; None for all."""
        runs = self._runs
        lying = [self._lies(look) for look in runs.looks]
        placed = math.isfinite(sum(runs.x0) + sum(runs.x1) + sum(runs.base))
        if placed and not any(lying):
            return None
        said = zip(texts, runs.styles, runs.glued, strict=True)
        aside = "".join(" " * (not glued) + text.rstrip(HYPHEN) for text, style, glued in said if lying[style])
        self.aside = aside[: MAX_ASIDE + 1].strip()
        places = zip(runs.styles, runs.x0, runs.x1, runs.base, strict=True)
        return [not lying[style] and all(map(math.isfinite, place)) for style, *place in places]

    def _lies(self, look: Style) -> bool:
        angle = math.remainder(math.atan2(look.b, look.a) - self._quarter * math.pi / 2, 2 * math.pi)
        return abs(angle) > 0.1

    def _measured(self, words: tuple[Word, ...], kept: list[bool] | None) -> tuple[Word, ...]:
        """Fonts without a name (Type 3) lie about their size: the height of the glyphs tells it."""
        runs = self._runs
        starts = runs.starts if kept is None else compress(runs.starts, kept)
        sizes = [
            size
            for start, word in zip(starts, words, strict=True)
            if not word.font.name
            for size in self._glyph_sizes(start, word.text[:3])
        ]
        if not sizes:
            return words
        size = round_size(median(sizes))
        return tuple(word if word.font.name else word._replace(size=size) for word in words)

    def _glyph_sizes(self, start: int, text: str) -> Iterator[float]:
        for letter, height in zip(text, heights(self._page, range(start, start + len(text))), strict=True):
            share = 0.45 if letter in "aceimnorsuvwxz" else 0.68 if letter.isupper() or letter in "bdfhklt" else 0.0
            if share and 1 < height < 100:
                yield height / share


def _text(text_page: Any, total: int, letters: Callable[[int, int], str]) -> str:
    """One letter per character number, so that an offset into the text is pdfium's index."""
    if not total:
        return ""
    buffer = (ctypes.c_ushort * (total + 1))()
    written = raw.FPDFText_GetText(text_page, 0, total, buffer) - 1
    text = bytes(buffer)[: 2 * max(written, 0)].decode("utf-16-le", "replace")
    if len(text) < total == written:
        text = ASTRAL.sub(_as_two, text)
    if not len(text) == total == written:
        text = letters(address_of(text_page), total)
    return text.replace(DIVIDED, HYPHEN)


def _as_two(letter: re.Match[str]) -> str:
    """A sign that is two to pdfium, one of mathematics as the letter that it shows."""
    plain = unicodedata.normalize("NFKC", letter[0])
    return (plain if len(plain) == 1 else letter[0]) + FILLER


def _mixed(text: str) -> bytes:
    """A 1 for each piece in which a letter and a footnote sign may touch, or that is in no usual alphabet."""
    return bytes(map(_is_mixed, PIECE.findall(text)))


def _is_mixed(piece: str) -> bool:
    if piece.isascii() and piece.isalpha():
        return False
    return bool(FOREIGN.search(piece) or (SIGN.search(piece) and LETTER.search(piece)))


def _links(document: Any, page: Any, turn: Turn) -> Iterator[Link]:
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
        uri = _uri(document, action)
        (x0, y0), (x1, y1) = turn(rect.left, rect.top), turn(rect.right, rect.bottom)
        if uri:
            yield Link((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)), uri)


def _uri(document: Any, action: Any) -> str:
    """Nothing when it is longer than any address we follow."""
    buffer = ctypes.create_string_buffer(MAX_URI)
    length = raw.FPDFAction_GetURIPath(document.raw, action, buffer, MAX_URI)
    return buffer.raw[: length - 1].decode("utf-8", "replace") if 0 < length <= MAX_URI else ""
