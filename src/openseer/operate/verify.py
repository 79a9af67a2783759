"""Consistency checks of files, records and index, and repair of inconsistencies."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from urllib.parse import unquote, urlsplit

from openseer.catalog.indexing.projection import projections
from openseer.catalog.indexing.synchronizer import reindex
from openseer.core.errors import OpenseerError
from openseer.core.model.document import Document, Viewer
from openseer.ingest.bibliographies import reimport_bibliographies
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import Library
from openseer.storage.protocols.index import IndexedDigest

GENERATIONS = {"extraction": "{}.json.gz", "text": "{}.txt.gz"}
"""Derived files stored for each extraction of a paper."""
BIBLIOGRAPHY_GENERATIONS = {"extraction": "{}.records"}
"""The same for a bibliography file."""
BATCH_WORKS = 1000
"""Works compared with the index at a time."""


def needed(document: Document) -> list[tuple[str, str]]:
    """Type and suffix of every file that should be stored for a document."""
    wanted = [(document.type.kind, document.type.suffix)] if document.is_stored else []
    if document.outcome == "ingested":
        readings = BIBLIOGRAPHY_GENERATIONS if document.is_bibliography else GENERATIONS
        wanted += [(kind, suffix.format(document.generation)) for kind, suffix in readings.items()]
    return wanted


@dataclass(frozen=True, slots=True)
class Fault:
    """One inconsistency."""

    area: str
    """files, records or index."""
    subject: str
    message: str
    mended: bool = False


def verify(library: Library, repair: bool = False) -> list[Fault]:
    """All inconsistencies of a library; `repair` repairs them where possible and marks them."""
    faults = list(_records(library))
    for document in library.records.documents():
        faults.extend(_files_of(library, document, repair))
    faults.extend(_stale_files(library, repair))
    index = list(_index(library))
    if index and repair:
        reindex(library)
        left = {fault.subject for fault in _index(library)}
        index = [Fault("index", one.subject, one.message, mended=one.subject not in left) for one in index]
    return faults + index


def _records(library: Library) -> Iterator[Fault]:
    for message in library.records.inconsistencies():
        yield Fault("records", library.records.name, message)


def _files_of(library: Library, document: Document, repair: bool) -> Iterator[Fault]:
    if document.is_stored:
        wrong = _wrong_bytes(library, document)
        if wrong:
            yield Fault("files", document.sha1, wrong, mended=repair and _restore_original(library, document))
    if document.outcome != "ingested":
        return
    missing = [
        kind
        for kind, suffix in (BIBLIOGRAPHY_GENERATIONS if document.is_bibliography else GENERATIONS).items()
        if not library.files.has(kind, document.sha1, suffix.format(document.generation))
    ]
    if missing:
        message = f"its {' and '.join(missing)} is missing"
        yield Fault("files", document.sha1, message, mended=repair and _re_extract(library, document))


def _wrong_bytes(library: Library, document: Document) -> str:
    kind, suffix = document.type.kind, document.type.suffix
    if not library.files.has(kind, document.sha1, suffix):
        return "the file is missing"
    digest = hashlib.sha1(usedforsecurity=False)
    with library.files.open(kind, document.sha1, suffix) as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return "" if digest.hexdigest() == document.sha1 else "the file is damaged: its bytes have another SHA-1"


def _restore_original(library: Library, document: Document) -> bool:
    """Restore a file from its local source if that is unchanged."""
    sha1, kind, suffix = document.sha1, document.type.kind, document.type.suffix
    for source in library.records.as_seen_by(Viewer.OPERATOR).document(sha1).sources:
        with contextlib.suppress(OSError, ValueError):  # sources are what uploaders named
            url = urlsplit(source.url)
            path = Path(unquote(url.path))
            if url.scheme != "file" or not path.is_file() or path.stat().st_size != document.size:
                continue
            with path.open("rb") as stream:
                is_same = hashlib.file_digest(stream, lambda: hashlib.sha1(usedforsecurity=False)).hexdigest() == sha1
            if is_same:
                library.files.delete(kind, sha1, suffix)
                library.files.put_file(kind, sha1, suffix, path)
                library.files.sync()
                return True
    return False


def _re_extract(library: Library, document: Document) -> bool:
    if _wrong_bytes(library, document):
        return False
    if document.is_bibliography:
        return not any(report.failed for report in reimport_bibliographies(library, [document.sha1]))
    return Coordinator(library, workers=1).re_extract([document.sha1]).counts["ingested"] == 1


def _stale_files(library: Library, repair: bool) -> Iterator[Fault]:
    """Extractions of older generations, and files of unknown documents."""
    for kind in GENERATIONS:
        for sha1, suffix in library.files.names(kind):
            number = re.match(r"\d+", suffix)
            try:
                document = library.records.as_seen_by(Viewer.OPERATOR).document(sha1)
            except OpenseerError:
                document = None
            if document and (document.outcome is None or not number or int(number[0]) >= document.generation):
                continue
            if repair:
                library.files.delete(kind, sha1, suffix)
            what = "an old extraction" if document else "of a document that is not in the records"
            yield Fault("files", f"{sha1}.{suffix}", what, mended=repair)


def _index(library: Library) -> Iterator[Fault]:
    """Differences between index and records once the index is up to date; a lag is reported alone."""
    try:
        index = library.open_index()
        at = index.checkpoint()
    except OpenseerError as error:
        yield Fault("index", "index", str(error))
        return
    behind = library.records.last_change() - at.position if at.library == library.records.uuid else None
    if behind is None:
        yield Fault("index", "checkpoint", "the index is empty or belongs to another library")
        return
    if behind or at.counted < at.position:
        yield Fault("index", "checkpoint", f"the index is {behind} changes behind; it is updated while openseer runs")
        return
    indexed = dict(index.digests())
    works = library.records.live_works()
    while batch := list(islice(works, BATCH_WORKS)):
        for work, expected in projections(library, batch).items():
            found = indexed.pop(work, None)
            if expected and found != IndexedDigest.of(expected.work):
                yield Fault("index", work, "missing from the index" if found is None else "differs from the records")
    for stray in sorted(indexed):
        yield Fault("index", stray, "is in the index but not in the records")
