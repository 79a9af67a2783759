"""Fields of the extraction that a structured document states; they precede what the extractors find."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from openseer.core.model.extraction import Author, Reference
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


def with_stated(found: Mapping[str, Any], stated: Mapping[str, Any]) -> dict[str, Any]:
    """Found fields with the stated ones in their place; authors keep the affiliations found for them."""
    fields = {**found, **{name: value for name, value in stated.items() if name in found}}
    if "authors" in found and "authors" in stated:
        known = {_key_of(one): one for one in found["authors"]}
        fields["authors"] = tuple(_completed(one, known.get(_key_of(one))) for one in stated["authors"])
    return fields


def _key_of(author: Author) -> str:
    return re.sub(r"[\W\d_]+", "", author.name).lower()


def _completed(stated: Author, found: Author | None) -> Author:
    """A stated author with what was found about the same name."""
    if found is None or stated.affiliations:
        return stated
    return replace(
        stated,
        affiliation=found.affiliation,
        affiliations=found.affiliations,
        email=stated.email or found.email,
        orcid=stated.orcid or found.orcid,
    )


def _listed_references(document: StructuredText) -> tuple[Reference, ...]:
    """The entries of the bibliography, where the structure shows them."""
    entries = [" ".join(block.text.split()) for block in document.blocks if block.role is Role.REFERENCE]
    return tuple(parse_reference(one) for one in entries[:MAX_REFERENCES] if len(one) > MIN_REFERENCE)
