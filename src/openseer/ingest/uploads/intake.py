"""Papers that come over the wire, as files, archives or addresses: kept, put into the queue, and read by a process
that is started when there are any."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from openseer.acquire import archives
from openseer.acquire.file_type import PDF, sniff_without_libmagic
from openseer.acquire.web import fetch
from openseer.acquire.web.fetch import FetchResult
from openseer.core.errors import ArchiveRefused, Empty, Failed, OpenseerError, TooLarge, Unreadable, UnsupportedType
from openseer.core.model.description import header_id, work_id_of
from openseer.core.model.document import Document, FileFacts, Viewer
from openseer.core.model.resource import Resource
from openseer.core.model.task import JobState
from openseer.core.processes.on_demand_pool import OnDemandPool
from openseer.core.processes.worker_pool import Limits
from openseer.extract.reader import version as reader_version
from openseer.ingest.coordinator import hash_file
from openseer.storage.open import Library
from openseer.storage.protocols.records import ExtractionFacts, Writer

GRACE = 5.0
"""Seconds that a worker gets beyond the time that it keeps to by itself."""
FETCHERS, UNPACKERS = 3, 1
"""Addresses and archives that are seen to at a time."""
STALE = 86_400.0
"""Seconds after which what a killed process left in the spool is swept."""
ZIP, HTML = "application/zip", "text/html"
MOST_DETAIL = 2000
"""Characters that are kept of what is said about refused members."""
KEPT = "crops"
"""What others keep in the spool."""
MEMBER = "#"
"""Between the address of an archive and the name of a file in it."""


@dataclass(frozen=True, slots=True)
class AcceptedFile:
    """One file that was taken."""

    name: str
    sha1: str
    known: bool = False
    """Whether it was read before; there is nothing to wait for then."""


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """One file that was not taken, and why."""

    name: str
    code: str
    why: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class UploadResult:
    """What somebody who gave something takes away."""

    job: str
    sha1: str
    """Of the file that was given: a paper, or an archive of papers."""
    documents: tuple[AcceptedFile, ...]
    refused: tuple[RejectedFile, ...] = ()

    @property
    def known(self) -> bool:
        """Whether there is nothing to wait for."""
        return all(one.known for one in self.documents)


@dataclass(frozen=True, slots=True)
class DocumentStatus:
    """How far one document of a job has come."""

    sha1: str
    name: str
    state: str
    """waiting, held, done, cancelled or quarantined."""
    outcome: str
    detail: str
    work: str


@dataclass(frozen=True, slots=True)
class _File:
    """A file in the spool, looked at."""

    path: Path
    name: str
    facts: FileFacts
    mime: str
    source: Resource


NOTHING_TOLD = FetchResult()


class UploadService:
    """Takes files in for one library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._reader: subprocess.Popen[bytes] | None = None
        wanted, memory = library.settings.acquire, library.settings.workers.memory_mb
        self._fetchers = OnDemandPool(fetch.fetch_job, FETCHERS, Limits(wanted.fetch_timeout + GRACE, memory))
        self._unpackers = OnDemandPool(archives.unpack_job, UNPACKERS, Limits(library.settings.workers.timeout, memory))
        self._sweep()

    def receive(self, blocks: Iterable[bytes], name: str) -> UploadResult:
        """Keep a file and see to it that it is read. What is no paper for sure is refused at once, and noted."""
        with self._spool() as spool:
            path = spool / "given"
            self._write(path, blocks)
            return self._take(path, spool, name, f"upload:{name}" if name else "")

    def fetch(self, url: str) -> UploadResult:
        """The same for what an address gives."""
        fetch.parse_url(url)  # a wrong one is told before anybody is sent out
        wanted, limit = self._library.settings.acquire, self._library.settings.extract.max_bytes
        terms = fetch.FetchRequest(url, limit, wanted.fetch_timeout, wanted.allow_private)
        with self._spool() as spool:
            path = spool / "given"
            (told,) = self._fetchers.call(fetch.encode_request(terms, path))
            return self._take(path, spool, url, url, fetch.decode_result(told))

    # -- the spool

    @contextmanager
    def _spool(self) -> Iterator[Path]:
        folder = self._library.data / "spool" / uuid.uuid4().hex
        try:
            folder.mkdir(parents=True)
            yield folder
        except OSError as error:
            raise Unreadable(f"The file could not be kept: {error.strerror}.") from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _sweep(self) -> None:
        spool = self._library.data / "spool"
        for folder in spool.iterdir() if spool.is_dir() else ():
            if folder.name != KEPT and time.time() - folder.stat().st_mtime > STALE:
                shutil.rmtree(folder, ignore_errors=True)

    def _write(self, path: Path, blocks: Iterable[bytes]) -> None:
        size, limit = 0, self._library.settings.extract.max_bytes
        with path.open("wb") as out:
            for block in blocks:
                size += len(block)
                if size > limit:
                    raise TooLarge(size, limit)
                out.write(block)

    # -- taking

    def _take(self, path: Path, spool: Path, name: str, url: str, got: FetchResult = NOTHING_TOLD) -> UploadResult:
        facts, head = hash_file(path)
        url = url or f"upload:{facts.sha1}"
        source = Resource(url, fetched_at=time.time(), is_seed=True, reported_mime=got.mime, also=got.redirects)
        what = f"{'upload' if source.url.startswith('upload:') else 'fetch'} {name or facts.sha1}"
        given = _File(path, name or facts.sha1, facts, sniff_without_libmagic(head), source)
        if given.mime == ZIP:
            return self._unpack(given, spool, what)
        job, taken = self._enter([given], what)
        _refuse(given)
        return UploadResult(job, facts.sha1, tuple(taken))

    def _unpack(self, archive: _File, spool: Path, what: str) -> UploadResult:
        """Each file of an archive becomes a document; where some cannot, the archive itself has a row that says so."""
        try:
            members = self._members(archive, spool)
        except (ArchiveRefused, Failed) as error:
            self._enter([], what, archive, str(error))
            raise ArchiveRefused(f"{archive.name}: {error}") from error
        refused = tuple(RejectedFile(one.name, one.code, one.why) for one in members if one.why)
        files = [self._member(archive, spool / one.file, one.name) for one in members if not one.why]
        why = "; ".join(f"{one.name}: {one.why}" for one in refused)[:MOST_DETAIL]
        job, taken = self._enter(files, what, archive if refused else None, f"Not all was taken. {why}")
        refused += tuple(_refusal(one) for one in files if one.mime != PDF)
        if all(one.mime != PDF for one in files):
            told = "; ".join(f"{one.name}: {one.why}" for one in refused[:5])
            raise ArchiveRefused(f"{archive.name} holds nothing that can be read. {told}", "Put PDFs into it.")
        papers = {one.facts.sha1 for one in files if one.mime == PDF}
        return UploadResult(job, archive.facts.sha1, tuple(one for one in taken if one.sha1 in papers), refused)

    def _members(self, archive: _File, spool: Path) -> list[archives.Member]:
        wanted, limit = self._library.settings.acquire, self._library.settings.extract.max_bytes
        bounds = archives.ArchiveLimits(wanted.archive_members, wanted.archive_bytes, limit)
        (told,) = self._unpackers.call(archives.encode_request(archive.path, spool, bounds))
        return archives.decode_members(told)

    def _member(self, archive: _File, path: Path, name: str) -> _File:
        facts, head = hash_file(path)
        origin = archive.source
        source = Resource(f"{origin.url}{MEMBER}{name}", parent=origin.url, fetched_at=origin.fetched_at, depth=1)
        return _File(path, name, facts, sniff_without_libmagic(head), source)

    def _enter(
        self, files: Sequence[_File], what: str, archive: _File | None = None, why: str = ""
    ) -> tuple[str, list[AcceptedFile]]:
        """Files before rows, then all of them in one job; the archive only where there is something to say of it."""
        for one in files:
            if one.mime == PDF:
                self._library.files.put_file("pdf", one.facts.sha1, "pdf", one.path)
        self._library.files.sync()
        with self._library.records.writing() as writer:
            job = writer.open_job(what)
            taken = [_entered(writer, one, job) for one in files]
            if archive is not None:
                writer.register(archive.source, archive.facts, reader_version(), job=job)
                writer.acknowledge(archive.facts.sha1, ArchiveRefused.code, why, ExtractionFacts(mime=archive.mime))
            if all(one.mime != PDF for one in files):
                writer.set_job(job, JobState.ENDED)
        if any(not one.known for one in taken):
            self.ensure_worker()
        return job, taken

    # -- reading

    def ensure_worker(self) -> None:
        """Let a process read what is due, unless one does already; it ends by itself."""
        with self._lock:
            if self._reader is None or self._reader.poll() is not None:
                self._reader = subprocess.Popen(
                    [sys.executable, "-P", "-m", "openseer", "--data", str(self._library.data), "worker", "--once"],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )

    def statuses(self, job: str) -> list[DocumentStatus]:
        """How far the documents of a job have come; a reader that died is started again."""
        records = self._library.records
        origin = records.job(job).what.partition(" ")[2]
        found = []
        for sha1, state in records.job_documents(job):
            document = records.document(sha1, Viewer.OPERATOR)
            header = work_id_of(header_id(sha1))
            work = records.canonical_id(header, Viewer.OPERATOR) if document.outcome == "ingested" else ""
            name = name_in(document, origin)
            found.append(DocumentStatus(sha1, name, state, document.outcome or "", document.detail, work))
        if any(one.state == "waiting" for one in found):
            self.ensure_worker()
        return sorted(found, key=lambda one: one.name)

    def close(self) -> None:
        """End those who were sent out, and wait for the reader to end."""
        self._fetchers.close()
        self._unpackers.close()
        if self._reader is not None:
            self._reader.terminate()
            self._reader.wait(timeout=60)


