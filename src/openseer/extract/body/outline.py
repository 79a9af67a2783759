"""The headings of a document: lines or first words of paragraphs that trained trees take for one, with levels."""

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
NUMBER = re.compile(
    r"\s*(?:(?:section|chapter|kapitel)\s+)?(?:(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?(?:\s*\|)?\s+(?=[^\W\d_])|([IVX]{1,5})[.)]\s+(?=\w)|"
    r"([A-Z])[.)]\s+(?=[^\W\d_])|(§ ?\d{1,3}\.?)\s+)",
    re.I,
)
CAPTION = re.compile(
    r"\s*(?:fig(?:ure|\.)|table|tab\.|scheme|abbildung|abb\.|tabelle|box|plate|chart|algorithm)\s*\d", re.I
)
FORMULA = re.compile(r"[=∈≤≥≡⊂⊆←→∑∏∫√∂]|\(\d{1,3}\)$|^\d{1,3}:|^\((?!\w\))|\[\d[\d, –-]*\]\.?$")
"""A formula, a line of an algorithm, or one that cites."""
LETTERS = re.compile(r"[^\W\d_]+")
LONGEST, MOST_LINES, MOST_WORDS = 180, 4, 16
LIKELY = 0.3
MANY = 4000
"""Candidates of one document; a hostile one may have any number."""


class Style(NamedTuple):
    """How letters are set; `caps` are capitals throughout."""

    font: Font
    size: float
    caps: bool


class Candidate(NamedTuple):
    """What may be a heading: whole lines, or the first words of one."""

    at: int
    """The number of its first line."""
    lines: int
    text: str
    style: Style
    run_in: bool
    """The paragraph goes on in the same line."""


class Heading(NamedTuple):
    """One heading."""

    at: int
    lines: int
    text: str
    level: int
    run_in: bool


class Type(NamedTuple):
    """How the text of a document is set."""

    size: float
    font: Font
    leading: float
    lefts: dict[tuple[int, int], float]
    """The left edge of each column of each page."""


def outline_of(body: Sequence[Line]) -> list[Heading]:
    """The headings among the lines of the text (margins and bibliography left out), with levels from 1."""
    usual = type_of(body)
    found = candidates(body, usual)
    if not found:
        return []
    shares = load_ensemble(model_file(MODEL)).predict(features_of(found, body, usual))[:, 0]
    shares = _smoothed(found, shares, usual)
    kept = [one for one, share in zip(found, shares, strict=True) if share > LIKELY or _opens_list(one)]
    return [
        Heading(one.at, one.lines, one.text, level, one.run_in)
        for one, level in zip(kept, levels_of(kept), strict=True)
    ]


def _opens_list(one: Candidate) -> bool:
    """The heading of a bibliography, which the gold knows nothing of."""
    return not one.run_in and section_type(one.text) == "references"


def _smoothed(found: Sequence[Candidate], shares: NDArray[np.float64], usual: Type) -> NDArray[np.float64]:
    """Half of what speaks for a heading unlike the text is what speaks for those set like it."""
    groups: dict[Manner, list[int]] = {}
    for number, one in enumerate(found):
        if _differs(one.style, usual) and not one.run_in:
            groups.setdefault(_manner(one), []).append(number)
    smooth = shares.copy()
    for numbers in groups.values():
        smooth[numbers] = 0.5 * shares[numbers] + 0.5 * np.mean(shares[numbers])
    return smooth


# --- candidates


