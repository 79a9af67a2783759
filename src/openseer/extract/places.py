"""What stands around the names of the authors: affiliations, by their marks or by their place, and e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from openseer.extract.lines import Line
from openseer.extract.names import AFFILIATION
from openseer.extract.words import clean

ADDRESSES = re.compile(
    r"(?<![\w.+-])(?:[{\[(]?[\w.+-]{1,64}(?:\s*[,;|]\s*[\w.+-]{1,64}){0,15}[}\])]|[\w.+-]{1,64})"
    r"\s?@\s?[\w-]{1,64}(?:\.[\w-]{1,64})+"
)
MARKED = re.compile(r"^\s*([*†‡§¶∗]|\d{1,2}|[a-z](?=[A-Z\s]))[\s.)]*(?=\S)")
MARK = re.compile(r"\d{1,2}|[a-z*†‡§¶∗]")


class Place(NamedTuple):
    """An affiliation with the mark in front of it."""

    mark: str
    text: str
    line: Line


def places_of(zone: Sequence[Line], author_lines: Sequence[Line]) -> list[Place]:
    """Affiliations in the order of the page; a line that goes on is added to the one before."""
    skip = set(map(id, author_lines))
    places: list[Place] = []
    for line in zone:
        text = ADDRESSES.sub("", clean(line.text)).strip(" ,;")
        if id(line) in skip or not text:
            continue
        if found := MARKED.match(line.text):
            places.append(Place(found.group(1), text[found.end() :].strip(), line))
        elif AFFILIATION.search(text):
            places.append(Place("", text, line))
        elif places and 0 <= line.base - places[-1].line.base < 1.7 * line.size:
            mark, old, _ = places[-1]
            places[-1] = Place(mark, f"{old}, {text}", line)
    return [place for place in places if place.text]


def affiliations_of(name: str, line: Line, places: Sequence[Place]) -> tuple[str, ...]:
    """The places that bear the author's marks; without marks the one printed below the name."""
    marks = set(MARK.findall(_marks_after(line, name)))
    marked = tuple(place.text for place in places if place.mark and place.mark in marks)
    if marked:
        return marked
    below = [p for p in places if p.line.base > line.base and p.line.x0 < line.x1 and p.line.x1 > line.x0]
    return tuple(place.text for place in below[:1])


def _marks_after(line: Line, name: str) -> str:
    """The raised marks behind a name, e.g. "1,2"."""
    family = name.split()[-1]
    marks: list[str] = []
    reached = False
    for word in line.words:
        raised = word.size < 0.86 * line.size or not any(map(str.isalpha, word.text))
        if reached and not raised:
            break
        if reached:
            marks.append(word.text)
        reached = reached or clean(word.text).strip(",.;") == family
    return ",".join(marks)


def addresses_in(text: str) -> list[str]:
    """E-mail addresses, a group in braces taken apart.

    >>> addresses_in("{ada,bob}@uni.edu")
    ['ada@uni.edu', 'bob@uni.edu']
    """
    found: list[str] = []
    for match in ADDRESSES.finditer(text):
        users, _, host = match.group().rpartition("@")
        found += [f"{user}@{host.strip()}" for user in re.findall(r"[\w.+-]+", users)]
    return found


def email_of(family: str, place: tuple[int, int], emails: Sequence[str]) -> str:
    """The address with the family name in it, or the one at the same place of an equally long list."""
    plain = re.sub(r"\W", "", family.lower())
    number, count = place
    for email in emails:
        if len(plain) > 2 and plain[:6] in email.split("@")[0].lower():
            return email
    return emails[number] if len(emails) == count else ""
