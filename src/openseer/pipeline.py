"""The way of a document, step by step. The only module that knows the order.

found -> hashed -> seen -> kept -> read in a worker -> written, grouped and acknowledged in batches
"""

from __future__ import annotations

import gzip
import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from openseer.acquire.imports.folder import files_in, printable, resource_of
from openseer.acquire.sniff import HEAD, PDF, looks_like_pdf, sniff
from openseer.errors import (
    FAILURES,
    Conflict,
    Crashed,
    Empty,
    Memory,
    OpenseerError,
    Timeout,
    TooLarge,
    UnsupportedType,
)
from openseer.extract.formats import FORMATS
from openseer.extract.reading import read
from openseer.extract.reading import version as reader_version
from openseer.extract.screening import check_sheets, check_verdict
from openseer.identify import keys
from openseer.identify.describe import describe
from openseer.identify.fingerprint import simhash
from openseer.library.opening import Library
from openseer.library.readings import encode
from openseer.library.stores import ReadFacts, Ticket, Touched, Writer
from openseer.records.description import Description, Observation
from openseer.records.document import FileFacts, Viewer
from openseer.records.extraction import Extraction
from openseer.records.resource import Resource
from openseer.settings import Settings
from openseer.settling import settle, together
from openseer.workers import Answer, Crew, Limits

KNOWN = "known"
"""Said of a file in a run's counts whose document was finished before; never an outcome of a document."""
UNREADABLE = "unreadable"
"""Said of a file that could not be opened, so that there is no document to speak of."""
SEE_BATCH = 32
"""Files hashed and looked up in one transaction."""
WORKER_FAILURES: dict[str, type[OpenseerError]] = {"timeout": Timeout, "memory": Memory, "crashed": Crashed}
FLUSH_AFTER = 0.5
"""Seconds that a finished reading waits for company."""


@dataclass(slots=True)
class Progress:
    """How far a run has come."""

    total: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    troubles: list[tuple[str, str]] = field(default_factory=list)
    """(path, what was wrong) of files that did not go in."""
    started: float = field(default_factory=time.monotonic)

    @property
    def done(self) -> int:
        return self.counts.total()

    @property
    def read(self) -> int:
        """Files that were read in this run, not merely recognised."""
        return self.done - self.counts[KNOWN]

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started


@dataclass(frozen=True, slots=True)
class Job:
    """One file on its way through the workers."""

    path: str
    facts: FileFacts
    generation: int
    kept: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """A file that was looked at."""

    path: str
    resource: Resource
    facts: FileFacts
    is_pdf: bool


# -- in the worker ------------------------------------------------------------------------------------------------


def read_file(job: bytes) -> Sequence[bytes]:
    """Worker's part of ingest: path in; head, extraction, text and reading out, all of them bytes."""
    order: dict[str, Any] = orjson.loads(job)
    path = path_of(order["path"])
    try:
        mime = _type_of(path)
        if order["filter"] == "simple":
            check_sheets(path)
        extraction = replace(read(path, order["min_words"]), file=path.name, sha1=order["sha1"], mime=mime)
        if order["filter"] == "model":
            check_verdict(extraction.academic, order["min_academic"])
    except OpenseerError as error:
        mime = error.mime if isinstance(error, UnsupportedType) else PDF
        return [orjson.dumps({"mime": mime, "outcome": error.code, "detail": str(error)})]
    descriptions, observations = describe(order["sha1"], extraction)
    head = {
        "mime": mime,
        "outcome": "ingested",
        "detail": "",
        "pages": extraction.pages,
        "words": extraction.words,
        "language": extraction.language,
        "simhash": simhash(extraction.text),
        "descriptions": [(one.id, one.text) for one in descriptions],
        "observations": [(one.description, one.kind, one.place, one.own) for one in observations],
        "keys": {one.id: keys.keys_of(one.fields) for one in descriptions},
    }
    record = orjson.dumps(extraction.as_record(evidence=True))
    text = extraction.text.encode("utf-8")
    return [orjson.dumps(head), gzip.compress(record, 3, mtime=0), gzip.compress(text, 3, mtime=0), encode(extraction)]


