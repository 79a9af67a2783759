"""Works as plain XML, with the names of the record XML of the old CiteSeerX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from openseer.catalog.export.publication_types import address, kind_of
from openseer.core.model.work import IndexedWork

VENUE_TYPES = {"article": "JOURNAL", "conference": "CONFERENCE", "report": "TECHREPORT"}
FORBIDDEN = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs that no XML may hold."""


def write(works: Sequence[IndexedWork], base: str) -> str:
    """All works in one document."""
    root = Element("documents")
    for work in works:
        _add(root, work, base)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def text_for_xml(text: str) -> str:
    """A text without what XML forbids."""
    return FORBIDDEN.sub("", text)


def _add(root: Element, work: IndexedWork, base: str) -> None:
    one = SubElement(root, "document", id=work.id)
    told = {
        "title": work.title,
        "abstract": work.abstract,
        "year": str(work.year or ""),
        "venue": work.venue,
        "venType": VENUE_TYPES.get(kind_of(work), "MISC") if work.venue else "",
        "pages": work.pages,
        "volume": work.volume,
        "doi": work.doi,
        "url": address(work, base),
        "citedBy": str(work.cited),
        "selfCitations": str(work.self_citations),
    }
    for name, value in told.items():
        if value:
            SubElement(one, name).text = text_for_xml(value)
    for group, name, values in (
        ("authors", "author", work.authors),
        ("keywords", "keyword", work.keywords),
        ("files", "file", work.documents),
    ):
        if values:
            parent = SubElement(one, group)
            for value in values:
                SubElement(parent, name).text = text_for_xml(value)
