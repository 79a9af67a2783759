"""Heading detection: candidate lines and run-in phrases, scored by gradient-boosted trees, with levels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from openseer.core.ml.tree_ensemble import load_ensemble
from openseer.extract.layout.headings import section_type
from openseer.extract.layout.language import STOP_WORDS
from openseer.extract.layout.lines import Line, body_size
from openseer.extract.models.paths import model_file
from openseer.extract.pdf.page_model import HYPHEN, Font, Word, clean

MODEL = "outline.forest.gz"
HEADING_NUMBER = re.compile(
    r"\s*(?:(?:section|chapter|kapitel)\s+)?(?:(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?(?:\s*\|)?\s+(?=[^\W\d_])|([IVX]{1,5})[.)]\s+(?=\w)|"
    r"([A-Z])[.)]\s+(?=[^\W\d_])|(§ ?\d{1,3}\.?)\s+)",
    re.I,
)
CAPTION = re.compile(
    r"\s*(?:fig(?:ure|\.)|table|tab\.|scheme|abbildung|abb\.|tabelle|box|plate|chart|algorithm)\s*\d", re.I
)
FORMULA = re.compile(r"[=∈≤≥≡⊂⊆←→∑∏∫√∂]|\(\d{1,3}\)$|^\d{1,3}:|^\((?!\w\))|\[\d[\d, –-]*\]\.?$")
"""A formula, a line of an algorithm, or a line with citations."""
LETTERS = re.compile(r"[^\W\d_]+")
MAX_LENGTH, MAX_LINES, MAX_RUN_IN_WORDS = 180, 4, 16
MIN_PROBABILITY = 0.3
MAX_CANDIDATES = 4000
"""Limit for hostile documents."""


class LineStyle(NamedTuple):
    """Font, size and capitals of a line."""

    font: Font
    size: float
    all_caps: bool
    """True if all letters are capitals."""


class HeadingCandidate(NamedTuple):
    """A possible heading: whole lines, or the first words of one."""

    first_line: int
    """Number of its first line."""
    line_count: int
    text: str
    style: LineStyle
    run_in: bool
    """True if the paragraph continues in the same line."""


class Heading(NamedTuple):
    """One heading."""

    first_line: int
    line_count: int
    text: str
    level: int
    run_in: bool


class BodyStyle(NamedTuple):
    """Typesetting of the body text of a document."""

    size: float
    font: Font
    leading: float
    left_edges: dict[tuple[int, int], float]
    """The left edge of each column of each page."""


def outline_of(body: Sequence[Line]) -> list[Heading]:
    """The headings with levels from 1; `body` excludes margins and bibliography."""
    body_style = body_style_of(body)
    headings_found = heading_candidates(body, body_style)
    if not headings_found:
        return []
    probabilities = load_ensemble(model_file(MODEL)).predict(features_of(headings_found, body, body_style))[:, 0]
    probabilities = _smoothed(headings_found, probabilities, body_style)
    selected = [
        one
        for one, share in zip(headings_found, probabilities, strict=True)
        if share > MIN_PROBABILITY or _is_references_heading(one)
    ]
    return [
        Heading(one.first_line, one.line_count, one.text, level, one.run_in)
        for one, level in zip(selected, levels_of(selected), strict=True)
    ]


def _is_references_heading(one: HeadingCandidate) -> bool:
    """True for the heading of a bibliography, which the training data does not label."""
    return not one.run_in and section_type(one.text) == "references"


def _smoothed(
    candidates_found: Sequence[HeadingCandidate], probabilities: NDArray[np.float64], body_style: BodyStyle
) -> NDArray[np.float64]:
    """Probabilities of headings unlike the text, each averaged with the mean of all candidates in its style."""
    groups: dict[StyleRank, list[int]] = {}
    for number, one in enumerate(candidates_found):
        if _differs(one.style, body_style) and not one.run_in:
            groups.setdefault(_style_rank(one), []).append(number)
    smooth = probabilities.copy()
    for numbers in groups.values():
        smooth[numbers] = 0.5 * probabilities[numbers] + 0.5 * np.mean(probabilities[numbers])
    return smooth


# --- candidates


def body_style_of(body: Sequence[Line]) -> BodyStyle:
    """The style of most of the text."""
    size = body_size(body)
    fonts: Counter[Font] = Counter()
    gaps: Counter[float] = Counter()
    lefts: dict[tuple[int, int], list[float]] = {}
    last: Line | None = None
    for line in body:
        lefts.setdefault((line.page, line.column), []).append(line.x0)
        if abs(line.size - size) < 0.3:
            fonts[line.font] += len(line.text)
            if last is not None and last.page == line.page and 0 < line.base - last.base < 3 * size:
                gaps[round(line.base - last.base, 1)] += 1
        last = line
    font = fonts.most_common(1)[0][0] if fonts else Font("")
    leading = gaps.most_common(1)[0][0] if gaps else 1.2 * size
    return BodyStyle(size, font, leading, {column: sorted(xs)[len(xs) // 5] for column, xs in lefts.items()})


def heading_candidates(body: Sequence[Line], body_style: BodyStyle) -> list[HeadingCandidate]:
    """Lines that are set unlike the text, numbered, or bear a standard name."""
    result: list[HeadingCandidate] = []
    skip = 0
    for at in range(len(body)):
        if at < skip or len(result) >= MAX_CANDIDATES:
            continue
        one = _run_in_heading(body, at, body_style) or _numbered_run_in(body, at) or _whole_line(body, at, body_style)
        if one is not None:
            result.append(one)
            skip = at + one.line_count
    return result


def _whole_line(body: Sequence[Line], at: int, body_style: BodyStyle) -> HeadingCandidate | None:
    """A line and its continuation lines, set unlike the text."""
    line = body[at]
    text = line.text.strip()
    if not 2 < len(text) < MAX_LENGTH or text[0].islower():
        return None
    if (
        line.font is body_style.font
        and line.size == body_style.size
        and text[0].isalpha()
        and _is_prose(body, at, body_style)
    ):
        return None
    if not LETTERS.search(text) or CAPTION.match(text) or FORMULA.search(text):
        return None
    style = _line_style(line)
    differs = _differs(style, body_style)
    if (
        not differs
        and not HEADING_NUMBER.match(text)
        and not section_type(text)
        and not _is_isolated(body, at, body_style)
    ):
        return None
    if _is_partly_body_style(line, style, body_style):
        return None
    count = 1
    while count < MAX_LINES and at + count < len(body) and _continues_heading(body, at + count, style, differs):
        count += 1
    full_text = " ".join(one.text for one in body[at : at + count])
    full_text = re.sub(f"{HYPHEN} *", "", full_text).strip()
    return HeadingCandidate(at, count, full_text, style, False) if len(full_text) < MAX_LENGTH else None


def _is_prose(body: Sequence[Line], at: int, body_style: BodyStyle) -> bool:
    """True for a full line like the one below it; a fast path for most lines."""
    line = body[at]
    is_wide = line.x1 - line.x0 > 18 * body_style.size and not line.text.isupper()
    return (
        is_wide
        and at + 1 < len(body)
        and _gap(line, body[at + 1], body_style.leading) < 1.2
        and not HEADING_NUMBER.match(line.text)
    )


def _is_isolated(body: Sequence[Line], at: int, body_style: BodyStyle) -> bool:
    """True for a short line in the body style with white space above and below."""
    line = body[at]
    if not 0 < at < len(body) - 1 or not line.text[:1].isupper() or line.text.rstrip()[-1:] in ".,;:":
        return False
    gap = min(_gap(body[at - 1], line, body_style.leading), _gap(line, body[at + 1], body_style.leading))
    return gap > 1.2 and line.x1 - line.x0 < 25 * body_style.size


def _line_style(line: Line) -> LineStyle:
    letters = "".join(LETTERS.findall(line.text))
    return LineStyle(line.font, line.size, len(letters) > 3 and letters.isupper())


def _differs(style: LineStyle, body_style: BodyStyle) -> bool:
    if style.size > 1.04 * body_style.size or style.all_caps:
        return True
    return style.size > (0.7 if style.font.bold else 0.85) * body_style.size and (
        style.font.bold > body_style.font.bold
        or style.font.italic > body_style.font.italic
        or style.font.name != body_style.font.name
    )


def _is_partly_body_style(line: Line, style: LineStyle, body_style: BodyStyle) -> bool:
    """True if much of the line is in the body style: a sentence with some emphasised words."""
    body_letters = sum(
        len(word.text) for word in line.words if word.font == body_style.font and abs(word.size - body_style.size) < 0.3
    )
    return style.font != body_style.font and body_letters > 0.45 * len(line.text)


def _continues_heading(body: Sequence[Line], at: int, style: LineStyle, differs: bool) -> bool:
    """True if a line continues the heading above it."""
    line, above = body[at], body[at - 1]
    line_style = _line_style(line)
    same_style = (
        line_style.size == style.size
        and line_style.all_caps == style.all_caps
        and line_style.font.bold == style.font.bold
    )
    if not differs or not same_style or line.page != above.page or line.column != above.column:
        return False
    # bold headings and capitals may contain italics
    if not style.font.bold and not style.all_caps and line_style.font != style.font:
        return False
    gap = line.base - above.base
    return 0 < gap < 1.7 * line.size and not HEADING_NUMBER.match(line.text) and not section_type(above.text)


def _run_in_heading(body: Sequence[Line], at: int, body_style: BodyStyle) -> HeadingCandidate | None:
    """The bold or italic words at the start of a paragraph in another style."""
    line = body[at]
    leading_words = _leading_words(line.words, body_style.font)
    if (
        not 0 < len(leading_words) <= MAX_RUN_IN_WORDS
        or len(leading_words) == len(line.words)
        or abs(line.size - body_style.size) > 0.12 * body_style.size
    ):
        return None
    text = clean(" ".join(word.text for word in leading_words)).strip()
    if not 3 < len(text) < 120 or CAPTION.match(text) or not LETTERS.search(text):
        return None
    if not text[0].isalnum() or text[0].islower() or FORMULA.search(text):
        return None
    ends = text.endswith((".", ":", "—", "–")) or line.words[len(leading_words)].text[:1] in ".:—–"
    opens = at == 0 or body[at - 1].text.rstrip().endswith((".", ":", "!", "?", ")")) or line.x0 > body[at - 1].x0 + 5
    if not (ends or line.words[len(leading_words)].text[:1].isupper()) or not opens:
        return None
    return HeadingCandidate(at, 1, text, LineStyle(leading_words[0].font, leading_words[0].size, text.isupper()), True)


NUMBERED_RUN_IN = re.compile(r"(\d{1,2}(?:\.\d{1,2}){1,4}\.?\s+[^\W\d_][^.]{2,90}[^\W\d_)])\.\s+[^\W\d_a-z]")


def _numbered_run_in(body: Sequence[Line], at: int) -> HeadingCandidate | None:
    """A number and a few words up to a full stop; the text continues in the same type."""
    line = body[at]
    found = NUMBERED_RUN_IN.match(line.text)
    return HeadingCandidate(at, 1, found.group(1), _line_style(line), True) if found else None


def _leading_words(words: Sequence[Word], body_font: Font) -> list[Word]:
    leading_words: list[Word] = []
    for word in words:
        if word.font == body_font or not (word.font.bold > body_font.bold or word.font.italic > body_font.italic):
            break
        leading_words.append(word)
    return leading_words


# --- features

_CANDIDATE_FEATURE_NAMES = """
size,bold,italic,caps,font of the text,run in,lines,words,letters,capital words,small words,digits,number,depth,type,
full stop,colon,comma,question,begins small,gap above,gap below,indent,centred,width,above ends,below like text,
below candidate,above candidate,of this style,of this style short,style of known,style of numbered,place,
after heading,numbers rise,same text again,small type
"""
CANDIDATE_FEATURES = tuple(_CANDIDATE_FEATURE_NAMES.replace("\n", "").split(","))
"""Columns of a candidate's own features; means over its style follow them."""


