"""ZIP unpacking in a worker; members are written to numbered files, independent of their names.

Sizes are counted during unpacking, since the archive headers are not trusted."""

from __future__ import annotations

import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from openseer.core.errors import ArchiveRefused

ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
"""Magic bytes of ZIP files; the second is an empty archive."""
BLOCK_BYTES = 1 << 16
MAX_DEPTH = 2
"""Nesting of archives: the uploaded one, and those in it."""
MAX_RATIO, MIN_RATIO_BYTES = 200, 1 << 20
"""A larger member with a higher compression ratio is rejected as a ZIP bomb."""
NON_ARCHIVE_MEMBERS = ("[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF")
"""Members of documents and programs in ZIP format."""
MAX_NAME_LENGTH = 300
MAX_ENTRIES_PER_FILE, MAX_ENTRY_BYTES = 10, 600
"""Entries of folders and hidden files beside each allowed file, and bytes of an entry in the directory."""
MAX_END_BYTES = 65_535 + 22 + 20
"""Where the end record of a ZIP lies: before a comment."""


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Limits for an archive including nested archives."""

    members: int
    total_bytes: int
    member_bytes: int


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive: where it was written, or why it was rejected."""

    name: str
    file: str = ""
    why: str = ""
    code: str = ""


def looks_like_zip(head: bytes) -> bool:
    """True if the first bytes are those of a ZIP file."""
    return head.startswith(ZIP_SIGNATURES)


def encode_request(archive: Path, target: Path, limits: ArchiveLimits) -> bytes:
    """Request to the worker; paths may contain any bytes."""
    limits_json = {"members": limits.members, "total_bytes": limits.total_bytes, "member_bytes": limits.member_bytes}
    return b"\n".join([orjson.dumps(limits_json), os.fsencode(archive), os.fsencode(target)])


def unpack_job(job: bytes) -> Sequence[bytes]:
    """Worker job: the members, or one error."""
    limits_json, archive, target = job.split(b"\n", 2)
    limits = ArchiveLimits(**orjson.loads(limits_json))
    try:
        members = list(_Unpacker(Path(os.fsdecode(target)), limits).members(Path(os.fsdecode(archive)), "", 1))
    except ArchiveRefused as error:
        return [orjson.dumps({"error": str(error)})]
    return [orjson.dumps({"members": [_as_record(one) for one in members]})]


def decode_members(frame: bytes) -> list[Member]:
    """Members from the worker result."""
    result: dict[str, Any] = orjson.loads(frame)
    if "error" in result:
        raise ArchiveRefused(result["error"])
    return [Member(**one) for one in result["members"]]


def _as_record(one: Member) -> dict[str, str]:
    return {"name": one.name, "file": one.file, "why": one.why, "code": one.code}


