"""PDF pages as words by pdfium: the text of a page at once, then a few queries per word."""

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
from openseer.extract.pdf.glyph_queries import WORD_PATTERN, GlyphStyle, PageTransform, address_of, heights, round_size
from openseer.extract.pdf.page_model import (
    HYPHEN,
    MAX_PAGE_CHARACTERS,
    MAX_PAGES,
    MIN_FONT_SIZE,
    Link,
    Page,
    PageModel,
    Word,
    font_of,
)

MAX_LINKS = 2000
NOT_A_PDF = b"no PDF"
NEED_PASSWORD = 4  # FPDF_ERR_PASSWORD
MAX_URI = 2048
MAX_ROTATED_TEXT = 2000
PDFIUM_HYPHEN = "\ufffe"
"""HYPHEN in the page text of pdfium."""
ASTRAL, FILLER = re.compile("[\U00010000-\U0010ffff]"), "\u2060"
"""Non-BMP characters, which are two characters in pdfium, and the filler for the second of them."""
FOOTNOTE_SIGN = re.compile(r"[\d*†‡§¶∗,]")
LETTER = re.compile(r"[^\W\d_]")
UNCOMMON_SCRIPT = re.compile(r"[^\x00-\u024f\u0370-\u052f‐-”]")


def read_pages(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> PageModel:
    """The selected pages of the file; an unreadable page is skipped with a warning."""
    with open_document(path) as document:
        return _read_document(document, select_pages)


def open_document(path: Path) -> Any:
    """The opened file. pdfium may report the error of the previous file, so a failure is checked by a retry."""
    try:
        return pdfium.PdfDocument(path)
    except pdfium.PdfiumError:
        raw.FPDF_LoadMemDocument(NOT_A_PDF, len(NOT_A_PDF), None)
    try:
        return pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == NEED_PASSWORD or "password" in str(error).lower():
            raise Encrypted("The document needs a password.") from None
        raise Corrupt(f"pdfium: {error}") from None


def _read_document(document: Any, select_pages: Callable[[int], Iterable[int]]) -> PageModel:
    count = len(document)
    warnings = [f"Only the first {MAX_PAGES} of {count} pages were read."] if count > MAX_PAGES else []
    pages = []
    for number in select_pages(min(count, MAX_PAGES)):
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
        transform = _page_transform(page)
        text_page = page.get_textpage()
        try:
            page_letters = _PageLetters(text_page.raw, number < 2, transform)
            if page_letters.cut:
                warnings.append(f"Page {number + 1}: only the first {MAX_PAGE_CHARACTERS:,} characters were read.")
            words = page_letters.words()
        finally:
            text_page.close()
        return Page(
            number + 1,
            *transform.shown_size,
            words,
            tuple(_links(document, page, transform)),
            page_letters.rotated_text,
        )
    finally:
        page.close()


def _page_transform(page: Any) -> PageTransform:
    rect = raw.FS_RECTF()
    if not raw.FPDF_GetPageBoundingBox(page.raw, rect):
        raise ValueError("the page has no size")
    return PageTransform((rect.left, rect.bottom, rect.right, rect.top), raw.FPDFPage_GetRotation(page.raw) % 4)


_word = cast(Callable[[tuple[Any, ...]], Word], partial(tuple.__new__, Word))
"""As Word._make at half the cost, since a page has hundreds of words."""


class _PageLetters:
    """The characters of one page: the text at once, then its words as columns."""

    def __init__(self, text_page: Any, inspect: bool, transform: PageTransform) -> None:
        self._page, self._quarter = address_of(text_page), transform.quarter_turns
        reader = native.library or glyph_queries
        total = raw.FPDFText_CountChars(text_page)
        self.cut = total > MAX_PAGE_CHARACTERS
        self._text = _text(text_page, max(0, min(total, MAX_PAGE_CHARACTERS)), reader.letters)
        self._runs = reader.runs(self._page, self._text, _inspection_flags(self._text) if inspect else b"", transform)
        self._fonts = [font_of(name.decode("utf-8", "replace")) for name in self._runs.fonts]
        self.rotated_text = ""

    def words(self) -> tuple[Word, ...]:
        """Words in stream order; rotated text is stored separately."""
        runs, text = self._runs, self._text
        texts = [text[start:end] for start, end in zip(runs.starts, runs.ends, strict=True)]
        sizes = [max(MIN_FONT_SIZE, style.size) for style in runs.style_table]
        fonts = [self._fonts[style.font] for style in runs.style_table]
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
        upright = self._upright_mask(texts)
        found = tuple(words) if upright is None else tuple(compress(words, upright))
        if any(not font.name for font in self._fonts):
            found = self._with_measured_sizes(found, upright)
        if FILLER not in text:
            return found
        return tuple(word._replace(text=word.text.replace(FILLER, "")) for word in found if word.text != FILLER)

    def _upright_mask(self, texts: list[str]) -> list[bool] | None:
        """For each word, True if it is upright and has finite coordinates; None for all."""
        runs = self._runs
        is_rotated = [self._is_rotated(glyph_style) for glyph_style in runs.style_table]
        all_finite = math.isfinite(sum(runs.x0) + sum(runs.x1) + sum(runs.base))
        if all_finite and not any(is_rotated):
            return None
        pieces = zip(texts, runs.styles, runs.glued, strict=True)
        rotated_text = "".join(
            " " * (not glued) + text.rstrip(HYPHEN) for text, style, glued in pieces if is_rotated[style]
        )
        self.rotated_text = rotated_text[: MAX_ROTATED_TEXT + 1].strip()
        positions = zip(runs.styles, runs.x0, runs.x1, runs.base, strict=True)
        return [not is_rotated[style] and all(map(math.isfinite, coordinates)) for style, *coordinates in positions]

    def _is_rotated(self, style: GlyphStyle) -> bool:
        angle = math.remainder(math.atan2(style.b, style.a) - self._quarter * math.pi / 2, 2 * math.pi)
        return abs(angle) > 0.1

    def _with_measured_sizes(self, words: tuple[Word, ...], upright: list[bool] | None) -> tuple[Word, ...]:
        """Words of unnamed (Type 3) fonts, whose size is wrong in the file, with the size from glyph heights."""
        runs = self._runs
        starts = runs.starts if upright is None else compress(runs.starts, upright)
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


def _text(text_page: Any, total: int, read_letters: Callable[[int, int], str]) -> str:
    """Page text with one letter per pdfium character index."""
    if not total:
        return ""
    buffer = (ctypes.c_ushort * (total + 1))()
    written = raw.FPDFText_GetText(text_page, 0, total, buffer) - 1
    text = bytes(buffer)[: 2 * max(written, 0)].decode("utf-16-le", "replace")
    if len(text) < total == written:
        text = ASTRAL.sub(_pad_surrogate, text)
    if not len(text) == total == written:
        text = read_letters(address_of(text_page), total)
    return text.replace(PDFIUM_HYPHEN, HYPHEN)


def _pad_surrogate(letter: re.Match[str]) -> str:
    """A non-BMP character as two characters; a mathematical letter as its plain form."""
    normalised = unicodedata.normalize("NFKC", letter[0])
    return (normalised if len(normalised) == 1 else letter[0]) + FILLER


def _inspection_flags(text: str) -> bytes:
    """A 1 for each word that may join a letter and a footnote sign, or is in an uncommon script."""
    return bytes(map(_needs_inspection, WORD_PATTERN.findall(text)))


def _needs_inspection(word: str) -> bool:
    if word.isascii() and word.isalpha():
        return False
    return bool(UNCOMMON_SCRIPT.search(word) or (FOOTNOTE_SIGN.search(word) and LETTER.search(word)))


def _links(document: Any, page: Any, transform: PageTransform) -> Iterator[Link]:
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
        (x0, y0), (x1, y1) = transform(rect.left, rect.top), transform(rect.right, rect.bottom)
        if uri:
            yield Link((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)), uri)


def _uri(document: Any, action: Any) -> str:
    """The URI of a link; empty if it is longer than MAX_URI."""
    buffer = ctypes.create_string_buffer(MAX_URI)
    length = raw.FPDFAction_GetURIPath(document.raw, action, buffer, MAX_URI)
    return buffer.raw[: length - 1].decode("utf-8", "replace") if 0 < length <= MAX_URI else ""
