"""Candidate lines and run-in phrases for headings, and the style of the body text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from openseer.extract.layout.headings import section_type
from openseer.extract.layout.lines import Line, body_size
from openseer.extract.pdf.page_model import HYPHEN, Font, Word, clean

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


class BodyStyle(NamedTuple):
    """Typesetting of the body text of a document."""

    size: float
    font: Font
    leading: float
    left_edges: dict[tuple[int, int], float]
    """The left edge of each column of each page."""


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
    differs = differs_from_body(style, body_style)
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
        and line_gap(line, body[at + 1], body_style.leading) < 1.2
        and not HEADING_NUMBER.match(line.text)
    )


def _is_isolated(body: Sequence[Line], at: int, body_style: BodyStyle) -> bool:
    """True for a short line in the body style with white space above and below."""
    line = body[at]
    if not 0 < at < len(body) - 1 or not line.text[:1].isupper() or line.text.rstrip()[-1:] in ".,;:":
        return False
    gap = min(line_gap(body[at - 1], line, body_style.leading), line_gap(line, body[at + 1], body_style.leading))
    return gap > 1.2 and line.x1 - line.x0 < 25 * body_style.size


def _line_style(line: Line) -> LineStyle:
    letters = "".join(LETTERS.findall(line.text))
    return LineStyle(line.font, line.size, len(letters) > 3 and letters.isupper())


def differs_from_body(style: LineStyle, body_style: BodyStyle) -> bool:
    """True if a style is larger, in capitals, or of another face than the body text."""
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


def line_gap(above: Line | None, below: Line | None, leading: float) -> float:
    """White space between two lines in units of the usual line distance; 9 across columns and pages."""
    if above is None or below is None or above.page != below.page or above.column != below.column:
        return 9.0
    return max(0.0, min(8.0, (below.base - above.base) / max(1.0, leading)))
