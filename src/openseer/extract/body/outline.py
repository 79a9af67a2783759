"""Heading detection: candidates scored by gradient-boosted trees, with levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from openseer.core.ml.tree_ensemble import load_ensemble
from openseer.extract.body.heading_candidates import (
    HEADING_NUMBER,
    LETTERS,
    BodyStyle,
    HeadingCandidate,
    LineStyle,
    body_style_of,
    differs_from_body,
    heading_candidates,
    line_gap,
)
from openseer.extract.layout.headings import section_type
from openseer.extract.layout.language import STOP_WORDS
from openseer.extract.layout.lines import Line
from openseer.extract.models.paths import model_file

MODEL = "outline.forest.gz"
MIN_PROBABILITY = 0.3


class Heading(NamedTuple):
    """One heading."""

    first_line: int
    line_count: int
    text: str
    level: int
    run_in: bool


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
        if differs_from_body(one.style, body_style) and not one.run_in:
            groups.setdefault(_style_rank(one), []).append(number)
    smooth = probabilities.copy()
    for numbers in groups.values():
        smooth[numbers] = 0.5 * probabilities[numbers] + 0.5 * np.mean(probabilities[numbers])
    return smooth


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
        line_gap(above, first, body_style.leading),
        line_gap(last, below, body_style.leading),
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