def type_of(body: Sequence[Line]) -> Type:
    """How most of the text is set."""
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
    return Type(size, font, leading, {place: sorted(xs)[len(xs) // 5] for place, xs in lefts.items()})


def candidates(body: Sequence[Line], usual: Type) -> list[Candidate]:
    """Everything that is not set like the text, or is numbered, or bears a usual name."""
    found: list[Candidate] = []
    skip = 0
    for at in range(len(body)):
        if at < skip or len(found) >= MANY:
            continue
        one = _first_words(body, at, usual) or _numbered_words(body, at) or _whole(body, at, usual)
        if one is not None:
            found.append(one)
            skip = at + one.lines
    return found


def _whole(body: Sequence[Line], at: int, usual: Type) -> Candidate | None:
    """A line, and those it goes on in, set unlike the text."""
    line = body[at]
    text = line.text.strip()
    if not 2 < len(text) < LONGEST or text[0].islower():
        return None
    if line.font is usual.font and line.size == usual.size and text[0].isalpha() and _is_prose(body, at, usual):
        return None
    if not LETTERS.search(text) or CAPTION.match(text) or FORMULA.search(text):
        return None
    style = _style(line)
    unlike = _differs(style, usual)
    if not unlike and not NUMBER.match(text) and not section_type(text) and not _apart(body, at, usual):
        return None
    if _mixed(line, style, usual):
        return None
    count = 1
    while count < MOST_LINES and at + count < len(body) and _goes_on(body, at + count, style, unlike):
        count += 1
    whole = " ".join(one.text for one in body[at : at + count])
    whole = re.sub(f"{HYPHEN} *", "", whole).strip()
    return Candidate(at, count, whole, style, False) if len(whole) < LONGEST else None


def _is_prose(body: Sequence[Line], at: int, usual: Type) -> bool:
    """A full line like the one below it: most lines are, and need no closer look."""
    line = body[at]
    wide = line.x1 - line.x0 > 18 * usual.size and not line.text.isupper()
    return wide and at + 1 < len(body) and _gap(line, body[at + 1], usual.leading) < 1.2 and not NUMBER.match(line.text)


def _apart(body: Sequence[Line], at: int, usual: Type) -> bool:
    """A short line set like the text, with white above and below."""
    line = body[at]
    if not 0 < at < len(body) - 1 or not line.text[:1].isupper() or line.text.rstrip()[-1:] in ".,;:":
        return False
    white = min(_gap(body[at - 1], line, usual.leading), _gap(line, body[at + 1], usual.leading))
    return white > 1.2 and line.x1 - line.x0 < 25 * usual.size


def _style(line: Line) -> Style:
    letters = "".join(LETTERS.findall(line.text))
    return Style(line.font, line.size, len(letters) > 3 and letters.isupper())


def _differs(style: Style, usual: Type) -> bool:
    if style.size > 1.04 * usual.size or style.caps:
        return True
    return style.size > (0.7 if style.font.bold else 0.85) * usual.size and (
        style.font.bold > usual.font.bold or style.font.italic > usual.font.italic or style.font.name != usual.font.name
    )


def _mixed(line: Line, style: Style, usual: Type) -> bool:
    """Whether a good part of the line is set like the text: then it is a sentence with a few words in another type."""
    plain = sum(len(word.text) for word in line.words if word.font == usual.font and abs(word.size - usual.size) < 0.3)
    return style.font != usual.font and plain > 0.45 * len(line.text)


def _goes_on(body: Sequence[Line], at: int, style: Style, unlike: bool) -> bool:
    """Whether a line is the rest of the heading above it."""
    line, above = body[at], body[at - 1]
    other = _style(line)
    alike = other.size == style.size and other.caps == style.caps and other.font.bold == style.font.bold
    if not unlike or not alike or line.page != above.page or line.column != above.column:
        return False
    if not style.font.bold and not style.caps and other.font != style.font:  # only bold and capitals hide an italic
        return False
    gap = line.base - above.base
    return 0 < gap < 1.7 * line.size and not NUMBER.match(line.text) and not section_type(above.text)


def _first_words(body: Sequence[Line], at: int, usual: Type) -> Candidate | None:
    """The words at the start of a paragraph that are bold or italic, where the rest is not."""
    line = body[at]
    lead = _lead(line.words, usual.font)
    if (
        not 0 < len(lead) <= MOST_WORDS
        or len(lead) == len(line.words)
        or abs(line.size - usual.size) > 0.12 * usual.size
    ):
        return None
    text = clean(" ".join(word.text for word in lead)).strip()
    if not 3 < len(text) < 120 or CAPTION.match(text) or not LETTERS.search(text):
        return None
    if not text[0].isalnum() or text[0].islower() or FORMULA.search(text):
        return None
    ends = text.endswith((".", ":", "—", "–")) or line.words[len(lead)].text[:1] in ".:—–"
    opens = at == 0 or body[at - 1].text.rstrip().endswith((".", ":", "!", "?", ")")) or line.x0 > body[at - 1].x0 + 5
    if not (ends or line.words[len(lead)].text[:1].isupper()) or not opens:
        return None
    return Candidate(at, 1, text, Style(lead[0].font, lead[0].size, text.isupper()), True)


NUMBERED_WORDS = re.compile(r"(\d{1,2}(?:\.\d{1,2}){1,4}\.?\s+[^\W\d_][^.]{2,90}[^\W\d_)])\.\s+[^\W\d_a-z]")


def _numbered_words(body: Sequence[Line], at: int) -> Candidate | None:
    """A number and a few words, a full stop, and the text goes on in the same type."""
    line = body[at]
    found = NUMBERED_WORDS.match(line.text)
    return Candidate(at, 1, found.group(1), _style(line), True) if found else None


def _lead(words: Sequence[Word], usual: Font) -> list[Word]:
    lead: list[Word] = []
    for word in words:
        if word.font == usual or not (word.font.bold > usual.bold or word.font.italic > usual.italic):
            break
        lead.append(word)
    return lead


# --- clues

_OWN = """
size,bold,italic,caps,font of the text,run in,lines,words,letters,capital words,small words,digits,number,depth,type,
full stop,colon,comma,question,begins small,gap above,gap below,indent,centred,width,above ends,below like text,
below candidate,above candidate,of this style,of this style short,style of known,style of numbered,place,
after heading,numbers rise,same text again,small type
"""
OWN = tuple(_OWN.replace("\n", "").split(","))
"""The name of each column but the last ones, which are means over a manner."""


def features_of(found: Sequence[Candidate], body: Sequence[Line], usual: Type) -> NDArray[np.float64]:
    """One row for each candidate."""
    styles = Counter(one.style for one in found)
    known = {one.style for one in found if section_type(one.text)}
    numbered = {one.style for one in found if NUMBER.match(one.text)}
    short: Counter[Style] = Counter()
    for one in found:
        short[one.style] += len(one.text) < 80
    starts = {one.at for one in found} | {one.at + one.lines for one in found}
    texts = Counter(one.text.lower() for one in found)
    rows = []
    last: tuple[int, ...] = (0,)
    for one in found:
        number = _number(one.text)
        rises = bool(number) and number > last and number[:-1] in (last[: len(number) - 1], number[:-1])
        rows.append(
            [
                *_look(one, usual),
                *_said(one, number),
                *_around(one, body, usual, starts),
                float(min(styles[one.style], 40)),
                short[one.style] / styles[one.style],
                float(one.style in known),
                float(one.style in numbered),
                one.at / len(body),
                float(one.at - 1 in starts),
                float(rises),
                float(min(texts[one.text.lower()], 5)),
                float(one.style.size < 0.93 * usual.size),
            ]
        )
        last = number if rises else last
    return _with_manner(np.array(rows), found)


SHARED = (
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


FEATURES = (*OWN, *(f"{name}, all" for name in SHARED), "of this manner", "spread")


def _with_manner(rows: NDArray[np.float64], found: Sequence[Candidate]) -> NDArray[np.float64]:
    """Each row with the means over all candidates set in the same manner: headings of one kind are set alike."""
    columns = [OWN.index(name) for name in SHARED]
    groups: dict[Manner, list[int]] = {}
    for number, one in enumerate(found):
        groups.setdefault(_manner(one), []).append(number)
    means = np.empty((len(found), len(columns) + 2))
    for numbers in groups.values():
        means[numbers, :-2] = rows[np.ix_(numbers, columns)].mean(axis=0)
        means[numbers, -2] = len(numbers)
        means[numbers, -1] = np.ptp(rows[numbers, OWN.index("place")])
    return np.hstack([rows, means])


def _look(one: Candidate, usual: Type) -> list[float]:
    style = one.style
    return [
        style.size / usual.size,
        float(style.font.bold),
        float(style.font.italic),
        float(style.caps),
        float(style.font.name == usual.font.name),
        float(one.run_in),
        float(one.lines),
    ]


def _said(one: Candidate, number: tuple[int, ...]) -> list[float]:
    words = LETTERS.findall(one.text)
    count = max(1, len(words))
    text = one.text.rstrip()
    return [
        float(min(count, 30)),
        float(min(len(text), 180)),
        sum(word[0].isupper() for word in words) / count,
        sum(word.lower() in STOP_WORDS for word in words) / count,
        sum(map(str.isdigit, text)) / max(1, len(text)),
        float(bool(NUMBER.match(text))),
        float(len(number)),
        float(bool(section_type(text))),
        float(text.endswith(".")),
        float(text.endswith(":")),
        float(text.count(",")),
        float(text.endswith("?")),
        float(text[:1].islower()),
    ]


def _around(one: Candidate, body: Sequence[Line], usual: Type, starts: set[int]) -> list[float]:
    first, last = body[one.at], body[one.at + one.lines - 1]
    above = body[one.at - 1] if one.at else None
    below = body[one.at + one.lines] if one.at + one.lines < len(body) else None
    left = usual.lefts[(first.page, first.column)]
    return [
        _gap(above, first, usual.leading),
        _gap(last, below, usual.leading),
        max(-5.0, min(20.0, (first.x0 - left) / usual.size)),
        float(first.x0 > left + 2 * usual.size and not one.run_in),
        min(3.0, (first.x1 - first.x0) / (30 * usual.size)),
        float(above is None or above.text.rstrip().endswith((".", "!", "?", ":"))),
        float(below is not None and abs(below.size - usual.size) < 0.3 and below.font.name == usual.font.name),
        float(one.at + one.lines in starts),
        float(one.at in starts and one.at - 1 in starts),
    ]


def _gap(above: Line | None, below: Line | None, leading: float) -> float:
    """White between two lines, by the usual distance; a new column or page is its own number."""
    if above is None or below is None or above.page != below.page or above.column != below.column:
        return 9.0
    return max(0.0, min(8.0, (below.base - above.base) / max(1.0, leading)))


def _number(text: str) -> tuple[int, ...]:
    """
    >>> _number("2.3 Results"), _number("IV. Results"), _number("Results")
    ((2, 3), (4,), ())
    """
    found = NUMBER.match(text)
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


def levels_of(kept: Sequence[Candidate]) -> list[int]:
    """By number where there is one; else by how they are set: the manner of the usual first-level names comes first."""
    ranks = _ranks(kept) if kept else {}
    levels: list[int] = []
    for one in kept:
        number = _number(one.text)
        if number and 0 not in number:
            levels.append(min(len(number), 6))
        else:
            levels.append(ranks[_manner(one)])
    return list(_closed_up(levels))


def _closed_up(levels: Sequence[int]) -> Iterator[int]:
    """The same levels without gaps: what stands right below a first-level heading is of the second."""
    above: list[int] = []
    for level in levels:
        while above and above[-1] >= level:
            above.pop()
        above.append(level)
        yield len(above)


Manner = tuple[bool, float, bool, bool, bool, str]


def _manner(one: Candidate) -> Manner:
    """From the most to the least striking."""
    style = one.style
    return (one.run_in, -round(style.size, 1), not style.caps, not style.font.bold, style.font.italic, style.font.name)


def _ranks(kept: Sequence[Candidate]) -> dict[Manner, int]:
    """Manner -> level: that of the usual names comes first, lighter ones below it, unless their numbers tell."""
    told: dict[Manner, Counter[int]] = {}
    usual: Counter[Manner] = Counter()
    for one in kept:
        number = _number(one.text)
        if number and 0 not in number:
            told.setdefault(_manner(one), Counter())[len(number)] += 1
        elif section_type(one.text) in TOP:
            usual[_manner(one)] += 1
    met = list(dict.fromkeys(map(_manner, kept)))
    top = usual.most_common(1)[0][0] if usual else min(met, key=lambda manner: manner[:5])
    ordered = sorted(met, key=lambda manner: (manner[:5], manner != top, met.index(manner)))
    ranks: dict[Manner, int] = {}
    level = 1
    for place, manner in enumerate(ordered):
        if place > ordered.index(top):
            level += 1
        if manner in told:
            level = told[manner].most_common(1)[0][0]
        ranks[manner] = max(1, min(level, 6))
    return ranks


TOP = frozenset({"introduction", "methods", "results", "discussion", "conclusion", "references", "acknowledgments"})
