"""Entries of tar archives and of compressed files by the standard library, where libarchive is not installed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

from openseer.acquire.archives.entries import (
    BLOCK_BYTES,
    LIBARCHIVE_HINT,
    ArchiveUnreadable,
    Entry,
    MemberRefused,
    refusal_of,
)
from openseer.acquire.archives.kinds import BZIP2, GZIP, TAR, XZ, ArchiveKind, kind_of
from openseer.acquire.archives.names import decode_name, inner_name

OPENERS: dict[str, Callable[[Any], Any]] = {GZIP.name: gzip.open, BZIP2.name: bz2.open, XZ.name: lzma.open}
DAMAGE = (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, ValueError, OSError)
HEAD_BYTES = 512
MODES = {tarfile.SYMTYPE: 0o120000, tarfile.CHRTYPE: 0o020000, tarfile.BLKTYPE: 0o060000, tarfile.FIFOTYPE: 0o010000}


def standard_entries(path: Path, kind: ArchiveKind, name: str) -> Iterator[Entry]:
    """The files of a tar archive or a compressed file."""
    if kind != TAR and kind.name not in OPENERS:
        why = f"{kind.name} archives need libarchive, which is not installed. {LIBARCHIVE_HINT}"
        raise ArchiveUnreadable(why, "unsupported_type")
    try:
        with path.open("rb") as packed:
            if kind == TAR:
                yield from _tar_entries(packed, packed)
                return
            stream = io.BufferedReader(OPENERS[kind.name](packed), BLOCK_BYTES)
            if kind_of(stream.peek(HEAD_BYTES)) == TAR:
                yield from _tar_entries(stream, packed)
            else:
                yield Entry(inner_name(name, kind), lambda: _blocks(stream), None, packed.tell)
    except DAMAGE as error:
        raise ArchiveUnreadable(f"It is damaged or cut off: {error}.") from error


def _tar_entries(stream: IO[bytes], packed: IO[bytes]) -> Iterator[Entry]:
    with tarfile.open(fileobj=stream, mode="r|", errors="surrogateescape") as archive:
        for info in archive:
            archive.members.clear()  # type: ignore[attr-defined]  # it would hold all members otherwise
            if info.isdir():
                continue
            name = decode_name(info.name.encode("utf-8", "surrogateescape"), "cp1252")
            refusal = refusal_of(name, MODES.get(info.type, 0), info.islnk(), False)
            content = archive.extractfile(info) if info.isreg() else None
            yield Entry(
                name,
                partial(_blocks, content or io.BytesIO()),
                refusal,
                partial(_packed_bytes, packed, packed.tell()),
                must_be_read=content is not None,
            )


def _packed_bytes(packed: IO[bytes], start: int) -> int:
    """Bytes of the archive that were read since a position; the stream reads ahead by at most a block."""
    return packed.tell() - start + BLOCK_BYTES


def _blocks(content: IO[bytes]) -> Iterator[bytes]:
    try:
        while block := content.read(BLOCK_BYTES):
            yield block
    except DAMAGE as error:
        raise MemberRefused("archive_refused", f"It is damaged or cut off: {error}.") from error
