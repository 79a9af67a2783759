"""A reader as another package would write it: text of the Gemini protocol, with headings behind number signs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from openseer.core.errors import Corrupt
from openseer.core.model.file_head import FileHead
from openseer.extract.structured.document import Block, Role, StatedFields, StructuredText

name, version = "gemtext", 1
mime, suffix = "text/gemini", "gmi"
marks: tuple[bytes, ...] = ()


def recognises(head: FileHead) -> bool:
    """True for a file that says what it is."""
    return head.start.startswith(b"gemtext\n")


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> StructuredText:
    """Headings and paragraphs; the first heading is the title."""
    lines = [line for line in path.read_text(encoding="utf-8", errors="replace").splitlines()[1:] if line.strip()]
    if not lines:
        raise Corrupt("The file has no text.")
    blocks = [
        Block(Role.HEADING, line.lstrip("# "), level=line.count("#"))
        if line.startswith("#")
        else Block(Role.PARAGRAPH, line)
        for line in lines
    ]
    title = next((one.text for one in blocks if one.role is Role.HEADING), "")
    return StructuredText(tuple(blocks), StatedFields(title=title))
