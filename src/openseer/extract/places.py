"""What stands around the names of the authors: affiliations, by their marks or by their place, and e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from openseer.extract.language import STOPS
from openseer.extract.lines import Line
from openseer.extract.names import AFFILIATION
from openseer.extract.words import HYPHEN, Link, Word, clean

ADDRESSES = re.compile(
    r"(?<![\w.+-])(?:[{\[(]?[\w.+-]{1,64}(?:\s*[,;|]\s*[\w.+-]{1,64}){0,15}[}\])]|[\w.+-]{1,64})"
    r"\s?@\s?[\w-]{1,64}(?:\.[\w-]{1,64})+"
)
MARK = re.compile(r"\d{1,2}|[a-z](?![a-z])|[*†‡§¶∗#⋆]")
LONE = re.compile(r"(?:\d{1,2}|[a-z]|[*†‡§¶∗#⋆]{1,2})[.)]?")
NOT_A_PLACE = re.compile(
    r"^\W*(?:e-?mails?\b|corresponding|correspondence|\*?to whom|these authors|equal|contributed|received|accepted|"
    r"published|doi\b|https?:|orcid|tel\b|fax\b|phone|present address|submitted|edited|reviewed|citation)",
    re.I,
)
DETAILS = re.compile(r"\W*(?:full list of )?author (?:details|information|affiliations)\b.{0,20}", re.I)
DEGREE = re.compile(r"Ph\.?D|M\.?[DASB]|MPH|MBBS|BDS|MDS|MSN|[BM]\.?Sc|Dr|Prof|RN|MM|BS")
LONGEST = 400


class Place(NamedTuple):
    """An affiliation with the mark in front of it."""

    mark: str
    text: str
    line: Line
    """The first line it stands in."""


def places_of(zone: Sequence[Line], author_lines: Sequence[Line], lines: Sequence[Line]) -> list[Place]:
    """Affiliations in the order of setting: between the names and the text, else at the foot of the page or the end."""
    taken = set(map(id, author_lines))
    found = _cut([line for line in zone if id(line) not in taken])
    if any(place.mark.isdecimal() or AFFILIATION.search(place.text) for place in found):
        return found
    beside = taken | set(map(id, zone))
    first = [line for line in lines if line.page == lines[0].page and id(line) not in beside]
    named = [[place for place in _cut(rest) if _is_place(place.text)] for rest in (_notes(first), _details(lines))]
    return max(named, key=len) or found


def _is_place(text: str) -> bool:
    """It names an institution, and is no prose."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    small = sum(word in STOPS for word in words)
    return bool(AFFILIATION.search(text)) and small < 0.3 * len(words) and len(text) < LONGEST


def _details(lines: Sequence[Line]) -> list[Line]:
    """What stands under "Author details" at the end of the document."""
    start = next((number for number, line in enumerate(lines) if line.page > 1 and DETAILS.fullmatch(line.text)), None)
    if start is None:
        return []
    label, kept = lines[start], list[Line]()
    for line in lines[start + 1 : start + 60]:
        if line.style == label.style or (kept and abs(line.size - kept[0].size) > 0.5):
            break
        kept.append(line)
    return kept


def _notes(lines: Sequence[Line]) -> list[Line]:
    """Lines that begin with a mark and name a place."""
    kept: list[Line] = []
    for line in sorted(lines, key=lambda line: (line.page, line.order)):
        opens = bool(LONE.match(line.words[0].text)) and AFFILIATION.search(line.text)
        follows = kept and line.page == kept[-1].page and 0 < line.base - kept[-1].base < 1.6 * line.size
        if opens or (follows and abs(line.size - kept[-1].size) < 0.5):
            kept.append(line)
    return kept


def _cut(lines: Sequence[Line]) -> list[Place]:
    """The lines cut where a mark stands; without one a line that names an institution opens a new place."""
    places: list[Place] = []
    last: Line | None = None
    for line in lines:
        if NOT_A_PLACE.match(line.text):
            last = None
            continue
        near = last is not None and line.page == last.page and 0 <= line.base - last.base < 1.9 * line.size
        for mark, text in _pieces(line, places):
            text = ADDRESSES.sub("", clean(text)).strip(" ,;")
            if mark or not places or not near or _opens(places[-1], text):
                places.append(Place(mark, text, line))
            else:
                places[-1] = places[-1]._replace(text=_joined(places[-1].text, text)[:LONGEST])
            near = True
        last = line
    return [place for place in places if sum(map(str.isalpha, place.text)) > 3]


def _opens(last: Place, text: str) -> bool:
    """A line without mark after a place without mark: another institution, unless the first had none yet."""
    return (
        not last.mark and bool(AFFILIATION.search(text)) and bool(AFFILIATION.search(last.text)) and _is_full(last.text)
    )


def _is_full(text: str) -> bool:
    """It names a city or country already: the last piece is short and no institution."""
    return text.count(",") >= 2 and not text.endswith(",") and not AFFILIATION.search(text.rsplit(",", 1)[-1])


def _joined(one: str, two: str) -> str:
    if one.endswith(HYPHEN):
        return one.rstrip(HYPHEN) + two
    return f"{one} {two}" if one.endswith((",", "-", ";")) or two[:1].islower() else f"{one}, {two}"


def _pieces(line: Line, places: Sequence[Place]) -> Iterator[tuple[str, str]]:
    """(mark, text) of a line; what stands before the first mark has none."""
    mark, parts = "", list[str]()
    following = _following(places)
    for number, word in enumerate(line.words):
        after = line.words[number + 1] if number + 1 < len(line.words) else None
        if _is_mark(word, line, following) and (after is not None or word.size < 0.86 * line.size):
            if parts:
                yield mark, "".join(parts)
            mark, parts = word.text.strip(".),"), []
            following = str(int(mark) + 1) if mark.isdecimal() else following
        else:
            parts.append(word.text if word.glued and parts else f" {word.text}")
    if parts or mark:
        yield mark, "".join(parts)


