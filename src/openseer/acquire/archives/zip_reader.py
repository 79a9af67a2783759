"""Entries of ZIP archives, by the standard library."""

from __future__ import annotations

import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from openseer.acquire.archives.entries import (
    BLOCK_BYTES,
    ArchiveUnreadable,
    Entry,
    IsDocument,
    LimitExceeded,
    MemberRefused,
    refusal_of,
)
from openseer.acquire.archives.names import decode_name, is_hidden

DOCUMENT_MEMBERS = ("[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF")
"""Members of documents and programs in ZIP format."""
UTF8_FLAG, ENCRYPTION_FLAGS = 0x800, 0x41
MAX_ENTRIES_PER_FILE, MAX_ENTRY_BYTES = 10, 600
"""Entries of folders and hidden files beside each allowed file, and bytes of an entry in the directory."""
MAX_END_BYTES = 65_535 + 22 + 20
"""Where the end record of a ZIP lies: before a comment."""
LOCAL_HEADER_BYTES = 30
DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError, struct.error, OSError)
"""Errors of `zipfile` for damaged archives."""


def zip_entries(path: Path, max_members: int) -> Iterator[Entry]:
    """The files of a ZIP, without folders."""
    try:
        _check_directory(path, max_members)
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            _check_members(infos, max_members)
            overlapping = _overlapping(infos)
            for info in infos:
                yield _entry(archive, info, info.header_offset in overlapping)
    except (*DAMAGE, NotImplementedError) as error:
        raise ArchiveUnreadable(f"It is damaged or cut off: {error}.") from error


def _check_directory(path: Path, max_members: int) -> None:
    """Reject an archive with a huge directory before that is read."""
    entries, size = _directory_of(path)
    limit = MAX_ENTRIES_PER_FILE * max_members
    if entries > limit or size > limit * MAX_ENTRY_BYTES:
        raise LimitExceeded(f"It holds {entries:,} entries; {max_members:,} files are allowed.")


def _check_members(infos: Sequence[zipfile.ZipInfo], max_members: int) -> None:
    if any(info.filename in DOCUMENT_MEMBERS for info in infos):
        raise IsDocument("It is a document or a program in the form of a ZIP, not an archive.", "unsupported_type")
    if (count := sum(not is_hidden(info.filename) for info in infos)) > max_members:
        raise LimitExceeded(f"It holds {count:,} files; {max_members:,} are allowed.")


def _overlapping(infos: Sequence[zipfile.ZipInfo]) -> set[int]:
    """Offsets of entries that begin inside the data of another one."""
    found: set[int] = set()
    end = 0
    for info in sorted(infos, key=lambda one: one.header_offset):
        if info.header_offset < end:
            found.add(info.header_offset)
        end = max(end, info.header_offset + LOCAL_HEADER_BYTES + len(info.orig_filename) + info.compress_size)
    return found


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, is_overlapping: bool) -> Entry:
    name = info.orig_filename
    if not info.flag_bits & UTF8_FLAG:
        name = decode_name(name.encode("cp437"), "cp437")
    refusal = refusal_of(name, info.external_attr >> 16, False, bool(info.flag_bits & ENCRYPTION_FLAGS))
    if refusal is None and is_overlapping:
        refusal = "archive_refused", "It overlaps another member."
    return Entry(name, lambda: _blocks(archive, info), refusal, lambda: info.compress_size, info.file_size)


def _blocks(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    try:
        with archive.open(info) as packed:
            while block := packed.read(BLOCK_BYTES):
                yield block
    except NotImplementedError:
        raise MemberRefused("archive_refused", f"Its compression method {info.compress_type} is not known.") from None
    except (*DAMAGE, RuntimeError) as error:
        raise MemberRefused("archive_refused", f"It is damaged: {error}.") from error


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
