"""Entries of all archives but ZIP, by libarchive."""

from __future__ import annotations

import contextlib
import ctypes
import locale
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from openseer.acquire.archives.entries import (
    BLOCK_BYTES,
    ENCRYPTED,
    ArchiveUnreadable,
    Entry,
    MemberRefused,
    refusal_of,
)
from openseer.acquire.archives.kinds import ArchiveKind
from openseer.acquire.archives.names import decode_name, inner_name

os.environ.setdefault("LIBARCHIVE", "libarchive.so.13")  # else the binding starts programs to find it
try:
    from libarchive import ffi
    from libarchive.entry import ArchiveEntry
    from libarchive.exception import ArchiveError
except (ImportError, OSError, AttributeError, TypeError):  # the system library is optional
    ffi = None

FORMATS = {"tar": ("tar",), "cpio": ("cpio",), "7z": ("7zip",), "rar": ("rar", "rar5")}
"""Formats of libarchive by kind; a compressed file may be each of `INNER_FORMATS`."""
INNER_FORMATS = ("tar", "cpio", "raw")
FILTERS = ("gzip", "bzip2", "xz", "zstd", "compress")
"""Compressions that libarchive has itself; for others it would start programs."""
READ_BYTES = 1 << 16
FATAL = -30
ENCRYPTION_WORDS = ("encrypt", "crypto", "passphrase", "password")

logging.getLogger("libarchive").setLevel(logging.ERROR)  # it warns of every name that it cannot convert


def has_libarchive() -> bool:
    """True if the system library is installed."""
    return ffi is not None


def libarchive_entries(path: Path, kind: ArchiveKind, name: str) -> Iterator[Entry]:
    """The files of an archive, without folders; the content of each must be read before the next one is asked for."""
    damaged = _Damaged()
    try:
        with _opened(path, kind) as archive:
            while (entry := ArchiveEntry(archive)) and ffi.read_next_header2(archive, entry._entry_p) != 1:
                if not entry.isdir:
                    yield _entry(archive, entry, kind, name, damaged)
                if damaged.is_fatal:
                    if kind.is_single_file and ffi.format_name(archive) == b"raw":
                        return
                    raise ArchiveUnreadable("It is damaged or cut off: the rest of it was not read.")
    except ArchiveError as error:
        if _is_about_encryption(error):
            raise ArchiveUnreadable(ENCRYPTED[1], ENCRYPTED[0]) from error
        raise ArchiveUnreadable(f"It is damaged or cut off{_message(error)}.") from error


class _Damaged:
    """Whether an error ended the reading of an archive."""

    is_fatal = False


@contextmanager
def _opened(path: Path, kind: ArchiveKind) -> Iterator[Any]:
    """An open archive; libarchive reads it by its descriptor, so that its path may have any bytes."""
    with contextlib.suppress(locale.Error):  # names of some formats are converted to the encoding of the locale
        locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
    archive = ffi.read_new()
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        for one in FILTERS if kind.is_single_file else ():
            ffi.get_read_filter_function(one)(archive)
        for one in INNER_FORMATS if kind.is_single_file else FORMATS[kind.name]:
            ffi.get_read_format_function(one)(archive)
        ffi.read_open_fd(archive, descriptor, READ_BYTES)
        yield archive
    finally:
        ffi.read_free(archive)
        os.close(descriptor)


def _entry(archive: Any, entry: Any, kind: ArchiveKind, archive_name: str, damaged: _Damaged) -> Entry:
    is_raw = kind.is_single_file and ffi.format_name(archive) == b"raw"
    name = inner_name(archive_name, kind) if is_raw else _name_of(entry)
    refusal = None if is_raw else refusal_of(name, entry.mode, entry.islnk, _is_encrypted(entry))
    packed = ffi.filter_bytes(archive, -1)
    is_plain = ffi.filter_count(archive) == 1 and kind.name in ("tar", "cpio")
    return Entry(
        name,
        lambda: _blocks(archive, damaged),
        refusal,
        lambda: int(ffi.filter_bytes(archive, -1)) - packed + READ_BYTES,  # what was read ahead counts for the next one
        must_be_read=not is_plain and refusal != ENCRYPTED,
    )


def _blocks(archive: Any, damaged: _Damaged) -> Iterator[bytes]:
    buffer = ctypes.create_string_buffer(BLOCK_BYTES)
    try:
        while size := ffi.read_data(archive, buffer, BLOCK_BYTES):
            yield buffer.raw[:size]
    except ArchiveError as error:
        damaged.is_fatal = error.retcode == FATAL
        if _is_about_encryption(error):
            raise MemberRefused(*ENCRYPTED) from error
        raise MemberRefused("archive_refused", f"It is damaged or cut off{_message(error)}.") from error


def _name_of(entry: Any) -> str:
    name = ffi.entry_pathname(entry._entry_p)
    return decode_name(name, "cp1252") if name else ffi.entry_pathname_w(entry._entry_p) or ""


def _is_encrypted(entry: Any) -> bool:
    """True if its content is encrypted: libarchive may give encrypted bytes as content."""
    function = ffi.libarchive.archive_entry_is_encrypted
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_int
    return bool(function(entry._entry_p))


def _is_about_encryption(error: Any) -> bool:
    message = _message(error).lower()
    return any(word in message for word in ENCRYPTION_WORDS)


def _message(error: Any) -> str:
    """The message of an error after a colon, if it has one."""
    message = error.msg.decode("utf-8", "replace") if isinstance(error.msg, bytes) else str(error.msg or "")
    return f": {message.rstrip('. ')}" if message else ""
