"""Which documents are let in: by the verdict of the model, or by the published simple rules over the sheets alone."""

from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium

from openseer.core.errors import Corrupt, NotAcademic
from openseer.core.model.extraction import ScholarlyVerdict
from openseer.extract.pdf.page_reader import open_document

FEWEST, MOST = 2, 50
"""Pages of a document that the simple filter takes."""


def check_sheets(path: Path) -> None:
    """Refuse by the simple rules, before anything is read: 2 to 50 pages, and upright.

    What cannot be opened here is left to the reader, which says why.
    """
    try:
        with open_document(path) as document:
            count = len(document)
            width, height = document.get_page_size(0) if count else (0.0, 0.0)
    except (Corrupt, pdfium.PdfiumError):
        return
    if not FEWEST <= count <= MOST:
        raise NotAcademic(f"The simple filter takes {FEWEST} to {MOST} pages; it has {count}.")
    if width > height:
        raise NotAcademic(f"The simple filter takes upright pages; its first is {width:.0f} x {height:.0f} points.")


def check_verdict(verdict: ScholarlyVerdict, minimum: float) -> None:
    """Refuse what is less likely to be scholarly than the limit."""
    if verdict.probability < minimum:
        looks = verdict.type if verdict.type != "other" else "something else"
        reasons = "; ".join(verdict.reasons)
        raise NotAcademic(f"It looks like {looks}, not like a paper ({verdict.probability:.3f}): {reasons}.")
