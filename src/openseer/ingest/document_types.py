"""Readers by document type: which code turns a file of a MIME type into an extraction."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from openseer.acquire.file_type import sniff_without_libmagic
from openseer.core.model.document_type import DOCUMENT_TYPES, PDF_MIME, DocumentType
from openseer.core.model.extraction import Extraction
from openseer.extract.classify.admission import check_pages
from openseer.extract.reader import read

Pages = Callable[[int], Iterable[int]]
"""The pages to read, from their number; may raise an exception to refuse the document."""


@dataclass(frozen=True, slots=True)
class DocumentReader:
    """Reader of one document type; runs in worker processes only."""

    mime: str
    read: Callable[[Path, int, Pages], Extraction]
    """From a file, the least number of words and the pages to read."""
    check: Callable[[Path], None]
    """The simple admission filter, before anything is read."""


READERS = {one.mime: one for one in (DocumentReader(PDF_MIME, read, check_pages),)}
"""By MIME type; a new file format adds its row here and in `core/model/document_type.py`."""


def readable_type(head: bytes) -> DocumentType | None:
    """The type of a file that a reader takes, from its first bytes; None for every other file.

    Decided by signatures alone, since the coordinator runs no library on foreign bytes."""
    mime = sniff_without_libmagic(head)
    return DOCUMENT_TYPES[mime] if mime in READERS else None
