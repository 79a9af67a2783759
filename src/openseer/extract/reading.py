"""A PDF becomes an Extraction: pages, lines, header, bibliography and body, one step after the other."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from openseer.errors import Corrupt, Empty, NoText, TooShort
from openseer.extract.academic import verdict_of
from openseer.extract.body import acknowledgments_of, sections_of, text_of
from openseer.extract.header import Header, header_of
from openseer.extract.language import is_language, language_of
from openseer.extract.lines import Line, lines_of
from openseer.extract.mending import mended
from openseer.extract.pages import read_pages
from openseer.extract.references import references_of
from openseer.extract.second import read_pages_again
from openseer.extract.traits import Shape
from openseer.extract.words import HYPHEN, Sheets
from openseer.records.extraction import Extraction

VERSION: int = 2

Result = TypeVar("Result")
UNSAFE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
WORD = re.compile(r"\w+(?:['’-]\w+)*")


class _Clock:
    """How long each step took."""

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}

    def time(self, step: str, work: Callable[[], Result]) -> Result:
        start = time.perf_counter()
        try:
            return work()
        finally:
            self.steps[step] = round(1000 * (time.perf_counter() - start), 2)


def read(path: Path, min_words: int = 100) -> Extraction:
    """Everything found in one PDF; a document that gives nothing raises what is wrong with it."""
    found, shape = read_with_shape(path, min_words)
    return dataclasses.replace(found, academic=verdict_of(found, shape))


def read_whole(path: str | Path) -> Extraction:
    """The same with the name, the SHA-1 and the type of the file."""
    file = Path(path)
    sha1 = hashlib.sha1(file.read_bytes(), usedforsecurity=False).hexdigest()
    return dataclasses.replace(read(file), file=str(path), sha1=sha1, mime="application/pdf")


def read_with_shape(path: Path, min_words: int) -> tuple[Extraction, Shape]:
    """What is found before it is judged, and the shape of the first page."""
    clock = _Clock()
    sheets = clock.time("pages", lambda: mended(_open(path)))
    lines = clock.time("lines", lambda: lines_of(sheets.pages))
    text = text_of(lines, sheets.count)
    words = len(WORD.findall(text))
    _check(text, words, min_words)
    header = clock.time("header", lambda: header_of(lines, sheets))
    references, places = clock.time("references", lambda: references_of(lines, sheets.pages))
    header = dataclasses.replace(
        header, evidence={**header.evidence, "references": places} if places else header.evidence
    )
    sections = clock.time("body", lambda: sections_of(lines))
    found = Extraction(
        pages=sheets.count,
        words=words,
        language=language_of(text),
        references=references,
        sections=sections,
        acknowledgments=acknowledgments_of(sections),
        warnings=sheets.warnings,
        text=text,
        timing_ms=clock.steps,
        versions={"reader": VERSION},
        **_fields(header),
    )
    safe: Extraction = _safe(found) if _is_unsafe(lines, sheets) else found
    return safe, Shape(sheets.pages[0].width, sheets.pages[0].height)


def _open(path: Path) -> Sheets:
    """The pages by the first reader that finds words in them."""
    if path.stat().st_size == 0:
        raise Empty("The file holds nothing.")
    try:
        sheets = read_pages(path)
    except Corrupt as first:
        return _again(path, str(first))
    if any(page.words for page in sheets.pages):
        return sheets
    try:
        again = read_pages_again(path)
    except Corrupt:
        return sheets
    return again if any(page.words for page in again.pages) else sheets


def _again(path: Path, first: str) -> Sheets:
    try:
        return read_pages_again(path)
    except Corrupt as second:
        raise Corrupt(f"No reader can open it ({first}; {second}).") from None


def _check(text: str, words: int, min_words: int) -> None:
    if not is_language(text):
        raise NoText("There is no text in the document, or none in any language.")
    if words < min_words:
        raise TooShort(words, min_words)


def _fields(header: Header) -> dict[str, Any]:
    return {field.name: getattr(header, field.name) for field in dataclasses.fields(header)}


def _is_unsafe(lines: Sequence[Line], sheets: Sheets) -> bool:
    """Whether anything that was read holds a character that is not to be kept; hardly any document has one."""
    printed = " ".join([line.text.rstrip(HYPHEN) for line in lines])
    linked = " ".join([link.uri for page in sheets.pages for link in page.links])
    return any(map(UNSAFE.search, (printed, linked, " ".join(sheets.info.values()), " ".join(sheets.warnings))))


def _safe(value: Any) -> Any:
    """The same value, its strings free of characters that no file or database takes."""
    if isinstance(value, str):
        return UNSAFE.sub("", value) if not value.isascii() or UNSAFE.search(value) else value
    if isinstance(value, tuple):
        return tuple(map(_safe, value))
    if isinstance(value, dict):
        return {_safe(key): _safe(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **{name: _safe(item) for name, item in fields.items()})
    return value