def features_of(
    candidates_found: Sequence[HeadingCandidate], body: Sequence[Line], body_style: BodyStyle
) -> NDArray[np.float64]:
    """Feature rows of the candidates."""
    styles = Counter(one.style for one in candidates_found)
    standard_styles = {one.style for one in candidates_found if section_type(one.text)}
    numbered_styles = {one.style for one in candidates_found if HEADING_NUMBER.match(one.text)}
    short_counts: Counter[LineStyle] = Counter()
    for one in candidates_found:
        short_counts[one.style] += len(one.text) < 80
    starts = {one.first_line for one in candidates_found} | {
        one.first_line + one.line_count for one in candidates_found
    }
    texts = Counter(one.text.lower() for one in candidates_found)
    rows = []
    previous_number: tuple[int, ...] = (0,)
    for one in candidates_found:
        number = _heading_number(one.text)
        rises = (
            bool(number)
            and number > previous_number
            and number[:-1] in (previous_number[: len(number) - 1], number[:-1])
        )
        rows.append(
            [
                *_style_features(one, body_style),
                *_text_features(one, number),
                *_context_features(one, body, body_style, starts),
                float(min(styles[one.style], 40)),
                short_counts[one.style] / styles[one.style],
                float(one.style in standard_styles),
                float(one.style in numbered_styles),
                one.first_line / len(body),
                float(one.first_line - 1 in starts),
                float(rises),
                float(min(texts[one.text.lower()], 5)),
                float(one.style.size < 0.93 * body_style.size),
            ]
        )
        previous_number = number if rises else previous_number
    return _with_style_means(np.array(rows), candidates_found)


