"""A file to an Extraction: pages, lines, and all extractors in order."""

from __future__ import annotations

import dataclasses
import gc
import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar

import xxhash

from openseer.core.errors import NoText, TooShort
from openseer.core.model.extraction import Extraction
from openseer.core.model.file_head import head_of
from openseer.extract.body import body
from openseer.extract.body.body import text_of
from openseer.extract.citations import contexts
from openseer.extract.classify import classifier
from openseer.extract.content import acknowledged_people, acknowledgments, funders, key_sentences, keyphrases, subjects
from openseer.extract.context import Extractor, PaperContext
from openseer.extract.formats import FormatReader, marks, reader_of, readers
from openseer.extract.header import header
from openseer.extract.layout.hyphens import resolve_hyphens
from openseer.extract.layout.language import is_language, language_of
from openseer.extract.layout.lines import lines_of
from openseer.extract.pdf import pdf_reader
from openseer.extract.pdf.page_model import HYPHEN, UNSAFE, PageModel
from openseer.extract.references import segment
from openseer.extract.structured.document import StructuredText
from openseer.extract.structured.page_layout import typeset
from openseer.extract.structured.sections import with_sections
from openseer.extract.structured.stated_fields import stated_fields, with_stated

EXTRACTORS: tuple[Extractor, ...] = (
    header, segment, body, acknowledgments, funders, acknowledged_people, contexts, keyphrases, key_sentences, subjects,
    classifier,
)  # fmt: skip
"""In order of execution; packages add theirs by the entry point `openseer.extractors`."""
PAGES_VERSION = pdf_reader.version
"""Version of words and lines, which every extractor reads."""


@cache
def extractors() -> tuple[Extractor, ...]:
    """The built-in extractors and those of installed packages."""
    return (*EXTRACTORS, *(point.load() for point in entry_points(group="openseer.extractors")))


def version() -> int:
    """Version of the whole extraction, from the names and versions of its parts."""
    changed_readers = {one.name: one.version for one in readers() if one.version > 1}  # a new format changes no other
    return version_of({**changed_readers, "pages": PAGES_VERSION, **{one.name: one.version for one in extractors()}})


def version_of(versions: Mapping[str, int]) -> int:
    """A number that differs for every other set of names and versions: 31 bits of a hash."""
    parts = "\n".join(f"{name} {number}" for name, number in sorted(versions.items()))
    return xxhash.xxh32_intdigest(parts.encode()) >> 1


Result = TypeVar("Result")


class StepTimer:
    """Duration of each step in milliseconds."""

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}

    def time(self, step: str, function: Callable[[], Result]) -> Result:
        start = time.perf_counter()
        try:
            return function()
        finally:
            self.steps[step] = round(1000 * (time.perf_counter() - start), 2)


def read(
    path: Path,
    min_words: int = 100,
    select_pages: Callable[[int], Iterable[int]] = range,
    reader: FormatReader = pdf_reader,
) -> Extraction:
    """Full extraction of one file by the reader of its format; raises an error for a document without usable text."""
    with _gc_paused():
        return extract_with(extractors(), path, min_words, select_pages, reader)


def read_header(path: Path) -> Extraction:
    """The header alone, from the first three pages and the last."""
    with _gc_paused():
        return extract_with((header,), path, 0, lambda count: sorted({0, 1, 2, count - 1} & set(range(count))))


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector, which takes 3 % of the extraction time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def read_whole(path: str | Path) -> Extraction:
    """Full extraction with file name, SHA-1 and type."""
    file = Path(path)
    sha1 = hashlib.sha1(file.read_bytes(), usedforsecurity=False).hexdigest()
    reader = reader_of(head_of(file, marks())) or pdf_reader
    return dataclasses.replace(read(file, reader=reader), file=str(path), sha1=sha1, mime=reader.mime)


def extract_with(
    selected: Sequence[Extractor],
    path: Path,
    min_words: int = 100,
    select_pages: Callable[[int], Iterable[int]] = range,
    reader: FormatReader = pdf_reader,
) -> Extraction:
    """Fields of the selected extractors for selected pages of a file."""
    timer = StepTimer()
    content = timer.time("pages", lambda: reader.read(path, select_pages))
    page_model, stated = _pages_of(content, timer)
    lines = timer.time("lines", lambda: resolve_hyphens(lines_of(page_model.pages)))
    context = PaperContext(page_model, lines, stated)
    text = text_of(context.lines, page_model.count)
    words = len(text.split())
    _check_text(text, words, min_words)
    found = Extraction(
        pages=page_model.count, words=words, language=language_of(text), warnings=page_model.warnings, text=text
    )
    found = run_extractors(selected, context, found, timer)
    cleaned: Extraction = _remove_unsafe(found) if _has_unsafe_characters(context) else found
    return cleaned


def _pages_of(content: PageModel | StructuredText, timer: StepTimer) -> tuple[PageModel, dict[str, Any]]:
    """The pages of what a reader returned, typeset if it has none, and the fields that it states."""
    if isinstance(content, PageModel):
        return content, {}
    document = with_sections(content)
    return timer.time("typeset", lambda: typeset(document)), stated_fields(document)


def run_extractors(
    selected: Sequence[Extractor],
    context: PaperContext,
    found: Extraction | None = None,
    timer: StepTimer | None = None,
) -> Extraction:
    """The extraction with the fields of the selected extractors added."""
    found, timer, stated = found or Extraction(), timer or StepTimer(), dict(context.stated)
    for extractor in selected:
        fields = timer.time(extractor.name, partial(extractor.extract, context, found))
        evidence = {**found.evidence, **fields.pop("evidence", {})}
        stated_here = {name: stated.pop(name) for name in tuple(stated) if name in fields}
        fields = with_stated(fields, stated_here)  # later extractors may add to them
        found = dataclasses.replace(found, **fields, evidence=evidence)
    versions = {"pages": PAGES_VERSION, **{used.name: used.version for used in selected}}
    return dataclasses.replace(found, timing_ms=timer.steps, versions=versions)


def _check_text(text: str, words: int, min_words: int) -> None:
    if not is_language(text):
        raise NoText("The document has no text in natural language.")
    if words < min_words:
        raise TooShort(words, min_words)


def _has_unsafe_characters(context: PaperContext) -> bool:
    """True if the text, links or metadata contain characters that must not be stored; rare."""
    page_model = context.page_model
    printed = " ".join([line.text.rstrip(HYPHEN) for line in context.lines])
    linked = " ".join([link.uri for page in page_model.pages for link in page.links])
    return any(map(UNSAFE.search, (printed, linked, " ".join(page_model.info.values()), " ".join(page_model.warnings))))


def _remove_unsafe(value: Any) -> Any:
    """The value with UNSAFE characters removed from all strings."""
    if isinstance(value, str):
        return UNSAFE.sub("", value) if not value.isascii() or UNSAFE.search(value) else value
    if isinstance(value, tuple):
        return tuple(map(_remove_unsafe, value))
    if isinstance(value, dict):
        return {_remove_unsafe(key): _remove_unsafe(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **{name: _remove_unsafe(item) for name, item in fields.items()})
    return value
