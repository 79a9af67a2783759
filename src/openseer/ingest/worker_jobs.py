"""Errands: what workers are sent to do with foreign files, and sending them to read without keeping anything."""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import orjson

from openseer.acquire.file_type import HEAD_BYTES, PDF, sniff
from openseer.acquire.local_files import printable
from openseer.core.errors import WORKER_FAILURES, Empty, OpenseerError, TooLarge, UnsupportedType
from openseer.core.model.extraction import Extraction
from openseer.core.processes.worker_pool import Limits, WorkerPool, WorkerResult
from openseer.core.settings import Settings
from openseer.extract.classify.admission import check_pages, check_verdict
from openseer.extract.output.registry import FORMATS
from openseer.extract.reader import read
from openseer.match import blocking_keys
from openseer.match.descriptions import authorships, describe
from openseer.match.simhash import simhash
from openseer.storage.codecs.document_summary import encode

UNREADABLE = "unreadable"
"""Said of a file that could not be opened, so that there is no document to speak of."""
DEFERRED = "later"
"""Said of a document so long that the others come first; never an outcome."""


class _Long(Exception):
    """It has more pages than are read in the first lane."""


# -- in the worker ------------------------------------------------------------------------------------------------


def read_file(job: bytes) -> Sequence[bytes]:
    """Worker's part of ingest: path in; head, extraction, text and reading out, all of them bytes."""
    order: dict[str, Any] = orjson.loads(job)
    path = decode_path(order["path"])
    try:
        mime = _type_of(path)
        if order["filter"] == "simple":
            check_pages(path)
        extraction = read(path, order["min_words"], _pages_up_to(order["most_pages"]))
        extraction = replace(extraction, file=path.name, sha1=order["sha1"], mime=mime)
        if order["filter"] == "model":
            check_verdict(extraction.academic, order["min_academic"])
    except _Long as long:
        return [orjson.dumps({"mime": PDF, "outcome": DEFERRED, "detail": str(long)})]
    except OpenseerError as error:
        mime = error.mime if isinstance(error, UnsupportedType) else PDF
        return [orjson.dumps({"mime": mime, "outcome": error.code, "detail": str(error)})]
    return frames_of(extraction)


def frames_of(extraction: Extraction) -> list[bytes]:
    """What ingest gets of a document that was read."""
    descriptions, observations = describe(extraction.sha1, extraction)
    head = {
        "mime": extraction.mime,
        "outcome": "ingested",
        "detail": "",
        "pages": extraction.pages,
        "words": extraction.words,
        "language": extraction.language,
        "simhash": simhash(extraction.text),
        "descriptions": [(one.id, one.text) for one in descriptions],
        "observations": [(one.description, one.kind, one.position, one.is_self_citation) for one in observations],
        "keys": {one.id: blocking_keys.keys_of(one.fields) for one in descriptions},
        "authors": [astuple(one) for one in authorships(extraction)],
    }
    record = orjson.dumps(extraction.as_dict(evidence=True))
    text = extraction.text.encode("utf-8")
    return [orjson.dumps(head), gzip.compress(record, 3, mtime=0), gzip.compress(text, 3, mtime=0), encode(extraction)]


def _pages_up_to(most: int) -> Callable[[int], Iterable[int]]:
    """All pages, unless there are more than so many (0: as many as there are)."""

    def pages(count: int) -> Iterable[int]:
        if most and count > most:
            raise _Long(f"It has {count:,} pages.")
        return range(count)

    return pages


def extract_file(job: bytes) -> Sequence[bytes]:
    """Worker's part of `openseer extract`: path in; a JSON line out, also for a file that cannot be read, then the form
    that was asked for, if it is another and the file could be read."""
    order: dict[str, Any] = orjson.loads(job)
    path = decode_path(order["path"])
    shown = printable(str(path))
    try:
        if (size := path.stat().st_size) > order["max_bytes"]:
            raise TooLarge(size, order["max_bytes"])
        mime = _type_of(path)
        extraction = read(path, order["min_words"])
        sha1 = hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest()
        extraction = replace(extraction, file=shown, sha1=sha1, mime=mime)
        forms = [FORMATS[name].write(extraction, path) for name in order["forms"]]
        return [orjson.dumps(extraction.as_dict(order["evidence"])), *forms]
    except OpenseerError as error:
        trouble = error.as_record()
    except OSError as error:
        trouble = _cannot_open(error)
    return [orjson.dumps(Extraction(file=shown, error=trouble).as_dict())]


def encode_path(path: Path) -> str:
    """A path as it travels in JSON: a file may have any bytes in its name."""
    return os.fsencode(path).decode("latin-1")


def decode_path(ordered: str) -> Path:
    """The inverse of `order_path`."""
    return Path(os.fsdecode(ordered.encode("latin-1")))


def _type_of(path: Path) -> str:
    with path.open("rb") as stream:
        head = stream.read(HEAD_BYTES)
    if not head:
        raise Empty("The file holds nothing.")
    mime = sniff(head)
    if mime != PDF:
        raise UnsupportedType(mime)
    return mime


def _cannot_open(error: OSError) -> dict[str, str]:
    return {"code": UNREADABLE, "message": f"It cannot be opened: {error.strerror}.", "hint": "Check the path."}


# -- in the process that asks -------------------------------------------------------------------------------------


def extract_files(
    paths: Sequence[str], settings: Settings, asked: dict[str, Any], workers: int | None = None
) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    """What `extract_file` says of each, read in parallel, in the order given; asked: `evidence` and `forms`."""
    order = {"min_words": settings.extract.min_words, "max_bytes": settings.extract.max_bytes, **asked}
    jobs = ((number, orjson.dumps({"path": encode_path(Path(path)), **order})) for number, path in enumerate(paths))
    limits = Limits(settings.workers.timeout, settings.workers.memory_mb)
    size = min(workers or settings.workers.count or os.cpu_count() or 1, max(1, len(paths)))
    ready: dict[int, tuple[bytes, ...]] = {}
    following = 0
    with WorkerPool[int](extract_file, size, limits) as crew:
        for answer in crew.run(jobs):
            if answer is not None:
                ready[answer.key] = answer.parts or (_failed(paths[answer.key], answer),)
            while following in ready:
                yield paths[following], ready.pop(following)
                following += 1


def _failed(path: str, answer: WorkerResult[int]) -> bytes:
    error = WORKER_FAILURES[answer.failure](answer.detail)
    return orjson.dumps(Extraction(file=printable(path), error=error.as_record()).as_dict())