AVERAGED_FEATURES = (
    "gap above",
    "gap below",
    "below like text",
    "above ends",
    "words",
    "begins small",
    "full stop",
    "indent",
    "capital words",
    "digits",
)


FEATURES = (*CANDIDATE_FEATURES, *(f"{name}, all" for name in AVERAGED_FEATURES), "of this manner", "spread")


def _with_style_means(rows: NDArray[np.float64], candidates_found: Sequence[HeadingCandidate]) -> NDArray[np.float64]:
    """The rows with the means over all candidates of the same style, since headings of one level are set the same."""
    columns = [CANDIDATE_FEATURES.index(name) for name in AVERAGED_FEATURES]
    groups: dict[StyleRank, list[int]] = {}
    for number, one in enumerate(candidates_found):
        groups.setdefault(_style_rank(one), []).append(number)
    means = np.empty((len(candidates_found), len(columns) + 2))
    for numbers in groups.values():
        means[numbers, :-2] = rows[np.ix_(numbers, columns)].mean(axis=0)
        means[numbers, -2] = len(numbers)
        means[numbers, -1] = np.ptp(rows[numbers, CANDIDATE_FEATURES.index("place")])
    return np.hstack([rows, means])


def _style_features(one: HeadingCandidate, body_style: BodyStyle) -> list[float]:
    style = one.style
    return [
        style.size / body_style.size,
        float(style.font.bold),
        float(style.font.italic),
        float(style.all_caps),
        float(style.font.name == body_style.font.name),
        float(one.run_in),
        float(one.line_count),
    ]


