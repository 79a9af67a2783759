"""Reader of plain text, and of Markdown, TeX, XML and other text formats as text: lines keep their layout."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from openseer.core.errors import Corrupt
from openseer.core.model.file_head import FileHead
from openseer.extract.layout.headings import (
    ABSTRACT,
    ACKNOWLEDGMENTS,
    INTRODUCTION,
    REFERENCES,
    is_heading,
)
from openseer.extract.plain_text.encoding import decode
from openseer.extract.structured.document import Block, Role, StructuredText

name, version = "text", 1
mime, suffix = "text/plain", "txt"
marks: tuple[bytes, ...] = ()
BINARY = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"\x1f\x9d",
    b"WARC/", b"filedesc:",
    b"7z\xbc\xaf", b"Rar!", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"{\\rtf", b"%!PS", b"\xffWPC", b"AT&TFORM",
)  # fmt: skip
"""Starts of formats that other readers take, or nobody."""
DATA_SUFFIXES = frozenset({
    "bib", "bibtex", "ris", "nbib", "enw", "json", "jsonl", "csljson", "csv", "tsv", "tab", "yaml", "yml", "toml",
    "ini", "cfg", "conf", "css", "js", "ts", "py", "c", "h", "cc", "cpp", "java", "sh", "sql", "log", "lock", "svg",
    "mhtml", "mht", "eml",
})  # fmt: skip
"""Suffixes of text files that hold data or programs: bibliographies have `openseer import`."""
CONTROLS = frozenset(range(32)) - {7, 8, 9, 10, 11, 12, 13, 26, 27}
MAX_CONTROL_SHARE = 0.02
MIN_ZERO_SHARE = 0.15
"""Share of zero bytes in UTF-16 text, all of them at even or at odd places."""
MAX_CHARACTERS = 20_000_000
WRAPPED_LINE = 120
"""Median length of lines from which on they are paragraphs that are not wrapped."""
MAX_TITLE_LINES, MAX_TITLE_WORDS = 3, 30
NUMBERED = re.compile(r"(?:\d{1,2}|[IVX]{1,4})(?:\.\d{1,2}){0,3}\.?\s+[A-ZÄÖÜÉ][^.!?]{2,80}")
UNDERLINE = re.compile(r"\s*([=\-~*_^#])\1{3,}\s*")
MARKDOWN_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*")
_SMALL_WORDS = """
a an and as at by for from in into is of on or over the to under using via with without der die das des dem den ein eine
für im mit und von zu zur zum aus de la le les du et en dans pour sur del el los las y para por
"""
SMALL_WORDS = frozenset(_SMALL_WORDS.split())
"""Words that titles have and names have not."""
STANDARD_HEADINGS = (ABSTRACT, INTRODUCTION, ACKNOWLEDGMENTS, REFERENCES)


def recognises(head: FileHead) -> bool:
    """True for text in any encoding: hardly any control characters."""
    start = head.start
    if not start or start.startswith(BINARY) or b"%PDF-" in start[:1024] or head.suffix in DATA_SUFFIXES:
        return False
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    zeros = start.count(0)
    if zeros and not max(start[::2].count(0), start[1::2].count(0)) == zeros > MIN_ZERO_SHARE * len(start):
        return False
    controls = sum(one in CONTROLS for one in start) - zeros
    return controls <= MAX_CONTROL_SHARE * len(start)


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> StructuredText:
    """Lines of the file with the roles that they show."""
    text = decode(path.read_bytes()).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise Corrupt("The file has no text.")
    return structure_of(text[:MAX_CHARACTERS])


def structure_of(text: str) -> StructuredText:
    """The structure of a text: title, headings, paragraphs or lines, and page breaks."""
    blocks: list[Block] = []
    breaks: list[int] = []
    for number, page in enumerate(text.split("\f")):
        if number:
            breaks.append(len(blocks))
        blocks += _blocks_of(page.split("\n"), is_first=not any(block.text.strip() for block in blocks))
    return StructuredText(tuple(blocks), page_breaks=tuple(breaks), pages=len(breaks) + 1 if breaks else 0)


def _blocks_of(lines: list[str], is_first: bool) -> Iterator[Block]:
    is_wrapped = _is_wrapped(lines)
    pending: list[str] = []
    title, start = _title(lines) if is_first else ("", 0)
    if title:
        yield Block(Role.TITLE, title)
    at = start
    while at < len(lines):
        heading, used = _heading(lines, at)
        if heading is not None or (not is_wrapped and lines[at].strip()):
            yield from _flushed(pending)
        if heading is not None:
            yield heading
        elif is_wrapped or not lines[at].strip():
            pending.append(lines[at])
        else:
            yield Block(Role.PARAGRAPH, lines[at])
        at += used
    yield from _flushed(pending)


def _flushed(pending: list[str]) -> Iterator[Block]:
    text = "\n".join(pending).strip("\n")
    pending.clear()
    if text.strip():
        yield Block(Role.LINES, text)


def _is_wrapped(lines: list[str]) -> bool:
    """True if lines end at the width of a page, not at the end of a paragraph."""
    lengths = sorted(len(line) for line in lines if line.strip())
    return not lengths or lengths[len(lengths) // 2] < WRAPPED_LINE


def _title(lines: list[str]) -> tuple[str, int]:
    """The first lines as the title, and the number of lines they take; "" if they do not look like one."""
    start = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    end = start
    while end < len(lines) and lines[end].strip() and end - start < MAX_TITLE_LINES + 1:
        if UNDERLINE.fullmatch(lines[end]) or (end > start and not _continues(lines[end - 1], lines[end])):
            break
        end += 1
    taken = lines[start:end]
    text = " ".join(" ".join(taken).split()).lstrip("# ")
    used = end + 1 if end < len(lines) and UNDERLINE.fullmatch(lines[end]) else end
    is_title = (
        0 < len(taken) <= MAX_TITLE_LINES and 1 < len(text.split()) <= MAX_TITLE_WORDS and text[-1:] not in ".,;:"
    )
    return (text, used) if is_title else ("", 0)


def _continues(above: str, line: str) -> bool:
    """True if a line goes on with the title above it: it begins in lower case, or the line above ends open, or it has
    the small words of a title, which names have not."""
    above_words, words = above.split(), line.split()
    if above_words[-1].lower() in SMALL_WORDS or above.rstrip()[-1:] in ":-–—,&" or words[0][:1].islower():
        return True
    has_mark = any(one in line for one in ",@0123456789*†")
    return not has_mark and any(word in SMALL_WORDS for word in words[1:])


def _heading(lines: list[str], at: int) -> tuple[Block | None, int]:
    """A heading at a line, and the number of lines it takes."""
    line = lines[at].strip()
    if not line or len(line) > 100:
        return None, 1
    if found := MARKDOWN_HEADING.fullmatch(line):
        return Block(Role.HEADING, found[2], level=len(found[1])), 1
    following = lines[at + 1] if at + 1 < len(lines) else ""
    if UNDERLINE.fullmatch(following) and not UNDERLINE.fullmatch(line):
        return Block(Role.HEADING, line, level=1 if following.strip()[0] == "=" else 2), 2
    stands_alone = (at == 0 or not lines[at - 1].strip()) and not following.strip()
    if any(is_heading(pattern, line) for pattern in STANDARD_HEADINGS) and (stands_alone or len(line.split()) < 4):
        return Block(Role.HEADING, line), 1
    if stands_alone and NUMBERED.fullmatch(line):
        return Block(Role.HEADING, line, level=1 + line.split()[0].rstrip(".").count(".")), 1
    return None, 1