class _RejectedMember(Exception):
    """A member that is not unpacked."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class _LimitExceeded(ArchiveRefused):
    """The whole archive is rejected, at any depth."""


class _Unpacker:
    """Unpacks an archive and those inside it, and counts members and bytes."""

    def __init__(self, target: Path, limits: ArchiveLimits) -> None:
        self._target, self._limits = target, limits
        self._count = self._bytes = self._files = 0

    def members(self, path: Path, prefix: str, depth: int) -> Iterator[Member]:
        """Every file in order, without folders and hidden files of file managers."""
        try:
            self._check_directory(path)
            with zipfile.ZipFile(path) as archive:
                infos = [info for info in archive.infolist() if not info.is_dir() and not _is_hidden(info.filename)]
                self._check_count(len(infos), [info.filename for info in infos])
                for info in infos:
                    yield from self._member(archive, info, prefix, depth)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError) as error:
            raise ArchiveRefused(f"It cannot be unpacked: {error}.") from error

    def _check_directory(self, path: Path) -> None:
        """Reject an archive with a huge directory before that is read."""
        entries, size = _directory_of(path)
        limit = MAX_ENTRIES_PER_FILE * self._limits.members
        if entries > limit or size > limit * MAX_ENTRY_BYTES:
            raise _LimitExceeded(f"It holds {entries:,} entries; {self._limits.members:,} files are allowed.")

    def _check_count(self, count: int, names: Sequence[str]) -> None:
        self._count += count
        if self._count > self._limits.members:
            raise _LimitExceeded(f"It holds {self._count:,} files; {self._limits.members:,} are allowed.")
        if not count:
            raise ArchiveRefused("It holds no files.")
        if any(name in NON_ARCHIVE_MEMBERS for name in names):
            raise ArchiveRefused("It is a document or a program in the form of a ZIP, not an archive of papers.")

    def _member(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, prefix: str, depth: int) -> Iterator[Member]:
        name = prefix + printable_name(info.filename)
        path = self._target / str(self._files)
        self._files += 1
        try:
            _check(info)
            head = self._write(archive, info, path)
            if not looks_like_zip(head):
                yield Member(name, path.name)
                return
            if depth == MAX_DEPTH:
                raise _RejectedMember("archive_refused", "Archives are nested too deep.")
            yield from self.members(path, f"{name}/", depth + 1)
        except _RejectedMember as error:
            yield Member(name, why=str(error), code=error.code)
        except _LimitExceeded:
            raise
        except ArchiveRefused as error:
            yield Member(name, why=str(error), code=error.code)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
            yield Member(name, why=f"It cannot be unpacked: {error}.", code="archive_refused")

    def _write(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> bytes:
        head, size = b"", 0
        with archive.open(info) as packed, path.open("wb") as out:
            while block := packed.read(BLOCK_BYTES):
                head = head or block[:8]
                size += len(block)
                self._bytes += len(block)
                if self._bytes > self._limits.total_bytes:
                    raise _LimitExceeded(f"It holds more than {self._limits.total_bytes:,} bytes.")
                if size > self._limits.member_bytes:
                    raise _RejectedMember("too_large", f"It has more than {self._limits.member_bytes:,} bytes.")
                if size > MIN_RATIO_BYTES and size > MAX_RATIO * max(1, info.compress_size):
                    raise _RejectedMember("archive_refused", f"It unpacks to more than {MAX_RATIO} times its size.")
                out.write(block)
        return head


def _directory_of(path: Path) -> tuple[int, int]:
    """Declared number of entries and bytes of the central directory; zeros if there is none."""
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        start = max(0, size - MAX_END_BYTES)
        stream.seek(start)
        tail = stream.read()
        at = tail.rfind(b"PK\x05\x06")
        if at < 0 or len(tail) < at + 22:
            return 0, 0
        entries, directory_bytes = struct.unpack("<HL", tail[at + 10 : at + 16])
        locator = at - 20
        if locator >= 0 and tail[locator : locator + 4] == b"PK\x06\x07":  # ZIP64: the same in longer fields
            (offset,) = struct.unpack("<Q", tail[locator + 8 : locator + 16])
            stream.seek(min(offset, size))
            record = stream.read(56)
            if record[:4] == b"PK\x06\x06" and len(record) == 56:
                entries, directory_bytes = struct.unpack("<QQ", record[32:48])
    return entries, directory_bytes


def _check(info: zipfile.ZipInfo) -> None:
    """Reject a member by its header, before unpacking."""
    parts = info.filename.replace("\\", "/").split("/")
    if ".." in parts or parts[0] == "" or ":" in parts[0]:
        raise _RejectedMember("archive_refused", "Its name leads out of the archive.")
    if info.flag_bits & 1:
        raise _RejectedMember("encrypted", "It needs a password.")
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        raise _RejectedMember("archive_refused", "It is a link or a device, not a file.")


def _is_hidden(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return parts[0] == "__MACOSX" or parts[-1] in ("Thumbs.db", "desktop.ini") or parts[-1].startswith(".")


def printable_name(name: str) -> str:
    """Name of a member as printable text.

    >>> printable_name("a\\x00b\\x1b[2J/c.pdf")
    'a b [2J/c.pdf'
    """
    return "".join(char if char.isprintable() else " " for char in name)[-MAX_NAME_LENGTH:]
