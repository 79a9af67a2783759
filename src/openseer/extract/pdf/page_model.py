"""Page model of both readers: words with box and font, links, and text normalisation."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from openseer.core.model.extraction import Box

HYPHEN = "\x02"
"""Marks a word that continues in the next line; the printed hyphen is removed."""

UNSAFE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""Characters that files and databases reject."""

MAX_PAGES = 2000
MAX_PAGE_CHARACTERS = 200_000
"""Limit for hostile files; the rest of the page is skipped."""
MIN_FONT_SIZE = 0.2
"""Smaller sizes in a file count as this one, since features divide by the size."""

BOLD = re.compile(r"bold|black|heavy|demi|medi(?!um)|cmbx|cmb\d|sfbx|-b\b|-bd\b|,b\b|\bB$|semibd", re.I)
ITALIC = re.compile(r"ital|obli|slant|cmti|cmsl|sfti|-it\b|-i\b|[-,]bi\b|regulit|mediit|kursiv", re.I)


@dataclass(frozen=True, slots=True)
class PageSize:
    """Width and height of a page in points."""

    width: float = 595.0
    height: float = 842.0

    @property
    def is_landscape(self) -> bool:
        return self.width > self.height


class Font(NamedTuple):
    """Name and style of a font."""

    name: str
    bold: bool = False
    italic: bool = False


class Word(NamedTuple):
    """Characters in one font on one baseline; y grows downwards from the top of the page as shown."""

    text: str
    x0: float
    x1: float
    base: float
    size: float
    font: Font
    glued: bool = False
    """True if no space precedes the word."""


class Link(NamedTuple):
    """A link annotation with its box."""

    box: Box
    uri: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page in the order of its content stream."""

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    links: tuple[Link, ...] = ()
    rotated_text: str = ""
    """Text that is not upright, e.g. a stamp along the margin."""


@dataclass(frozen=True, slots=True)
class PageModel:
    """All pages of a document with its metadata."""

    pages: tuple[Page, ...]
    count: int
    info: dict[str, str]
    warnings: tuple[str, ...] = ()


TEXT_DIRECTION_CONTROLS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""They turn the text behind them, also outside of the paper; removed."""
LIGATURES = str.maketrans(
    {
        **dict.fromkeys(TEXT_DIRECTION_CONTROLS),
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
LOOSE_ACCENT = re.compile(f"(\\w?)( ?)([{''.join(ACCENTS)}])( ?)(\\w?)")


def _compose(match: re.Match[str]) -> str:
    before, left, accent, right, after = match.groups()
    combining, letters = ACCENTS[accent]
    after_plain = "i" if after == "ı" else after
    if after_plain and after_plain in letters and not (right and left):
        return (
            before
            + ("" if before.islower() or not left else left)
            + unicodedata.normalize("NFC", after_plain + combining)
        )
    before_plain = "i" if before == "ı" else before
    if before_plain and before_plain in letters and not left:
        return unicodedata.normalize("NFC", before_plain + combining) + ("" if after.islower() else right) + after
    return match.group(0)


def clean(text: str) -> str:
    """Text without direction controls, with ligatures expanded and loose accents composed with their letters.

    >>> clean("C´edric fu¨r ﬁnal")
    'Cédric für final'
    """
    if text.isascii():
        return text
    text = text.translate(LIGATURES)
    text = re.sub(r"(?<=[A-Za-z])€(?=[aouAOU])", "¨", text)  # the diaeresis of some old fonts
    return LOOSE_ACCENT.sub(_compose, unicodedata.normalize("NFC", text))


def font_of(name: str) -> Font:
    """Font with weight and slant derived from its name, since the flags in the file are often wrong or missing."""
    plain = name.split("+", 1)[-1]
    return Font(plain, bool(BOLD.search(plain)), bool(ITALIC.search(plain)))
