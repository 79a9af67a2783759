"""The way of a list of records: hashed, seen, kept, read in a worker, then observed and grouped in batches.

The list is a document of its own; each record is an observation of kind `import` at its place in the list.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from openseer.acquire.bibliographies.decode_text import decode_text
from openseer.acquire.bibliographies.normalize_fields import MAX_BYTES
from openseer.acquire.bibliographies.registry import BY_NAME, FORMATS, VERSION, RecordFormat, format_of
from openseer.acquire.local_files import printable, resource_of
from openseer.core.errors import WORKER_FAILURES, NoRecords, OpenseerError, TooLarge, Unreadable, UnsupportedType
from openseer.core.model.bibliography_record import RejectedRecord
from openseer.core.model.description import Description, Observation
from openseer.core.model.document import FileFacts, Viewer
from openseer.core.model.task import IMPORTER
from openseer.core.processes.worker_pool import Limits, WorkerPool, WorkerResult
from openseer.ingest.coordinator import ALREADY_DONE, hash_file
from openseer.ingest.worker_jobs import decode_path, encode_path
from openseer.match import blocking_keys
from openseer.match.descriptions import authors_of, describe_import
from openseer.match.resolver import resolve
from openseer.storage.codecs.record_archive import compress_record, pack_archive
from openseer.storage.open import Library
from openseer.storage.protocols.records import Affected, ExtractionFacts

BATCH = 500
"""Records grouped in one transaction, so that others get their turn."""
TOLD = 1000
"""Refused records of one file that are told one by one."""
HINT = "Records are read from BibTeX (.bib), RIS (.ris), CSL-JSON (.json) and tables (.csv, .tsv)."


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What came of one file."""

    path: str
    format: str = ""
    sha1: str = ""
    outcome: str = "ingested"
    """As of documents, `known` when it was imported before, or the code of what kept it out."""
    detail: str = ""
    hint: str = ""
    records: int = 0
    """How many went in."""
    refused: int = 0
    troubles: tuple[RejectedRecord, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether nothing of it could be read."""
        return self.outcome not in ("ingested", ALREADY_DONE)

    def as_record(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Job:
    """One list on its way through the workers."""

    path: str
    form: RecordFormat
    facts: FileFacts
    generation: int

    @property
    def report(self) -> ImportReport:
        return ImportReport(self.path, self.form.name, self.facts.sha1)


# -- in the worker ------------------------------------------------------------------------------------------------


def read_bibliography(job: bytes) -> Sequence[bytes]:
    """Worker's part: path and format in; head, shelf and described records out."""
    order: dict[str, Any] = orjson.loads(job)
    bodies: list[bytes] = []
    rows: list[tuple[str, str, list[str]]] = []
    refused: list[RejectedRecord] = []
    try:
        data = decode_path(order["path"]).read_bytes()
        for one in BY_NAME[order["format"]].read(decode_text(data)):
            if isinstance(one, RejectedRecord):
                refused.append(one)
                continue
            bodies.append(compress_record(one.as_record()))
            found = describe_import(one)
            rows.append((found.id, found.text, blocking_keys.keys_of(found.fields)))
        if not rows:
            raise NoRecords(f"No record could be taken (refused: {len(refused):,}).")
    except OpenseerError as error:
        told = [asdict(one) for one in refused[:TOLD]]
        return [orjson.dumps({"error": error.as_record(), "refused": len(refused), "troubles": told})]
    head = {"records": len(rows), "refused": len(refused), "troubles": [asdict(one) for one in refused[:TOLD]]}
    return [orjson.dumps(head), pack_archive(bodies), orjson.dumps(rows)]


# -- in the process that takes in ---------------------------------------------------------------------------------


def import_bibliographies(
    library: Library, paths: Iterable[Path], tell: Callable[[ImportReport], None] = lambda report: None
) -> list[ImportReport]:
    """Take lists of records into a library; killed at any moment, the next run goes on where it stopped."""
    return _Run(library, tell).all(paths)


def reimport_bibliographies(library: Library, sha1s: Iterable[str]) -> list[ImportReport]:
    """Read lists again from the file store, each as a new generation."""
    return _Run(library, lambda report: None).again(sha1s)


class _Run:
    """One run over some lists."""

    def __init__(self, library: Library, tell: Callable[[ImportReport], None]) -> None:
        self._library, self._tell = library, tell
        self._reports: list[ImportReport] = []
        self._taken: set[str] = set()

    def all(self, paths: Iterable[Path]) -> list[ImportReport]:
        named = [str(path) for path in paths]
        return self._run(self._jobs(named), len(named))

    def again(self, sha1s: Iterable[str]) -> list[ImportReport]:
        wanted = list(sha1s)
        return self._run(self._jobs_again(wanted), len(wanted))

    def _run(self, jobs: Iterator[_Job], count: int) -> list[ImportReport]:
        settings = self._library.settings.workers
        size = min(settings.count or os.cpu_count() or 1, max(1, count))
        orders = ((job, self._order(job)) for job in jobs)
        with WorkerPool[_Job](read_bibliography, size, Limits(settings.timeout, settings.memory_mb)) as crew:
            for answer in crew.run(orders):
                if answer is not None:
                    self._report(self._take_in(answer))
        return self._reports

    def _report(self, report: ImportReport) -> None:
        self._reports.append(report)
        self._tell(report)

    # -- towards the workers

    def _jobs(self, paths: Iterable[str]) -> Iterator[_Job]:
        for path in paths:
            try:
                job = self._look_at(path)
            except OSError as error:
                wrong = Unreadable(f"It cannot be opened: {error.strerror or error}.", "Check the path.")
                self._report(_failed(ImportReport(printable(path)), wrong))
            except OpenseerError as error:
                self._report(_failed(ImportReport(printable(path)), error))
            else:
                if job is not None:
                    yield job

    def _look_at(self, path: str) -> _Job | None:
        """Hash, look up, keep; None for a list that is known."""
        if (size := Path(path).stat().st_size) > MAX_BYTES:
            error = TooLarge(size, MAX_BYTES)
            error.hint = "Split the list into several files."
            raise error
        facts, head = hash_file(Path(path))
        form = format_of(path, head)
        if form is None:
            raise _no_format()
        with self._library.records.writing() as writer:
            ticket = writer.register(resource_of(path), replace(facts, mime=form.mime), VERSION, IMPORTER)
            task = writer.new_generation(facts.sha1, VERSION, IMPORTER) if ticket.task.error else ticket.task
        job = _Job(printable(path), form, facts, task.generation)
        if facts.sha1 in self._taken or (ticket.known and not ticket.task.error):  # what was refused is tried again
            document = self._library.records.document(facts.sha1, Viewer.OPERATOR)
            self._report(replace(job.report, outcome=ALREADY_DONE, detail=document.detail))
            return None
        self._library.files.put_file("records", facts.sha1, form.suffixes[0], Path(path))
        self._taken.add(facts.sha1)
        return job

    def _jobs_again(self, sha1s: Iterable[str]) -> Iterator[_Job]:
        for sha1 in sha1s:
            document = self._library.records.document(sha1, Viewer.OPERATOR)
            form = next(one for one in FORMATS if one.mime == document.mime)
            with self._library.records.writing() as writer:
                task = writer.new_generation(sha1, VERSION, IMPORTER)
            yield _Job(sha1, form, FileFacts(sha1, document.sha256, document.size), task.generation)

    def _order(self, job: _Job) -> bytes:
        path = self._library.files.local("records", job.facts.sha1, job.form.suffixes[0]).absolute()
        return orjson.dumps({"path": encode_path(path), "format": job.form.name})

    # -- back from the workers

    def _take_in(self, answer: WorkerResult[_Job]) -> ImportReport:
        job = answer.key
        if answer.failure:
            return self._refuse(job, WORKER_FAILURES[answer.failure](answer.detail).as_record(), job.report)
        head: dict[str, Any] = orjson.loads(answer.parts[0])
        troubles = tuple(RejectedRecord(**one) for one in head["troubles"])
        report = replace(job.report, refused=head["refused"], troubles=troubles)
        if "error" in head:
            return self._refuse(job, head["error"], report)
        report = replace(
            report, records=head["records"], detail=f"records: {head['records']}, refused: {head['refused']}"
        )
        self._library.files.put("extraction", job.facts.sha1, f"{job.generation}.records", answer.parts[1])
        self._library.files.sync()
        self._write(job, orjson.loads(answer.parts[2]), report)
        for generation in range(1, job.generation):
            self._library.files.delete("extraction", job.facts.sha1, f"{generation}.records")
        return report

    def _refuse(self, job: _Job, error: dict[str, str], report: ImportReport) -> ImportReport:
        facts = ExtractionFacts(mime=job.form.mime, generation=job.generation, extractor=IMPORTER)
        with self._library.records.writing() as writer:
            writer.acknowledge(job.facts.sha1, error["code"], error["message"], facts)
        if self._library.records.document(job.facts.sha1, Viewer.OPERATOR).outcome != "ingested":
            self._library.files.delete("records", job.facts.sha1, job.form.suffixes[0])
        return replace(report, outcome=error["code"], detail=error["message"], hint=error["hint"])

    def _write(self, job: _Job, rows: list[tuple[str, str, list[str]]], report: ImportReport) -> None:
        """Observe all of it at once, then group batch by batch; only the last transaction acknowledges."""
        sha1 = job.facts.sha1
        described = {name: Description(name, text) for name, text, _ in rows}
        seen = [Observation(name, "import", place) for place, (name, _, _) in enumerate(rows)]
        held = {name: found for name, _, found in rows}
        with self._library.records.writing() as writer:
            touched = writer.replace_observations(sha1, job.generation, seen, described.values())
            writer.put_summary(sha1, job.generation, b"")
            resolve(writer, {}, Affected(unlinked=touched.unlinked))  # what an older reading said and this one does not
        names = sorted(touched.new)
        for start in range(0, len(names), BATCH):
            batch = names[start : start + BATCH]
            with self._library.records.writing() as writer:
                for name in batch:
                    writer.put_authorships(name, authors_of(described[name].fields))
                resolve(writer, held, Affected(new=frozenset(batch)))
        facts = ExtractionFacts(mime=job.form.mime, kept=True, generation=job.generation, extractor=IMPORTER)
        with self._library.records.writing() as writer:
            writer.acknowledge(sha1, "ingested", report.detail, facts)


def _no_format() -> UnsupportedType:
    error = UnsupportedType("this type of file as a list of records")
    error.hint = HINT
    return error


def _failed(report: ImportReport, error: OpenseerError) -> ImportReport:
    return replace(report, outcome=error.code, detail=str(error), hint=error.hint)