def _text_features(one: HeadingCandidate, number: tuple[int, ...]) -> list[float]:
    words = LETTERS.findall(one.text)
    count = max(1, len(words))
    text = one.text.rstrip()
    return [
        float(min(count, 30)),
        float(min(len(text), 180)),
        sum(word[0].isupper() for word in words) / count,
        sum(word.lower() in STOP_WORDS for word in words) / count,
        sum(map(str.isdigit, text)) / max(1, len(text)),
        float(bool(HEADING_NUMBER.match(text))),
        float(len(number)),
        float(bool(section_type(text))),
        float(text.endswith(".")),
        float(text.endswith(":")),
        float(text.count(",")),
        float(text.endswith("?")),
        float(text[:1].islower()),
    ]


def _context_features(
    one: HeadingCandidate, body: Sequence[Line], body_style: BodyStyle, starts: set[int]
) -> list[float]:
    first, last = body[one.first_line], body[one.first_line + one.line_count - 1]
    above = body[one.first_line - 1] if one.first_line else None
    below = body[one.first_line + one.line_count] if one.first_line + one.line_count < len(body) else None
    left = body_style.left_edges[(first.page, first.column)]
    return [
        _gap(above, first, body_style.leading),
        _gap(last, below, body_style.leading),
        max(-5.0, min(20.0, (first.x0 - left) / body_style.size)),
        float(first.x0 > left + 2 * body_style.size and not one.run_in),
        min(3.0, (first.x1 - first.x0) / (30 * body_style.size)),
        float(above is None or above.text.rstrip().endswith((".", "!", "?", ":"))),
        float(
            below is not None and abs(below.size - body_style.size) < 0.3 and below.font.name == body_style.font.name
        ),
        float(one.first_line + one.line_count in starts),
        float(one.first_line in starts and one.first_line - 1 in starts),
    ]


