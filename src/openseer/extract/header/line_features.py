"""Features of first-page lines for the line classifier: style, text and neighbouring lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from openseer.core.text.person_names import is_name, names_institution
from openseer.extract.header.abstract import ABSTRACT_END, ABSTRACT_SUBHEADING, KEYWORD_LABEL, LABEL
from openseer.extract.header.authors import NOT_AUTHORS, split_names, text_with_breaks
from openseer.extract.header.emails import ADDRESSES
from openseer.extract.header.title import NOT_A_TITLE, PERIODICAL
from openseer.extract.header.year import COPYRIGHT, MONTH, VENUE_WORDS, YEAR
from openseer.extract.layout.headings import INTRODUCTION, is_heading
from openseer.extract.layout.language import STOP_WORDS
from openseer.extract.layout.lines import WIDE_GAP_EMS, Line, body_size
from openseer.extract.models.paths import model_file
from openseer.extract.pdf.page_model import PageModel

LETTERS = re.compile(r"[^\W\d_]+")
WEB_ADDRESS = re.compile(r"https?:|www\.|\bdoi\b|\b10\.\d{4,9}/", re.I)
BEGINS_WITH_MARKER = re.compile(r"\s*(?:[*†‡§¶∗]|\d{1,2}\b|\(?[a-z]\))")
HEADING = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,4})\.?\s+[^\W\d_]")
INITIAL = re.compile(r"\b[^\W\d_a-z]\.")
LINE_CONTINUES = re.compile(r"(?:,|;|\band|&)\s*$")
MAX_DISTANCE = 30.0
MAX_VOCABULARY_LINES = 300
"""Lines whose words make up the vocabulary of the document."""
NEIGHBOURS = (-2, -1, 1, 2)


@dataclass(frozen=True, slots=True)
class PageProfile:
    """Reference values of the page and the document for the features of a line."""

    width: float
    height: float
    size: float
    """Font size of most of the text."""
    font: str
    largest: Line
    """The first line in the largest type of the page."""
    sizes: tuple[float, ...]
    """All font sizes of the page, the largest first."""
    lower_case_words: frozenset[str]
    """Words in lower case somewhere in the document."""
    running_head_words: frozenset[str]
    """Words of the running heads of later pages."""
    title: frozenset[str]
    author: frozenset[str]


def features_of(first: Sequence[Line], lines: Sequence[Line], page_model: PageModel) -> NDArray[np.float64]:
    """One row for each line of the first page, followed by features of its neighbours."""
    if not first:
        return np.zeros((0, len(FEATURES)))
    profile = _page_profile(first, lines, page_model)
    line_rows = [_style_features(line, profile) + _text_features(line, profile) for line in first]
    rows = np.array(
        [row + relations for row, relations in zip(line_rows, _position_features(first, profile), strict=True)]
    )
    return np.hstack([rows, *(_shifted(rows[:, NEIGHBOUR_COLUMNS], step) for step in NEIGHBOURS)])


def _page_profile(first: Sequence[Line], lines: Sequence[Line], page_model: PageModel) -> PageProfile:
    page = page_model.pages[0]
    lettered = [line for line in first if sum(map(str.isalpha, line.text)) > 2] or list(first)
    size = body_size(lines)
    fonts = Counter(line.font.name for line in lines if line.size == size)
    return PageProfile(
        width=max(1.0, page.width),
        height=max(1.0, page.height),
        size=size,
        font=fonts.most_common(1)[0][0] if fonts else "",
        largest=max(lettered, key=lambda line: line.size),
        sizes=tuple(sorted({round(line.size, 1) for line in lettered}, reverse=True)),
        lower_case_words=frozenset(
            word for line in lines[:MAX_VOCABULARY_LINES] for word in LETTERS.findall(line.text) if word.islower()
        ),
        running_head_words=frozenset(
            word for line in lines if line.margin and line.page > page.number for word in _lower_words(line.text)
        ),
        title=frozenset(_lower_words(page_model.info.get("Title", ""))),
        author=frozenset(_lower_words(page_model.info.get("Author", ""))),
    )


def _lower_words(text: str) -> list[str]:
    return [word for word in LETTERS.findall(text.lower()) if len(word) > 2]


def _style_features(line: Line, profile: PageProfile) -> list[float]:
    raised = sum(word.size < 0.86 * line.size for word in line.words)
    wide_gaps = sum(
        two.x0 - one.x1 > WIDE_GAP_EMS * line.size for one, two in zip(line.words, line.words[1:], strict=False)
    )
    rank = next((number for number, size in enumerate(profile.sizes) if line.size >= size - 0.3), len(profile.sizes))
    return [
        line.size / profile.size,
        line.size / profile.largest.size,
        float(min(rank, 8)),
        float(line.font.bold),
        float(line.font.italic),
        float(line.font.name == profile.font),
        line.base / profile.height,
        line.x0 / profile.width,
        line.x1 / profile.width,
        abs((line.x0 + line.x1) / 2 - profile.width / 2) / profile.width,
        (line.x1 - line.x0) / profile.width,
        float(line.column),
        float(line.margin),
        float(len({word.font for word in line.words})),
        raised / len(line.words),
        float(wide_gaps),
    ]


def _text_features(line: Line, profile: PageProfile) -> list[float]:
    """Features of the words of a line; the costly tests are skipped for running prose."""
    text = line.text
    words = LETTERS.findall(text)
    count = max(1, len(words))
    lower = [word.lower() for word in words]
    stop_word_share = sum(word in STOP_WORDS for word in lower) / count
    prose = count > 8 and stop_word_share > 0.3 and len(text) > 50
    given, family = gazetteer()
    name_count, name_share = (0, 0.0) if prose or len(text) > 400 else _name_share(line)
    values = [
        float(min(len(text), 200)),
        float(min(count, 40)),
        sum(map(str.isupper, text)) / max(1, sum(map(len, words))),
        sum(word[0].isupper() for word in words) / count,
        sum(map(str.isdigit, text)) / max(1, len(text)),
        stop_word_share,
        text.count(",") / count,
        float(text.endswith(".")),
        float(bool(LINE_CONTINUES.search(text))),
        float(text[:1].islower()),
        sum(word in profile.lower_case_words for word in lower) / count,
        sum(word in given for word in words) / count,
        sum(word in family for word in words) / count,
        float(name_count),
        name_share,
        float(len(INITIAL.findall(text))),
        sum(word in profile.title for word in lower) / count,
        sum(word in profile.author for word in lower) / count,
        sum(word in profile.running_head_words for word in lower) / count,
    ]
    values += [float(bool(test(text))) for test in LINE_START_TESTS.values()]
    lower_text = text.lower()
    return values + (
        [0.0] * len(TEXT_TESTS) if prose else [float(bool(test(lower_text))) for test in TEXT_TESTS.values()]
    )


def _name_share(line: Line) -> tuple[int, float]:
    """Number of names in a line, and their share of its parts."""
    pieces = [part for part in split_names(text_with_breaks(line)) if sum(map(str.isalpha, part)) > 2]
    names = sum(map(is_name, pieces))
    return names, names / max(1, len(pieces))


def _search_lower(pattern: re.Pattern[str]) -> Callable[[str], object]:
    """Search function of the pattern for lower-case text; ignoring case costs twice as much."""
    return re.compile(pattern.pattern).search


LINE_START_TESTS: dict[str, Callable[[str], object]] = {
    "labels the abstract": LABEL.match,
    "labels keywords": KEYWORD_LABEL.match,
    "labels a part": ABSTRACT_SUBHEADING.match,
    "introduces": lambda text: is_heading(INTRODUCTION, text),
    "is a heading": HEADING.match,
    "ends the abstract": ABSTRACT_END.match,
    "speaks of others": NOT_AUTHORS.match,
    "begins with a mark": BEGINS_WITH_MARKER.match,
}
TEXT_TESTS: dict[str, Callable[[str], object]] = {
    "is a place": names_institution,
    "has an e-mail": lambda text: "@" in text and ADDRESSES.search(text),
    "has an address": _search_lower(WEB_ADDRESS),
    "has a month": _search_lower(MONTH),
    "has a year": YEAR.search,
    "is furniture": _search_lower(NOT_A_TITLE),
    "is a periodical": _search_lower(PERIODICAL),
    "speaks of a venue": _search_lower(VENUE_WORDS),
    "has a copyright": _search_lower(COPYRIGHT),
}
"""Applied to the line in lower case."""


def _position_features(first: Sequence[Line], profile: PageProfile) -> list[list[float]]:
    """Position features: white space around a line, distance to the largest type and to the labels."""
    label = next((n for n, line in enumerate(first) if LABEL.match(line.text)), None)
    intro = next((n for n, line in enumerate(first) if is_heading(INTRODUCTION, line.text)), None)
    stream = {id(line): n for n, line in enumerate(sorted(first, key=lambda line: line.order))}
    big = stream[id(profile.largest)]
    rows = []
    for number, line in enumerate(first):
        above = first[number - 1] if number else None
        below = first[number + 1] if number + 1 < len(first) else None
        rows.append(
            [
                _gap(above, line),
                _gap(line, below),
                _similarity(above, line),
                _similarity(line, below),
                float(number),
                number / len(first),
                _distance(number, label),
                _distance(number, intro),
                max(-MAX_DISTANCE, min(MAX_DISTANCE, (line.base - profile.largest.base) / profile.size)),
                max(-MAX_DISTANCE, min(MAX_DISTANCE, float(stream[id(line)] - big))),
            ]
        )
    return rows


def _gap(above: Line | None, below: Line | None) -> float:
    if above is None or below is None:
        return 10.0
    return max(-10.0, min(10.0, (below.base - above.base) / max(1.0, below.size)))


def _similarity(one: Line | None, two: Line | None) -> float:
    """0 to 3: same size, same font, same weight."""
    if one is None or two is None:
        return 0.0
    return float(abs(one.size - two.size) < 0.3) + (one.font.name == two.font.name) + (one.font.bold == two.font.bold)


def _distance(number: int, other: int | None) -> float:
    return 99.0 if other is None else max(-MAX_DISTANCE, min(MAX_DISTANCE, float(number - other)))


def _shifted(rows: NDArray[np.float64], step: int) -> NDArray[np.float64]:
    """The rows of the neighbours `step` lines away; -1 beyond the page."""
    result = np.full_like(rows, -1.0)
    if step > 0:
        result[:-step] = rows[step:]
    else:
        result[-step:] = rows[:step]
    return result


STYLE_FEATURES = (
    "size by text,size by largest,rank of size,bold,italic,font of the text,y,x0,x1,off centre,width,column,margin,"
    "fonts,raised,wide spaces"
)
WORD_FEATURES = (
    "letters,words,capitals,capital words,digits,small words,commas,full stop,goes on,begins small,small elsewhere,"
    "given names,family names,names,share of names,initials,in Info title,in Info author,in heads"
)
POSITION_FEATURES = (
    "gap above,gap below,like above,like below,number,place,from label,from introduction,below largest,"
    "after largest in stream"
)
LINE_FEATURES = (
    *STYLE_FEATURES.split(","),
    *WORD_FEATURES.split(","),
    *LINE_START_TESTS,
    *TEXT_TESTS,
    *POSITION_FEATURES.split(","),
)
NEIGHBOUR_FEATURES = (
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
NEIGHBOUR_COLUMNS = [LINE_FEATURES.index(name) for name in NEIGHBOUR_FEATURES]
FEATURES = (*LINE_FEATURES, *(f"{name} @{step:+}" for step in NEIGHBOURS for name in NEIGHBOUR_FEATURES))
"""Column names."""


@cache
def gazetteer() -> tuple[frozenset[str], frozenset[str]]:
    """Common given and family names."""
    text = model_file("names.txt").read_text("utf-8")
    given, family = text.split("\n\n")
    return frozenset(given.split()), frozenset(family.split())
