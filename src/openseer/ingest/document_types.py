"""Document types of papers: recognised by content, each with the reader that turns a file into an extraction."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from openseer.core.model.document_type import PDF_MIME
from openseer.core.model.extraction import Extraction
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
        check = check_pages if one.mime == PDF_MIME else _accept
        found.setdefault(one.mime, DocumentReader(one.mime, partial(read, reader=one), check))
    return found


def _accept(path: Path) -> None:
    """The simple filter knows pages of PDFs only."""


formats.marks()
EXTRACTOR_VERSION = version()
"""Version of the readers and extractors of this process; documents of another version can be extracted again."""
