"""Functions that run in worker processes: a request in, an encoded result out. Foreign files are parsed only here."""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from openseer.acquire.file_type import sniff
from openseer.core.errors import Empty, OpenseerError, TooLarge, UnsupportedType
from openseer.core.model.document_type import PDF_MIME
from openseer.core.model.extraction import Extraction
from openseer.core.model.file_head import head_of
from openseer.core.settings import Extract
from openseer.core.text.printable_path import printable
from openseer.extract.classify.admission import check_verdict
from openseer.extract.formats import marks, type_of
from openseer.extract.output.registry import FORMATS
from openseer.ingest.document_types import DocumentReader, readers
from openseer.ingest.results import Deferred, Extracted, NotIngested, Result, encode
from openseer.match import blocking_keys
from openseer.match.descriptions import authorships, describe
from openseer.match.simhash import simhash
from openseer.storage.codecs.document_summary import encode as encode_summary

UNREADABLE = "unreadable"
"""Code of a file that cannot be opened, so that there is no document."""


class _Long(Exception):
    """The document has more pages than are read with normal priority."""

    def __init__(self, pages: int) -> None:
        super().__init__(f"{pages:,} pages")
        self.pages = pages


def read_request(path: Path, sha1: str, settings: Extract, max_pages: int, mime: str = "") -> bytes:
    """The request for `read_document`; a document with more than `max_pages` pages is deferred (0: none is)."""
    return orjson.dumps(
        {
            "path": encode_path(path.absolute()),
            "mime": mime,
            "sha1": sha1,
            "min_words": settings.min_words,
            "min_scholarly": settings.min_scholarly,
            "filter": settings.filter,
            "max_pages": max_pages,
        }
    )


def read_document(request: bytes) -> Sequence[bytes]:
    """Extract a document for ingest."""
    return encode(_read(orjson.loads(request)))


def _read(request: dict[str, Any]) -> Result:
    path = decode_path(request["path"])
    mime = PDF_MIME
    try:
        reader = readers().get(request.get("mime", "")) or _reader_of(path)
        mime = reader.mime
        if request["filter"] == "simple":
            reader.check(path)
        extraction = reader.read(path, request["min_words"], _pages_up_to(request["max_pages"]))
        extraction = replace(extraction, file=path.name, sha1=request["sha1"], mime=mime)
        if request["filter"] == "model":
            check_verdict(extraction.academic, request["min_scholarly"])
    except _Long as long:
        return Deferred(long.pages)
    except OpenseerError as error:
        return NotIngested((error.mime or mime) if isinstance(error, UnsupportedType) else mime, error.code, str(error))
    return extracted(extraction)


def extracted(extraction: Extraction) -> Extracted:
    """All that ingest stores of an extraction."""
    summary = encode_summary(extraction)
    record = orjson.dumps(extraction.as_dict(evidence=True))
    descriptions, observations = describe(extraction.sha1, extraction)
    return Extracted(
        mime=extraction.mime,
        pages=extraction.pages,
        words=extraction.words,
        language=extraction.language,
        simhash=simhash(extraction.text),
        scholarly=extraction.academic.probability,
        descriptions=descriptions,
        observations=observations,
        blocking_keys={one.id: blocking_keys.keys_of(one.fields) for one in descriptions},
        authorships=authorships(extraction),
        extraction=gzip.compress(record, 3, mtime=0),
        text=gzip.compress(extraction.text.encode("utf-8"), 3, mtime=0),
        summary=summary,
    )


def _pages_up_to(max_pages: int) -> Callable[[int], Iterable[int]]:
    """All pages of a document, unless it has more than `max_pages` (0: no limit)."""

    def pages(count: int) -> Iterable[int]:
        if max_pages and count > max_pages:
            raise _Long(count)
        return range(count)

    return pages


def extract_file(request: bytes) -> Sequence[bytes]:
    """Extract a file for `openseer extract`: a JSON line, also for a file that cannot be read, then the other formats
    that were asked for, if it could be read."""
    asked: dict[str, Any] = orjson.loads(request)
    path = decode_path(asked["path"])
    shown = asked.get("name") or printable(str(path))
    try:
        if (size := path.stat().st_size) > asked["max_bytes"]:
            raise TooLarge(size, asked["max_bytes"])
        reader = _reader_of(path)
        extraction = reader.read(path, asked["min_words"], range)
        sha1 = hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest()
        extraction = replace(extraction, file=shown, sha1=sha1, mime=reader.mime)
        formats = [FORMATS[name].write(extraction, path) for name in asked["formats"]]
        return [orjson.dumps(extraction.as_dict(asked["evidence"])), *formats]
    except OpenseerError as error:
        trouble = error.as_record()
    except OSError as error:
        trouble = _cannot_open(error)
    return [orjson.dumps(Extraction(file=shown, error=trouble).as_dict())]


def encode_path(path: Path) -> str:
    """A path as text for JSON: a file name may have any bytes."""
    return os.fsencode(path).decode("latin-1")


def decode_path(encoded: str) -> Path:
    """The inverse of `encode_path`."""
    return Path(os.fsdecode(encoded.encode("latin-1")))


def _reader_of(path: Path) -> DocumentReader:
    head = head_of(path, marks())
    if not head.start:
        raise Empty("The file is empty.")
    found = type_of(head)
    if found is None:
        raise UnsupportedType(sniff(head.start))
    return readers()[found.mime]


def _cannot_open(error: OSError) -> dict[str, str]:
    return {"code": UNREADABLE, "message": f"It cannot be opened: {error.strerror}.", "hint": "Check the path."}
