"""The abstract and the keywords: by their labels, else the paragraph between the authors and the introduction."""

from __future__ import annotations

import re
from collections.abc import Sequence

from openseer.extract.headings import ABSTRACT, INTRODUCTION, KEYWORDS, is_heading
from openseer.extract.lines import Line, flow

LABEL = re.compile(rf"^\W*({ABSTRACT.pattern})\s*(?:[.:—–-]+|$|(?=\s[A-Z]))\s*", re.I)
KEYWORD_LABEL = re.compile(rf"^\W*{KEYWORDS.pattern}\s*[.:—–-]*\s*", re.I)
STOP = re.compile(
    r"^\W*(?:received|accepted|revised|published|correspond|©|copyright|\(c\)|citation:|cite this|doi\b|https?:|e-?mail|proceedings of|appearing in|editor|jel\b|"
    r"abbreviations|contact:|to whom|permission to|this work is licensed|this is an open|licen[sc]e)",
    re.I,
)
SUBHEAD = re.compile(
    r"^(?:background|objectives?|aims?|purpose|methods?|materials? and methods|results?|conclusions?|findings|design|setting|introduction|discussion|significance|"
    r"interpretation|main outcome|patients|methodology|rationale|context|trial registration|principal findings)\b",
    re.I,
)
MAX_LINES = 90


def find_abstract(lines: Sequence[Line]) -> tuple[str, list[Line]]:
    """The text of the abstract and its lines, out of the first pages in reading order."""
    for number, line in enumerate(lines):
        found = LABEL.match(line.text)
        if not found or not _is_label(line, found):
            continue
        taken = _take(lines, number, line.text[found.end() :])
        text = flow(taken)
        text = text[len(found.group(0)) :] if taken and taken[0] is line else text
        if len(text) > 80:
            return text.strip(), taken
    return "", []


def _is_label(line: Line, found: re.Match[str]) -> bool:
    """ "Abstract" opens a line; a sentence that merely begins with the word does not count."""
    rest = line.text[found.end() :]
    if not rest or found.group(0).rstrip()[-1:] in ".:—–-":
        return True
    return line.words[0].font != line.words[-1].font or line.words[0].text.isupper()


def _take(lines: Sequence[Line], number: int, rest: str) -> list[Line]:
    """Lines in the style of the abstract up to the next heading."""
    label = lines[number]
    taken = [label] if rest else []
    style = label if rest else None
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
    text = line.text
    if KEYWORD_LABEL.match(text) or (LABEL.match(text) and _is_label(line, LABEL.match(text)) and taken):  # type: ignore[arg-type]
        return True
    if STOP.match(text):
        return True
    if is_heading(INTRODUCTION, text) and not (SUBHEAD.match(text) and line.size <= style.size and not re.match(r"[\dI]", text)):
        return True
    if re.match(r"(?:1|I)\.?\s+[A-Z]", text) and len(text) < 60 and (line.font != style.font or line.size > style.size):
        return True
    if abs(line.size - style.size) > 0.09 * style.size:
        return not (SUBHEAD.match(text) and len(text) < 40)
    if not taken:
        return False
    return _far(taken[-1], line) or (line.font.bold and not style.font.bold and not SUBHEAD.match(text) and len(text) < 70)


def _far(last: Line, line: Line) -> bool:
    """A wide gap in the same column."""
    return last.page == line.page and last.column == line.column and line.base - last.base > 3.2 * max(line.size, last.size)


def unlabelled(lines: Sequence[Line], below: float) -> tuple[str, list[Line]]:
    """The paragraph between the authors and the introduction on the first page, if there is one long enough."""
    zone = [line for line in lines if line.page == 1 and line.base > below and not line.margin]
    end = next(
        (number for number, line in enumerate(zone) if is_heading(INTRODUCTION, line.text) or KEYWORD_LABEL.match(line.text)), None
    )
    if end is None:
        return "", []
    taken: list[Line] = []
    for line in reversed(zone[:end]):
        if taken and (abs(line.size - taken[-1].size) > 0.5 or taken[-1].base - line.base > 2.5 * line.size or STOP.match(line.text)):
            break
        taken.append(line)
    taken.reverse()
    text = flow(taken)
    return (text, taken) if len(text) > 250 else ("", [])


def find_keywords(lines: Sequence[Line]) -> tuple[str, ...]:
    """The keywords printed under their label."""
    for number, line in enumerate(lines):
        found = KEYWORD_LABEL.match(line.text)
        if not found or re.match(r"\W*(?:msc|pacs|jel|\d|ams|math)", line.text, re.I):
            continue
        taken = [line.text[found.end() :]]
        for other in lines[number + 1 : number + 6]:
            if abs(other.size - line.size) > 0.6 or other.base - line.base > 7 * line.size or _ends_keywords(taken, other):
                break
            taken.append(other.text)
        return _keywords(flow_texts(taken))
    return ()


def _ends_keywords(taken: Sequence[str], line: Line) -> bool:
    if STOP.match(line.text) or is_heading(INTRODUCTION, line.text) or LABEL.match(line.text) or re.match(r"\d\.? [A-Z]", line.text):
        return True
    return bool(taken[-1]) and taken[-1].rstrip().endswith(".")


def flow_texts(texts: Sequence[str]) -> str:
    """Lines of text as one string."""
    return re.sub("\x02 ?", "", " ".join(texts)).strip()


def _keywords(text: str) -> tuple[str, ...]:
    mark = next((mark for mark in (";", "·", "•", ",", " – ", " - ") if mark in text), ";")
    words = [word.strip(" .,;:·•") for word in text.split(mark)]
    return tuple(word for word in words if 1 < len(word) < 80)[:30]
