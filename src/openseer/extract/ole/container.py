"""OLE containers: streams, properties, and our errors for damaged files."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import olefile

from openseer.core.errors import Corrupt
from openseer.extract.office.paragraphs import Properties

MAX_STREAM_BYTES = 200_000_000
START = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
DAMAGES = (
    OSError,
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    AttributeError,
    struct.error,
    OverflowError,
    RecursionError,
)
"""Exceptions that damaged files cause in parsers of binary formats."""


class Container:
    """The streams of an OLE file."""

    def __init__(self, file: olefile.OleFileIO) -> None:
        self._file = file

    def __contains__(self, name: str) -> bool:
        return bool(self._file.exists(name))

    def stream(self, name: str) -> bytes:
        """Bytes of a stream; b"" if it is missing."""
        if name not in self:
            return b""
        return bytes(self._file.openstream(name).read(MAX_STREAM_BYTES))

    def properties(self) -> Properties:
        """Title and author of the summary information."""
        try:
            found = self._file.get_metadata()
            encoding = f"cp{found.codepage}" if found.codepage and found.codepage > 0 else "utf-8"
            title, author = _text(found.title, encoding), _text(found.author, encoding)
        except (*DAMAGES, LookupError):
            return Properties()
        return Properties(title, (author,) if author else ())


def _text(value: object, encoding: str) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8" if encoding == "cp65001" else encoding, "replace")
    return " ".join(value.replace("\0", " ").split()) if isinstance(value, str) else ""


@contextmanager
def opened(path: Path) -> Iterator[Container]:
    """The container of a file; whatever fails in it because of damaged bytes is Corrupt."""
    try:
        with olefile.OleFileIO(str(path)) as file:
            yield Container(file)
    except DAMAGES as error:
        raise Corrupt(f"The document is damaged: {type(error).__name__} {error}."[:300]) from None


def u16(data: bytes, at: int) -> int:
    """An unsigned number of two bytes."""
    return int(struct.unpack_from("<H", data, at)[0])


def u32(data: bytes, at: int) -> int:
    """An unsigned number of four bytes."""
    return int(struct.unpack_from("<I", data, at)[0])