def extract_file(job: bytes) -> Sequence[bytes]:
    """Worker's part of `openseer extract`: path in; a JSON line out, also for a file that cannot be read, then the form
    that was asked for, if it is another and the file could be read."""
    order: dict[str, Any] = orjson.loads(job)
    path = path_of(order["path"])
    shown = printable(str(path))
    try:
        if (size := path.stat().st_size) > order["max_bytes"]:
            raise TooLarge(size, order["max_bytes"])
        mime = _type_of(path)
        extraction = read(path, order["min_words"])
        sha1 = hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest()
        extraction = replace(extraction, file=shown, sha1=sha1, mime=mime)
        forms = [FORMATS[name].write(extraction, path) for name in order["forms"]]
        return [orjson.dumps(extraction.as_record(order["evidence"])), *forms]
    except OpenseerError as error:
        trouble = error.as_record()
    except OSError as error:
        trouble = _cannot_open(error)
    return [orjson.dumps(Extraction(file=shown, error=trouble).as_record())]


def order_path(path: Path) -> str:
    """A path as it travels in JSON: a file may have any bytes in its name."""
    return os.fsencode(path).decode("latin-1")


def path_of(ordered: str) -> Path:
    """The inverse of `order_path`."""
    return Path(os.fsdecode(ordered.encode("latin-1")))


def _type_of(path: Path) -> str:
    with path.open("rb") as stream:
        head = stream.read(HEAD)
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
    jobs = ((number, orjson.dumps({"path": order_path(Path(path)), **order})) for number, path in enumerate(paths))
    limits = Limits(settings.workers.timeout, settings.workers.memory_mb)
    size = min(workers or settings.workers.count or os.cpu_count() or 1, max(1, len(paths)))
    ready: dict[int, tuple[bytes, ...]] = {}
    following = 0
    with Crew[int](extract_file, size, limits) as crew:
        for answer in crew.run(jobs):
            if answer is not None:
                ready[answer.key] = answer.frames or (_failed(paths[answer.key], answer),)
            while following in ready:
                yield paths[following], ready.pop(following)
                following += 1


def _failed(path: str, answer: Answer[int]) -> bytes:
    error = WORKER_FAILURES[answer.failure](answer.detail)
    return orjson.dumps(Extraction(file=printable(path), error=error.as_record()).as_record())


# -- in the process that takes in ---------------------------------------------------------------------------------


