"""Reader of PDF: pdfium, and a second library for files that it cannot open or finds no words in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from openseer.core.errors import Corrupt, Empty
from openseer.core.model.document_type import PDF_MIME
from openseer.core.model.file_head import FileHead
from openseer.extract.pdf.fallback_reader import read_pages_with_fallback
from openseer.extract.pdf.ligature_repair import repair_ligatures
from openseer.extract.pdf.page_model import PageModel
from openseer.extract.pdf.page_reader import read_pages

name, version = "pages", 3
mime, suffix = PDF_MIME, "pdf"
marks: tuple[bytes, ...] = ()
CONTAINERS = (b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"{\\rtf", b"\xd0\xcf\x11\xe0", b"\x89PNG", b"\xff\xd8\xff")
"""Starts of files that may contain a PDF. PostScript is not included: printer wrappers precede real PDFs."""


def recognises(head: FileHead) -> bool:
    """True if a PDF header is within the first 1024 bytes, as other readers accept, and the file is no container."""
    return b"%PDF-" in head.start[:1024] and not head.start.startswith(CONTAINERS)


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> PageModel:
    """The selected pages of a file, by the first library that finds words."""
    return repair_ligatures(_read_pages(path, select_pages))


def _read_pages(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> PageModel:
    """Page model of the first reader that finds words."""
    if path.stat().st_size == 0:
        raise Empty("The file is empty.")
    try:
        page_model = read_pages(path, select_pages)
    except Corrupt as error:
        return _read_with_fallback(path, str(error))
    if any(page.words for page in page_model.pages):
        return page_model
    try:
        fallback = read_pages_with_fallback(path)
    except Corrupt:
        return page_model
    return fallback if any(page.words for page in fallback.pages) else page_model


def _read_with_fallback(path: Path, first_error: str) -> PageModel:
    try:
        return read_pages_with_fallback(path)
    except Corrupt as error:
        raise Corrupt(f"No reader can open it ({first_error}; {error}).") from None
