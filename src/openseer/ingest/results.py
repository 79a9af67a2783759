"""Ingest jobs and the results that workers send back: one type for each kind, encoded and decoded here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import orjson

from openseer.core.model.description import Authorship, Description, Observation
from openseer.core.model.document import FileFacts
from openseer.core.model.document_type import DocumentType
from openseer.core.model.task import Task


@dataclass(frozen=True, slots=True)
class IngestJob:
    """One file on its way through a worker."""

    path: str
    facts: FileFacts
    task: Task
    type: DocumentType | None
    """None if no reader takes the file; a worker then names its exact type."""
    unpacked: Path | None = None
    """The temporary file of a member of an archive whose type no reader takes."""

    @property
    def sha1(self) -> str:
        return self.facts.sha1

    @property
    def generation(self) -> int:
        return self.task.generation


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document that was read."""

    mime: str
    pages: int
    words: int
    language: str
    simhash: int | None
    scholarly: float | None
    """Probability that it is a paper; None for a bibliography."""
    descriptions: Sequence[Description]
    observations: Sequence[Observation]
    blocking_keys: Mapping[str, Sequence[str]]
    """By description."""
    authorships: Sequence[Authorship]
    extraction: bytes
    """Compressed JSON, for the file store."""
    text: bytes
    """Compressed, for the file store."""
    summary: bytes
    """For the records."""

    outcome = "ingested"
    detail = ""


@dataclass(frozen=True, slots=True)
class NotIngested:
    """A document that was rejected or could not be read."""

    mime: str
    outcome: str
    detail: str


@dataclass(frozen=True, slots=True)
class Deferred:
    """A long document, to be read with low priority."""

    pages: int


Result = Extracted | NotIngested | Deferred


def encode(result: Result) -> list[bytes]:
    """The message of a worker: a JSON header with the kind of the result, then its binary parts."""
    match result:
        case Extracted():
            header = {
                "kind": "extracted",
                "mime": result.mime,
                "pages": result.pages,
                "words": result.words,
                "language": result.language,
                "simhash": result.simhash,
                "scholarly": result.scholarly,
                "descriptions": [(one.id, one.text) for one in result.descriptions],
                "observations": [
                    (one.description, one.kind, one.position, one.is_self_citation) for one in result.observations
                ],
                "blocking_keys": result.blocking_keys,
                "authorships": [astuple(one) for one in result.authorships],
            }
            return [orjson.dumps(header), result.extraction, result.text, result.summary]
        case NotIngested():
            return [_header("not_ingested", mime=result.mime, outcome=result.outcome, detail=result.detail)]
        case Deferred():
            return [_header("deferred", pages=result.pages)]


def decode(parts: Sequence[bytes]) -> Result:
    """The inverse of `encode`."""
    header: dict[str, Any] = orjson.loads(parts[0])
    match header.pop("kind"):
        case "extracted":
            header["descriptions"] = [Description(*row) for row in header["descriptions"]]
            header["observations"] = [Observation(*row) for row in header["observations"]]
            header["authorships"] = [Authorship(*row) for row in header["authorships"]]
            return Extracted(**header, extraction=parts[1], text=parts[2], summary=parts[3])
        case "not_ingested":
            return NotIngested(**header)
        case "deferred":
            return Deferred(**header)
        case kind:
            raise ValueError(f"unknown kind of result: {kind}")


def _header(kind: str, **fields: Any) -> bytes:
    return orjson.dumps({"kind": kind, **fields})
