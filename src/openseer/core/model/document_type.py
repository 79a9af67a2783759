"""Document types: MIME type, kind in the file store, suffix. One row for each file format that a library keeps."""

from __future__ import annotations

from dataclasses import dataclass

PDF_MIME = "application/pdf"


@dataclass(frozen=True, slots=True)
class DocumentType:
    """A file format that the file store keeps."""

    mime: str
    kind: str
    """Name of the tree in the file store."""
    suffix: str
    """Suffix of stored files."""
    is_bibliography: bool = False
    """True if it holds bibliographic records instead of a paper."""


DOCUMENT_TYPES = {
    one.mime: one
    for one in (
        DocumentType(PDF_MIME, "pdf", "pdf"),
        DocumentType("text/x-bibtex", "records", "bib", is_bibliography=True),
        DocumentType("application/x-research-info-systems", "records", "ris", is_bibliography=True),
        DocumentType("application/vnd.citationstyles.csl+json", "records", "json", is_bibliography=True),
        DocumentType("text/csv", "records", "csv", is_bibliography=True),
    )
}
"""By MIME type. The reader of each paper type is registered in `ingest/document_types.py`."""
