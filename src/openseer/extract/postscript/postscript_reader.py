"""Reader of PostScript and EPS: Ghostscript makes a PDF of it.

dvips once wrote bitmap fonts whose glyph names mean nothing; Ghostscript takes them for letters. If the letter c is
missing in the text, such fonts are read by their codes instead."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from openseer.core.errors import Corrupt
from openseer.core.model.file_head import FileHead
from openseer.core.processes.external_program import GHOSTSCRIPT
from openseer.extract.pdf import pdf_reader
from openseer.extract.pdf.page_model import PageModel

name, version = "postscript", 1
mime, suffix = "application/postscript", "ps"
marks: tuple[bytes, ...] = ()
DOS_EPS = b"\xc5\xd0\xd3\xc6"
"""Start of an EPS file with a preview."""
STARTS = (b"%!", b"\x04%!", DOS_EPS, b"\x1b%-12345X@PJL")
"""The third is a printer's job control before the file."""
SECONDS, MEMORY_MB = 50.0, 1500
ARGUMENTS = (
    "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dNOPROMPT", "-dNOCACHE", "-sDEVICE=pdfwrite", "-dCompatibilityLevel=1.4",
    "-dAutoRotatePages=/None", "-sOutputFile=out.pdf",
)  # fmt: skip
FONT = re.compile(rb"\bobj\s*<<(?:/ToUnicode \d+ 0 R\s*)?/Type/Font\b.{0,40000}?\bendobj\b", re.S)
"""A font as Ghostscript writes it."""
LIGATURES = {11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl"}
"""Codes of TeX's text fonts."""
MIN_LETTERS = 200
MIN_SHARE_OF_C = 0.003
"""Share of the letter c among the letters of a text; in English, German and French it is 2.8 per cent or more."""


def recognises(head: FileHead) -> bool:
    """True for PostScript, with or without what printers write before it."""
    return head.start.startswith(STARTS) and (not head.start.startswith(b"\x1b") or b"%!PS" in head.start)


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> PageModel:
    """The pages as Ghostscript shows them."""
    with tempfile.TemporaryDirectory(prefix="postscript-") as folder:
        pdf = Path(folder) / "out.pdf"
        messages = GHOSTSCRIPT.run((*ARGUMENTS, "-f", str(path.absolute())), Path(folder), SECONDS, MEMORY_MB)
        if not pdf.exists() or not pdf.stat().st_size:
            raise Corrupt(f"Ghostscript cannot read it: {_reason(messages)}")
        found = pdf_reader.read(pdf, select_pages)
        if b"Error:" in messages and not any(page.words for page in found.pages):
            raise Corrupt(f"Ghostscript cannot read it: {_reason(messages)}")
        if _lacks_letters(found):
            pdf.write_bytes(FONT.sub(_without_unicode, pdf.read_bytes()))
            found = pdf_reader.read(pdf, select_pages)
    warnings = ("Ghostscript reported errors.",) if b"Error:" in messages else ()
    found = _with_ligatures(found)
    return replace(found, info={}, warnings=(*found.warnings, *warnings))  # the dates are those of the conversion


def _with_ligatures(pages: PageModel) -> PageModel:
    """The pages with the ligatures of TeX's fonts, which bitmap fonts show as control characters."""
    shown = tuple(
        replace(page, words=tuple(word._replace(text=word.text.translate(LIGATURES)) for word in page.words))
        for page in pages.pages
    )
    return replace(pages, pages=shown)


def _reason(messages: bytes) -> str:
    lines = [line.strip() for line in messages.decode("utf-8", "replace").splitlines() if "rror" in line]
    return lines[0][:200] if lines else "it has no page."


def _lacks_letters(pages: PageModel) -> bool:
    """True if hardly any c is in a text of Latin letters."""
    text = "".join(word.text for page in pages.pages for word in page.words).lower()
    letters = sum(one.isascii() and one.isalpha() for one in text)
    return letters > MIN_LETTERS and text.count("c") < MIN_SHARE_OF_C * letters


def _without_unicode(font: re.Match[bytes]) -> bytes:
    """A bitmap font without its table of letters; of the same length, so that all offsets stay."""
    return font[0].replace(b"/ToUnicode", b"/NoUnicode") if b"/Type3" in font[0] else font[0]
