"""Decoding of text files in common encodings, and line numbers."""

from __future__ import annotations

import codecs
from bisect import bisect_right

BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def decode_text(data: bytes) -> str:
    """Text of a file by byte order mark, as UTF-8, or as Windows-1252; lines end with a line feed."""
    encoding = next((name for bom, name in BOMS if data.startswith(bom)), "")
    try:
        text = data.decode(encoding or "utf-8", "replace" if encoding else "strict")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace") if _is_windows_1252(data) else data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _is_windows_1252(data: bytes) -> bool:
    """True if all bytes are defined in Windows-1252."""
    return not data.translate(None, bytes(set(range(256)) - {0x81, 0x8D, 0x8F, 0x90, 0x9D}))


class LineNumbers:
    """Line numbers of offsets in a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def line_of(self, offset: int) -> int:
        """Line number of an offset, from 1."""
        return bisect_right(self._starts, offset)
