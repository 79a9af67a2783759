"""Document types of papers, recognised by content, each with the reader that makes an extraction; and archives."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from openseer.acquire.archives.kinds import ArchiveKind, kind_of
from openseer.core.model.document_type import DOCUMENT_TYPES, ORIGINAL, PDF_MIME, DocumentType
from openseer.core.model.extraction import Extraction
from openseer.core.model.file_head import FileHead
from openseer.extract import formats
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


@cache
def readers() -> dict[str, DocumentReader]:
    """Readers by MIME type, with those of other packages."""
    found: dict[str, DocumentReader] = {}
    for one in formats.readers():
        DOCUMENT_TYPES.setdefault(one.mime, DocumentType(one.mime, ORIGINAL, one.suffix, one.suffix.upper()))
        check = check_pages if one.mime == PDF_MIME else _accept
        found.setdefault(one.mime, DocumentReader(one.mime, partial(read, reader=one), check))
    return found


def _accept(path: Path) -> None:
    """The simple filter knows pages of PDFs only."""


EXTRACTOR_VERSION = version()
"""Version of the readers and extractors of this process; documents of another version can be extracted again."""


def type_of(head: FileHead) -> DocumentType | None:
    """The type of a file that a reader takes; None for every other file."""
    found = formats.reader_of(head)
    return DOCUMENT_TYPES[found.mime] if found and found.mime in readers() else None


def archive_kind(head: FileHead) -> ArchiveKind | None:
    """The kind of an archive; None for other files, and for documents in the form of an archive."""
    kind = kind_of(head.start)
    return None if kind is None or (kind.may_be_document and type_of(head)) else kind
