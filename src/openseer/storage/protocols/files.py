"""Interface of the file store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol


class Files(Protocol):
    """Bytes by type, SHA-1 and suffix. What was put once is never changed."""

    def put(self, kind: str, sha1: str, suffix: str, data: bytes) -> None:
        """Keep bytes: under their name there are all of them or none; safe from a power cut after `sync`."""

    def put_file(self, kind: str, sha1: str, suffix: str, source: Path) -> None:
        """Keep a copy of a file, without holding it in memory."""

    def sync(self) -> None:
        """See to it that everything put so far is on the disk; once for many files, before records name them."""

    def read(self, kind: str, sha1: str, suffix: str) -> bytes:
        """The bytes again."""

    def open(self, kind: str, sha1: str, suffix: str) -> BinaryIO:
        """The bytes as an open file, to serve parts of it."""

    def local(self, kind: str, sha1: str, suffix: str) -> Path:
        """A path where a reader process finds the file."""

    def has(self, kind: str, sha1: str, suffix: str) -> bool:
        """Whether it is kept."""

    def size(self, kind: str, sha1: str, suffix: str) -> int | None:
        """How many bytes it has; None if it is not kept."""

    def delete(self, kind: str, sha1: str, suffix: str) -> None:
        """Forget it; no error if it is not there."""

    def names(self, kind: str) -> Iterator[tuple[str, str]]:
        """Every (SHA-1, suffix) of one type."""

    def sweep(self) -> int:
        """Delete half-written files of killed processes and return their number; only while nothing writes."""
