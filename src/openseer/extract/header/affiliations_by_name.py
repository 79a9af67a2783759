"""Affiliations beside which the authors are named again: behind them in brackets, or in a line above them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from openseer.core.text.person_names import names_institution
from openseer.extract.layout.lines import Line, join_lines
from openseer.extract.pdf.page_model import HYPHEN

BRACKETS = re.compile(r"\(([^()]{3,600})\)")
NAMES_IN = re.compile(r"\s*[·•,;&]\s*|\s+and\s+")
DEGREES = re.compile(r"\b(?:Prof|Dr|MD|PhD|MSc|FRCP\w*|MB\w*|BSc|MPH|DPhil|FRC\w+|MRC\w+)\b\.?")
LABEL = re.compile(r"^\W*(?:from the|affiliations?:?|address(?:es)?:?)\s+", re.I)
MOST = 8
"""Lines of one address."""


def affiliations_by_name(names: Sequence[str], lines: Sequence[Line]) -> list[tuple[str, ...]]:
    """The places of each author, looked for on the first two pages."""
    near = [line for line in lines if line.page <= lines[0].page + 1 and not line.margin]
    forms = [_short(name) for name in names]
    both = [_gathered(len(names), ways) for ways in (_behind(forms, near), _below(forms, near))]
    return max(both, key=lambda found: sum(map(bool, found)))


def _gathered(count: int, named: Iterable[tuple[list[int], str]]) -> list[tuple[str, ...]]:
    found: list[dict[str, None]] = [{} for _ in range(count)]
    for people, place in named:
        for person in people:
            found[person][place] = None
    return [tuple(places) for places in found]


def _short(name: str) -> str:
    """A name as it is named again: initials and family name, in letters alone.

    >>> _short("Andrés J M Ferreri"), _short("Hanna M. Fischer")
    ('AJMFerreri', 'HMFischer')
    """
    *given, family = name.split()
    return "".join(word[0] for part in given for word in part.split("-") if word) + _letters(family)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _behind(forms: Sequence[str], lines: Sequence[Line]) -> Iterator[tuple[list[int], str]]:
    """ "A Hospital, Town (A B King MD, C Lee MD); Another ...": what stands between two semicolons is one place."""
    for column in _columns(lines):
        text = join_lines(column)
        if "(" not in text:
            continue
        for part in text.split(";"):
            people = [one for inside in BRACKETS.findall(part) for one in _people(inside, forms)]
            place = re.sub(r"\s+", " ", BRACKETS.sub("", part)).replace(" ,", ",").strip(" ,.")
            if people and (names_institution(place) or "," in place) and len(place) < 400:
                yield people, LABEL.sub("", place)


def _columns(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Runs of lines set in one size, column by column."""
    run: list[Line] = []
    for line in lines:
        if (run and (line.page, line.column) != (run[-1].page, run[-1].column)) or (
            run and abs(line.size - run[-1].size) > 0.3
        ):
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _people(text: str, forms: Sequence[str]) -> list[int]:
    """Which authors a list of short names names; a family name alone counts where one author alone bears it."""
    found = []
    for piece in NAMES_IN.split(DEGREES.sub("", text)):
        letters = _letters(piece)
        exact = [number for number, form in enumerate(forms) if form == letters]
        ending = [
            number
            for number, form in enumerate(forms)
            if len(letters) > 3 and form.lstrip(letters[0]) and form.endswith(letters)
        ]
        found += exact[:1] or (ending if len(ending) == 1 else [])
    return found


def _below(forms: Sequence[str], lines: Sequence[Line]) -> Iterator[tuple[list[int], str]]:
    """Lines that hold nothing but short names, and the address below them."""
    at = 0
    while at < len(lines):
        count, people = _name_lines(forms, lines, at)
        if not people:
            at += 1
            continue
        first = at + count
        last = first
        while last < min(first + MOST, len(lines)) and _goes_on(lines[last], lines[last - 1]):
            if "@" in lines[last].text or _name_lines(forms, lines, last)[1]:
                break
            last += 1
        place = ", ".join(line.text.strip(" ,").rstrip(HYPHEN) for line in lines[first:last])
        if names_institution(place):
            yield people, place
        at = max(last, at + 1)


def _name_lines(forms: Sequence[str], lines: Sequence[Line], at: int) -> tuple[int, list[int]]:
    """How many lines hold only names from here on, and whose."""
    for count in (1, 2):
        text = " ".join(line.text for line in lines[at : at + count])
        pieces = [piece for piece in NAMES_IN.split(re.sub(r"\(.*?\)", "", text)) if _letters(piece)]
        people = _people(text, forms) if 0 < len(pieces) < 40 and len(text) < 300 else []
        if people and len(people) == len(pieces):
            return count, people
        if not text.rstrip().endswith(("·", ",", "•")):
            break
    return 0, []


def _goes_on(line: Line, above: Line) -> bool:
    return (
        line.page == above.page and 0 < line.base - above.base < 1.7 * line.size and abs(line.size - above.size) < 0.5
    )
