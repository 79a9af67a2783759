"""Codec of the document summary: the displayed part of an extraction as one compressed blob in the records."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import Any

import orjson

from openseer.core.model.extraction import Extraction

SUMMARY_FIELDS = (
    "abstract", "keywords", "authors", "references", "language", "acknowledgments", "keyphrases", "key_sentences",
    "subjects",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """The part of an extraction stored in the records."""

    abstract: str = ""
    keywords: tuple[str, ...] = ()
    authors: tuple[dict[str, Any], ...] = ()
    references: tuple[dict[str, Any], ...] = ()
    sections: tuple[dict[str, Any], ...] = ()
    language: str = ""
    type: str = ""
    acknowledgments: str = ""
    keyphrases: tuple[dict[str, Any], ...] = ()
    key_sentences: tuple[dict[str, Any], ...] = ()
    subjects: tuple[dict[str, Any], ...] = ()


def encode(extraction: Extraction) -> bytes:
    """Encode an extraction; section texts stay in the file store."""
    values = {name: getattr(extraction, name) for name in SUMMARY_FIELDS}
    values["sections"] = [replace(section, text="") for section in extraction.sections]
    values["type"] = extraction.academic.type
    return zlib.compress(orjson.dumps(values), 3)


def decode(body: bytes) -> DocumentSummary:
    """The inverse of `encode`; an empty blob gives an empty summary."""
    if not body:
        return DocumentSummary()
    values: dict[str, Any] = orjson.loads(zlib.decompress(body))
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return DocumentSummary(**{**values, **lists})
