"""Affiliations that list author names, in brackets after the address or in a line above it."""

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
MAX_ADDRESS_LINES = 8


def affiliations_by_name(names: Sequence[str], lines: Sequence[Line]) -> list[tuple[str, ...]]:
    """The affiliations of each author on the first two pages."""
    first_pages = [line for line in lines if line.page <= lines[0].page + 1 and not line.margin]
    short_names = [_short_name(name) for name in names]
    results = [
        _group_by_author(len(names), matches)
        for matches in (_names_in_brackets(short_names, first_pages), _addresses_below_names(short_names, first_pages))
    ]
    return max(results, key=lambda found: sum(map(bool, found)))


def _group_by_author(count: int, matches: Iterable[tuple[list[int], str]]) -> list[tuple[str, ...]]:
    found: list[dict[str, None]] = [{} for _ in range(count)]
    for people, affiliation in matches:
        for person in people:
            found[person][affiliation] = None
    return [tuple(places) for places in found]


def _short_name(name: str) -> str:
    """Initials and family name in letters alone, as in lists of names.

    >>> _short_name("Andrés J M Ferreri"), _short_name("Hanna M. Fischer")
    ('AJMFerreri', 'HMFischer')
    """
    *given, family = name.split()
    return "".join(word[0] for part in given for word in part.split("-") if word) + _letters(family)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _names_in_brackets(short_names: Sequence[str], lines: Sequence[Line]) -> Iterator[tuple[list[int], str]]:
    """ "A Hospital, Town (A B King MD, C Lee MD); Another ...": affiliations end at semicolons."""
    for column in _column_runs(lines):
        text = join_lines(column)
        if "(" not in text:
            continue
        for part in text.split(";"):
            people = [one for inside in BRACKETS.findall(part) for one in _authors_named(inside, short_names)]
            affiliation = re.sub(r"\s+", " ", BRACKETS.sub("", part)).replace(" ,", ",").strip(" ,.")
            if people and (names_institution(affiliation) or "," in affiliation) and len(affiliation) < 400:
                yield people, LABEL.sub("", affiliation)


def _column_runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Runs of lines in one size, column by column."""
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


def _authors_named(text: str, short_names: Sequence[str]) -> list[int]:
    """The authors in a list of short names; a family name alone counts if it is unique."""
    found = []
    for piece in NAMES_IN.split(DEGREES.sub("", text)):
        letters = _letters(piece)
        exact = [number for number, form in enumerate(short_names) if form == letters]
        ending = [
            number
            for number, form in enumerate(short_names)
            if len(letters) > 3 and form.lstrip(letters[0]) and form.endswith(letters)
        ]
        found += exact[:1] or (ending if len(ending) == 1 else [])
    return found


def _addresses_below_names(short_names: Sequence[str], lines: Sequence[Line]) -> Iterator[tuple[list[int], str]]:
    """Addresses below lines that contain short names only."""
    at = 0
    while at < len(lines):
        count, people = _name_lines(short_names, lines, at)
        if not people:
            at += 1
            continue
        first = at + count
        last = first
        while last < min(first + MAX_ADDRESS_LINES, len(lines)) and _continues(lines[last], lines[last - 1]):
            if "@" in lines[last].text or _name_lines(short_names, lines, last)[1]:
                break
            last += 1
        affiliation = ", ".join(line.text.strip(" ,").rstrip(HYPHEN) for line in lines[first:last])
        if names_institution(affiliation):
            yield people, affiliation
        at = max(last, at + 1)


def _name_lines(short_names: Sequence[str], lines: Sequence[Line], at: int) -> tuple[int, list[int]]:
    """Number of lines from here that contain names only, and their authors."""
    for count in (1, 2):
        text = " ".join(line.text for line in lines[at : at + count])
        pieces = [piece for piece in NAMES_IN.split(re.sub(r"\(.*?\)", "", text)) if _letters(piece)]
        people = _authors_named(text, short_names) if 0 < len(pieces) < 40 and len(text) < 300 else []
        if people and len(people) == len(pieces):
            return count, people
        if not text.rstrip().endswith(("·", ",", "•")):
            break
    return 0, []


def _continues(line: Line, above: Line) -> bool:
    return (
        line.page == above.page and 0 < line.base - above.base < 1.7 * line.size and abs(line.size - above.size) < 0.5
    )
