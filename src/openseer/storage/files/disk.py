"""File store on disk, addressed by SHA-1: one directory tree for each type, files read-only once written.

Originals use a seven-level hash path with a folder for each file, as in the published repositories. Derived files use
two levels: fourteen more folders for each paper cost 10 % of the write time.
"""

from __future__ import annotations

import ctypes
import hashlib
import heapq
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from openseer.core.errors import Conflict, NotFound, StoreUnavailable
from openseer.storage.durable_files import as_storage_error

INCOMING = "incoming"
"""Folder of temporary files; `openseer verify --repair` removes those left by a killed process."""
DERIVED_TYPES = frozenset({"text", "extraction"})
"""Types of files derived from originals."""
ORIGINAL_LEVELS, DERIVED_LEVELS = 7, 2
"""Levels of folders, each named by two digits."""


class DiskFiles:
    """`Files` in a directory tree: `pdf/a7/b9/8e/a0/f9/4b/92/<sha1>/<sha1>.pdf`, `text/a7/b9/<sha1>.1.txt.gz`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def local(self, kind: str, sha1: str, suffix: str) -> Path:
        if kind not in DERIVED_TYPES:
            return self._original_path(kind, sha1, suffix)
        path = self.root.joinpath(kind, sha1[:2], sha1[2:4], f"{sha1}.{suffix}")
        if not path.exists() and (old_path := self._original_path(kind, sha1, suffix)).exists():
            return old_path  # written before derived files moved to two levels
        return path

    @contextmanager
    def as_path(self, kind: str, sha1: str, suffix: str) -> Iterator[Path]:
        yield self.local(kind, sha1, suffix)

    def _original_path(self, kind: str, sha1: str, suffix: str) -> Path:
        pairs = [sha1[at : at + 2] for at in range(0, 2 * ORIGINAL_LEVELS, 2)]
        return self.root.joinpath(kind, *pairs, sha1, f"{sha1}.{suffix}")

    def put(self, kind: str, sha1: str, suffix: str, data: bytes) -> None:
        self._write(self.local(kind, sha1, suffix), lambda out: _write_all(out, data))

    def put_file(self, kind: str, sha1: str, suffix: str, source: Path) -> None:
        target = self.local(kind, sha1, suffix)
        if target.exists() and target.stat().st_size == source.stat().st_size:  # a power failure may have truncated it
            return
        with source.open("rb") as stream:
            self._write(target, lambda out: _copy(stream, out, sha1, source))

    def read(self, kind: str, sha1: str, suffix: str) -> bytes:
        with self.open(kind, sha1, suffix) as stream:
            return stream.read()

    def open(self, kind: str, sha1: str, suffix: str) -> BinaryIO:
        try:
            return self.local(kind, sha1, suffix).open("rb")
        except FileNotFoundError:
            raise NotFound(f"There is no {kind} of {sha1}.", "`openseer verify` lists missing files.") from None
        except OSError as error:
            raise StoreUnavailable(f"The file store does not answer: {error.strerror}.") from error

    def has(self, kind: str, sha1: str, suffix: str) -> bool:
        return self.local(kind, sha1, suffix).exists()

    def size(self, kind: str, sha1: str, suffix: str) -> int | None:
        try:
            return self.local(kind, sha1, suffix).stat().st_size
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreUnavailable(f"The file store does not answer: {error.strerror}.") from error

    def delete(self, kind: str, sha1: str, suffix: str) -> None:
        self.local(kind, sha1, suffix).unlink(missing_ok=True)

    def names(self, kind: str) -> Iterator[tuple[str, str]]:
        tree = str(self.root / kind)
        for name in heapq.merge(_names(tree, ORIGINAL_LEVELS + 1), _names(tree, DERIVED_LEVELS)):
            sha1, _, suffix = name.partition(".")
            yield sha1, suffix

    def sync(self) -> None:
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
            try:
                if ctypes.CDLL(None, use_errno=True).syncfs(handle):
                    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
            finally:
                os.close(handle)
        except OSError as error:
            raise as_storage_error(error, self.root) from error

    def sweep(self) -> int:
        """Remove temporary files left by killed processes; call it only while no process writes."""
        leftovers = list(self.root.joinpath(INCOMING).glob("*"))
        for path in leftovers:
            path.unlink(missing_ok=True)
        return len(leftovers)

    def _write(self, target: Path, fill: Callable[[BinaryIO], None]) -> None:
        """Write atomically: to a temporary file, which is then renamed."""
        incoming = self.root / INCOMING
        try:
            incoming.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=incoming)
            try:
                with os.fdopen(handle, "wb") as out:
                    fill(out)
                    os.fchmod(out.fileno(), 0o444)
                target.parent.mkdir(parents=True, exist_ok=True)
                Path(temporary).replace(target)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise as_storage_error(error, self.root) from error


def _names(folder: str, levels: int) -> Iterator[str]:
    """Sorted names of the files this many levels below; only the current folders are held in memory."""
    try:
        with os.scandir(folder) as found:
            here = sorted(one.name for one in found if one.is_dir(follow_symlinks=False) == bool(levels))
    except OSError:
        return
    for name in here:
        if levels:
            yield from _names(f"{folder}/{name}", levels - 1)
        else:
            yield name


def _copy(stream: BinaryIO, out: BinaryIO, sha1: str, source: Path) -> None:
    """Copy a stream; raises Conflict if its SHA-1 differs (the file changed after it was hashed)."""
    digest = hashlib.sha1(usedforsecurity=False)
    while block := stream.read(1 << 20):
        digest.update(block)
        out.write(block)
    if digest.hexdigest() != sha1:
        raise Conflict(f"{source} changed while it was being ingested.", "Run the command again later.")


def _write_all(out: BinaryIO, data: bytes) -> None:
    out.write(data)
