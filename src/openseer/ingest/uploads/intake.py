"""Uploads: files, archives and URLs are stored and registered; a worker process extracts them."""

from __future__ import annotations

import contextlib
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from openseer.acquire import archives
from openseer.acquire.archives import printable_name
from openseer.acquire.file_type import sniff_without_libmagic
from openseer.acquire.hashing import hash_file
from openseer.acquire.web import fetch
from openseer.acquire.web.fetch import FetchResult
from openseer.core.errors import (
    ArchiveRefused,
    Empty,
    Failed,
    OpenseerError,
    QuotaExceeded,
    TooLarge,
    TooMany,
    UnsupportedType,
)
from openseer.core.model.document import FileFacts, Viewer
from openseer.core.model.document_type import DocumentType
from openseer.core.model.file_head import FileHead
from openseer.core.model.resource import Resource
from openseer.core.model.task import JobState
from openseer.core.processes.on_demand_pool import OnDemandPool
from openseer.core.processes.worker_pool import Limits
from openseer.extract.formats import marks, type_of
from openseer.ingest.document_types import EXTRACTOR_VERSION
from openseer.ingest.uploads.background_worker import BackgroundWorker
from openseer.ingest.uploads.job_status import MEMBER, DocumentStatus, statuses
from openseer.storage.durable_files import as_storage_error
from openseer.storage.open import Library
from openseer.storage.protocols.records import ExtractionFacts, Writer

GRACE_SECONDS = 5.0
"""Time a fetching worker has beyond its own limit, before it is killed."""
FETCHERS, UNPACKERS = 3, 1
"""Workers for URLs and for archives."""
STALE_SECONDS = 86_400.0
"""Age of spool entries that a killed process left and that are deleted."""
ZIP = "application/zip"
MAX_DETAIL = 2000
"""Characters stored of the reasons for rejected archive members."""
MEGABYTE, DAY_SECONDS = 1_000_000, 86_400.0
PAGE_IMAGES = "crops"
"""Folder in the spool that the page images own."""


@dataclass(frozen=True, slots=True)
class AcceptedFile:
    """A registered file."""

    name: str
    sha1: str
    known: bool = False
    """True if it was extracted before, so that there is nothing to wait for."""


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """A file that was not registered, with the reason."""

    name: str
    code: str
    why: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class UploadResult:
    """Result of an upload."""

    job: str
    sha1: str
    """Of the uploaded file: a paper or an archive."""
    documents: tuple[AcceptedFile, ...]
    refused: tuple[RejectedFile, ...] = ()

    @property
    def known(self) -> bool:
        """True if all documents were extracted before."""
        return all(one.known for one in self.documents)


@dataclass(frozen=True, slots=True)
class _File:
    """A file in the spool, hashed and typed."""

    path: Path
    name: str
    facts: FileFacts
    head: FileHead
    source: Resource

    @property
    def type(self) -> DocumentType | None:
        """None if no reader takes it."""
        return type_of(self.head)

    @property
    def mime(self) -> str:
        """MIME type by its first bytes."""
        return self.type.mime if self.type else sniff_without_libmagic(self.head.start)


NO_RESPONSE = FetchResult()


