"""Archive of imported records: one blob for each bibliography, with random access to a single record."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any, BinaryIO

import orjson

OFFSET = struct.Struct("<Q")
"""Offset of a record; the blob starts with the table of offsets, plus one for the end."""


def compress_record(record: dict[str, Any]) -> bytes:
    """Compress one record for the archive."""
    return zlib.compress(orjson.dumps(record), 6)


def pack_archive(bodies: Sequence[bytes]) -> bytes:
    """The archive blob of compressed records."""
    offset = OFFSET.size * (len(bodies) + 2)
    table = [len(bodies), offset]
    for body in bodies:
        offset += len(body)
        table.append(offset)
    return b"".join((*(OFFSET.pack(number) for number in table), *bodies))


def record_at(archive: BinaryIO, position: int) -> dict[str, Any]:
    """Read one record of an open archive; empty if the position does not exist or the data is corrupt."""
    try:
        (count,) = OFFSET.unpack(archive.read(OFFSET.size))
        if not 0 <= position < count:
            return {}
        archive.seek(OFFSET.size * (position + 1))
        (start,), (end,) = OFFSET.unpack(archive.read(OFFSET.size)), OFFSET.unpack(archive.read(OFFSET.size))
        archive.seek(start)
        record: dict[str, Any] = orjson.loads(zlib.decompress(archive.read(max(0, end - start))))
    except (struct.error, zlib.error, orjson.JSONDecodeError, OverflowError):
        return {}
    return record
