"""Publication type, author names, page range and URLs of a work, as all export formats need them."""

from __future__ import annotations

import re
from typing import Literal

from openseer.core.model.document_type import DOCUMENT_TYPES, PDF_MIME
from openseer.core.model.work import IndexedWork
from openseer.core.text.person_names import split_name

PublicationType = Literal["article", "conference", "report", "thesis", "book", "chapter", "preprint", "other"]
TYPES_OF_DOCUMENTS: dict[str, PublicationType] = {
    "thesis": "thesis",
    "book": "book",
    "chapter": "chapter",
    "report": "report",
}
"""Document type -> publication type."""
CONFERENCE = re.compile(r"\b(proc(eedings)?|conf(erence)?|workshop|symposium|meeting|congress)\b", re.IGNORECASE)
REPORT = re.compile(r"\b(tech(nical)? report|working paper|report)\b", re.IGNORECASE)


def publication_type(work: IndexedWork) -> PublicationType:
    """Publication type by the document type, else by the words of the venue."""
    if document_type := TYPES_OF_DOCUMENTS.get(work.type):
        return document_type
    if REPORT.search(work.venue):
        return "report"
    if CONFERENCE.search(work.venue):
        return "conference"
    if work.venue:
        return "article"
    return "preprint" if work.arxiv or work.type == "preprint" else "other"


def author_names(work: IndexedWork) -> list[tuple[str, str]]:
    """(family, given) of each author; an organisation has no given name."""
    split_names = (split_name(name) for name in work.authors)
    return [(one.family or one.name, one.given) for one in split_names]


def page_range(work: IndexedWork) -> tuple[str, str]:
    """First and last page, "" if missing."""
    first, _, last = re.sub(r"\s*[-\u2013\u2014]+\s*", "-", work.pages).partition("-")
    return first, last


def work_url(work: IndexedWork, base: str) -> str:
    """URL of the page of a work."""
    return f"{base}/works/{work.id}"


def persistent_url(work: IndexedWork, base: str) -> str:
    """DOI or arXiv URL; else the page on this site, "" without a site."""
    if work.doi:
        return f"https://doi.org/{work.doi}"
    if work.arxiv:
        return f"https://arxiv.org/abs/{work.arxiv}"
    return work_url(work, base) if base else ""


def file_url(work: IndexedWork, base: str) -> str:
    """URL of the file to open; "" without a file or a site."""
    suffix = work.formats[0] if work.formats else "pdf"
    return f"{base}/document/{work.documents[0]}.{suffix}" if work.documents and base else ""


def file_mime(work: IndexedWork) -> str:
    """MIME type of the file to open."""
    suffix = work.formats[0] if work.formats else "pdf"
    return next((one.mime for one in DOCUMENT_TYPES.values() if one.suffix == suffix), PDF_MIME)


def pdf_url(work: IndexedWork, base: str) -> str:
    """URL of the first PDF; "" without one or a site."""
    for sha1, suffix in zip(work.documents, work.formats, strict=False):
        if suffix == "pdf" and base:
            return f"{base}/document/{sha1}.pdf"
    return ""