class Ingest:
    """One run of taking files into a library. Killed at any moment, the next run goes on where it stopped."""

    def __init__(self, library: Library, workers: int = 0) -> None:
        self._library = library
        settings = library.settings
        self._size = workers or settings.workers.count or os.cpu_count() or 1
        self._limits = Limits(settings.workers.timeout, settings.workers.memory_mb)
        self._taken: set[str] = set()
        self.progress = Progress()

    def run(self, paths: Iterable[Path], tell: Callable[[Progress], None] = lambda progress: None) -> Progress:
        """Take in every file that is named or lies below a named folder."""
        files = list(files_in(paths, self._trouble, leave_out=self._library.data))
        self.progress.total = len(files)
        return self._run(self._jobs(files), tell)

    def reread(self, sha1s: Collection[str], tell: Callable[[Progress], None] = lambda progress: None) -> Progress:
        """Read documents again from the file store, each as a new generation."""
        self.progress.total = len(sha1s)
        return self._run(self._jobs_again(sha1s), tell)

    def _run(self, jobs: Iterator[tuple[Job, bytes]], tell: Callable[[Progress], None]) -> Progress:
        finished: list[Answer[Job]] = []
        since = time.monotonic()
        with Crew[Job](read_file, self._size, self._limits) as crew:
            for answer in crew.run(jobs):
                if answer is not None:
                    finished.append(answer)
                if len(finished) >= self._library.settings.ingest.batch or time.monotonic() - since > FLUSH_AFTER:
                    self._take_in(finished)
                    finished, since = [], time.monotonic()
                    tell(self.progress)
            self._take_in(finished)
        tell(self.progress)
        return self.progress

    def retry_failed(self) -> int:
        """Let documents be read again whose reading failed, or which a limit that may have changed kept out."""
        with self._library.records.writing() as writer:
            return writer.reopen((*FAILURES, "too_large", "too_short", "not_academic"))

    # -- towards the workers

    def _jobs(self, files: list[str]) -> Iterator[tuple[Job, bytes]]:
        """Hash, look up, keep; what is new goes to the workers."""
        for start in range(0, len(files), SEE_BATCH):
            found = [one for path in files[start : start + SEE_BATCH] if (one := self._look_at(path))]
            with self._library.records.writing() as writer:
                tickets = [writer.see(one.resource, one.facts, reader_version()) for one in found]
            for one, ticket in zip(found, tickets, strict=True):
                job = self._job(one, ticket)
                if job is not None:
                    yield job, self._order(job)

    def _jobs_again(self, sha1s: Collection[str]) -> Iterator[tuple[Job, bytes]]:
        for sha1 in sha1s:
            document = self._library.records.document(sha1, Viewer.OPERATOR)
            with self._library.records.writing() as writer:
                task = writer.redraw(sha1, reader_version())
            path = str(self._library.files.local("pdf", sha1, "pdf"))
            job = Job(path, FileFacts(sha1, document.sha256, document.size, document.mime), task.generation, kept=True)
            yield job, self._order(job)

    def _look_at(self, path: str) -> _Found | None:
        try:
            facts, head = hash_file(Path(path))
            return _Found(path, resource_of(path), facts, looks_like_pdf(head))
        except OSError as error:
            self._unreadable(path, error.strerror or "cannot be read")
            return None

    def _unreadable(self, path: str, what: str) -> None:
        self._trouble(path, what)
        self.progress.counts[UNREADABLE] += 1

    def _job(self, found: _Found, ticket: Ticket) -> Job | None:
        path, facts = found.path, found.facts
        if ticket.known or facts.sha1 in self._taken:
            self.progress.counts[KNOWN] += 1
            return None
        refused = _refused(facts.size, self._library.settings.extract.max_bytes)
        if refused:
            self._refuse(path, facts, *refused)
            return None
        if found.is_pdf:
            try:
                self._library.files.put_file("pdf", facts.sha1, "pdf", Path(path))
            except (OSError, Conflict) as error:  # it vanished or changed since it was hashed
                self._unreadable(path, str(error))
                return None
        self._taken.add(facts.sha1)
        return Job(path, facts, ticket.task.generation, kept=found.is_pdf)

    def _order(self, job: Job) -> bytes:
        path = self._library.files.local("pdf", job.facts.sha1, "pdf") if job.kept else Path(job.path)
        limits = self._library.settings.extract
        order = {"min_words": limits.min_words, "min_academic": limits.min_academic, "filter": limits.filter}
        return orjson.dumps({"path": order_path(path.absolute()), "sha1": job.facts.sha1, **order})

    def _refuse(self, path: str, facts: FileFacts, outcome: str, detail: str) -> None:
        with self._library.records.writing() as writer:
            writer.finish(facts.sha1, outcome, detail, ReadFacts(mime=facts.mime))
        self._count(path, outcome, detail)

    # -- back from the workers

    def _take_in(self, finished: list[Answer[Job]]) -> None:
        """Write a batch; a document that cannot be written fails alone."""
        if not finished:
            return
        readings = [_Reading.of(answer) for answer in finished]
        try:
            self._write(readings)
        except OpenseerError:
            raise
        except Exception:
            for reading in readings:
                self._write_alone(reading)
        for reading in readings:
            self._count(reading.job.path, reading.outcome, reading.detail)

    def _write_alone(self, reading: _Reading) -> None:
        try:
            self._write([reading])
        except OpenseerError:
            raise
        except Exception as error:
            reading.fail("store_unavailable", f"{type(error).__name__}: {error}")
            self._write([reading])

    def _write(self, readings: list[_Reading]) -> None:
        for reading in readings:
            reading.keep_files(self._library)
        with self._library.records.writing() as writer:
            touched = [reading.observe(writer) for reading in readings]
            settle(writer, {name: held for one in readings for name, held in one.keys.items()}, together(touched))
            for reading in readings:
                reading.finish(writer)
        for reading in readings:
            reading.forget_older(self._library)

    def _count(self, path: str, outcome: str, detail: str) -> None:
        self.progress.counts[outcome] += 1
        if outcome != "ingested":
            self._trouble(path, f"{outcome}: {detail}")

    def _trouble(self, path: str, what: str) -> None:
        self.progress.troubles.append((printable(path), what))


