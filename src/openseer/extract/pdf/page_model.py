"""The values a page is made of, whichever reader opened the file: words with box and font, links, clean characters."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from openseer.core.model.extraction import Box

HYPHEN = "\x02"
"""Marks a word that goes on in the next line; the printed hyphen is gone."""

UNSAFE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""Characters that no file or database takes."""

MAX_PAGES = 2000
MAX_CHARACTERS = 200_000
"""Of one page; what a hostile file has beyond it is not read."""

BOLD = re.compile(r"bold|black|heavy|demi|medi(?!um)|cmbx|cmb\d|sfbx|-b\b|-bd\b|,b\b|\bB$|semibd", re.I)
ITALIC = re.compile(r"ital|obli|slant|cmti|cmsl|sfti|-it\b|-i\b|[-,]bi\b|regulit|mediit|kursiv", re.I)


@dataclass(frozen=True, slots=True)
class PageSize:
    """The page as a sheet of paper."""

    width: float = 595.0
    height: float = 842.0

    @property
    def across(self) -> bool:
        return self.width > self.height


class Font(NamedTuple):
    """What the reader needs to know of a typeface."""

    name: str
    bold: bool = False
    italic: bool = False


class Word(NamedTuple):
    """A run of characters in one font on one baseline; y grows downwards from the top of the page as shown."""

    text: str
    x0: float
    x1: float
    base: float
    size: float
    font: Font
    glued: bool = False
    """No space stands between this run and the one before it."""


class Link(NamedTuple):
    """A place on the page that leads to an address."""

    box: Box
    uri: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page as the reader of the file gives it, in the order of its content stream."""

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    links: tuple[Link, ...] = ()
    aside: str = ""
    """Text that does not stand upright, such as a stamp along the margin."""


@dataclass(frozen=True, slots=True)
class PageModel:
    """A whole document, opened and read."""

    pages: tuple[Page, ...]
    count: int
    info: dict[str, str]
    warnings: tuple[str, ...] = ()


LIGATURES = str.maketrans(
    {
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬀ": "ff",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        "ﬅ": "st",
        "ﬆ": "st",
        "\u00ad": "",
        "\u200b": "",
        "\ufeff": "",
    }
)
ACCENTS = {
    "´": ("\u0301", "aeiouyAEIOUYcnszlrCNSZLR"),
    "`": ("\u0300", "aeiouAEIOU"),
    "¨": ("\u0308", "aeiouyAEIOUY"),
    "ˆ": ("\u0302", "aeiouAEIOU"),
    "˜": ("\u0303", "anoANO"),
    "ˇ": ("\u030c", "cdenrstzgCDENRSTZG"),
    "˚": ("\u030a", "uaUA"),
    "¸": ("\u0327", "csCStT"),
    "˘": ("\u0306", "agAG"),
    "˝": ("\u030b", "ouOU"),
    "˙": ("\u0307", "zZeEI"),
}
LOOSE = re.compile(f"(\\w?)( ?)([{''.join(ACCENTS)}])( ?)(\\w?)")


def _compose(match: re.Match[str]) -> str:
    before, left, accent, right, after = match.groups()
    mark, letters = ACCENTS[accent]
    after_plain = "i" if after == "ı" else after
    if after_plain and after_plain in letters and not (right and left):
        return (
            before + ("" if before.islower() or not left else left) + unicodedata.normalize("NFC", after_plain + mark)
        )
    before_plain = "i" if before == "ı" else before
    if before_plain and before_plain in letters and not left:
        return unicodedata.normalize("NFC", before_plain + mark) + ("" if after.islower() else right) + after
    return match.group(0)


def clean(text: str) -> str:
    """Ligatures taken apart and loose accents set on their letters.

    >>> clean("C´edric fu¨r ﬁnal")
    'Cédric für final'
    """
    if text.isascii():
        return text
    text = text.translate(LIGATURES)
    text = re.sub(r"(?<=[A-Za-z])€(?=[aouAOU])", "¨", text)  # some old fonts name the diaeresis so
    return LOOSE.sub(_compose, unicodedata.normalize("NFC", text))


def font_of(name: str) -> Font:
    """A font judged by its name: the weight and flags in the file are often wrong or missing."""
    plain = name.split("+", 1)[-1]
    return Font(plain, bool(BOLD.search(plain)), bool(ITALIC.search(plain)))
