"""Text out of bytes of any usual encoding, and the numbers of its lines."""

from __future__ import annotations

import codecs
from bisect import bisect_right

BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def text_of(data: bytes) -> str:
    """Decoded by its mark, as UTF-8, or as the Windows kind of Latin-1; lines end with a line feed."""
    mark = next((name for bom, name in BOMS if data.startswith(bom)), "")
    try:
        text = data.decode(mark or "utf-8", "replace" if mark else "strict")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace") if _printable(data) else data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _printable(data: bytes) -> bool:
    """Whether no byte is one that the Windows kind has no letter for."""
    return not data.translate(None, bytes(set(range(256)) - {0x81, 0x8D, 0x8F, 0x90, 0x9D}))


class Lines:
    """Line numbers of places in a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def at(self, place: int) -> int:
        """The line of a place, from 1."""
        return bisect_right(self._starts, place)
