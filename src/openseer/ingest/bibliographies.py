"""Import of bibliographies: the steps of papers (register, lease, store, read in a worker, write, acknowledge).

A bibliography file is a document; each of its records is an observation of kind `import` at its position in the file.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from openseer.acquire.bibliographies.decode_text import decode_text
from openseer.acquire.bibliographies.normalize_fields import MAX_BYTES
from openseer.acquire.bibliographies.registry import BY_NAME, FORMATS, VERSION, RecordFormat, format_of
from openseer.acquire.hashing import hash_file
from openseer.acquire.local_files import resource_of
from openseer.core.errors import WORKER_FAILURES, NoRecords, OpenseerError, TooLarge, Unreadable, UnsupportedType
from openseer.core.model.bibliography_record import RejectedRecord
from openseer.core.model.description import Description, Observation
from openseer.core.model.document import FileFacts, Viewer
from openseer.core.model.task import IMPORTER, Task
from openseer.core.processes.process_id import current_process
from openseer.core.processes.worker_pool import Limits, WorkerPool, WorkerResult
from openseer.core.telemetry.counters import counters
from openseer.core.text.printable_path import printable
from openseer.ingest.progress import ALREADY_DONE
from openseer.ingest.registration import LEASE_SECONDS, LeaseOwner, Registered, register
from openseer.ingest.worker_jobs import decode_path, encode_path
from openseer.match import blocking_keys
from openseer.match.descriptions import authors_of, describe_import
from openseer.match.resolver import resolve
from openseer.storage.codecs.record_archive import compress_record, pack_archive
from openseer.storage.open import Library
from openseer.storage.protocols.records import Affected, ExtractionFacts

BATCH_RECORDS = 500
"""Records resolved in one transaction, so that other writers get their turn."""
MAX_REPORTED_TROUBLES = 1000
"""Rejected records of one file that are reported one by one."""
POLL_SECONDS = 1.0
"""Interval of looks at a file that another process is importing."""
HINT = "Records are read from BibTeX (.bib), RIS (.ris), CSL-JSON (.json) and tables (.csv, .tsv)."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Result of importing one file."""

    path: str
    format: str = ""
    sha1: str = ""
    outcome: str = "ingested"
    """As of documents, `known` if it was imported before, or the code of the error."""
    detail: str = ""
    hint: str = ""
    records: int = 0
    """Number of imported records."""
    refused: int = 0
    """Number of rejected records."""
    troubles: tuple[RejectedRecord, ...] = ()

    @property
    def failed(self) -> bool:
        """True if nothing of the file could be imported."""
        return self.outcome not in ("ingested", ALREADY_DONE)

    def as_record(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ImportJob:
    """One bibliography on its way through a worker."""

    path: str
    format: RecordFormat
    facts: FileFacts
    generation: int

    @property
    def report(self) -> ImportReport:
        return ImportReport(self.path, self.format.name, self.facts.sha1)


@dataclass(frozen=True, slots=True)
class ReadBibliography:
    """Worker result: described records, or the error if there is none."""

    descriptions: tuple[tuple[str, str, list[str]], ...] = ()
    """Id, match fields and blocking keys of each record."""
    archive: bytes = b""
    """The full records, for the file store."""
    refused: int = 0
    troubles: tuple[RejectedRecord, ...] = ()
    error: dict[str, str] | None = None

    def encode(self) -> list[bytes]:
        """The message of a worker."""
        troubles = [asdict(one) for one in self.troubles]
        header = {"refused": self.refused, "troubles": troubles, "error": self.error}
        return [orjson.dumps(header), self.archive, orjson.dumps(self.descriptions)]

    @classmethod
    def decode(cls, parts: Sequence[bytes]) -> ReadBibliography:
        """The inverse of `encode`."""
        header: dict[str, Any] = orjson.loads(parts[0])
        troubles = tuple(RejectedRecord(**one) for one in header["troubles"])
        return cls(tuple(orjson.loads(parts[2])), parts[1], header["refused"], troubles, header["error"])


# -- in the worker ------------------------------------------------------------------------------------------------


def read_bibliography(request: bytes) -> Sequence[bytes]:
    """Read and describe the records of a bibliography."""
    asked: dict[str, Any] = orjson.loads(request)
    bodies: list[bytes] = []
    rows: list[tuple[str, str, list[str]]] = []
    rejected: list[RejectedRecord] = []
    error: dict[str, str] | None = None
    try:
        for one in BY_NAME[asked["format"]].read(decode_text(decode_path(asked["path"]).read_bytes())):
            if isinstance(one, RejectedRecord):
                rejected.append(one)
                continue
            bodies.append(compress_record(one.as_record()))
            description = describe_import(one)
            rows.append((description.id, description.text, blocking_keys.keys_of(description.fields)))
        if not rows:
            raise NoRecords(f"No record could be imported (rejected: {len(rejected):,}).")
    except OpenseerError as caught:
        bodies, rows, error = [], [], caught.as_record()
    troubles = tuple(rejected[:MAX_REPORTED_TROUBLES])
    archive = pack_archive(bodies) if bodies else b""
    return ReadBibliography(tuple(rows), archive, len(rejected), troubles, error).encode()


# -- in the importing process -------------------------------------------------------------------------------------


def import_bibliographies(
    library: Library, paths: Iterable[Path], report: Callable[[ImportReport], None] = lambda report: None
) -> list[ImportReport]:
    """Import bibliographies; killed at any moment, the next run resumes where it stopped."""
    return _Import(library, report).files([str(path) for path in paths])


def reimport_bibliographies(library: Library, sha1s: Iterable[str]) -> list[ImportReport]:
    """Read stored bibliographies again, each as a new generation."""
    return _Import(library, lambda report: None).stored(list(sha1s))


class _Import:
    """One import run."""

    def __init__(self, library: Library, report: Callable[[ImportReport], None]) -> None:
        self._library, self._tell = library, report
        self._owner = LeaseOwner(VERSION, current_process(), IMPORTER)
        self._reports: list[ImportReport] = []
        self._started: set[str] = set()
        self._paths: dict[str, ExitStack] = {}
        """Of the files that workers read."""

    def files(self, paths: Sequence[str]) -> list[ImportReport]:
        return self._run(self._jobs(paths), len(paths))

    def stored(self, sha1s: Sequence[str]) -> list[ImportReport]:
        return self._run(self._new_generations(sha1s), len(sha1s))

    def _run(self, jobs: Iterator[ImportJob], count: int) -> list[ImportReport]:
        settings = self._library.settings.workers
        size = min(settings.count or os.cpu_count() or 1, max(1, count))
        requests = ((job, self._request(job)) for job in jobs)
        try:
            with WorkerPool[ImportJob](
                read_bibliography, size, Limits(settings.timeout, settings.memory_mb, confined=True)
            ) as pool:
                for answer in pool.run(requests):
                    if answer is not None:
                        self._report(self._write(answer))
        finally:
            for stack in self._paths.values():
                stack.close()
            with suppress(OpenseerError), self._library.records.writing() as writer:
                writer.release(self._owner.process)
        return self._reports

    def _report(self, report: ImportReport) -> None:
        log.info("bibliography imported", extra={"sha1": report.sha1, "outcome": report.outcome})
        counters.count("openseer_bibliographies_total", outcome=report.outcome)
        self._reports.append(report)
        self._tell(report)

    # -- requests to the workers

    def _jobs(self, paths: Iterable[str]) -> Iterator[ImportJob]:
        for path in paths:
            try:
                job = self._inspect(path)
            except OSError as error:
                failure = Unreadable(f"It cannot be opened: {error.strerror or error}.", "Check the path.")
                self._report(_failed(ImportReport(printable(path)), failure))
            except OpenseerError as error:
                self._report(_failed(ImportReport(printable(path)), error))
            else:
                if job is not None:
                    yield job

    def _inspect(self, path: str) -> ImportJob | None:
        """Hash, register, lease and store a file; None if it was imported before."""
        if (size := Path(path).stat().st_size) > MAX_BYTES:
            error = TooLarge(size, MAX_BYTES)
            error.hint = "Split the file into several files."
            raise error
        facts, head = hash_file(Path(path))
        form = format_of(path, head.start)
        if form is None:
            raise _no_format()
        facts = replace(facts, mime=form.mime)
        registered = self._registered(path, facts)
        job = ImportJob(printable(path), form, facts, registered.task.generation)
        if facts.sha1 in self._started or (registered.known and not registered.task.error):
            document = self._library.records.as_seen_by(Viewer.OPERATOR).document(facts.sha1)
            self._report(replace(job.report, outcome=ALREADY_DONE, detail=document.detail))
            return None
        if registered.task.error:  # a rejected file is tried again
            job = replace(job, generation=self._new_generation(facts.sha1).generation)
        self._library.files.put_file("records", facts.sha1, form.suffixes[0], Path(path))
        self._started.add(facts.sha1)
        return job

    def _registered(self, path: str, facts: FileFacts) -> Registered:
        """Register and lease a file; waits while another live process imports it."""
        while True:
            (registered,) = register(self._library, [(resource_of(path), facts)], self._owner)
            if registered.known or registered.leased:
                return registered
            time.sleep(POLL_SECONDS)

    def _new_generation(self, sha1: str) -> Task:
        with self._library.records.writing() as writer:
            task = writer.new_generation(sha1, VERSION, IMPORTER)
            writer.lease([task], self._owner.process, LEASE_SECONDS)
        return task

    def _new_generations(self, sha1s: Iterable[str]) -> Iterator[ImportJob]:
        for sha1 in sha1s:
            document = self._library.records.as_seen_by(Viewer.OPERATOR).document(sha1)
            form = next(one for one in FORMATS if one.mime == document.mime)
            generation = self._new_generation(sha1).generation
            yield ImportJob(sha1, form, FileFacts(sha1, document.sha256, document.size), generation)

    def _request(self, job: ImportJob) -> bytes:
        stack = self._paths[job.facts.sha1] = ExitStack()
        path = stack.enter_context(self._library.files.as_path("records", job.facts.sha1, job.format.suffixes[0]))
        return orjson.dumps({"path": encode_path(path.absolute()), "format": job.format.name})

    # -- results of the workers

    def _write(self, answer: WorkerResult[ImportJob]) -> ImportReport:
        job = answer.key
        self._paths.pop(job.facts.sha1).close()
        if answer.failure:
            return self._reject(job, WORKER_FAILURES[answer.failure](answer.detail).as_record(), job.report)
        result = ReadBibliography.decode(answer.parts)
        report = replace(job.report, refused=result.refused, troubles=result.troubles)
        if result.error:
            return self._reject(job, result.error, report)
        count = len(result.descriptions)
        report = replace(report, records=count, detail=f"records: {count}, refused: {result.refused}")
        self._library.files.put("extraction", job.facts.sha1, f"{job.generation}.records", result.archive)
        self._library.files.sync()
        self._write_records(job, result, report)
        for generation in range(1, job.generation):
            self._library.files.delete("extraction", job.facts.sha1, f"{generation}.records")
        return report

    def _reject(self, job: ImportJob, error: dict[str, str], report: ImportReport) -> ImportReport:
        facts = ExtractionFacts(mime=job.format.mime, generation=job.generation, extractor=IMPORTER)
        with self._library.records.writing() as writer:
            writer.acknowledge(job.facts.sha1, error["code"], error["message"], facts)
        if self._library.records.as_seen_by(Viewer.OPERATOR).document(job.facts.sha1).outcome != "ingested":
            self._library.files.delete("records", job.facts.sha1, job.format.suffixes[0])
        return replace(report, outcome=error["code"], detail=error["message"], hint=error["hint"])

    def _write_records(self, job: ImportJob, result: ReadBibliography, report: ImportReport) -> None:
        """Store all observations at once, then resolve batch by batch; only the last transaction acknowledges."""
        sha1 = job.facts.sha1
        descriptions = {name: Description(name, text) for name, text, _ in result.descriptions}
        keys_of = {name: keys for name, _, keys in result.descriptions}
        observations = [Observation(name, "import", at) for at, (name, _, _) in enumerate(result.descriptions)]
        with self._library.records.writing() as writer:
            affected = writer.replace_observations(sha1, job.generation, observations, descriptions.values())
            writer.put_summary(sha1, job.generation, b"")
            resolve(writer, {}, Affected(unlinked=affected.unlinked))  # records that only an older generation had
        names = iter(sorted(affected.new))
        while batch := list(islice(names, BATCH_RECORDS)):
            with self._library.records.writing() as writer:
                for name in batch:
                    writer.put_authorships(name, authors_of(descriptions[name].fields))
                resolve(writer, keys_of, Affected(new=frozenset(batch)))
                writer.renew(self._owner.process, LEASE_SECONDS)
        facts = ExtractionFacts(mime=job.format.mime, is_stored=True, generation=job.generation, extractor=IMPORTER)
        with self._library.records.writing() as writer:
            writer.acknowledge(sha1, "ingested", report.detail, facts)


def _no_format() -> UnsupportedType:
    error = UnsupportedType("this type of file as a bibliography")
    error.hint = HINT
    return error


def _failed(report: ImportReport, error: OpenseerError) -> ImportReport:
    return replace(report, outcome=error.code, detail=str(error), hint=error.hint)
