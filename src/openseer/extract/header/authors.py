"""The authors: names between title and abstract, told from affiliations by look and by shape."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from openseer.core.model.extraction import Author
from openseer.core.text.person_names import INITIALS, PARTICLES, is_name, names_institution, split_name, strip_titles
from openseer.extract.header.affiliations import affiliations, marks_after, orcids_of
from openseer.extract.header.emails import ADDRESSES, Person, emails_of
from openseer.extract.layout.lines import WIDE_GAP_EMS, Line
from openseer.extract.pdf.page_model import HYPHEN, Font, Link, Word, clean

CUT = "\x1f"
"""Stands where a mark, a wide space or a symbol separates two names."""
MARKS = re.compile(r"[*†‡§¶∗⋆♯#¹²³⁴⁵⁶⁷⁸⁹⁰\d✉~\ue000-\uf8ff\x00-\x08]+(?:[,)(]*[*†‡§¶∗⋆♯#¹²³⁴⁵⁶⁷⁸⁹⁰\d]+)*")
LOST = re.compile(r"(?<=[^\W\d_])[\x00-\x08](?=[a-z])")
"""A letter's accent that the font has no name for."""
SEPARATORS = re.compile(rf"\s*(?:[;·•|&/∙⋅]|\b(?:and|und|et|y|и|AND|with)\b(?!\.))\s*|{CUT}")
LEAD = re.compile(r"^(?:by|von|par|por|authors?|presented by|автор\w*|und|and)\s*:?\s+", re.I)
OTHERS = re.compile(
    r"^\W*(?:academic |handling |guest )?(?:edit(?:or|ed)|review(?:ed|er)|correspond|received|cite |citation|"
    r"how to|to cite|contact|©|copyright)",
    re.I,
)
ROLE = re.compile(
    r"^\W*(?:co-?)?(?:orientador|advis[oe]r|supervis(?:ed|or)|betreuer|gutachter|referent|directeur|director|tutor|"
    r"begeleider|научный руководитель)",
    re.I,
)
ZIP = re.compile(r"\b[A-Z]{2},? \d{5}|\b\d{4,}\b")


@dataclass(frozen=True, slots=True)
class Piece:
    """A name as printed, with the line it came from."""

    text: str
    line: Line


def authors_of(
    zone: Sequence[Line], document: Sequence[Line], likely: Callable[[Line], float], links: Sequence[Link] = ()
) -> tuple[tuple[Author, ...], list[Line]]:
    """The authors found between title and abstract, and the lines they stand in.

    `likely` is how much a line looks like one of names to the trees."""
    lines = _author_lines(zone, likely)
    pieces = _names(lines)
    names = [split_name(_as_usual(piece.text)) for piece in pieces]
    people = [
        Person(name.given, name.family, marks_after(piece.line, piece.text))
        for name, piece in zip(names, pieces, strict=True)
    ]
    page = [line for line in document if line.page == document[0].page]
    emails = emails_of(people, page)
    places = [(piece.text, piece.line) for piece in pieces]
    orcids = orcids_of(places, links, page)
    found = []
    for name, where, email, orcid in zip(
        names, affiliations(places, zone, lines, document), emails, orcids, strict=True
    ):
        found.append(Author(name.name, name.given, name.family, "; ".join(where), where, email, orcid))
    return tuple(found), lines


# --- which lines


def _author_lines(zone: Sequence[Line], likely: Callable[[Line], float]) -> list[Line]:
    """Lines that hold names, in the style of the first of them, and those the trees are sure of."""
    named = [line for line in zone if _holds_names(line)]
    sure = [line for line in named if likely(line) > 0.5]
    if not named:
        return [line for line in zone if _name_and_place(spelled(line))]
    first = (sure or named)[0]
    return [
        line
        for line, below in zip(zone, [*zone[1:], None], strict=True)
        if (likely(line) > 0.7 or _same_style(first, line))
        and (_holds_names(line) or _goes_on(line))
        and (not _is_marked(line) or _is_marked(first))
        and not ROLE.match(line.text)
        and not (below and ROLE.match(below.text))
    ]


def _is_marked(line: Line) -> bool:
    """A mark stands before the first word, as before an affiliation."""
    return bool(re.match(r"\d|[*†‡§¶∗]", line.text)) and line.words[0].text.strip(" .)") in "123456789*†‡§¶∗"


def _style(line: Line) -> tuple[float, Font]:
    """How the first word is set: an address behind the name may be set otherwise."""
    word = next((word for word in line.words if any(map(str.isalpha, word.text))), line.words[0])
    return word.size if word.size > 0.86 * line.size else line.size, word.font


def _same_style(one: Line, two: Line) -> bool:
    (size, font), (other, face) = _style(one), _style(two)
    if abs(size - other) > 0.12 * size:
        return False
    if font.name == face.name or (font.italic == face.italic and font.bold == face.bold):
        return True
    return _has_address(one) and _has_address(two)


def _has_address(line: Line) -> bool:
    return bool(ADDRESSES.search(line.text))


def _holds_names(line: Line) -> bool:
    if len(line.text) > 400 or OTHERS.match(line.text):
        return False
    text = spelled(line)
    parts = [part for part in split_names(text) if sum(map(str.isalpha, part)) > 2]
    names = sum(is_name(part) for part in parts)
    return names > 0 and names >= 0.5 * len(parts) and not _is_place(line, text)


