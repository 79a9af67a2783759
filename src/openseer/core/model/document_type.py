"""Document types: MIME type, kind in the file store, suffix. One row for each file format that a library keeps."""

from __future__ import annotations

from dataclasses import dataclass

PDF_MIME = "application/pdf"
OPEN_XML = "application/vnd.openxmlformats-officedocument"
ORIGINAL = "original"
"""Kind in the file store of papers that are not PDFs."""


@dataclass(frozen=True, slots=True)
class DocumentType:
    """A file format that the file store keeps."""

    mime: str
    kind: str
    """Name of the tree in the file store."""
    suffix: str
    """Suffix of stored files."""
    label: str = ""
    """Name for users."""
    is_bibliography: bool = False
    """True if it holds bibliographic records instead of a paper."""


DOCUMENT_TYPES = {
    one.mime: one
    for one in (
        DocumentType(PDF_MIME, "pdf", "pdf", "PDF"),
        DocumentType("application/postscript", ORIGINAL, "ps", "PostScript"),
        DocumentType(f"{OPEN_XML}.wordprocessingml.document", ORIGINAL, "docx", "Word"),
        DocumentType(f"{OPEN_XML}.presentationml.presentation", ORIGINAL, "pptx", "PowerPoint"),
        DocumentType("application/vnd.oasis.opendocument.text", ORIGINAL, "odt", "OpenDocument"),
        DocumentType("application/rtf", ORIGINAL, "rtf", "RTF"),
        DocumentType("application/msword", ORIGINAL, "doc", "Word 97"),
        DocumentType("application/vnd.ms-powerpoint", ORIGINAL, "ppt", "PowerPoint 97"),
        DocumentType("text/html", ORIGINAL, "html", "HTML"),
        DocumentType("application/xml", ORIGINAL, "xml", "XML"),
        DocumentType("text/plain", ORIGINAL, "txt", "Text"),
        DocumentType("text/x-bibtex", "records", "bib", "BibTeX", is_bibliography=True),
        DocumentType("application/x-research-info-systems", "records", "ris", "RIS", is_bibliography=True),
        DocumentType("application/vnd.citationstyles.csl+json", "records", "json", "CSL-JSON", is_bibliography=True),
        DocumentType("text/csv", "records", "csv", "CSV", is_bibliography=True),
    )
}
"""By MIME type. Each type of papers has a reader of the same MIME type in `extract/formats.py`; readers of other
packages add theirs when they are loaded."""
