"""A shelf: the records of one list in one blob, from which one is taken without reading the others."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any, BinaryIO

import orjson

PLACE = struct.Struct("<Q")
"""Where a record begins; the table of them stands in front, with one more for the end."""


def compress_record(record: dict[str, Any]) -> bytes:
    """One record as it lies on the shelf."""
    return zlib.compress(orjson.dumps(record), 6)


def pack_archive(bodies: Sequence[bytes]) -> bytes:
    """The blob of records that were folded."""
    at = PLACE.size * (len(bodies) + 2)
    table = [len(bodies), at]
    for body in bodies:
        at += len(body)
        table.append(at)
    return b"".join((*(PLACE.pack(number) for number in table), *bodies))


def record_at(shelf: BinaryIO, place: int) -> dict[str, Any]:
    """One record of an open blob; nothing for a place it does not have, or that is damaged."""
    try:
        (count,) = PLACE.unpack(shelf.read(PLACE.size))
        if not 0 <= place < count:
            return {}
        shelf.seek(PLACE.size * (place + 1))
        (start,), (end,) = PLACE.unpack(shelf.read(PLACE.size)), PLACE.unpack(shelf.read(PLACE.size))
        shelf.seek(start)
        found: dict[str, Any] = orjson.loads(zlib.decompress(shelf.read(max(0, end - start))))
    except (struct.error, zlib.error, orjson.JSONDecodeError, OverflowError):
        return {}
    return found