def _goes_on(line: Line) -> bool:
    """A line between author lines with one word of a divided name on it."""
    text = spelled(line)
    parts = split_names(text)
    return (
        0 < len(parts) <= 2
        and all(re.fullmatch(r"[^\W\d_a-z][\w'’.-]+", part) for part in parts)
        and not _is_place(line, text)
    )


def _is_place(line: Line, text: str) -> bool:
    return names_institution(text) or bool(ZIP.search(ADDRESSES.sub("", line.text)))


def _name_and_place(text: str) -> str:
    """The name in "Ada King, Department of Things", or nothing."""
    name, _, place = text.partition(",")
    name = strip_titles(name.replace(CUT, " "))
    return name if is_name(name) and names_institution(place) and not OTHERS.match(text) else ""


# --- the names in a line


def spelled(line: Line) -> str:
    """The line with a cut wherever marks are raised or a wide space stands."""
    parts: list[str] = []
    last: Word | None = None
    for word in line.words:
        if last is not None and word.x0 - last.x1 > WIDE_GAP_EMS * line.size:
            parts.append(CUT)
        raised = word.size < 0.86 * line.size and not _is_small_capital(word, line)
        parts.append(CUT if raised else ("" if word.glued else " ") + word.text)
        last = word
    text = LOST.sub("", clean("".join(parts).replace(HYPHEN, "-")))
    return MARKS.sub(CUT, ADDRESSES.sub(CUT, text))


def _is_small_capital(word: Word, line: Line) -> bool:
    return (
        len(word.text.strip(".,")) > 1
        and abs(word.base - line.base) < 0.08 * line.size
        and word.text.strip(".,-").isalpha()
    )


def split_names(text: str) -> list[str]:
    """Candidates for names in a spelled line.

    >>> split_names("Ada King, Bob Lee and Cy Ray")
    ['Ada King', 'Bob Lee', 'Cy Ray']
    """
    text = re.sub(r"\([^)]*\)|\bID\b|\[[^\]]*\]", CUT, LEAD.sub("", text.strip()))
    text = re.sub(r"(?<=\b[^\W\d_]\.)(?=[^\W\d_]{2})|(?<=\bYu\.)(?=[A-Z])", " ", text)
    if inverted := _inverted(text):
        return inverted
    if alone := _name_and_place(text):
        return [alone]
    parts = [strip_titles(part) for whole in SEPARATORS.split(text) for part in strip_titles(whole).split(",")]
    return [
        part
        for part in (" ".join(part.split()).strip(" .:,-–'\"”“") for part in parts)
        if len(part) > 1 and not _is_degree(part)
    ]


def _is_degree(part: str) -> bool:
    return part.lower().replace(".", "").replace(" ", "") in (
        "phd",
        "md",
        "msc",
        "bsc",
        "ma",
        "mph",
        "jr",
        "dr",
        "prof",
        "rn",
        "ms",
    )


def _inverted(text: str) -> list[str]:
    """ "King, Ada; Lee, Bob" in the natural order."""
    wholes = [" ".join(whole.split()).strip(" ,") for whole in re.split(rf"[;{CUT}]", text) if whole.strip(" ,")]
    pairs = [whole.split(",") for whole in wholes]
    if not pairs or any(len(pair) != 2 or len(pair[0].split()) > 3 or len(pair[1].split()) > 4 for pair in pairs):
        return []
    turned = [f"{given.strip()} {family.strip()}" for family, given in pairs]
    several = len(pairs) > 1 and ";" in text
    single = all(not is_name(family.strip()) for family, _ in pairs)
    return turned if (several or single) and all(map(is_name, turned)) else []


def _names(lines: Sequence[Line]) -> list[Piece]:
    """Names in order, each once; one that runs over a line end is put together."""
    if inverted := _inverted(" ".join(map(spelled, lines))):
        return [Piece(name, lines[0]) for name in inverted]
    found: list[Piece] = []
    carried = ""
    for number, line in enumerate(lines):
        text = spelled(line)
        parts = split_names(text)
        if carried and parts and is_name(f"{carried} {parts[0]}") and _joins(carried, parts[0]):
            if found and found[-1].text == carried:
                found.pop()
            parts[0] = f"{carried} {parts[0]}"
        open_end = (
            bool(parts) and number + 1 < len(lines) and not re.search(rf"(?:[,;·•&|{CUT}]|\b(?:and|und|et))\s*$", text)
        )
        carried = parts[-1] if open_end else ""
        found += [Piece(part, line) for part in parts if is_name(part)]
    unique = {piece.text: piece for piece in reversed(found)}
    return [piece for piece in found if unique.pop(piece.text, None)]


def _joins(carried: str, part: str) -> bool:
    """Whether two pieces at a line end are one name: one is not whole, or the first ends in an initial or particle."""
    last = carried.split()[-1]
    if not is_name(carried) or INITIALS.fullmatch(last) or last in PARTICLES:
        return True
    return len(part.split()) == 1


def _as_usual(name: str) -> str:
    """Capitals become a usual name: "ADA O'NEIL" is Ada O'Neil."""
    words = name.split()
    if not all(word.isupper() for word in words) or not any(len(word.strip(".")) > 3 for word in words):
        return name
    return " ".join(re.sub(r"[^\W\d_]{2,}", lambda part: part.group().capitalize(), word) for word in words)
