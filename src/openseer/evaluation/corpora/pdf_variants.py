"""Many papers out of few: copies of real PDFs with another title, other authors and other references.

Letters are exchanged for others, by a rule that the seed gives, in the strings of the first page's head and of the
reference list; fonts, layout, body and amount of text stay, so that reading a copy costs what reading the paper does.
The same seed gives the same rule, so that copies of papers that cite each other still do.
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
from openseer.evaluation.corpora.pdf_update import first_free, plain_object, stream_object, updated

RINGS = ("aeou", "bdghknpvy", "frt", "cs")
"""Letters that may stand for each other: about as wide, so that words and columns keep their gaps."""
HEAD = 1500
"""Signs of the first page that may belong to title and authors, where no heading says where they end."""
LEAST = 80
"""Signs before which no abstract begins."""
NEAR = 1000
"""Signs after a heading in which the first entries of a list stand."""
STREAM = ("/Filter", "/DecodeParms", "/Length", "/Contents")
"""What is said anew of a stream."""
LETTERS = 40
"""That title and authors have at least."""
EDITS = 3
"""Words that make a second file of the same work other than the first."""
WORD = re.compile(r"[A-Za-z]+")
KEPT = frozenset(
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
"""Words by which a header or an entry is told to be one; they stay."""
IDENTIFIER = re.compile(r"10\.\d{4,9}/\S+|\b\d{4}\.\d{4,5}(?:v\d)?\b|\b[a-z-]+(?:\.[A-Z]{2})?/\d{7}\b")
BODY = re.compile(r"(?i:\babstract\b|\bintroduction\b|\bsummary\b|a b s t r a c t|zusammenfassung|resum[e?]n?\b)")
LIST = re.compile(
    r"R\s?(?i:e\s?f\s?e\s?r\s?e\s?n\s?c\s?e\s?s)\b|B(?i:ibliography)\b|L(?i:iterature|iteratur(?:verzeichnis)?)\b"
)
YEAR = re.compile(r"\b(?:19|20)\d\d")
FAULTS = (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, AssertionError, OverflowError)
"""What a file that is not as it should be makes pypdf raise."""


@dataclass(frozen=True)
class Rule:
    """Which letter takes the place of which."""

    seed: int

    @cached_property
    def letters(self) -> dict[str, str]:
        """None stays itself; small and capital letters alike."""
        chance = random.Random(self.seed)
        small = {one: other for ring in RINGS for one, other in _turned(ring, chance)}
        return small | {one.upper(): other.upper() for one, other in small.items()}

    def digit(self, sign: str) -> str:
        """Digits of identifiers."""
        return str((int(sign) + 1 + self.seed % 9) % 10)

    def changes(self, text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
        """The places of a text whose sign is another under this rule."""
        named = set()
        for found in IDENTIFIER.finditer(text, start, end):
            first = found.start() + max(found[0].find("/"), found[0].find(".")) + 1
            named |= set(range(found.start(), found.end()))
            yield from ((at, self.digit(text[at])) for at in range(first, found.end()) if text[at].isdigit())
        for word in WORD.finditer(text, start, end):
            if word[0].lower() not in KEPT:
                for at in range(word.start(), word.end()):
                    if at not in named and text[at] in self.letters:
                        yield at, self.letters[text[at]]


def _turned(letters: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Each letter with another: a random ring."""
    ring = chance.sample(letters, len(letters))
    return zip(ring, [*ring[1:], ring[0]], strict=True)


@dataclass(frozen=True)
class Sheet:
    """What shows text: a page, or a form that is set into a page."""

    holder: DictionaryObject
    text: PageText
    page: int

    def renewed(self, content: bytes, number: int) -> dict[int, bytes]:
        """The objects that show other content; `number` is free for a new one."""
        reference = self.holder.indirect_reference
        if reference is None:
            raise ValueError("a page without a number")
        held = {name: self.holder.raw_get(name) for name in self.holder if name not in STREAM}
        if isinstance(self.holder, StreamObject):
            return {reference.idnum: stream_object(content, DictionaryObject(held))}
        held[NameObject("/Contents")] = IndirectObject(number, 0, reference.pdf)
        return {reference.idnum: plain_object(DictionaryObject(held)), number: stream_object(content)}


@dataclass(frozen=True)
class Region:
    """A sheet whose letters are exchanged, from one place of its text to another."""

    sheet: Sheet
    start: int
    end: int

    @property
    def text(self) -> str:
        """All of the sheet's text."""
        return self.sheet.text.text


