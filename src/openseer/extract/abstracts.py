"""The abstract: what follows its heading, or stands unnamed between the authors and the introduction."""

from __future__ import annotations

import re
from collections.abc import Sequence

from openseer.extract.headings import ABSTRACT, INTRODUCTION, KEYWORDS, NUMBER, is_heading
from openseer.extract.lines import Line, flow
from openseer.extract.names import AFFILIATION

RUN_IN = re.compile(rf"(?:{ABSTRACT.pattern})\s*(?:[.:—–-]+\s*|(?=\s(?-i:[^\W\d_a-z])))", re.I)
KEY = re.compile(rf"(?:{KEYWORDS.pattern})\b", re.I)
STOP = re.compile(
    r"(?:©|\(c\)|copyright|specialty section|\*|†|e-?mail|categories and subject|general terms|permission to make|how to cite|doi:|"
    r"https?://(?:dx\.)?doi|this work is licensed|(?-i:Received|Correspond\w*|Published|Accepted|Editor|First author)\b|abbreviations|ccs concepts|acm reference|jel)",
    re.I,
)
MAX_LINES = 80


def abstract_of(lines: Sequence[Line], after: int = 0) -> list[Line]:
    """The lines of the abstract, label included in the first when it stands on the same line."""
    start = next((at for at, line in enumerate(lines) if at >= after and _is_label(line)), None)
    if start is None:
        return []
    alone = is_heading(ABSTRACT, lines[start].text)
    return _follow(lines, start + alone, lines[start] if alone else None)


def _is_label(line: Line) -> bool:
    if is_heading(ABSTRACT, line.text):
        return True
    found = RUN_IN.match(line.text)
    return bool(found) and len(line.text) > found.end() + 10 if found else False


def _follow(lines: Sequence[Line], start: int, label: Line | None) -> list[Line]:
    taken: list[Line] = []
    lines = lines[start : start + MAX_LINES]
    for at, line in enumerate(lines):
        last = taken[-1] if taken else label
        if last and _is_beside(last, line) and any(_goes_on(last, other) for other in lines[at + 1 : at + 8]):
            continue
        if _ends(line, taken, label):
            break
        taken.append(line)
    return taken


def _is_beside(last: Line, line: Line) -> bool:
    """In a column of its own, left or right of the abstract."""
    return line.page == last.page and (line.x0 > last.x1 or line.x1 < last.x0)


def _goes_on(last: Line, line: Line) -> bool:
    close = line.page == last.page and 0 < line.base - last.base < 2.6 * last.size
    return close and line.x0 < last.x1 and line.x1 > last.x0 and abs(line.size - last.size) < 0.25 * last.size


def _ends(line: Line, taken: list[Line], label: Line | None) -> bool:
    text = line.text
    if KEY.match(text) or is_heading(INTRODUCTION, text) and (taken or label):
        return True
    if not taken:
        return False
    last = taken[-1]
    if (
        re.match(NUMBER[:-1] + r"[A-Z]", text)
        and re.match(r"(?:\d|[IVX]+)\.?\s", text)
        and (line.font != taken[0].font)
    ):
        return True
    if STOP.match(text) or is_heading(ABSTRACT, text):
        return True
    if line.page == last.page and line.column == last.column and line.base > last.base:
        return line.base - last.base > 3.1 * max(last.size, line.size)
    changed = abs(line.size - last.size) > 0.04 * last.size
    return changed


def unnamed_abstract(lines: Sequence[Line], title: Sequence[Line], authors: Sequence[Line]) -> list[Line]:
    """Without a label: the first long run in one style between the authors and the introduction."""
    if not title:
        return []
    top = max(line.base for line in (*title, *authors) if line.page == title[0].page)
    below = [line for line in lines if line.page == title[0].page and line.base > top]
    stop = next(
        (at for at, line in enumerate(below) if is_heading(INTRODUCTION, line.text) or KEY.match(line.text)), None
    )
    runs = _runs(below[:stop])
    body = max(runs, key=lambda run: len(flow(run)), default=[]) if stop is None else []
    for run in runs:
        text = flow(run)
        if (
            len(text.split()) >= 40
            and text[0].isupper()
            and not AFFILIATION.search(run[0].text)
            and not STOP.match(text)
        ):
            return run if run[0].style != (body[0].style if body else None) else []
    return []


def _runs(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines of one size and column that follow each other closely."""
    runs: list[list[Line]] = []
    for line in lines:
        last = runs[-1][-1] if runs else None
        close = last and 0 < line.base - last.base < 2.2 * last.size and abs(line.size - last.size) < 0.04 * last.size
        if last and close and line.column == last.column and line.font.bold == last.font.bold:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def abstract_text(lines: Sequence[Line]) -> str:
    """The abstract without its label."""
    text = flow(lines)
    return RUN_IN.sub("", text, count=1).strip() if RUN_IN.match(text) else text


def keywords_of(lines: Sequence[Line]) -> tuple[str, ...]:
    """The author's own key words."""
    for at, line in enumerate(lines):
        found = re.match(
            r"(?:key[- ]?words?(?: and phrases)?|index terms|schlüsselwörter|schlagwörter|schlagworte|mots[- ]clés|palabras[- ]clave|"
            r"palavras[- ]chave|parole chiave|ключевые слова)\s*[.:—–-]*\s*",
            line.text,
            re.I,
        )
        if found:
            return _split_keywords(lines, at, found.end())
    return ()


def _split_keywords(lines: Sequence[Line], at: int, cut: int) -> tuple[str, ...]:
    taken = [lines[at].text[cut:]] if lines[at].text[cut:] else []
    for last, line in zip(lines[at:], lines[at + 1 : at + 5], strict=False):
        close = line.page == last.page and 0 < line.base - last.base < 1.6 * last.size
        if (
            not close
            or is_heading(INTRODUCTION, line.text)
            or (taken and line.style != lines[at + 1].style)
            or STOP.match(line.text)
        ):
            break
        if taken and taken[-1].endswith("."):
            break
        taken.append(line.text)
    text = " ".join(taken).replace("\x02 ", "").rstrip(" .")
    parts = re.split(r"\s*[;•·]\s*|\s[–—-]\s" if re.search(r"[;•·]|\s[–—-]\s", text) else r"\s*,\s*", text)
    return tuple(part.strip() for part in parts if 1 < len(part.strip()) < 80)[:30]
