"""The abstract and the keywords: by their labels, else the paragraph between the authors and the introduction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from openseer.extract.layout.headings import ABSTRACT, INTRODUCTION, KEYWORDS, is_heading
from openseer.extract.layout.language import language_of
from openseer.extract.layout.lines import Line, join_lines

LABEL = re.compile(
    rf"^\W*(?:a ?r ?t ?i ?c ?l ?e\s+i ?n ?f ?o\s+)?({ABSTRACT.pattern})\s*(?:[.:—–-]+|$|(?=\s[A-Z]))\s*", re.I
)
KEYWORD_LABEL = re.compile(rf"^\W*{KEYWORDS.pattern}\s*[.:—–-]*\s*", re.I)
STOP = re.compile(
    r"^\W*(?:received|accepted|revised|published|correspond(?:ence|ing author)|©|copyright|\(c\)|citation:|"
    r"cite this|doi\b|https?:|e-?mail|proceedings of|appearing in|editor|jel\b|"
    r"abbreviations|contact:|to whom|permission to|this work is licensed|this is an open|licen[sc]e)",
    re.I,
)
SUBHEAD = re.compile(
    r"^(?:background|objectives?|aims?|purpose|methods?|materials? and methods|results?|conclusions?|findings|"
    r"design|setting|introduction|discussion|significance|"
    r"interpretation|main outcome|patients|methodology|rationale|context|trial registration|principal findings)\b",
    re.I,
)
ARTICLE_INFO = re.compile(r"a ?r ?t ?i ?c ?l ?e\s+i ?n ?f ?o\b", re.I)
LICENCE = re.compile(
    r"creative commons|permits? unrestricted|properly cited|distributed under|all rights reserved", re.I
)
CONTINUED = re.compile(r"\(continued (?:on|from)\b", re.I)
MAX_LINES = 90


Found = tuple[str, list[Line]]
Likely = Callable[[Line], float]


def find_abstract(lines: Sequence[Line], likely: Likely = lambda line: 0.0) -> Found:
    """The text of the abstract and its lines, out of the first pages in reading order.

    Notes beside it may break that order: the order in which the page was set is tried too. Of several abstracts the one
    in the language of the text counts; `likely` is how much a line looks like an abstract to the trees."""
    as_set = sorted(lines, key=lambda line: (line.page, line.order))
    found = [*_labelled(lines), *_labelled(as_set)]
    if not found:
        return "", []
    language = language_of(join_lines(lines[len(lines) // 2 :]))
    best = max(found, key=lambda one: _worth(one, likely, language))
    if language_of(best[0]) != language and (second := _second(lines, best[1], language)):
        return second
    return best


def _second(lines: Sequence[Line], taken: Sequence[Line], language: str) -> Found | None:
    """What follows an abstract in another language, if that is one in the language of the text."""
    after = next(number for number, line in enumerate(lines) if line is taken[-1])
    second = _take(lines, after, False)
    text = join_lines(second)
    return (text, second) if len(text) > 300 and language_of(text) == language else None


def _worth(found: Found, likely: Likely, language: str) -> float:
    """How good a candidate is: its language, its look, a full stop at its end, a usual length."""
    text, taken = found
    first = [line for line in taken if line.page == taken[0].page]
    ends = text.endswith((".", "!", "?", ")", "]", "”"))
    usual = 300 < len(text) < 3500
    return 2.0 * (language_of(text) == language) + fmean(map(likely, first)) + 0.5 * ends + 0.3 * usual


def _labelled(lines: Sequence[Line]) -> Iterator[Found]:
    """What stands under each label."""
    for number, line in enumerate(lines):
        found = LABEL.match(line.text)
        if not found or not _is_label(line, found):
            continue
        rest = line.text[found.end() :]
        taken = _take(lines, number, bool(rest))
        if not rest and len(join_lines(taken)) < 300:  # notes may stand beside it: go by place instead of order
            taken = max(taken, _take(_below(lines, line), 0, False), key=lambda found: len(join_lines(found)))
        text = join_lines(_continued(lines, taken))
        text = text[len(found.group(0)) :] if taken and taken[0] is line else text
        if len(text) > 80:
            yield text.strip(), taken


def _below(lines: Sequence[Line], label: Line) -> list[Line]:
    """The label and the lines that stand under it, whatever stands beside them."""
    start = label.words[-1].x0 if ARTICLE_INFO.match(label.text) else label.x0
    under = [
        line for line in lines if line.page == label.page and line.base > label.base + 1 and abs(line.x0 - start) < 30
    ]
    return [label, *sorted(under, key=lambda line: line.base)]


def _continued(lines: Sequence[Line], taken: list[Line]) -> list[Line]:
    """The abstract and its rest on the next page, when both pages say so."""
    marks = [number for number, line in enumerate(lines) if CONTINUED.match(line.text)]
    if not taken or not marks or lines[marks[-1]].page == taken[-1].page:
        return taken
    return taken + [line for line in _take(lines, marks[-1], False) if line.page > taken[-1].page]


def _is_label(line: Line, found: re.Match[str]) -> bool:
    """ "Abstract" opens a line; a sentence that merely begins with the word does not count."""
    rest = line.text[found.end() :]
    if not rest or found.group(0).rstrip()[-1:] in ".:—–-":
        return True
    return line.words[0].font != line.words[-1].font or line.words[0].text.isupper()


def _take(lines: Sequence[Line], number: int, run_in: bool) -> list[Line]:
    """Lines in the style of the abstract up to the next heading."""
    label = lines[number]
    taken = [label] if run_in else []
    style = label if run_in else None
    for line in lines[number + 1 : number + MAX_LINES]:
        if style is None:
            style = line
        if _stops(line, taken, style):
            break
        taken.append(line)
        if len(taken) == 2 or len(line.text) > len(style.text):
            style = line
    return taken


def _stops(line: Line, taken: Sequence[Line], style: Line) -> bool:
    """Whether the abstract ended before this line: by what it says, else by how it is set."""
    if _opens_other(line, style) or (taken and _labels(line)):
        return True
    if not _set_in(line, style.size):
        return not (SUBHEAD.match(line.text) and len(line.text) < 40)
    if not taken:
        return False
    heading = line.font.bold and not style.font.bold and len(line.text) < 70
    return _far(taken[-1], line) or (heading and not SUBHEAD.match(line.text))


def _set_in(line: Line, size: float) -> bool:
    """Whether a line is set in this size, or some of it is and the rest in small capitals."""
    if abs(line.size - size) <= 0.09 * size:
        return True
    letters = sum(len(word.text) for word in line.words if abs(word.size - size) <= 0.09 * size)
    return line.size < size and letters > 0.2 * len(line.text)


def _opens_other(line: Line, style: Line) -> bool:
    """Keywords, dates, the introduction, or a first numbered heading."""
    text = line.text
    if KEYWORD_LABEL.match(text) or STOP.match(text) or CONTINUED.match(text):
        return True
    inner = SUBHEAD.match(text) and line.size <= style.size and not re.match(r"[\dI]", text)
    if is_heading(INTRODUCTION, text) and not inner:
        return True
    numbered = re.match(r"(?:1|I)\.?\s+[A-Z]", text) and len(text) < 60
    return bool(numbered) and (line.font != style.font or line.size > style.size)


def _labels(line: Line) -> bool:
    found = LABEL.match(line.text)
    return bool(found and _is_label(line, found))


def _far(last: Line, line: Line) -> bool:
    """A wide gap in the same column."""
    return (
        last.page == line.page
        and last.column == line.column
        and line.base - last.base > 3.2 * max(line.size, last.size)
    )


def unlabelled(lines: Sequence[Line], authors: Sequence[Line], likely: Likely) -> Found:
    """The paragraph between the authors and the introduction on the first page, if there is one long enough."""
    below, columns = max(line.base for line in authors), {line.column for line in authors}
    zone = [line for line in lines if line.page == 1 and line.base > below and not line.margin]
    if columns <= {1, 2}:  # notes stand beside the text: its own column is what counts
        zone = [line for line in zone if line.column in columns]
    end = next(
        (
            number
            for number, line in enumerate(zone)
            if is_heading(INTRODUCTION, line.text) or KEYWORD_LABEL.match(line.text)
        ),
        None,
    )
    if end is None:
        return "", []
    taken: list[Line] = []
    for line in reversed(zone[:end]):
        if taken and (
            abs(line.size - taken[-1].size) > 0.5
            or taken[-1].base - line.base > 2.5 * line.size
            or STOP.match(line.text)
            or LICENCE.search(line.text)
        ):
            break
        taken.append(line)
    taken.reverse()
    text = join_lines(_trimmed(taken, likely))
    return (text, taken) if len(text) > 250 else ("", [])


def _trimmed(taken: list[Line], likely: Likely) -> list[Line]:
    """Without lines at the start that are surely none, where others surely are."""
    sure = [number for number, line in enumerate(taken) if likely(line) > 0.6]
    if not sure:
        return taken
    start = next(number for number, line in enumerate(taken) if likely(line) > 0.1)
    return taken[start:]


def find_keywords(lines: Sequence[Line]) -> tuple[str, ...]:
    """The keywords printed under their label; the order in which the page was set keeps them together."""
    lines = sorted(lines, key=lambda line: (line.page, line.order))
    for number, line in enumerate(lines):
        found = KEYWORD_LABEL.match(line.text)
        if not found or re.match(r"\W*(?:msc|pacs|jel|\d|ams|math)", line.text, re.I):
            continue
        rest = line.text[found.end() :]
        taken = [line] if rest else []
        for other in lines[number + 1 : number + 12]:
            if _ends_keywords(line, taken, other):
                break
            taken.append(other)
        words = _keywords(taken, len(found.group(0)) if rest else 0)
        if words:
            return words
    return ()


def _ends_keywords(label: Line, taken: Sequence[Line], line: Line) -> bool:
    """Whether the list ended before this line: by what it says, by how it is set, or by a full stop."""
    text = line.text
    if STOP.match(text) or is_heading(INTRODUCTION, text) or LABEL.match(text) or AFTER_KEYWORDS.match(text):
        return True
    if re.match(r"\d\.? [A-Z]", text) or line.page != label.page or line.base < label.base - 1:
        return True
    if not taken:
        return line.base - label.base > 4 * line.size
    last = taken[-1]
    if abs(line.size - last.size) > 0.6 or line.base - last.base > 1.9 * line.size or line.x0 > last.x1:
        return True
    return last.text.rstrip().endswith(".") and not re.search(r"\b\w{1,2}\.$", last.text.rstrip())


AFTER_KEYWORDS = re.compile(
    r"\W*(?:abbreviations?|licen[sc]e|introduction|background|subject|correspond|classification|funding|author|article)\b",
    re.I,
)


def _keywords(taken: Sequence[Line], skip: int) -> tuple[str, ...]:
    """The pieces between marks; without marks each line is one."""
    text = join_lines(taken)[skip:]
    mark = next((mark for mark in (";", "·", "•", "|", "■", ",", " – ", " - ") if mark in text), "")
    short = len(taken) > 1 and not skip and all(len(line.text) < 45 for line in taken)
    if short and (not mark or (mark == "," and text.count(",") < len(taken) - 1)):
        pieces = [line.text for line in taken]
    else:
        pieces = text.split(mark) if mark else [text]
    words = [piece.strip(" .,;:·•|■\x02") for piece in pieces]
    return tuple(word for word in words if 1 < len(word) < 80)[:30]