class UploadService:
    """Uploads into one library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._worker = BackgroundWorker(library)
        limits, memory = library.settings.acquire, library.settings.workers.memory_mb
        self._fetchers = OnDemandPool(fetch.fetch_job, FETCHERS, Limits(limits.fetch_timeout + GRACE_SECONDS, memory))
        self._unpackers = OnDemandPool(archives.unpack_job, UNPACKERS, Limits(library.settings.workers.timeout, memory))
        self._sweep()

    def receive(self, blocks: Iterable[bytes], name: str) -> UploadResult:
        """Store an uploaded file and queue it for extraction; a file of a wrong type is rejected and recorded."""
        name = printable_name(name)
        with self._spool() as spool:
            path = spool / "upload"
            self._write(path, blocks)
            return self._accept(path, spool, name, f"upload:{name}" if name else "")

    def fetch(self, url: str) -> UploadResult:
        """Fetch a URL and store its file like an upload."""
        fetch.parse_url(url)  # a wrong URL raises before a worker starts
        limits, max_bytes = self._library.settings.acquire, self._library.settings.extract.max_bytes
        terms = fetch.FetchRequest(url, max_bytes, limits.fetch_timeout, limits.allow_private)
        with self._spool() as spool:
            path = spool / "upload"
            (response,) = self._fetchers.call(fetch.encode_request(terms, path))
            return self._accept(path, spool, url, url, fetch.decode_result(response))

    # -- the spool

    @contextmanager
    def _spool(self) -> Iterator[Path]:
        folder = self._library.data / "spool" / uuid.uuid4().hex
        try:
            folder.mkdir(parents=True)
            yield folder
        except OSError as error:
            raise as_storage_error(error, self._library.data) from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _sweep(self) -> None:
        """Delete files and folders that a killed process left in the spool."""
        spool = self._library.data / "spool"
        for entry in spool.iterdir() if spool.is_dir() else ():
            with contextlib.suppress(OSError):  # another process may be deleting it
                if entry.name == PAGE_IMAGES or time.time() - entry.stat().st_mtime <= STALE_SECONDS:
                    continue
                if entry.is_dir():
                    shutil.rmtree(entry)
                else:
                    entry.unlink()

    def _write(self, path: Path, blocks: Iterable[bytes]) -> None:
        size, limit = 0, self._library.settings.extract.max_bytes
        with path.open("wb") as out:
            for block in blocks:
                size += len(block)
                if size > limit:
                    raise TooLarge(size, limit)
                out.write(block)

    # -- registering

    def _accept(self, path: Path, spool: Path, name: str, url: str, got: FetchResult = NO_RESPONSE) -> UploadResult:
        facts, head = hash_file(path, marks(), name)
        url = url or f"upload:{facts.sha1}"
        source = Resource(url, fetched_at=time.time(), is_seed=True, reported_mime=got.mime, also=got.redirects)
        what = f"{'upload' if source.url.startswith('upload:') else 'fetch'} {name or facts.sha1}"
        file = _File(path, name or facts.sha1, facts, head, source)
        if file.mime == ZIP:
            return self._unpack(file, spool, what)
        job, accepted = self._register([file], what)
        if file.type is None:
            raise _error_of(file)
        return UploadResult(job, facts.sha1, tuple(accepted))

    def _unpack(self, archive: _File, spool: Path, what: str) -> UploadResult:
        """Register each member of an archive; if some are rejected, the archive has a row with the reasons."""
        try:
            members = self._members(archive, spool)
        except (ArchiveRefused, Failed) as error:
            self._register([], what, archive, str(error))
            raise ArchiveRefused(f"{archive.name}: {error}") from error
        refused = tuple(RejectedFile(one.name, one.code, one.why) for one in members if one.why)
        files = [self._member(archive, spool / one.file, one.name) for one in members if not one.why]
        why = "; ".join(f"{one.name}: {one.why}" for one in refused)[:MAX_DETAIL]
        job, accepted = self._register(files, what, archive if refused else None, f"Some members were rejected. {why}")
        refused += tuple(_rejected(one) for one in files if one.type is None)
        if all(one.type is None for one in files):
            reasons = "; ".join(f"{one.name}: {one.why}" for one in refused[:5])
            raise ArchiveRefused(f"{archive.name} holds no readable paper. {reasons}", "Put PDFs into it.")
        papers = {one.facts.sha1 for one in files if one.type}
        return UploadResult(job, archive.facts.sha1, tuple(one for one in accepted if one.sha1 in papers), refused)

    def _members(self, archive: _File, spool: Path) -> list[archives.Member]:
        limits, max_bytes = self._library.settings.acquire, self._library.settings.extract.max_bytes
        bounds = archives.ArchiveLimits(limits.archive_members, limits.archive_bytes, max_bytes)
        (response,) = self._unpackers.call(archives.encode_request(archive.path, spool, bounds))
        return archives.decode_members(response)

    def _member(self, archive: _File, path: Path, name: str) -> _File:
        facts, head = hash_file(path, marks(), name)
        origin = archive.source
        source = Resource(f"{origin.url}{MEMBER}{name}", parent=origin.url, fetched_at=origin.fetched_at, depth=1)
        return _File(path, name, facts, head, source)

    def _register(
        self, files: Sequence[_File], what: str, archive: _File | None = None, why: str = ""
    ) -> tuple[str, list[AcceptedFile]]:
        """Store the files, then register them in one job; the archive only if some members were rejected."""
        self._check_quota(sum(one.facts.size for one in files if one.type))
        for one in files:
            if one.type:
                self._library.files.put_file(one.type.kind, one.facts.sha1, one.type.suffix, one.path)
        self._library.files.sync()
        with self._library.records.writing() as writer:
            job = writer.open_job(what)
            accepted = [_registered(writer, one, job) for one in files]
            if archive is not None:
                writer.register(archive.source, archive.facts, EXTRACTOR_VERSION, job=job)
                writer.acknowledge(archive.facts.sha1, ArchiveRefused.code, why, ExtractionFacts(mime=archive.mime))
            if all(one.type is None for one in files):
                writer.set_job(job, JobState.ENDED)
        if any(not one.known for one in accepted):
            self.ensure_worker()
        return job, accepted

    def _check_quota(self, new_bytes: int) -> None:
        """Raise an error if the uploads of all users are above their limits."""
        web, records = self._library.settings.web, self._library.records
        if web.upload_mb_total and records.uploaded_bytes(0) + new_bytes > web.upload_mb_total * MEGABYTE:
            raise QuotaExceeded(web.upload_mb_total)
        yesterday = time.time() - DAY_SECONDS
        if web.upload_mb_per_day and records.uploaded_bytes(yesterday) + new_bytes > web.upload_mb_per_day * MEGABYTE:
            raise TooMany("The uploads of 24 hours have reached their limit.", "Try again tomorrow.")

    def statuses(self, job: str, viewer: Viewer) -> list[DocumentStatus]:
        """Status of each document of a job; starts the worker again if documents are due and it died."""
        found = statuses(self._library, job, viewer)
        if any(one.state == "waiting" for one in found) and self._library.records.has_due_task(job):
            self._worker.ensure_again()
        return found

    def ensure_worker(self) -> None:
        """Start a worker process unless one runs."""
        self._worker.ensure()

    def close(self) -> None:
        """Stop the workers and wait for the worker process to end."""
        self._fetchers.close()
        self._unpackers.close()
        self._worker.close()


def _registered(writer: Writer, file: _File, job: str) -> AcceptedFile:
    registration = writer.register(file.source, file.facts, EXTRACTOR_VERSION, job=job)
    if file.type is None and not registration.known:
        rejected = _rejected(file)
        writer.acknowledge(file.facts.sha1, rejected.code, rejected.why, ExtractionFacts(mime=file.mime))
    return AcceptedFile(file.name, file.facts.sha1, registration.known or file.type is None)


def _rejected(file: _File) -> RejectedFile:
    error = _error_of(file)
    return RejectedFile(file.name, error.code, str(error), error.hint)


def _error_of(file: _File) -> OpenseerError:
    """The error of a file that no reader takes."""
    if not file.facts.size:
        return Empty("The file is empty.")
    return UnsupportedType(file.mime or "such files")
