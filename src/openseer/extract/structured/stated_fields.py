"""Fields of the extraction that a structured document states; they precede what the extractors find."""

from __future__ import annotations

from typing import Any

from openseer.core.model.extraction import Reference
from openseer.extract.references.parse_reference import parse_reference
from openseer.extract.structured.document import Role, StructuredText

MAX_REFERENCES = 5000
MIN_REFERENCE = 15
"""Characters of an entry."""


def stated_fields(document: StructuredText) -> dict[str, Any]:
    """The stated fields that are not empty, by name."""
    stated = document.stated
    values: dict[str, Any] = {
        "title": " ".join(stated.title.split()),
        "authors": stated.authors,
        "abstract": stated.abstract.strip(),
        "keywords": stated.keywords,
        "year": stated.year,
        "doi": stated.doi,
        "venue": stated.venue,
        "volume": stated.volume,
        "issue": stated.issue,
        "references": stated.references or _listed_references(document),
    }
    return {name: value for name, value in values.items() if value}


def _listed_references(document: StructuredText) -> tuple[Reference, ...]:
    """The entries of the bibliography, where the structure shows them."""
    entries = [" ".join(block.text.split()) for block in document.blocks if block.role is Role.REFERENCE]
    return tuple(parse_reference(one) for one in entries[:MAX_REFERENCES] if len(one) > MIN_REFERENCE)
