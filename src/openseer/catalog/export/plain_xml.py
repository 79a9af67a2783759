"""Plain XML export, with element names as in CiteSeerX records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from openseer.catalog.export.publication_types import publication_type, work_url
from openseer.core.model.work import IndexedWork

VENUE_TYPES = {"article": "JOURNAL", "conference": "CONFERENCE", "report": "TECHREPORT"}
ILLEGAL = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that are illegal in XML."""


def write(works: Sequence[IndexedWork], base: str) -> str:
    """All works in one document."""
    root = Element("documents")
    for work in works:
        _add(root, work, base)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def text_for_xml(text: str) -> str:
    """A text without characters that are illegal in XML."""
    return ILLEGAL.sub("", text)


def _add(root: Element, work: IndexedWork, base: str) -> None:
    document = SubElement(root, "document", id=work.id)
    elements = {
        "title": work.title,
        "abstract": work.abstract,
        "year": str(work.year or ""),
        "venue": work.venue,
        "venType": VENUE_TYPES.get(publication_type(work), "MISC") if work.venue else "",
        "pages": work.pages,
        "volume": work.volume,
        "doi": work.doi,
        "url": work_url(work, base),
        "citedBy": str(work.cited),
        "selfCitations": str(work.self_citations),
    }
    for name, value in elements.items():
        if value:
            SubElement(document, name).text = text_for_xml(value)
    for group, name, values in (
        ("authors", "author", work.authors),
        ("keywords", "keyword", work.keywords),
        ("files", "file", work.documents),
    ):
        if values:
            parent = SubElement(document, group)
            for value in values:
                SubElement(parent, name).text = text_for_xml(value)
