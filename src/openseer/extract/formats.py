"""File formats: the interface of their readers, and the registered readers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

from openseer.core.model.document_type import DOCUMENT_TYPES, ORIGINAL, DocumentType
from openseer.core.model.file_head import FileHead
from openseer.extract.html import html_reader
from openseer.extract.office import docx_reader, odt_reader, pptx_reader
from openseer.extract.ole import doc_reader, ppt_reader
from openseer.extract.pdf import pdf_reader
from openseer.extract.pdf.page_model import PageModel
from openseer.extract.plain_text import text_reader, xml_reader
from openseer.extract.postscript import postscript_reader
from openseer.extract.rtf import rtf_reader
from openseer.extract.structured.document import StructuredText

PageSelection = Callable[[int], Iterable[int]]
"""The pages to read, from their number; may raise an exception to refuse the document."""


class FormatReader(Protocol):
    """Reader of one file format; a module, and one entry in `READERS`. It runs in worker processes only."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int:
        """Increased when the result for the same file changes; stored documents can then be extracted again."""

    @property
    def mime(self) -> str:
        """MIME type under which the original is stored and offered."""

    @property
    def suffix(self) -> str:
        """Suffix of stored files."""

    @property
    def marks(self) -> tuple[bytes, ...]:
        """Byte strings by which it recognises files inside containers (ZIP, OLE); empty for most."""

    def recognises(self, head: FileHead) -> bool:
        """True if the file is of this format; parses nothing."""

    def read(self, path: Path, select_pages: PageSelection = range) -> PageModel | StructuredText:
        """Pages with words, or text with roles; raises our errors for files that cannot be read."""


READERS: tuple[FormatReader, ...] = (
    pdf_reader, postscript_reader, docx_reader, pptx_reader, odt_reader, rtf_reader, doc_reader, ppt_reader,
    html_reader, xml_reader, text_reader,
)  # fmt: skip
"""In the order in which they are asked; plain text comes last. Packages add theirs by the entry point
`openseer.readers`, which are asked first."""


@cache
def readers() -> tuple[FormatReader, ...]:
    """Readers of installed packages, whose document types are registered too, and the built-in ones."""
    found = (*(point.load() for point in entry_points(group="openseer.readers")), *READERS)
    for one in found:
        DOCUMENT_TYPES.setdefault(one.mime, DocumentType(one.mime, ORIGINAL, one.suffix, one.suffix.upper()))
    return found


def reader_of(head: FileHead) -> FormatReader | None:
    """The first reader that recognises a file."""
    return next((one for one in readers() if one.recognises(head)), None)


def type_of(head: FileHead) -> DocumentType | None:
    """The type of a file that a reader takes; None for every other file."""
    found = reader_of(head)
    return DOCUMENT_TYPES[found.mime] if found else None


@cache
def reader_named(mime: str) -> FormatReader | None:
    """The reader of a MIME type."""
    return next((one for one in readers() if one.mime == mime), None)


@cache
def marks() -> tuple[bytes, ...]:
    """Byte strings that are looked for in container files."""
    return tuple(dict.fromkeys(mark for one in readers() for mark in one.marks))
