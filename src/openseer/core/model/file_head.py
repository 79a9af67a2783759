"""The beginning of a file, by which readers recognise its format."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

HEAD_BYTES = 4096
"""Bytes needed to recognise a format."""
CONTAINERS = (b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0")
"""Starts of container files: ZIP and OLE."""
BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class FileHead:
    """First bytes of a file, its name, and marks found anywhere in it."""

    start: bytes
    name: str = ""
    """A hint among text formats, which no bytes tell apart."""
    marks: frozenset[bytes] = frozenset()
    """Those of the looked-for byte strings that a container file has; formats inside ZIP and OLE differ by them."""

    @property
    def suffix(self) -> str:
        """Suffix of the name in lower case, without the dot."""
        return self.name.rpartition(".")[2].lower() if "." in self.name else ""


class MarkFinder:
    """Finds marks in the blocks of a container file."""

    def __init__(self, marks: Collection[bytes]) -> None:
        self._missing, self.found = set(marks), set[bytes]()
        self._overlap = max(map(len, marks), default=1) - 1
        self._end = b""
        self._is_container: bool | None = None

    def add(self, block: bytes) -> None:
        """Search the next block."""
        if self._is_container is None:
            self._is_container = block.startswith(CONTAINERS)
        if self._is_container and self._missing:
            window = self._end + block
            here = {mark for mark in self._missing if mark in window}
            self.found |= here
            self._missing -= here
            self._end = window[-self._overlap :] if self._overlap else b""


def head_of(path: Path, marks: Collection[bytes], name: str = "") -> FileHead:
    """The head of a file; reads all of it if it is a container."""
    finder, start = MarkFinder(marks), b""
    with path.open("rb") as stream:
        while block := stream.read(BLOCK_BYTES):
            start = start or block[:HEAD_BYTES]
            finder.add(block)
            if not start.startswith(CONTAINERS):
                break
    return FileHead(start, name or path.name, frozenset(finder.found))
