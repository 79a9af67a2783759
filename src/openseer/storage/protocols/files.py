"""Interface of the file store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, Protocol


class Files(Protocol):
    """Files by kind, SHA-1 and suffix; a stored file never changes."""

    def put(self, kind: str, sha1: str, suffix: str, data: bytes) -> None:
        """Store bytes atomically; they survive a power cut after `sync`."""

    def put_file(self, kind: str, sha1: str, suffix: str, source: Path) -> None:
        """Store a copy of a file, block by block; raises Conflict if its SHA-1 is another one."""

    def sync(self) -> None:
        """Flush everything stored so far to disk; once for many files, before the records name them."""

    def read(self, kind: str, sha1: str, suffix: str) -> bytes:
        """The content of a file."""

    def open(self, kind: str, sha1: str, suffix: str) -> BinaryIO:
        """A file opened for reading, to serve parts of it."""

    def as_path(self, kind: str, sha1: str, suffix: str) -> AbstractContextManager[Path]:
        """A local path of the file while the context lasts; a remote store downloads it."""

    def has(self, kind: str, sha1: str, suffix: str) -> bool:
        """True if the file is stored."""

    def size(self, kind: str, sha1: str, suffix: str) -> int | None:
        """Size in bytes; None if the file is not stored."""

    def delete(self, kind: str, sha1: str, suffix: str) -> None:
        """Delete a file; no error if there is none."""

    def names(self, kind: str) -> Iterator[tuple[str, str]]:
        """SHA-1 and suffix of every file of one kind, in order."""

    def sweep(self) -> int:
        """Delete half-written files of killed processes and return their number; only while nothing writes."""
