"""Text of presentations of PowerPoint 4 and 95 for Macintosh, whose records are not documented.

Each text follows a record that says its kind and length; titles, texts and notes alternate as on the slides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from openseer.extract.office.slides import Slide, SlideText

TEXT = re.compile(rb"\x64\x00([\x00-\xff])\x00{5}\x01(\x00\x00[\x00-\xff]{2})", re.S)
TITLE, BODY, NOTES = 0x00, 0x14, 0x1E
MASTER = re.compile(r"click to edit master", re.I)


def slides_of(data: bytes) -> Iterator[Slide]:
    """Slides of the stream; none if it is of another computer."""
    texts: list[SlideText] = []
    notes: list[str] = []
    at = 0
    while found := TEXT.search(data, at):
        start, size = found.end(), int.from_bytes(found[2], "big")
        raw = data[start : start + size]
        kind, at = found[1][0], start
        if not size or len(raw) < size or _is_binary(raw):
            continue
        at = start + size
        text = raw.decode("mac-roman").replace("\x0b", " ")
        if MASTER.search(text):
            continue
        if kind == TITLE and texts:
            yield Slide(tuple(texts), tuple(notes))
            texts, notes = [], []
        if kind == NOTES:
            notes.append(text)
        else:
            texts.append(SlideText(text, is_title=kind == TITLE, is_list=kind == BODY))
    if texts or notes:
        yield Slide(tuple(texts), tuple(notes))


def _is_binary(raw: bytes) -> bool:
    return any(one < 32 and one not in b"\t\n\x0b\r" for one in raw)
