"""What can be seen of each line of a first page, as numbers: how it is set, what it says, what stands around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from openseer.core.text.person_names import is_name, names_institution
from openseer.extract.header.abstract import KEYWORD_LABEL, LABEL, STOP, SUBHEAD
from openseer.extract.header.authors import OTHERS, spelled, split_names
from openseer.extract.header.emails import ADDRESSES
from openseer.extract.header.title import JUNK, PERIODICAL
from openseer.extract.header.year import COPYRIGHT, MONTH, VENUE_WORDS, YEAR
from openseer.extract.layout.headings import INTRODUCTION, is_heading
from openseer.extract.layout.language import STOP_WORDS
from openseer.extract.layout.lines import WIDE_GAP_EMS, Line, body_size
from openseer.extract.models.paths import model_file
from openseer.extract.pdf.page_model import PageModel

LETTERS = re.compile(r"[^\W\d_]+")
ADDRESS = re.compile(r"https?:|www\.|\bdoi\b|\b10\.\d{4,9}/", re.I)
MARKED = re.compile(r"\s*(?:[*†‡§¶∗]|\d{1,2}\b|\(?[a-z]\))")
HEADING = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,4})\.?\s+[^\W\d_]")
INITIAL = re.compile(r"\b[^\W\d_a-z]\.")
GOES_ON = re.compile(r"(?:,|;|\band|&)\s*$")
FAR = 30.0
LOOKED_AT = 300
"""Lines whose words are gathered: enough to know what is no name."""
NEIGHBOURS = (-2, -1, 1, 2)


@dataclass(frozen=True, slots=True)
class Around:
    """What a line is compared with: the page, the document and what its maker wrote into the file."""

    width: float
    height: float
    size: float
    """Of most of the text."""
    font: str
    largest: Line
    """The first line in the largest type of the page."""
    sizes: tuple[float, ...]
    """Every size of the page, the largest first."""
    small: frozenset[str]
    """Words that the document writes without a capital somewhere."""
    heads: frozenset[str]
    """Words of the running heads of later pages."""
    title: frozenset[str]
    author: frozenset[str]


def features_of(first: Sequence[Line], lines: Sequence[Line], sheets: PageModel) -> NDArray[np.float64]:
    """One row for each line of the first page, with the clues of its neighbours behind its own."""
    if not first:
        return np.zeros((0, len(FEATURES)))
    around = _around(first, lines, sheets)
    own = [_look(line, around) + _said(line, around) for line in first]
    rows = np.array([row + near for row, near in zip(own, _relations(first, around), strict=True)])
    return np.hstack([rows, *(_shifted(rows[:, NEAR], step) for step in NEIGHBOURS)])


def _around(first: Sequence[Line], lines: Sequence[Line], sheets: PageModel) -> Around:
    page = sheets.pages[0]
    lettered = [line for line in first if sum(map(str.isalpha, line.text)) > 2] or list(first)
    size = body_size(lines)
    fonts = Counter(line.font.name for line in lines if line.size == size)
    return Around(
        width=max(1.0, page.width),
        height=max(1.0, page.height),
        size=size,
        font=fonts.most_common(1)[0][0] if fonts else "",
        largest=max(lettered, key=lambda line: line.size),
        sizes=tuple(sorted({round(line.size, 1) for line in lettered}, reverse=True)),
        small=frozenset(word for line in lines[:LOOKED_AT] for word in LETTERS.findall(line.text) if word.islower()),
        heads=frozenset(
            word for line in lines if line.margin and line.page > page.number for word in _lower(line.text)
        ),
        title=frozenset(_lower(sheets.info.get("Title", ""))),
        author=frozenset(_lower(sheets.info.get("Author", ""))),
    )


def _lower(text: str) -> list[str]:
    return [word for word in LETTERS.findall(text.lower()) if len(word) > 2]


def _look(line: Line, around: Around) -> list[float]:
    raised = sum(word.size < 0.86 * line.size for word in line.words)
    wide = sum(two.x0 - one.x1 > WIDE_GAP_EMS * line.size for one, two in zip(line.words, line.words[1:], strict=False))
    rank = next((number for number, size in enumerate(around.sizes) if line.size >= size - 0.3), len(around.sizes))
    return [
        line.size / around.size,
        line.size / around.largest.size,
        float(min(rank, 8)),
        float(line.font.bold),
        float(line.font.italic),
        float(line.font.name == around.font),
        line.base / around.height,
        line.x0 / around.width,
        line.x1 / around.width,
        abs((line.x0 + line.x1) / 2 - around.width / 2) / around.width,
        (line.x1 - line.x0) / around.width,
        float(line.column),
        float(line.margin),
        float(len({word.font for word in line.words})),
        raised / len(line.words),
        float(wide),
    ]


def _said(line: Line, around: Around) -> list[float]:
    """The words of a line and what they are signs of; running prose is a sign of nothing, and is not asked."""
    text = line.text
    words = LETTERS.findall(text)
    count = max(1, len(words))
    lower = [word.lower() for word in words]
    small = sum(word in STOP_WORDS for word in lower) / count
    prose = count > 8 and small > 0.3 and len(text) > 50
    given, family = gazetteer()
    names, share = (0, 0.0) if prose or len(text) > 400 else _names(line)
    told = [
        float(min(len(text), 200)),
        float(min(count, 40)),
        sum(map(str.isupper, text)) / max(1, sum(map(len, words))),
        sum(word[0].isupper() for word in words) / count,
        sum(map(str.isdigit, text)) / max(1, len(text)),
        small,
        text.count(",") / count,
        float(text.endswith(".")),
        float(bool(GOES_ON.search(text))),
        float(text[:1].islower()),
        sum(word in around.small for word in lower) / count,
        sum(word in given for word in words) / count,
        sum(word in family for word in words) / count,
        float(names),
        share,
        float(len(INITIAL.findall(text))),
        sum(word in around.title for word in lower) / count,
        sum(word in around.author for word in lower) / count,
        sum(word in around.heads for word in lower) / count,
    ]
    told += [float(bool(sign(text))) for sign in OPENINGS.values()]
    small_letters = text.lower()
    return told + ([0.0] * len(SIGNS) if prose else [float(bool(sign(small_letters))) for sign in SIGNS.values()])


def _names(line: Line) -> tuple[int, float]:
    """How many names a line holds, and what share of its pieces they are."""
    pieces = [part for part in split_names(spelled(line)) if sum(map(str.isalpha, part)) > 2]
    names = sum(map(is_name, pieces))
    return names, names / max(1, len(pieces))


def _small(pattern: re.Pattern[str]) -> Callable[[str], object]:
    """The same pattern for text in small letters: it need not look at both cases, which costs as much again."""
    return re.compile(pattern.pattern).search


OPENINGS: dict[str, Callable[[str], object]] = {
    "labels the abstract": LABEL.match,
    "labels keywords": KEYWORD_LABEL.match,
    "labels a part": SUBHEAD.match,
    "introduces": lambda text: is_heading(INTRODUCTION, text),
    "is a heading": HEADING.match,
    "ends the abstract": STOP.match,
    "speaks of others": OTHERS.match,
    "begins with a mark": MARKED.match,
}
SIGNS: dict[str, Callable[[str], object]] = {
    "is a place": names_institution,
    "has an e-mail": lambda text: "@" in text and ADDRESSES.search(text),
    "has an address": _small(ADDRESS),
    "has a month": _small(MONTH),
    "has a year": YEAR.search,
    "is furniture": _small(JUNK),
    "is a periodical": _small(PERIODICAL),
    "speaks of a venue": _small(VENUE_WORDS),
    "has a copyright": _small(COPYRIGHT),
}
"""Asked of the line in small letters."""


def _relations(first: Sequence[Line], around: Around) -> list[list[float]]:
    """Where a line stands among the others: white around it, distance to the largest type and to the labels."""
    label = next((n for n, line in enumerate(first) if LABEL.match(line.text)), None)
    intro = next((n for n, line in enumerate(first) if is_heading(INTRODUCTION, line.text)), None)
    stream = {id(line): n for n, line in enumerate(sorted(first, key=lambda line: line.order))}
    big = stream[id(around.largest)]
    rows = []
    for number, line in enumerate(first):
        above = first[number - 1] if number else None
        below = first[number + 1] if number + 1 < len(first) else None
        rows.append(
            [
                _gap(above, line),
                _gap(line, below),
                _alike(above, line),
                _alike(line, below),
                float(number),
                number / len(first),
                _distance(number, label),
                _distance(number, intro),
                max(-FAR, min(FAR, (line.base - around.largest.base) / around.size)),
                max(-FAR, min(FAR, float(stream[id(line)] - big))),
            ]
        )
    return rows


def _gap(above: Line | None, below: Line | None) -> float:
    if above is None or below is None:
        return 10.0
    return max(-10.0, min(10.0, (below.base - above.base) / max(1.0, below.size)))


def _alike(one: Line | None, two: Line | None) -> float:
    """0 to 3: same size, same face, same weight."""
    if one is None or two is None:
        return 0.0
    return float(abs(one.size - two.size) < 0.3) + (one.font.name == two.font.name) + (one.font.bold == two.font.bold)


def _distance(number: int, other: int | None) -> float:
    return 99.0 if other is None else max(-FAR, min(FAR, float(number - other)))


def _shifted(rows: NDArray[np.float64], step: int) -> NDArray[np.float64]:
    """The rows of the neighbours so many lines away; -1 beyond the page."""
    moved = np.full_like(rows, -1.0)
    if step > 0:
        moved[:-step] = rows[step:]
    else:
        moved[-step:] = rows[:step]
    return moved


LOOKS = (
    "size by text,size by largest,rank of size,bold,italic,font of the text,y,x0,x1,off centre,width,column,margin,"
    "fonts,raised,wide spaces"
)
TOLD = (
    "letters,words,capitals,capital words,digits,small words,commas,full stop,goes on,begins small,small elsewhere,"
    "given names,family names,names,share of names,initials,in Info title,in Info author,in heads"
)
PLACED = (
    "gap above,gap below,like above,like below,number,place,from label,from introduction,below largest,"
    "after largest in stream"
)
OWN = (*LOOKS.split(","), *TOLD.split(","), *OPENINGS, *SIGNS, *PLACED.split(","))
SHARED = (
    "size by text",
    "bold",
    "font of the text",
    "x0",
    "words",
    "capital words",
    "digits",
    "small words",
    "share of names",
    "given names",
    "small elsewhere",
    "is a place",
    "has an e-mail",
    "is furniture",
    "labels the abstract",
    "labels keywords",
    "has a year",
    "margin",
)
NEAR = [OWN.index(name) for name in SHARED]
FEATURES = (*OWN, *(f"{name} @{step:+}" for step in NEIGHBOURS for name in SHARED))
"""The name of each column."""


@cache
def gazetteer() -> tuple[frozenset[str], frozenset[str]]:
    """Given and family names that are borne by many."""
    text = model_file("names.txt").read_text("utf-8")
    given, family = text.split("\n\n")
    return frozenset(given.split()), frozenset(family.split())
