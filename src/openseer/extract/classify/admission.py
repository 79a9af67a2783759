"""Admission filter: by the classifier, or by the published simple rules for page count and orientation."""

from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium

from openseer.core.errors import Corrupt, NotAcademic
from openseer.core.model.extraction import ScholarlyVerdict
from openseer.extract.pdf.page_reader import open_document

MIN_PAGES, MAX_PAGES = 2, 50
"""Limits of the simple filter."""


def check_pages(path: Path) -> None:
    """Reject a document by the simple rules before extraction: 2 to 50 pages in portrait format.

    A document that cannot be opened here is left to the reader, which reports the error."""
    try:
        with open_document(path) as document:
            count = len(document)
            width, height = document.get_page_size(0) if count else (0.0, 0.0)
    except (Corrupt, pdfium.PdfiumError):
        return
    if not MIN_PAGES <= count <= MAX_PAGES:
        raise NotAcademic(f"The simple filter takes {MIN_PAGES} to {MAX_PAGES} pages; it has {count}.")
    if width > height:
        raise NotAcademic(f"The simple filter takes upright pages; its first is {width:.0f} x {height:.0f} points.")


def check_verdict(verdict: ScholarlyVerdict, minimum: float) -> None:
    """Reject a document whose scholarly probability is below the limit."""
    if verdict.probability is not None and verdict.probability < minimum:
        reasons = "; ".join(verdict.reasons)
        raise NotAcademic(
            f"Probably not a paper ({verdict.probability:.1%}) but {_with_article(verdict.type)}: {reasons}."
        )


def _with_article(document_type: str) -> str:
    """
    >>> _with_article("cv"), _with_article("invoice"), _with_article("other"), _with_article("slides")
    ('a CV', 'an invoice', 'something else', 'slides')
    """
    if document_type in ("slides", "other"):
        return document_type.replace("other", "something else")
    name = document_type.replace("cv", "CV")
    return f"an {name}" if name[0] in "aeio" else f"a {name}"
