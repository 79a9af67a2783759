"""Reader of RTF: paragraphs with styles, tables, notes, headers and text boxes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from openseer.core.model.file_head import FileHead
from openseer.extract.office.paragraphs import Paragraph, Properties, running_heads, structure_of
from openseer.extract.rtf.rtf_parser import RtfParser
from openseer.extract.structured.document import StructuredText

name, version = "rtf", 1
mime, suffix = "application/rtf", "rtf"
marks: tuple[bytes, ...] = ()
MAX_BYTES = 100_000_000
LINK = re.compile(rb'HYPERLINK\s+"(https?://[^"\\]{4,500})"')
MAX_LINKS = 20_000


def recognises(head: FileHead) -> bool:
    """True for a file that begins as RTF."""
    return head.start.removeprefix(b"\xef\xbb\xbf").lstrip()[:5].lower() == b"{\\rtf"


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> StructuredText:
    """The structure of a document."""
    data = path.read_bytes()[:MAX_BYTES]
    parser = RtfParser(data)
    paragraphs = parser.parse()
    heads = running_heads(map(Paragraph, parser.heads))
    author = parser.info.get("author", "")
    properties = Properties(parser.info.get("title", ""), (author,) if author else ())
    links = [found.decode("ascii", "replace") for found in LINK.findall(data)[:MAX_LINKS]]
    return structure_of([*paragraphs, *heads], properties, links)
