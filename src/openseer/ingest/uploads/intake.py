"""Uploads: files, archives and URLs are stored and registered; a worker process extracts them."""

from __future__ import annotations

import shutil
import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from openseer.acquire.archives.names import printable_name
from openseer.acquire.archives.unpacker import Member
from openseer.acquire.file_type import sniff_without_libmagic
from openseer.acquire.hashing import hash_file
from openseer.acquire.web import fetch
from openseer.acquire.web.fetch import FetchResult
from openseer.core.errors import (
    ArchiveRefused,
    Empty,
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
from openseer.ingest.sources import archive_kind, typed
from openseer.ingest.spool import sweep
from openseer.ingest.unpacking import ArchiveReader, Refusals, upload_limits
from openseer.ingest.uploads.background_worker import BackgroundWorker
from openseer.ingest.uploads.job_status import DocumentStatus, statuses
from openseer.storage.durable_files import as_storage_error
from openseer.storage.open import Library
from openseer.storage.protocols.records import ExtractionFacts, Writer

GRACE_SECONDS = 5.0
"""Time a fetching worker has beyond its own limit, before it is killed."""
FETCHERS, UNPACKERS = 3, 1
"""Workers for URLs, and archives unpacked at the same time."""
UNPACK_WAIT_SECONDS = 10.0
"""How long an archive waits for the one before it."""
MEGABYTE, DAY_SECONDS = 1_000_000, 86_400.0


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
        if self.type:
            return self.type.mime
        kind = archive_kind(self.head)
        return kind.mime if kind else sniff_without_libmagic(self.head.start)


NO_RESPONSE = FetchResult()


class UploadService:
    """Uploads into one library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._worker = BackgroundWorker(library)
        limits, memory = library.settings.acquire, library.settings.workers.memory_mb
        self._fetchers = OnDemandPool(fetch.fetch_job, FETCHERS, Limits(limits.fetch_timeout + GRACE_SECONDS, memory))
        self._unpackers = threading.BoundedSemaphore(UNPACKERS)
        sweep(library.data / "spool")

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
        facts = typed(facts, type_of(head))
        url = url or f"upload:{facts.sha1}"
        source = Resource(url, fetched_at=time.time(), is_seed=True, reported_mime=got.mime, also=got.redirects)
        what = f"{'upload' if source.url.startswith('upload:') else 'fetch'} {name or facts.sha1}"
        file = _File(path, name or facts.sha1, facts, head, source)
        unpacked = self._unpack(file, spool, what) if archive_kind(head) else None
        if unpacked is not None:
            return unpacked
        job, accepted = self._register([file], what)
        if file.type is None:
            raise _error_of(file)
        return UploadResult(job, facts.sha1, tuple(accepted))

    def _unpack(self, archive: _File, spool: Path, what: str) -> UploadResult | None:
        """Register each member of an archive; if some are rejected, it has a row with the reasons. None: a document."""
        reader, members = self._members(archive, spool)
        if any(one.is_document for one in members):
            return None
        refusals = Refusals()
        if members and not members[-1].name and (members[-1].is_limit or len(members) == 1):
            refusals.add(members[-1], 0)
            self._register([], what, archive, refusals)
            raise ArchiveRefused(f"{archive.name}: {members[-1].why}")
        for one in members:
            if one.why:
                refusals.add(one, len(members))
        refused = tuple(RejectedFile(one.name or archive.name, one.code, one.why) for one in members if one.why)
        files = [self._member(archive, reader.path_of(one), one.name) for one in members if not one.why]
        job, accepted = self._register(files, what, archive if refused else None, refusals)
        refused += tuple(_rejected(one) for one in files if one.type is None)
        if all(one.type is None for one in files):
            reasons = "; ".join(f"{one.name}: {one.why}" for one in refused[:5])
            raise ArchiveRefused(f"{archive.name} holds no readable paper. {reasons}", "Put papers into it.")
        papers = {one.facts.sha1 for one in files if one.type}
        return UploadResult(job, archive.facts.sha1, tuple(one for one in accepted if one.sha1 in papers), refused)

    def _members(self, archive: _File, spool: Path) -> tuple[ArchiveReader, list[Member]]:
        """The members of an archive, unpacked into a folder of the spool, by the worker of their reader."""
        folder = spool / "members"
        folder.mkdir()
        settings = self._library.settings
        reader = ArchiveReader(folder, upload_limits(settings), settings)
        if not self._unpackers.acquire(timeout=UNPACK_WAIT_SECONDS):
            raise TooMany("Other archives are being unpacked.", "Try again in a moment.")
        try:
            name = urlsplit(archive.name).path if archive.source.url == archive.name else archive.name
            return reader, [one for one in reader.members(archive.path, name) if one is not None]
        finally:
            reader.close()
            self._unpackers.release()

    def _member(self, archive: _File, path: Path, name: str) -> _File:
        facts, head = hash_file(path, marks(), name)
        facts = typed(facts, type_of(head))
        return _File(path, name, facts, head, archive.source.member(name))

    def _register(
        self, files: Sequence[_File], what: str, archive: _File | None = None, refusals: Refusals | None = None
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
            if archive is not None and refusals is not None:
                writer.register(archive.source, archive.facts, EXTRACTOR_VERSION, job=job)
                facts = ExtractionFacts(mime=archive.mime)
                writer.acknowledge(archive.facts.sha1, refusals.code, refusals.detail, facts)
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
