"""Files of an ingest run: plain files, and the members of archives, unpacked while they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace

from openseer.acquire.archives.unpacker import Member
from openseer.ingest.document_types import EXTRACTOR_VERSION
from openseer.ingest.progress import REJECTED_BEFORE, UNREADABLE, Progress
from openseer.ingest.sources import FoundFile, inspect, inspect_member
from openseer.ingest.spool import run_folder
from openseer.ingest.unpacking import ArchiveReader, Refusals, ingest_limits
from openseer.storage.durable_files import as_storage_error
from openseer.storage.open import Library
from openseer.storage.protocols.records import ExtractionFacts


class FoundFiles:
    """Files of one run; archives among them are opened, and have a row of their own only if some of it is refused."""

    def __init__(self, library: Library, progress: Progress) -> None:
        self._library, self._progress = library, progress
        self._resources = ExitStack()
        self._reader: ArchiveReader | None = None
        self.job = ""

    def __call__(self, paths: Iterable[str]) -> Iterator[FoundFile | None]:
        """The files, hashed and typed; None while unpacking takes long."""
        for path in paths:
            try:
                found = inspect(path)
            except OSError as error:
                self.unreadable(path, error.strerror or "cannot be read")
                continue
            if found.archive:
                yield from self._members(found)
            else:
                yield found

    def unreadable(self, path: str, reason: str) -> None:
        """Count a file that cannot be read."""
        self._progress.trouble(path, UNREADABLE, reason)
        self._progress.count(UNREADABLE)

    def close(self) -> None:
        """Stop unpacking and delete all temporary files of the run."""
        self._resources.close()
        self._reader = None

    def _members(self, archive: FoundFile) -> Iterator[FoundFile | None]:
        before = self._outcome_before(archive)
        reader = self._opened()
        refusals, given = Refusals(), 0
        self._progress.total -= 1
        for member in reader.members(archive.file, archive.path.rpartition("/")[2]):
            if member is None:
                yield None
                continue
            self._progress.total += 1
            if member.is_document:
                yield replace(archive, archive=None, facts=replace(archive.facts, mime=""))
            elif member.why:
                refusals.add(member, given)
                self._refuse(archive, member, bool(before))
            else:
                given += 1
                try:
                    yield inspect_member(archive, member.name, reader.path_of(member))
                except OSError as error:  # of the spool
                    raise as_storage_error(error, self._library.data) from error
        if refusals.count:
            self._record(archive, refusals)

    def _opened(self) -> ArchiveReader:
        """The reader, started for the first archive."""
        if self._reader is None:
            settings, data = self._library.settings, self._library.data
            try:
                folder = self._resources.enter_context(run_folder(data / "spool"))
            except OSError as error:
                raise as_storage_error(error, data) from error
            self._reader = ArchiveReader(folder, ingest_limits(settings), settings)
            self._resources.callback(self._reader.close)
        return self._reader

    def _outcome_before(self, archive: FoundFile) -> str | None:
        """Outcome of the archive in an earlier run, if it was refused then."""
        documents = self._library.records.documents_by_sha1([archive.facts.sha1])
        return documents[archive.facts.sha1].outcome if documents else None

    def _refuse(self, archive: FoundFile, member: Member, before: bool) -> None:
        path = f"{archive.path}/{member.name}" if member.name else archive.path
        self._progress.count(REJECTED_BEFORE if before else member.code)
        self._progress.trouble(path, member.code, member.why, before)

    def _record(self, archive: FoundFile, refusals: Refusals) -> None:
        """The row of an archive that was refused, in part or completely."""
        with self._library.records.writing() as writer:
            writer.register(archive.resource, archive.facts, EXTRACTOR_VERSION, job=self.job)
            facts = ExtractionFacts(mime=archive.facts.mime)
            writer.acknowledge(archive.facts.sha1, refusals.code, refusals.detail, facts)