def _following(places: Sequence[Place]) -> str:
    """The number that the next mark has if they are counted."""
    counted = [int(place.mark) for place in places if place.mark.isdecimal()]
    return str(counted[-1] + 1) if counted else "1"


def _is_mark(word: Word, line: Line, following: str) -> bool:
    text = word.text.strip(",")
    if not LONE.fullmatch(text):
        return False
    raised = word.size < 0.86 * line.size
    first = word is line.words[0] and (not text.isalpha() or word.size < 0.95 * line.size)
    return raised or text.strip(".)") == following or (first and not text.isdecimal())


def affiliations_of(name: str, line: Line, places: Sequence[Place], author_lines: Sequence[Line]) -> tuple[str, ...]:
    """The places that bear the author's marks; without marks those printed below the name, or the only one there is."""
    marks = set(MARK.findall(marks_after(line, name)))
    marked = tuple(place.text for place in places if place.mark and place.mark in marks)
    if marked:
        return marked
    named = [place for place in places if AFFILIATION.search(place.text) or len(places) == 1]
    if any(place.mark for place in named):
        return tuple(place.text for place in named) if len(named) == 1 else ()
    next_base = min((one.base for one in author_lines if one.base > line.base + 1), default=float("inf"))
    below = [
        place
        for place in named
        if line.base < place.line.base < next_base and place.line.x0 < line.x1 + 40 and place.line.x1 > line.x0 - 40
    ]
    return tuple(place.text for place in (below or (named if len(named) == 1 else []))[:2])


def marks_after(line: Line, name: str) -> str:
    """The marks behind a name, e.g. "1,2": raised ones, or numbers and signs."""
    family = name.split()[-1]
    marks: list[str] = []
    reached = False
    for word in line.words:
        raised = word.size < 0.86 * line.size or not any(map(str.isalpha, word.text))
        if reached and not raised and marks:
            break
        if reached and raised:
            marks.append(word.text)
        elif reached and word.text.strip(" ,;") and not DEGREE.fullmatch(word.text.strip(" ,;.")):
            break
        spelled = clean(word.text).strip(",.;")
        reached = reached or (spelled == family and not raised)
        if (
            not reached
            and spelled.startswith(family)
            and (found := re.fullmatch(r"[\d,*†‡§]+", spelled[len(family) :]))
        ):
            return found.group()
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


def emails_of(people: Sequence[tuple[str, str]], page: Sequence[Line]) -> list[str]:
    """An address for each (family name, marks), or "".

    By the name in it, by its place in an equally long list, by a name shortly before it, or by the star of a name."""
    text = "\n".join(line.text for line in page)
    emails = addresses_in(text)
    by_place = emails if len(emails) == len(people) else [""] * len(people)
    found = [_bearing(family, emails) or placed for (family, _), placed in zip(people, by_place, strict=True)]
    for email in emails:
        if email not in found:
            owner = _named_before(email, text, people)
            if owner is not None and not found[owner]:
                found[owner] = email
    return found


def _bearing(family: str, emails: Sequence[str]) -> str:
    plain = re.sub(r"\W", "", family.lower())
    return next((one for one in emails if len(plain) > 2 and plain[:6] in one.split("@")[0].lower()), "")


def _named_before(email: str, text: str, people: Sequence[tuple[str, str]]) -> int | None:
    """The one whose name stands last in the lines before an address; else the only one with a star."""
    before = text[: text.find(email.rpartition("@")[2])][-300:]
    places = {number: before.rfind(family) for number, (family, _) in enumerate(people) if len(family) > 2}
    named = [number for number, place in places.items() if place >= 0]
    if named and re.search(r"correspond|e-?mail|contact|\*", before, re.I):
        return max(named, key=lambda number: places[number])
    starred = [number for number, (_, marks) in enumerate(people) if re.search(r"[*∗✉⋆]", marks)]
    return starred[0] if len(starred) == 1 else None


ORCID = re.compile(r"\b(\d{4}-\d{4}-\d{4}-\d{3}[\dX])\b")


def orcids_of(people: Sequence[tuple[str, Line]], links: Sequence[Link], page: Sequence[Line]) -> list[str]:
    """The ORCID iD of each (name, line), or "": of the link right behind the name, else as printed beside it."""
    ends = [_end_of(name, line) for name, line in people]
    found = [""] * len(people)
    for link in links:
        number = ORCID.search(link.uri) if "orcid.org" in link.uri.lower() else None
        if number is None:
            continue
        x0, y0, _, y1 = link.box
        before = [
            at
            for at, (_, line) in enumerate(people)
            if y0 - line.size < line.base < y1 + line.size and ends[at] <= x0 + 0.5 * line.size
        ]
        owner = max(before, key=lambda at: ends[at], default=None)
        if owner is not None and not found[owner]:
            found[owner] = number.group(1)
    return _printed_orcids(people, found, page)


def _printed_orcids(people: Sequence[tuple[str, Line]], found: list[str], page: Sequence[Line]) -> list[str]:
    """Where none is linked: a line that holds the number and one author's name."""
    for line in page:
        number = ORCID.search(line.text)
        owners = [at for at, (name, _) in enumerate(people) if name.split()[-1] in line.text] if number else []
        if number and len(owners) == 1 and not found[owners[0]] and number.group(1) not in found:
            found[owners[0]] = number.group(1)
    return found


def _end_of(name: str, line: Line) -> float:
    """Where a name ends in its line."""
    family = name.split()[-1]
    return next((word.x1 for word in line.words if clean(word.text).strip(",.;").startswith(family)), line.x1)
