"""Readers by document type: which code turns a file of a MIME type into an extraction."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from openseer.core.model.document_type import DOCUMENT_TYPES, PDF_MIME, DocumentType
from openseer.core.model.extraction import Extraction
from openseer.extract.classify.admission import check_pages
from openseer.extract.reader import read, version

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


EXTRACTOR_VERSION = version()
"""Version of the readers and extractors of this process; documents of another version can be extracted again."""


def readable_type(mime: str) -> DocumentType | None:
    """The type of a file that a reader takes; None for every other MIME type."""
    return DOCUMENT_TYPES[mime] if mime in READERS else None
