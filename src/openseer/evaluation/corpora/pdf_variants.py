"""PDF variants: copies of real papers with another title, other authors and other references.

Letters in the header of the first page and in the reference list are substituted by a rule that depends on the seed.
Fonts, layout, body and amount of text stay, so that extraction takes as long as for the paper. The same seed gives the
same rule, so that copies of papers that cite each other still do.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError
from pypdf.generic import DictionaryObject, IndirectObject, NameObject, StreamObject

from openseer.evaluation.corpora.pdf_text import Font, PageText, font_of, page_text
from openseer.evaluation.corpora.pdf_update import append_update, next_object_number, object_body, stream_body

LETTER_GROUPS = ("aeou", "bdghknpvy", "frt", "cs")
"""Letters of about equal width that replace each other, so that words and columns keep their gaps."""
MAX_HEADER = 1500
"""Characters of the header of the first page, if no heading ends it."""
MIN_ABSTRACT_POSITION = 80
"""Minimum position of the abstract."""
LIST_START = 1000
"""Characters after the heading of the reference list with its first entries."""
STREAM_ENTRIES = ("/Filter", "/DecodeParms", "/Length", "/Contents")
"""Entries of a stream dictionary that are written anew."""
MIN_LETTERS = 40
"""Minimum number of letters of title and authors."""
VERSION_EDITS = 3
"""Words that are changed in a further version of the same work."""
WORD = re.compile(r"[A-Za-z]+")
FIXED_WORDS = frozenset(
    WORD.findall("""
    abstract accessed acknowledgements acknowledgments acm al an and annual appendix apr april arxiv association at
    aug august available berlin bibliography by cambridge center centre cited college com computer conf conference
    corr dec december department dept doi edited edition editor editors eds edu elsevier et feb february for from
    http https ieee in institute international introduction issue jan january journal jul july jun june keywords
    laboratory lecture literature london mar march may meeting net new no notes nov november number oct october of
    on online org oxford pages phd pp preprint press proc proceedings published publishers publishing references
    report research retrieved school science sep sept september springer submitted symposium technical the thesis to
    transactions university url verlag vol volume wiley with workshop www york
    """)
)
"""Words by which a header or an entry is recognised; they are not changed."""
IDENTIFIER = re.compile(r"10\.\d{4,9}/\S+|\b\d{4}\.\d{4,5}(?:v\d)?\b|\b[a-z-]+(?:\.[A-Z]{2})?/\d{7}\b")
BODY_HEADING = re.compile(
    r"(?i:\babstract\b|\bintroduction\b|\bsummary\b|a b s t r a c t|zusammenfassung|resum[e?]n?\b)"
)
LIST_HEADING = re.compile(
    r"R\s?(?i:e\s?f\s?e\s?r\s?e\s?n\s?c\s?e\s?s)\b|B(?i:ibliography)\b|L(?i:iterature|iteratur(?:verzeichnis)?)\b"
)
YEAR = re.compile(r"\b(?:19|20)\d\d")
FAULTS = (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, AssertionError, OverflowError)
"""Exceptions of pypdf for damaged files."""


@dataclass(frozen=True)
class Substitution:
    """Substitution of letters and digits, determined by a seed."""

    seed: int

    @cached_property
    def letters(self) -> dict[str, str]:
        """Letter -> other letter, in lower and upper case."""
        random_source = random.Random(self.seed)
        lower = {one: other for cycle in LETTER_GROUPS for one, other in _permuted(cycle, random_source)}
        return lower | {one.upper(): other.upper() for one, other in lower.items()}

    def digit(self, char: str) -> str:
        """Substitute of a digit in an identifier."""
        return str((int(char) + 1 + self.seed % 9) % 10)

    def changes(self, text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
        """Positions and new characters of the changed part of a text."""
        in_identifiers = set()
        for found in IDENTIFIER.finditer(text, start, end):
            first = found.start() + max(found[0].find("/"), found[0].find(".")) + 1
            in_identifiers |= set(range(found.start(), found.end()))
            yield from ((at, self.digit(text[at])) for at in range(first, found.end()) if text[at].isdigit())
        for word in WORD.finditer(text, start, end):
            if word[0].lower() not in FIXED_WORDS:
                for at in range(word.start(), word.end()):
                    if at not in in_identifiers and text[at] in self.letters:
                        yield at, self.letters[text[at]]


def _permuted(letters: str, random_source: random.Random) -> Iterator[tuple[str, str]]:
    """Random cyclic permutation of letters."""
    cycle = random_source.sample(letters, len(letters))
    return zip(cycle, [*cycle[1:], cycle[0]], strict=True)


@dataclass(frozen=True)
class ContentStream:
    """A page or form XObject with text."""

    holder: DictionaryObject
    text: PageText
    page: int

    def with_content(self, content: bytes, number: int) -> dict[int, bytes]:
        """Objects with new content; `number` is an unused object number."""
        reference = self.holder.indirect_reference
        if reference is None:
            raise ValueError("a page without a number")
        entries = {name: self.holder.raw_get(name) for name in self.holder if name not in STREAM_ENTRIES}
        if isinstance(self.holder, StreamObject):
            return {reference.idnum: stream_body(content, DictionaryObject(entries))}
        entries[NameObject("/Contents")] = IndirectObject(number, 0, reference.pdf)
        return {reference.idnum: object_body(DictionaryObject(entries)), number: stream_body(content)}


@dataclass(frozen=True)
class Region:
    """Range of a content stream in which letters are substituted."""

    stream: ContentStream
    start: int
    end: int

    @property
    def text(self) -> str:
        """Text of the whole content stream."""
        return self.stream.text.text


class VariantSource:
    """A paper of which variants are made; parsed once."""

    def __init__(self, data: bytes) -> None:
        """Raises ValueError (or another of `FAULTS`) if the text cannot be found or changed."""
        self._data = data
        self._reader = PdfReader(BytesIO(data))
        if self._reader.is_encrypted:
            raise ValueError("encrypted")
        self._fonts: dict[int, Font | None] = {}
        self._streams = [
            stream for number, page in enumerate(self._reader.pages) for stream in self._content_streams(page, number)
        ]
        self._regions = [*_headers(self._streams), *_reference_list(self._streams)]
        header_text = "".join(one.text[: one.end] for one in self._regions if one.stream.page == 0)
        if sum(char.isalpha() for char in header_text) < MIN_LETTERS:
            raise ValueError("the letters of title and authors are not to be found")

    @property
    def has_list(self) -> bool:
        """True if the reference list was found."""
        return any(region.stream.page for region in self._regions)

    def copy(self, seed: int, version: int = 0) -> bytes:
        """A copy: another work for each seed; versions of one seed are files of one work with a few changed words."""
        substitution = Substitution(seed)
        objects: dict[int, bytes] = {}
        number = next_object_number(self._reader)
        for region in self._regions:
            characters = dict(substitution.changes(region.text, region.start, region.end))
            if region.stream.page == 0:
                characters |= _version_edits(region, seed, version)
            objects |= region.stream.with_content(region.stream.text.replaced(characters), number)
            number += 1
        return append_update(self._data, self._reader, objects)

    def _content_streams(self, page: PageObject, number: int) -> Iterator[ContentStream]:
        """Content streams of a page: its own and those of its forms."""
        contents = page.get_contents()
        resources = page.get("/Resources", DictionaryObject()).get_object()
        content = b"" if contents is None else contents.get_data()
        yield ContentStream(page, page_text(content, self._fonts_of(resources)), number)
        for form in resources.get("/XObject", DictionaryObject()).get_object().values():
            entries = form.get_object()
            if entries.get("/Subtype") == "/Form" and "/Resources" in entries:
                text = page_text(entries.get_data(), self._fonts_of(entries["/Resources"].get_object()))
                if text.text.strip():
                    yield ContentStream(entries, text, number)

    def _fonts_of(self, resources: DictionaryObject) -> dict[str, Font]:
        listed = resources.get("/Font", DictionaryObject()).get_object()
        fonts = {str(name)[1:]: self._font(listed.raw_get(name), value) for name, value in listed.items()}
        return {name: font for name, font in fonts.items() if font}

    def _font(self, reference: Any, value: Any) -> Font | None:
        number = reference.idnum if isinstance(reference, IndirectObject) else id(value)
        if number not in self._fonts:
            self._fonts[number] = font_of(value.get_object())
        return self._fonts[number]


def make_variant(source: Path, seed: int, version: int = 0) -> bytes | None:
    """One variant of a paper; None if it cannot be made."""
    try:
        return VariantSource(source.read_bytes()).copy(seed, version)
    except FAULTS:
        return None


def _headers(streams: list[ContentStream]) -> Iterator[Region]:
    """Title and authors: first page, up to the abstract or the first heading."""
    for stream in (one for one in streams if one.page == 0):
        ends = [
            found.start() for found in BODY_HEADING.finditer(stream.text.text) if found.start() > MIN_ABSTRACT_POSITION
        ]
        yield Region(stream, 0, min(ends[0], 2 * MAX_HEADER) if ends else MAX_HEADER)


def _reference_list(streams: list[ContentStream]) -> Iterator[Region]:
    """Reference list: from its heading, if years follow, to the end of the paper."""
    for number, stream in enumerate(streams):
        after = "".join(one.text.text for one in streams[number + 1 : number + 3])
        for found in LIST_HEADING.finditer(stream.text.text) if stream.page else ():
            follows = (stream.text.text[found.end() :] + after)[:LIST_START]
            if len(YEAR.findall(follows)) >= 3:
                yield Region(stream, found.end(), len(stream.text.text))
                yield from (Region(later, 0, len(later.text.text)) for later in streams[number + 1 :])
                return


def _version_edits(region: Region, seed: int, version: int) -> dict[int, str]:
    """Changes of one letter in some words of the first page after the header, for another version."""
    words = [word for word in WORD.finditer(region.text, region.end) if len(word[0]) > 5 and word[0].islower()]
    random_source = random.Random(f"{seed}/{version}")
    chosen = random_source.sample(words, min(VERSION_EDITS, len(words))) if version else []
    return {word.start() + 2: "e" if word[0][2] != "e" else "a" for word in chosen}
