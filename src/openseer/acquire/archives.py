"""ZIP archives are unpacked here, in a worker: every member into a numbered file, whatever it calls itself.

What an archive says of itself is not believed: bytes are counted as they come out.
"""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from openseer.core.errors import ArchiveRefused

MARKS = (b"PK\x03\x04", b"PK\x05\x06")
"""How a ZIP begins; the second one holds nothing."""
BLOCK = 1 << 16
DEEPEST = 2
"""Archives inside archives: the one that was given, and those in it."""
RATIO, RATIO_FROM = 200, 1 << 20
"""A member that grows so many times, and to so many bytes, is a trap."""
OFFICE = ("[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF")
"""Members by which documents and programs that are ZIPs inside are told from archives of papers."""
LONGEST_NAME = 300


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one archive may hold, all archives in it included."""

    members: int
    total_bytes: int
    member_bytes: int


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive: where it was written, or why it was not."""

    name: str
    file: str = ""
    why: str = ""
    code: str = ""


def looks_like_zip(head: bytes) -> bool:
    """Whether a file that begins like this may be an archive."""
    return head.startswith(MARKS)


def order(archive: Path, target: Path, bounds: Bounds) -> bytes:
    """What the worker is told; paths may have any bytes."""
    told = {"members": bounds.members, "total_bytes": bounds.total_bytes, "member_bytes": bounds.member_bytes}
    return b"\n".join([orjson.dumps(told), os.fsencode(archive), os.fsencode(target)])


def unpack_job(job: bytes) -> Sequence[bytes]:
    """Worker's part: the members, or one error."""
    told, archive, target = job.split(b"\n", 2)
    bounds = Bounds(**orjson.loads(told))
    try:
        members = list(_Unpacking(Path(os.fsdecode(target)), bounds).members(Path(os.fsdecode(archive)), "", 1))
    except ArchiveRefused as error:
        return [orjson.dumps({"error": str(error)})]
    return [orjson.dumps({"members": [_as_record(one) for one in members]})]


def members_of(frame: bytes) -> list[Member]:
    """The worker's answer."""
    told: dict[str, Any] = orjson.loads(frame)
    if "error" in told:
        raise ArchiveRefused(told["error"])
    return [Member(**one) for one in told["members"]]


def _as_record(one: Member) -> dict[str, str]:
    return {"name": one.name, "file": one.file, "why": one.why, "code": one.code}


class _Refused(Exception):
    """A member that is left where it is."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class _TooMuch(ArchiveRefused):
    """The whole archive is refused, wherever in it this was found."""


class _Unpacking:
    """One archive with those inside it, and how much came out so far."""

    def __init__(self, target: Path, bounds: Bounds) -> None:
        self._target, self._bounds = target, bounds
        self._count = self._bytes = self._files = 0

    def members(self, path: Path, before: str, depth: int) -> Iterator[Member]:
        """Every file in it, in its order; folders and what file managers hide are passed over."""
        try:
            with zipfile.ZipFile(path) as archive:
                infos = [info for info in archive.infolist() if not info.is_dir() and not _is_hidden(info.filename)]
                self._check_count(len(infos), [info.filename for info in infos])
                for info in infos:
                    yield from self._member(archive, info, before, depth)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError) as error:
            raise ArchiveRefused(f"It cannot be unpacked: {error}.") from error

    def _check_count(self, count: int, names: Sequence[str]) -> None:
        self._count += count
        if self._count > self._bounds.members:
            raise _TooMuch(f"It holds {self._count:,} files; {self._bounds.members:,} are allowed.")
        if not count:
            raise ArchiveRefused("It holds no files.")
        if any(name in OFFICE for name in names):
            raise ArchiveRefused("It is a document or a program in the form of a ZIP, not an archive of papers.")

    def _member(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, before: str, depth: int) -> Iterator[Member]:
        name = before + shown(info.filename)
        path = self._target / str(self._files)
        self._files += 1
        try:
            _check(info)
            head = self._write(archive, info, path)
            if not looks_like_zip(head):
                yield Member(name, path.name)
                return
            if depth == DEEPEST:
                raise _Refused("archive_refused", "Archives are nested too deep.")
            yield from self.members(path, f"{name}/", depth + 1)
        except _Refused as error:
            yield Member(name, why=str(error), code=error.code)
        except _TooMuch:
            raise
        except ArchiveRefused as error:
            yield Member(name, why=str(error), code=error.code)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
            yield Member(name, why=f"It cannot be unpacked: {error}.", code="archive_refused")

    def _write(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> bytes:
        head, size = b"", 0
        with archive.open(info) as packed, path.open("wb") as out:
            while block := packed.read(BLOCK):
                head = head or block[:8]
                size += len(block)
                self._bytes += len(block)
                if self._bytes > self._bounds.total_bytes:
                    raise _TooMuch(f"It holds more than {self._bounds.total_bytes:,} bytes.")
                if size > self._bounds.member_bytes:
                    raise _Refused("too_large", f"It has more than {self._bounds.member_bytes:,} bytes.")
                if size > RATIO_FROM and size > RATIO * max(1, info.compress_size):
                    raise _Refused("archive_refused", f"It grows to more than {RATIO} times its size.")
                out.write(block)
        return head


def _check(info: zipfile.ZipInfo) -> None:
    """What is refused before a byte is unpacked."""
    parts = info.filename.replace("\\", "/").split("/")
    if ".." in parts or parts[0] == "" or ":" in parts[0]:
        raise _Refused("archive_refused", "Its name leads out of the archive.")
    if info.flag_bits & 1:
        raise _Refused("encrypted", "It needs a password.")
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        raise _Refused("archive_refused", "It is a link or a device, not a file.")


def _is_hidden(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return parts[0] == "__MACOSX" or parts[-1] in ("Thumbs.db", "desktop.ini") or parts[-1].startswith(".")


def shown(name: str) -> str:
    """A member's name as it may be printed and stored.

    >>> shown("a\\x00b\\x1b[2J/c.pdf")
    'a b [2J/c.pdf'
    """
    return "".join(char if char.isprintable() else " " for char in name)[-LONGEST_NAME:]
