"""Files that come over the wire: kept, put into the queue, and read by a process that is started when there are any."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from openseer.acquire.sniff import PDF, sniff
from openseer.errors import Rejected, TooLarge, Unreadable, UnsupportedType
from openseer.extract.reading import version as reader_version
from openseer.library.opening import Library
from openseer.library.stores import ReadFacts
from openseer.pipeline import hash_file
from openseer.records.description import header_id, work_id_of
from openseer.records.document import FileFacts, Viewer
from openseer.records.resource import Resource
from openseer.records.task import JobState


@dataclass(frozen=True, slots=True)
class Receipt:
    """What somebody who gave a file takes away."""

    job: str
    sha1: str
    known: bool = False
    """Whether it was read before; there is nothing to wait for then."""


@dataclass(frozen=True, slots=True)
class Step:
    """How far one document of a job has come."""

    sha1: str
    state: str
    """waiting, held, done, cancelled or quarantined."""
    outcome: str
    detail: str
    work: str


class Receiver:
    """Takes files in for one library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._reader: subprocess.Popen[bytes] | None = None

    def receive(self, blocks: Iterable[bytes], name: str) -> Receipt:
        """Keep a file and see to it that it is read. What is no paper for sure is refused at once, and noted."""
        spool = self._library.data / "spool"
        spool.mkdir(exist_ok=True)
        path = spool / f"{uuid.uuid4().hex}.part"
        try:
            self._write(path, blocks)
            return self._take(path, name)
        except OSError as error:
            raise Unreadable(f"The file could not be kept: {error.strerror}.") from error
        finally:
            path.unlink(missing_ok=True)

    def _write(self, path: Path, blocks: Iterable[bytes]) -> None:
        size, limit = 0, self._library.settings.extract.max_bytes
        with path.open("wb") as out:
            for block in blocks:
                size += len(block)
                if size > limit:
                    raise TooLarge(size, limit)
                out.write(block)

    def _take(self, path: Path, name: str) -> Receipt:
        facts, head = hash_file(path)
        mime = sniff(head)
        if mime == PDF:
            self._library.files.put_file("pdf", facts.sha1, "pdf", path)
            self._library.files.sync()
        source = Resource(f"upload:{name or facts.sha1}", fetched_at=time.time(), is_seed=True)
        with self._library.records.writing() as writer:
            job = writer.open_job(f"upload {name or facts.sha1}")
            ticket = writer.see(source, facts, reader_version(), job=job)
            if mime != PDF and not ticket.known:
                outcome = "unsupported_type" if head else "empty"
                writer.finish(facts.sha1, outcome, f"An upload: {name}", ReadFacts(mime=mime))
                writer.set_job(job, JobState.ENDED)
        self._refuse(facts, mime)
        if not ticket.known:
            self.wake()
        return Receipt(job, facts.sha1, ticket.known)

    def _refuse(self, facts: FileFacts, mime: str) -> None:
        if not facts.size:
            raise Rejected("The file holds nothing.")
        if mime != PDF:
            raise UnsupportedType(mime or "such files")

    def wake(self) -> None:
        """Let a process read what is due, unless one does already; it ends by itself."""
        with self._lock:
            if self._reader is None or self._reader.poll() is not None:
                self._reader = subprocess.Popen(
                    [sys.executable, "-P", "-m", "openseer", "--data", str(self._library.data), "worker", "--once"],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )

    def steps(self, job: str) -> list[Step]:
        """How far the documents of a job have come; a reader that died is started again."""
        records = self._library.records
        found = []
        for sha1, state in records.job_documents(job):
            document = records.document(sha1, Viewer.OPERATOR)
            header = work_id_of(header_id(sha1))
            work = records.root(header, Viewer.OPERATOR) if document.outcome == "ingested" else ""
            found.append(Step(sha1, state, document.outcome or "", document.detail, work))
        if any(one.state == "waiting" for one in found):
            self.wake()
        return found

    def close(self) -> None:
        """Wait for the reader to end."""
        if self._reader is not None:
            self._reader.terminate()
            self._reader.wait(timeout=60)
