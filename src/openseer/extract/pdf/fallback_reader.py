"""Fallback reader: pdf_oxide opens some files that pdfium rejects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pdf_oxide

from openseer.core.errors import Corrupt
from openseer.extract.pdf.page_model import (
    MAX_PAGE_CHARACTERS,
    MAX_PAGES,
    MIN_FONT_SIZE,
    Page,
    PageModel,
    Word,
    font_of,
)

pdf_oxide.disable_logging()


def read_pages_with_fallback(path: Path) -> PageModel:
    """All pages of the file by pdf_oxide; an unreadable page is skipped with a warning."""
    try:
        document = pdf_oxide.PdfDocument(str(path))
        try:
            return _read_document(document)
        finally:
            document.__exit__(None, None, None)
    except BaseException as error:
        raise _as_corrupt(error) from None


def _as_corrupt(error: BaseException) -> BaseException:
    """A library error as Corrupt; other exceptions are returned unchanged. A panic of pdf_oxide is a BaseException."""
    if isinstance(error, Corrupt) or not (isinstance(error, Exception) or type(error).__name__ == "PanicException"):
        return error
    return Corrupt(f"pdf_oxide: {str(error)[:200]}")


def _read_document(document: Any) -> PageModel:
    count = document.page_count()
    warnings = ["Read by the second reader."]
    pages = []
    for number in range(min(count, MAX_PAGES)):
        try:
            pages.append(_read_page(document, number))
        except Exception as error:
            warnings.append(f"Page {number + 1} could not be read: {error}")
    if not pages:
        raise Corrupt("No page of the document can be read.")
    return PageModel(tuple(pages), count, {}, tuple(warnings))


def _read_page(document: Any, number: int) -> Page:
    left, bottom, right, top = document.page_media_box(number)
    words = tuple(_words(document.extract_spans(number), left, top))
    return Page(number + 1, right - left, top - bottom, words)


def _words(spans: Any, left: float, top: float) -> Iterator[Word]:
    """Words in stream order; a span holds one or several words, or only white space."""
    letters = 0
    for span in spans:
        x, y, _, height = span.bbox
        if not all(map(math.isfinite, (x, y, float(span.font_size or height)))):
            continue
        size = max(MIN_FONT_SIZE, round(float(span.font_size or height) * 5) / 5)
        font = font_of(span.font_name or "?")._replace(bold=bool(span.is_bold), italic=bool(span.is_italic))
        edges = _character_edges(span, x)
        for start, end in _word_spans(span.text):
            x0, x1 = edges[min(start, len(edges) - 1)], edges[min(end, len(edges) - 1)]
            yield Word(span.text[start:end], x0 - left, max(x0, x1) - left, top - y, size, font)
            letters += end - start
        if letters > MAX_PAGE_CHARACTERS:
            return


def _character_edges(span: Any, x: float) -> list[float]:
    """The left edge of each character, and the right edge of the last."""
    widths = list(span.char_widths)
    if len(widths) != len(span.text):
        widths = [span.bbox[2] / max(1, len(span.text))] * len(span.text)
    edges = [x]
    for width in widths:
        edges.append(edges[-1] + width)
    return edges


def _word_spans(text: str) -> Iterator[tuple[int, int]]:
    start = None
    for at, letter in enumerate(text + " "):
        if letter.isspace() or letter == "\x00":
            if start is not None:
                yield start, at
            start = None
        elif start is None:
            start = at
