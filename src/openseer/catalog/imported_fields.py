"""Fields of a work that come from imported records and are not voted: abstract, keywords, publisher ..."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from openseer.core.errors import NotFound
from openseer.core.model.bibliography_record import BibliographyRecord
from openseer.core.model.document import Viewer
from openseer.core.model.work import (
    DescriptionCount,
)
from openseer.storage.codecs.document_summary import DocumentSummary
from openseer.storage.codecs.record_archive import record_at
from openseer.storage.open import Library

NO_RECORD = BibliographyRecord()
MAX_RECORDS = 20
"""Imported records of one work that are read."""


def imported_record(
    library: Library, work: str, descriptions: list[DescriptionCount], viewer: Viewer
) -> BibliographyRecord:
    """Fields of a work that are not voted, from its imported records: longest texts, else the first in sort order."""
    if all(one.kind != "import" for one in descriptions):
        return NO_RECORD
    places = library.records.as_seen_by(viewer).imported_records(work)
    records = [
        BibliographyRecord.of_record(found) for place in places[:MAX_RECORDS] if (found := _record(library, *place))
    ]
    return BibliographyRecord(
        abstract=max((one.abstract for one in records), key=lambda text: (len(text), text), default=""),
        keywords=max((one.keywords for one in records), key=lambda words: (len(words), words), default=()),
        issue=min((one.issue for one in records if one.issue), default=""),
        publisher=min((one.publisher for one in records if one.publisher), default=""),
        type=min((one.type for one in records if one.type not in ("", "other")), default=""),
        url=min((one.url for one in records if one.url), default=""),
    )


def _record(library: Library, sha1: str, position: int) -> dict[str, Any]:
    """One imported record; nothing if the archive is lost, which `verify` reports."""
    generation = library.records.as_seen_by(Viewer.OPERATOR).document(sha1).generation
    try:
        with library.files.open("extraction", sha1, f"{generation}.records") as archive:
            return record_at(archive, position)
    except NotFound:
        return {}


def with_imported(summary: DocumentSummary, imported: BibliographyRecord) -> DocumentSummary:
    """A document summary in which imported fields replace extracted ones, as in the vote."""
    if imported == NO_RECORD:
        return summary
    return replace(
        summary,
        abstract=imported.abstract or summary.abstract,
        keywords=imported.keywords or summary.keywords,
        type=imported.type or summary.type,
    )
