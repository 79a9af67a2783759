"""What pages show of a document without asking the file store: one compressed blob in the records."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import Any

import orjson

from openseer.core.model.extraction import Extraction

KEPT = (
    "abstract", "keywords", "authors", "references", "language", "acknowledgments", "keyphrases", "key_sentences",
    "subjects",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """The kept part of an extraction."""

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
    """The blob of an extraction; texts of sections are left to the file store."""
    kept = {name: getattr(extraction, name) for name in KEPT}
    kept["sections"] = [replace(section, text="") for section in extraction.sections]
    kept["type"] = extraction.academic.type
    return zlib.compress(orjson.dumps(kept), 3)


def decode(body: bytes) -> DocumentSummary:
    """The inverse; nothing gives an empty reading."""
    if not body:
        return DocumentSummary()
    values: dict[str, Any] = orjson.loads(zlib.decompress(body))
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return DocumentSummary(**{**values, **lists})
