"""A PDF becomes an Extraction: pages, lines, header, bibliography and body, one step after the other."""

from __future__ import annotations

import dataclasses
import gc
import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar

from openseer.core.errors import Corrupt, Empty, NoText, TooShort
from openseer.core.model.extraction import Extraction
from openseer.extract.body import body
from openseer.extract.body.body import text_of
from openseer.extract.citations import contexts
from openseer.extract.classify import classifier
from openseer.extract.content import acknowledged_people, acknowledgments, funders, key_sentences, keyphrases, subjects
from openseer.extract.context import Extractor, PaperContext
from openseer.extract.header import header
from openseer.extract.layout.hyphens import with_hyphens
from openseer.extract.layout.language import is_language, language_of
from openseer.extract.layout.lines import lines_of
from openseer.extract.pdf.fallback_reader import read_pages_again
from openseer.extract.pdf.ligature_repair import repaired
from openseer.extract.pdf.page_model import HYPHEN, UNSAFE, PageModel
from openseer.extract.pdf.page_reader import read_pages
from openseer.extract.references import segment

EXTRACTORS: tuple[Extractor, ...] = (
    header, segment, body, acknowledgments, funders, acknowledged_people, contexts, keyphrases, key_sentences, subjects,
    classifier,
)  # fmt: skip
"""In the order in which they read; packages add theirs by the entry point `openseer.extractors`."""
PAGES_VERSION = 3
"""Of words and lines, which every extractor reads."""


@cache
def extractors() -> tuple[Extractor, ...]:
    """Ours, and those of other packages that are installed."""
    return (*EXTRACTORS, *(point.load() for point in entry_points(group="openseer.extractors")))


def version() -> int:
    """Of the whole reading: it grows with the version of any part."""
    return PAGES_VERSION + sum(extractor.version for extractor in extractors())


Result = TypeVar("Result")


class Clock:
    """How long each step took."""

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}

    def time(self, step: str, work: Callable[[], Result]) -> Result:
        start = time.perf_counter()
        try:
            return work()
        finally:
            self.steps[step] = round(1000 * (time.perf_counter() - start), 2)


def read(path: Path, min_words: int = 100, some: Callable[[int], Iterable[int]] = range) -> Extraction:
    """Everything found in one PDF; a document that gives nothing raises what is wrong with it."""
    with _undisturbed():
        return read_by(extractors(), path, min_words, some)


def read_header(path: Path) -> Extraction:
    """The header alone, from the first three pages and the last: for those who need it fast."""
    with _undisturbed():
        return read_by((header,), path, 0, lambda count: sorted({0, 1, 2, count - 1} & set(range(count))))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No search for rings of objects while the many words of a document are made: it costs a thirtieth of the time."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()


def read_whole(path: str | Path) -> Extraction:
    """Everything, with the name, the SHA-1 and the type of the file."""
    file = Path(path)
    sha1 = hashlib.sha1(file.read_bytes(), usedforsecurity=False).hexdigest()
    return dataclasses.replace(read(file), file=str(path), sha1=sha1, mime="application/pdf")


def read_by(
    chosen: Sequence[Extractor], path: Path, min_words: int = 100, some: Callable[[int], Iterable[int]] = range
) -> Extraction:
    """What these extractors find on some pages of a PDF."""
    clock = Clock()
    sheets = clock.time("pages", lambda: repaired(_open(path, some)))
    opened = PaperContext(sheets, clock.time("lines", lambda: with_hyphens(lines_of(sheets.pages))))
    text = text_of(opened.lines, sheets.count)
    words = len(text.split())
    _check(text, words, min_words)
    found = Extraction(pages=sheets.count, words=words, language=language_of(text), warnings=sheets.warnings, text=text)
    found = found_by(chosen, opened, found, clock)
    safe: Extraction = _safe(found) if _is_unsafe(opened) else found
    return safe


def found_by(
    chosen: Sequence[Extractor], opened: PaperContext, found: Extraction | None = None, clock: Clock | None = None
) -> Extraction:
    """What these extractors add to what is known."""
    found, clock = found or Extraction(), clock or Clock()
    for extractor in chosen:
        fields = clock.time(extractor.name, partial(extractor.extract, opened, found))
        evidence = {**found.evidence, **fields.pop("evidence", {})}
        found = dataclasses.replace(found, **fields, evidence=evidence)
    versions = {"pages": PAGES_VERSION, **{one.name: one.version for one in chosen}}
    return dataclasses.replace(found, timing_ms=clock.steps, versions=versions)


def _open(path: Path, some: Callable[[int], Iterable[int]] = range) -> PageModel:
    """The pages by the first reader that finds words in them."""
    if path.stat().st_size == 0:
        raise Empty("The file holds nothing.")
    try:
        sheets = read_pages(path, some)
    except Corrupt as first:
        return _again(path, str(first))
    if any(page.words for page in sheets.pages):
        return sheets
    try:
        again = read_pages_again(path)
    except Corrupt:
        return sheets
    return again if any(page.words for page in again.pages) else sheets


def _again(path: Path, first: str) -> PageModel:
    try:
        return read_pages_again(path)
    except Corrupt as second:
        raise Corrupt(f"No reader can open it ({first}; {second}).") from None


def _check(text: str, words: int, min_words: int) -> None:
    if not is_language(text):
        raise NoText("There is no text in the document, or none in any language.")
    if words < min_words:
        raise TooShort(words, min_words)


def _is_unsafe(opened: PaperContext) -> bool:
    """Whether anything that was read holds a character that is not to be kept; hardly any document has one."""
    sheets = opened.sheets
    printed = " ".join([line.text.rstrip(HYPHEN) for line in opened.lines])
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
