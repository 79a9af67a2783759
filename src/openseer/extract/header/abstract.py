"""Abstract and keywords, by label, or by position between authors and introduction."""

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
ABSTRACT_END = re.compile(
    r"^\W*(?:received|accepted|revised|published|correspond(?:ence|ing author)|©|copyright|\(c\)|citation:|"
    r"cite this|doi\b|https?:|e-?mail|proceedings of|appearing in|editor|jel\b|"
    r"abbreviations|contact:|to whom|permission to|this work is licensed|this is an open|licen[sc]e)",
    re.I,
)
ABSTRACT_SUBHEADING = re.compile(
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


FoundAbstract = tuple[str, list[Line]]
LineScore = Callable[[Line], float]


def find_abstract(lines: Sequence[Line], score: LineScore = lambda line: 0.0) -> FoundAbstract:
    """Text and lines of the abstract in the first pages.

    Side notes may break the reading order, so the stream order is tried too. Of several abstracts the one in the
    language of the text is selected; `score` is the abstract probability of a line."""
    in_stream_order = sorted(lines, key=lambda line: (line.page, line.order))
    abstracts = [*_labelled_abstracts(lines), *_labelled_abstracts(in_stream_order)]
    if not abstracts:
        return "", []
    language = language_of(join_lines(lines[len(lines) // 2 :]))
    best = max(abstracts, key=lambda one: _quality(one, score, language))
    if language_of(best[0]) != language and (in_language := _next_abstract(lines, best[1], language)):
        return in_language
    return best


def _next_abstract(lines: Sequence[Line], previous: Sequence[Line], language: str) -> FoundAbstract | None:
    """The text after an abstract in another language, if it is an abstract in the language of the text."""
    after = next(number for number, line in enumerate(lines) if line is previous[-1])
    abstract_lines = _collect_lines(lines, after, False)
    text = join_lines(abstract_lines)
    return (text, abstract_lines) if len(text) > 300 and language_of(text) == language else None


def _quality(abstract: FoundAbstract, score: LineScore, language: str) -> float:
    """Quality of a candidate: its language, line scores, final full stop and length."""
    text, abstract_lines = abstract
    first = [line for line in abstract_lines if line.page == abstract_lines[0].page]
    ends = text.endswith((".", "!", "?", ")", "]", "”"))
    typical_length = 300 < len(text) < 3500
    return 2.0 * (language_of(text) == language) + fmean(map(score, first)) + 0.5 * ends + 0.3 * typical_length


def _labelled_abstracts(lines: Sequence[Line]) -> Iterator[FoundAbstract]:
    """The text after each label."""
    for number, line in enumerate(lines):
        found = LABEL.match(line.text)
        if not found or not _is_label(line, found):
            continue
        rest = line.text[found.end() :]
        abstract_lines = _collect_lines(lines, number, bool(rest))
        if not rest and len(join_lines(abstract_lines)) < 300:  # side notes may break the order: use positions
            abstract_lines = max(
                abstract_lines, _collect_lines(_below(lines, line), 0, False), key=lambda found: len(join_lines(found))
            )
        text = join_lines(_continued(lines, abstract_lines))
        text = text[len(found.group(0)) :] if abstract_lines and abstract_lines[0] is line else text
        if len(text) > 80:
            yield text.strip(), abstract_lines


def _below(lines: Sequence[Line], label: Line) -> list[Line]:
    """The label and the lines below it, ignoring text beside them."""
    start = label.words[-1].x0 if ARTICLE_INFO.match(label.text) else label.x0
    under = [
        line for line in lines if line.page == label.page and line.base > label.base + 1 and abs(line.x0 - start) < 30
    ]
    return [label, *sorted(under, key=lambda line: line.base)]


def _continued(lines: Sequence[Line], abstract_lines: list[Line]) -> list[Line]:
    """The abstract with its continuation on the next page, if both pages mark it."""
    markers = [number for number, line in enumerate(lines) if CONTINUED.match(line.text)]
    if not abstract_lines or not markers or lines[markers[-1]].page == abstract_lines[-1].page:
        return abstract_lines
    return abstract_lines + [
        line for line in _collect_lines(lines, markers[-1], False) if line.page > abstract_lines[-1].page
    ]


def _is_label(line: Line, found: re.Match[str]) -> bool:
    """True if the label opens the line and is not the first word of a sentence."""
    rest = line.text[found.end() :]
    if not rest or found.group(0).rstrip()[-1:] in ".:—–-":
        return True
    return line.words[0].font != line.words[-1].font or line.words[0].text.isupper()


def _collect_lines(lines: Sequence[Line], number: int, run_in: bool) -> list[Line]:
    """Lines in the style of the abstract up to the next heading."""
    label = lines[number]
    collected = [label] if run_in else []
    style = label if run_in else None
    for line in lines[number + 1 : number + MAX_LINES]:
        if style is None:
            style = line
        if _ends_abstract(line, collected, style):
            break
        collected.append(line)
        if len(collected) == 2 or len(line.text) > len(style.text):
            style = line
    return collected


def _ends_abstract(line: Line, abstract_lines: Sequence[Line], style: Line) -> bool:
    """True if the abstract ends before this line, by its text or its style."""
    if _begins_next_part(line, style) or (abstract_lines and _begins_with_label(line)):
        return True
    if not _has_size(line, style.size):
        return not (ABSTRACT_SUBHEADING.match(line.text) and len(line.text) < 40)
    if not abstract_lines:
        return False
    heading = line.font.bold and not style.font.bold and len(line.text) < 70
    return _is_far_below(abstract_lines[-1], line) or (heading and not ABSTRACT_SUBHEADING.match(line.text))


def _has_size(line: Line, size: float) -> bool:
    """True if a line is set in this size, at least partly with small capitals."""
    if abs(line.size - size) <= 0.09 * size:
        return True
    letters = sum(len(word.text) for word in line.words if abs(word.size - size) <= 0.09 * size)
    return line.size < size and letters > 0.2 * len(line.text)


def _begins_next_part(line: Line, style: Line) -> bool:
    """True for keywords, dates, the introduction, or a first numbered heading."""
    text = line.text
    if KEYWORD_LABEL.match(text) or ABSTRACT_END.match(text) or CONTINUED.match(text):
        return True
    inner = ABSTRACT_SUBHEADING.match(text) and line.size <= style.size and not re.match(r"[\dI]", text)
    if is_heading(INTRODUCTION, text) and not inner:
        return True
    numbered = re.match(r"(?:1|I)\.?\s+[A-Z]", text) and len(text) < 60
    return bool(numbered) and (line.font != style.font or line.size > style.size)


def _begins_with_label(line: Line) -> bool:
    found = LABEL.match(line.text)
    return bool(found and _is_label(line, found))


def _is_far_below(last: Line, line: Line) -> bool:
    """True for a wide gap in the same column."""
    return (
        last.page == line.page
        and last.column == line.column
        and line.base - last.base > 3.2 * max(line.size, last.size)
    )


def unlabelled_abstract(lines: Sequence[Line], authors: Sequence[Line], score: LineScore) -> FoundAbstract:
    """The paragraph between authors and introduction on the first page, if long enough."""
    below, columns = max(line.base for line in authors), {line.column for line in authors}
    zone = [line for line in lines if line.page == 1 and line.base > below and not line.margin]
    if columns <= {1, 2}:  # side notes: use the column of the text only
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
    collected: list[Line] = []
    for line in reversed(zone[:end]):
        if collected and (
            abs(line.size - collected[-1].size) > 0.5
            or collected[-1].base - line.base > 2.5 * line.size
            or ABSTRACT_END.match(line.text)
            or LICENCE.search(line.text)
        ):
            break
        collected.append(line)
    collected.reverse()
    text = join_lines(_trimmed(collected, score))
    return (text, collected) if len(text) > 250 else ("", [])


def _trimmed(abstract_lines: list[Line], score: LineScore) -> list[Line]:
    """The lines without unlikely ones at the start, if any line is certain."""
    certain = [number for number, line in enumerate(abstract_lines) if score(line) > 0.6]
    if not certain:
        return abstract_lines
    start = next(number for number, line in enumerate(abstract_lines) if score(line) > 0.1)
    return abstract_lines[start:]


def find_keywords(lines: Sequence[Line]) -> tuple[str, ...]:
    """The keywords after their label, in stream order, which keeps them together."""
    lines = sorted(lines, key=lambda line: (line.page, line.order))
    for number, line in enumerate(lines):
        found = KEYWORD_LABEL.match(line.text)
        if not found or re.match(r"\W*(?:msc|pacs|jel|\d|ams|math)", line.text, re.I):
            continue
        rest = line.text[found.end() :]
        collected = [line] if rest else []
        for other in lines[number + 1 : number + 12]:
            if _ends_keywords(line, collected, other):
                break
            collected.append(other)
        words = _split_keywords(collected, len(found.group(0)) if rest else 0)
        if words:
            return words
    return ()


def _ends_keywords(label: Line, keyword_lines: Sequence[Line], line: Line) -> bool:
    """True if the list ends before this line, by text, style or a full stop."""
    text = line.text
    if ABSTRACT_END.match(text) or is_heading(INTRODUCTION, text) or LABEL.match(text) or AFTER_KEYWORDS.match(text):
        return True
    if re.match(r"\d\.? [A-Z]", text) or line.page != label.page or line.base < label.base - 1:
        return True
    if not keyword_lines:
        return line.base - label.base > 4 * line.size
    last = keyword_lines[-1]
    if abs(line.size - last.size) > 0.6 or line.base - last.base > 1.9 * line.size or line.x0 > last.x1:
        return True
    return last.text.rstrip().endswith(".") and not re.search(r"\b\w{1,2}\.$", last.text.rstrip())


AFTER_KEYWORDS = re.compile(
    r"\W*(?:abbreviations?|licen[sc]e|introduction|background|subject|correspond|classification|funding|author|article)\b",
    re.I,
)


def _split_keywords(keyword_lines: Sequence[Line], skip: int) -> tuple[str, ...]:
    """Keywords split at their separator, or one for each line."""
    text = join_lines(keyword_lines)[skip:]
    separator = next((separator for separator in (";", "·", "•", "|", "■", ",", " – ", " - ") if separator in text), "")
    one_per_line = len(keyword_lines) > 1 and not skip and all(len(line.text) < 45 for line in keyword_lines)
    if one_per_line and (not separator or (separator == "," and text.count(",") < len(keyword_lines) - 1)):
        parts = [line.text for line in keyword_lines]
    else:
        parts = text.split(separator) if separator else [text]
    words = [piece.strip(" .,;:·•|■\x02") for piece in parts]
    return tuple(word for word in words if 1 < len(word) < 80)[:30]