class Original:
    """A paper of which copies are made; opened once, copied often."""

    def __init__(self, data: bytes) -> None:
        """ValueError (or another of `FAULTS`) for a file whose text cannot be found or changed."""
        self._data = data
        self._reader = PdfReader(BytesIO(data))
        if self._reader.is_encrypted:
            raise ValueError("encrypted")
        self._fonts: dict[int, Font | None] = {}
        self._sheets = [sheet for number, page in enumerate(self._reader.pages) for sheet in self._shown(page, number)]
        self._regions = [*_heads(self._sheets), *_listed(self._sheets)]
        heads = "".join(one.text[: one.end] for one in self._regions if one.sheet.page == 0)
        if sum(sign.isalpha() for sign in heads) < LETTERS:
            raise ValueError("the letters of title and authors are not to be found")

    @property
    def has_list(self) -> bool:
        """Whether the reference list was found."""
        return any(region.sheet.page for region in self._regions)

    def copy(self, seed: int, version: int = 0) -> bytes:
        """Another paper for each seed; versions of one seed are files of one work, with a few words changed."""
        rule = Rule(seed)
        objects: dict[int, bytes] = {}
        number = first_free(self._reader)
        for region in self._regions:
            signs = dict(rule.changes(region.text, region.start, region.end))
            if region.sheet.page == 0:
                signs |= _small_edits(region, seed, version)
            objects |= region.sheet.renewed(region.sheet.text.changed(signs), number)
            number += 1
        return updated(self._data, self._reader, objects)

    def _shown(self, page: PageObject, number: int) -> Iterator[Sheet]:
        """The page itself, and the forms in it that hold text."""
        contents = page.get_contents()
        resources = page.get("/Resources", DictionaryObject()).get_object()
        stream = b"" if contents is None else contents.get_data()
        yield Sheet(page, page_text(stream, self._fonts_of(resources)), number)
        for form in resources.get("/XObject", DictionaryObject()).get_object().values():
            held = form.get_object()
            if held.get("/Subtype") == "/Form" and "/Resources" in held:
                text = page_text(held.get_data(), self._fonts_of(held["/Resources"].get_object()))
                if text.text.strip():
                    yield Sheet(held, text, number)

    def _fonts_of(self, resources: DictionaryObject) -> dict[str, Font]:
        listed = resources.get("/Font", DictionaryObject()).get_object()
        fonts = {str(name)[1:]: self._font(listed.raw_get(name), value) for name, value in listed.items()}
        return {name: font for name, font in fonts.items() if font}

    def _font(self, reference: Any, value: Any) -> Font | None:
        number = reference.idnum if isinstance(reference, IndirectObject) else id(value)
        if number not in self._fonts:
            self._fonts[number] = font_of(value.get_object())
        return self._fonts[number]


def variation(source: Path, seed: int, version: int = 0) -> bytes | None:
    """One copy of a paper; None where it cannot be made."""
    try:
        return Original(source.read_bytes()).copy(seed, version)
    except FAULTS:
        return None


def _heads(sheets: list[Sheet]) -> Iterator[Region]:
    """Title and authors: on the first page, from the top to the abstract or the first heading."""
    for sheet in (one for one in sheets if one.page == 0):
        ends = [found.start() for found in BODY.finditer(sheet.text.text) if found.start() > LEAST]
        yield Region(sheet, 0, min(ends[0], 2 * HEAD) if ends else HEAD)


def _listed(sheets: list[Sheet]) -> Iterator[Region]:
    """The reference list: from its heading, which years follow, to the end of the paper."""
    for number, sheet in enumerate(sheets):
        after = "".join(one.text.text for one in sheets[number + 1 : number + 3])
        for found in LIST.finditer(sheet.text.text) if sheet.page else ():
            follows = (sheet.text.text[found.end() :] + after)[:NEAR]
            if len(YEAR.findall(follows)) >= 3:
                yield Region(sheet, found.end(), len(sheet.text.text))
                yield from (Region(later, 0, len(later.text.text)) for later in sheets[number + 1 :])
                return


def _small_edits(region: Region, seed: int, version: int) -> dict[int, str]:
    """Some words of the first page after the head, changed in one letter: another file of the same work."""
    words = [word for word in WORD.finditer(region.text, region.end) if len(word[0]) > 5 and word[0].islower()]
    chance = random.Random(f"{seed}/{version}")
    chosen = chance.sample(words, min(EDITS, len(words))) if version else []
    return {word.start() + 2: "e" if word[0][2] != "e" else "a" for word in chosen}