def name_in(document: Document, origin: str) -> str:
    """What a document was called by who gave it: the name of its file, its address, or its name in the archive."""
    for source in document.sources:
        told = source.url.removeprefix("upload:")
        if told == origin:
            return told
        if told.startswith(f"{origin}{MEMBER}"):
            return told[len(origin) + len(MEMBER) :]
    return origin


def _entered(writer: Writer, file: _File, job: str) -> AcceptedFile:
    ticket = writer.register(file.source, file.facts, reader_version(), job=job)
    if file.mime != PDF and not ticket.known:
        refusal = _refusal(file)
        writer.acknowledge(file.facts.sha1, refusal.code, refusal.why, ExtractionFacts(mime=file.mime))
    return AcceptedFile(file.name, file.facts.sha1, ticket.known or file.mime != PDF)


def _refusal(file: _File) -> RejectedFile:
    error = _fault(file)
    return RejectedFile(file.name, error.code, str(error), error.hint)


def _fault(file: _File) -> OpenseerError:
    """Why a file that is no PDF is not taken."""
    if not file.facts.size:
        return Empty("The file holds nothing.")
    error = UnsupportedType(file.mime or "such files")
    if file.mime == HTML:
        error.hint = "This is a web page about a paper or a login; give the address of the PDF itself."
    return error


def _refuse(file: _File) -> None:
    if file.mime != PDF:
        raise _fault(file)
