"""Files to ingest: found below paths or in watched folders, hashed and typed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from openseer.acquire.archives.kinds import ArchiveKind, kind_of
from openseer.acquire.hashing import hash_file
from openseer.acquire.local_files import files_in, resource_of
from openseer.core.model.document import FileFacts
from openseer.core.model.document_type import DocumentType
from openseer.core.model.file_head import FileHead
from openseer.core.model.resource import Resource
from openseer.extract.formats import marks, type_of

Stamp = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that was hashed and typed."""

    path: str
    resource: Resource
    facts: FileFacts
    type: DocumentType | None
    """None if no reader takes it."""
    archive: ArchiveKind | None = None
    """Its kind, if it is an archive to be unpacked."""
    unpacked: Path | None = None
    """A temporary file, if it is a member of an archive; `path` is its name then."""

    @property
    def file(self) -> Path:
        """Where its bytes are."""
        return self.unpacked or Path(self.path)

    def release(self) -> None:
        """Delete the temporary file of a member."""
        if self.unpacked:
            self.unpacked.unlink(missing_ok=True)


def inspect(path: str) -> FoundFile:
    """Hash a file and find its type; raises OSError if it cannot be read."""
    resource = resource_of(path)
    facts, head = hash_file(Path(path), marks())
    kind, document_type = kind_of(head.start), type_of(head)
    if kind and not (document_type and kind.may_be_document):
        return FoundFile(path, resource, replace(facts, mime=kind.mime), None, kind)
    return FoundFile(path, resource, typed(facts, document_type), document_type)


def typed(facts: FileFacts, document_type: DocumentType | None) -> FileFacts:
    """The facts with the MIME type, by which a document that waits finds its original again."""
    return replace(facts, mime=document_type.mime) if document_type else facts


def archive_kind(head: FileHead) -> ArchiveKind | None:
    """The kind of an archive; None for other files, and for documents in the form of an archive."""
    kind = kind_of(head.start)
    return None if kind is None or (kind.may_be_document and type_of(head)) else kind


def inspect_member(archive: FoundFile, name: str, file: Path) -> FoundFile:
    """Hash a member of an archive and find its type."""
    facts, head = hash_file(file, marks(), name)
    found, resource = type_of(head), archive.resource.member(name)
    return FoundFile(f"{archive.path}/{name}", resource, typed(facts, found), found, unpacked=file)


def count_files(paths: Iterable[Path], excluded: Path) -> int:
    """The number of files below these paths."""
    return sum(1 for _ in files_in(paths, lambda path, reason: None, excluded=excluded))


class WatchedFolders:
    """Folders whose new and changed files are ingested once they are complete."""

    def __init__(self, folders: Sequence[Path], excluded: Path) -> None:
        self._folders, self._excluded = folders, excluded
        self._last: dict[str, Stamp] = {}
        self._given: dict[str, Stamp] = {}

    def complete_files(self) -> list[str]:
        """Files whose size and time are the same as at the last call, and that were not returned as they are now."""
        now = {path: stamp for path in self._files() if (stamp := _stamp(path))}
        complete = [path for path, stamp in now.items() if self._last.get(path) == stamp != self._given.get(path)]
        self._given = {path: stamp for path, stamp in self._given.items() if path in now}
        self._given |= {path: now[path] for path in complete}
        self._last = now
        return complete

    def _files(self) -> Iterator[str]:
        return files_in(self._folders, lambda path, reason: None, excluded=self._excluded)


def _stamp(path: str) -> Stamp | None:
    """Size and modification time, which change while a file is being written."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a Path object for each of many files costs too much
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
