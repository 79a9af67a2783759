"""Fields of the extraction that a structured document states; they precede what the extractors find."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from openseer.core.model.extraction import Author, Reference
from openseer.core.text.person_names import names_institution
from openseer.extract.layout.headings import ABSTRACT, is_heading
from openseer.extract.references.parse_reference import parse_reference
from openseer.extract.structured.document import Block, Role, StructuredText

MAX_REFERENCES = 5000
ABSTRACT_PART = re.compile(
    r"(?:background|context|introduction|objectives?|aims?|purpose|hypothesis|rationale|design|setting|participants|"
    r"patients?|materials?|methods?|interventions?|measurements|main outcome measures?|outcomes|results?|findings|"
    r"discussion|conclusions?|interpretation|significance|limitations|funding|(?:clinical )?trial registration|"
    r"registration|keywords)(?:(?:,| and| &) ?\w+)*",
    re.I,
)
"""Headings inside an abstract."""
MAX_ABSTRACT, MAX_AFFILIATION = 6000, 300
"""Characters."""
MIN_REFERENCE = 15
"""Characters of an entry."""


def stated_fields(document: StructuredText) -> dict[str, Any]:
    """The stated fields that are not empty, by name."""
    stated = document.stated
    values: dict[str, Any] = {
        "title": " ".join(stated.title.split()),
        "authors": stated.authors,
        "abstract": stated.abstract.strip() or _abstract_in_parts(document.blocks),
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


def _abstract_in_parts(blocks: Sequence[Block]) -> str:
    """The abstract, if its heading is followed by the heading of a part of it; "" if not, or if it is too long."""
    start = next((at for at, one in enumerate(blocks) if _is_heading(one) and is_heading(ABSTRACT, one.text)), -1)
    parts: dict[str, str] = {}
    label = ""
    for block in blocks[start + 1 :] if start >= 0 else ():
        if _is_heading(block):
            label = block.text.strip(" :.")
            if not ABSTRACT_PART.fullmatch(label) or label in parts:
                break
            parts[label] = ""
        elif block.role is not Role.PARAGRAPH or not parts or _is_affiliation(block.text):
            break
        else:
            parts[label] = f"{parts[label]} {block.text}".strip()
    text = " ".join(f"{label}: {part}" for label, part in parts.items() if part)
    return text if len(text) <= MAX_ABSTRACT else ""


def _is_heading(block: Block) -> bool:
    return block.role is Role.HEADING


def _is_affiliation(text: str) -> bool:
    return len(text) < MAX_AFFILIATION and names_institution(text) and not text.rstrip().endswith(".")


def _listed_references(document: StructuredText) -> tuple[Reference, ...]:
    """The entries of the bibliography, where the structure shows them."""
    entries = [" ".join(block.text.split()) for block in document.blocks if block.role is Role.REFERENCE]
    return tuple(parse_reference(one) for one in entries[:MAX_REFERENCES] if len(one) > MIN_REFERENCE)