class _Reading:
    """What a worker brought of one file, on its way into the stores."""

    def __init__(self, job: Job, head: dict[str, Any], payload: Sequence[bytes]) -> None:
        self.job, self._head, self._payload = job, head, payload

    @classmethod
    def of(cls, answer: Answer[Job]) -> _Reading:
        if answer.failure:
            return cls(answer.key, {"mime": PDF, "outcome": answer.failure, "detail": answer.detail}, ())
        return cls(answer.key, orjson.loads(answer.frames[0]), answer.frames[1:])

    def fail(self, outcome: str, detail: str) -> None:
        self._head, self._payload = {"mime": self._head["mime"], "outcome": outcome, "detail": detail}, ()

    @property
    def outcome(self) -> str:
        return str(self._head["outcome"])

    @property
    def detail(self) -> str:
        return str(self._head["detail"])

    @property
    def keys(self) -> dict[str, list[str]]:
        return dict(self._head.get("keys", {}))

    def keep_files(self, library: Library) -> None:
        """Files before rows."""
        if self._payload:
            extraction, text, _ = self._payload
            sha1, generation = self.job.facts.sha1, self.job.generation
            library.files.put("extraction", sha1, f"{generation}.json.gz", extraction)
            library.files.put("text", sha1, f"{generation}.txt.gz", text)

    def forget_older(self, library: Library) -> None:
        """Once the newer reading stands, the files of the older ones are of no use."""
        if self._payload:
            for generation in range(1, self.job.generation):
                library.files.delete("extraction", self.job.facts.sha1, f"{generation}.json.gz")
                library.files.delete("text", self.job.facts.sha1, f"{generation}.txt.gz")

    def observe(self, writer: Writer) -> Touched:
        """Let what the document says of works stand; what is to be settled."""
        if not self._payload:
            return Touched()
        sha1, generation = self.job.facts.sha1, self.job.generation
        descriptions = [Description(*row) for row in self._head["descriptions"]]
        observations = [Observation(*row) for row in self._head["observations"]]
        touched = writer.replace_observations(sha1, generation, observations, descriptions)
        writer.keep_reading(sha1, generation, self._payload[2])
        return touched

    def finish(self, writer: Writer) -> None:
        known = ("mime", "pages", "words", "language", "simhash")
        read_facts = {name: self._head[name] for name in known if name in self._head}
        facts = ReadFacts(**read_facts, kept=self.job.kept, generation=self.job.generation)
        writer.finish(self.job.facts.sha1, self.outcome, self.detail, facts)


def hash_file(path: Path) -> tuple[FileFacts, bytes]:
    """Both hashes and the size of a file in one pass, and its first bytes."""
    sha1, sha256 = hashlib.sha1(usedforsecurity=False), hashlib.sha256()
    head, size = b"", 0
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            head = head or block[:HEAD]
            size += len(block)
            sha1.update(block)
            sha256.update(block)
    return FileFacts(sha1.hexdigest(), sha256.hexdigest(), size), head


def _refused(size: int, limit: int) -> tuple[str, str] | None:
    """Why a file is not even handed to a reader."""
    if size == 0:
        return "empty", "The file holds nothing."
    return ("too_large", str(TooLarge(size, limit))) if size > limit else None