def _gap(above: Line | None, below: Line | None, leading: float) -> float:
    """White space between two lines in units of the usual line distance; 9 across columns and pages."""
    if above is None or below is None or above.page != below.page or above.column != below.column:
        return 9.0
    return max(0.0, min(8.0, (below.base - above.base) / max(1.0, leading)))


def _heading_number(text: str) -> tuple[int, ...]:
    """Components of a section number.

    >>> _heading_number("2.3 Results"), _heading_number("IV. Results"), _heading_number("Results")
    ((2, 3), (4,), ())
    """
    found = HEADING_NUMBER.match(text)
    if not found:
        return ()
    if found.group(1):
        return tuple(int(part) for part in found.group(1).split("."))
    if found.group(2) and found.group(2).isupper():
        return (ROMAN.get(found.group(2), 0),)
    return ()


_ROMAN = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX"
ROMAN = {roman: number for number, roman in enumerate(_ROMAN.split(), 1)}


# --- levels


def levels_of(headings: Sequence[HeadingCandidate]) -> list[int]:
    """Heading levels, by number where printed, else by the rank of the style."""
    ranks = _levels_of_styles(headings) if headings else {}
    levels: list[int] = []
    for one in headings:
        number = _heading_number(one.text)
        if number and 0 not in number:
            levels.append(min(len(number), 6))
        else:
            levels.append(ranks[_style_rank(one)])
    return list(_without_gaps(levels))


def _without_gaps(levels: Sequence[int]) -> Iterator[int]:
    """Levels without gaps: a heading right below a first-level one gets level 2."""
    above: list[int] = []
    for level in levels:
        while above and above[-1] >= level:
            above.pop()
        above.append(level)
        yield len(above)


StyleRank = tuple[bool, float, bool, bool, bool, str]


def _style_rank(one: HeadingCandidate) -> StyleRank:
    """Sort key of a style, from the most to the least prominent."""
    style = one.style
    return (
        one.run_in,
        -round(style.size, 1),
        not style.all_caps,
        not style.font.bold,
        style.font.italic,
        style.font.name,
    )


def _levels_of_styles(headings: Sequence[HeadingCandidate]) -> dict[StyleRank, int]:
    """Style -> level: standard section names come first, less prominent styles below, printed numbers override."""
    numbered_levels: dict[StyleRank, Counter[int]] = {}
    standard_styles: Counter[StyleRank] = Counter()
    for one in headings:
        number = _heading_number(one.text)
        if number and 0 not in number:
            numbered_levels.setdefault(_style_rank(one), Counter())[len(number)] += 1
        elif section_type(one.text) in TOP_LEVEL_TYPES:
            standard_styles[_style_rank(one)] += 1
    style_ranks = list(dict.fromkeys(map(_style_rank, headings)))
    top_style = (
        standard_styles.most_common(1)[0][0]
        if standard_styles
        else min(style_ranks, key=lambda style_rank: style_rank[:5])
    )
    ordered = sorted(
        style_ranks, key=lambda style_rank: (style_rank[:5], style_rank != top_style, style_ranks.index(style_rank))
    )
    ranks: dict[StyleRank, int] = {}
    level = 1
    for position, style_rank in enumerate(ordered):
        if position > ordered.index(top_style):
            level += 1
        if style_rank in numbered_levels:
            level = numbered_levels[style_rank].most_common(1)[0][0]
        ranks[style_rank] = max(1, min(level, 6))
    return ranks


TOP_LEVEL_TYPES = frozenset(
    {"introduction", "methods", "results", "discussion", "conclusion", "references", "acknowledgments"}
)
