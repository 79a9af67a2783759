"""Authors: names between title and abstract, separated from affiliations by style and pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from openseer.core.model.extraction import Author
from openseer.core.text.person_names import INITIALS, PARTICLES, is_name, names_institution, split_name, strip_titles
from openseer.extract.header.affiliations import author_affiliations, markers_after, orcids_of
from openseer.extract.header.emails import ADDRESSES, AuthorName, emails_of
from openseer.extract.layout.lines import WIDE_GAP_EMS, Line
from openseer.extract.pdf.page_model import HYPHEN, Font, Link, Word, clean

NAME_BREAK = "\x1f"
"""Separates two names at a marker, a wide space or a symbol."""
MARKERS = re.compile(r"[*†‡§¶∗⋆♯#¹²³⁴⁵⁶⁷⁸⁹⁰\d✉~\ue000-\uf8ff\x00-\x08]+(?:[,)(]*[*†‡§¶∗⋆♯#¹²³⁴⁵⁶⁷⁸⁹⁰\d]+)*")
LOST_ACCENT = re.compile(r"(?<=[^\W\d_])[\x00-\x08](?=[a-z])")
"""An accent that the font has no name for."""
SEPARATORS = re.compile(rf"\s*(?:[;·•|&/∙⋅]|\b(?:and|und|et|y|и|AND|with)\b(?!\.))\s*|{NAME_BREAK}")
BYLINE_PREFIX = re.compile(r"^(?:by|von|par|por|authors?|presented by|автор\w*|und|and)\s*:?\s+", re.I)
NOT_AUTHORS = re.compile(
    r"^\W*(?:academic |handling |guest )?(?:edit(?:or|ed)|review(?:ed|er)|correspond|received|cite |citation|"
    r"how to|to cite|contact|©|copyright)",
    re.I,
)
SUPERVISOR = re.compile(
    r"^\W*(?:co-?)?(?:orientador|advis[oe]r|supervis(?:ed|or)|betreuer|gutachter|referent|directeur|director|tutor|"
    r"begeleider|научный руководитель)",
    re.I,
)
ZIP = re.compile(r"\b[A-Z]{2},? \d{5}|\b\d{4,}\b")


@dataclass(frozen=True, slots=True)
class PrintedName:
    """A name as printed, with its line."""

    text: str
    line: Line


def authors_of(
    zone: Sequence[Line], document: Sequence[Line], score: Callable[[Line], float], links: Sequence[Link] = ()
) -> tuple[tuple[Author, ...], list[Line]]:
    """The authors between title and abstract, and their lines; `score` is the author probability of a line."""
    lines = _author_lines(zone, score)
    printed_names = _printed_names(lines)
    names = [split_name(_capitalise(piece.text)) for piece in printed_names]
    people = [
        AuthorName(name.given, name.family, markers_after(piece.line, piece.text))
        for name, piece in zip(names, printed_names, strict=True)
    ]
    page = [line for line in document if line.page == document[0].page]
    emails = emails_of(people, page)
    names_with_lines = [(piece.text, piece.line) for piece in printed_names]
    orcids = orcids_of(names_with_lines, links, page)
    found = []
    for name, affiliations_of_author, email, orcid in zip(
        names, author_affiliations(names_with_lines, zone, lines, document), emails, orcids, strict=True
    ):
        found.append(
            Author(
                name.name,
                name.given,
                name.family,
                "; ".join(affiliations_of_author),
                affiliations_of_author,
                email,
                orcid,
            )
        )
    return tuple(found), lines


# --- author lines


def _author_lines(zone: Sequence[Line], score: Callable[[Line], float]) -> list[Line]:
    """Lines with names in the style of the first of them, and lines with a high score."""
    name_lines = [line for line in zone if _holds_names(line)]
    certain = [line for line in name_lines if score(line) > 0.5]
    if not name_lines:
        return [line for line in zone if _name_before_affiliation(text_with_breaks(line))]
    first = (certain or name_lines)[0]
    return [
        line
        for line, below in zip(zone, [*zone[1:], None], strict=True)
        if (score(line) > 0.7 or _same_style(first, line))
        and (_holds_names(line) or _is_name_continuation(line))
        and (not _is_marked(line) or _is_marked(first))
        and not SUPERVISOR.match(line.text)
        and not (below and SUPERVISOR.match(below.text))
    ]


def _is_marked(line: Line) -> bool:
    """True if a marker precedes the first word, as in an affiliation."""
    return bool(re.match(r"\d|[*†‡§¶∗]", line.text)) and line.words[0].text.strip(" .)") in "123456789*†‡§¶∗"


def _first_word_style(line: Line) -> tuple[float, Font]:
    """Size and font of the first word; an address after the name may differ."""
    word = next((word for word in line.words if any(map(str.isalpha, word.text))), line.words[0])
    return word.size if word.size > 0.86 * line.size else line.size, word.font


def _same_style(one: Line, two: Line) -> bool:
    (size, font), (other, face) = _first_word_style(one), _first_word_style(two)
    if abs(size - other) > 0.12 * size:
        return False
    if font.name == face.name or (font.italic == face.italic and font.bold == face.bold):
        return True
    return _has_address(one) and _has_address(two)


def _has_address(line: Line) -> bool:
    return bool(ADDRESSES.search(line.text))


def _holds_names(line: Line) -> bool:
    if len(line.text) > 400 or NOT_AUTHORS.match(line.text):
        return False
    text = text_with_breaks(line)
    parts = [part for part in split_names(text) if sum(map(str.isalpha, part)) > 2]
    names = sum(is_name(part) for part in parts)
    return names > 0 and names >= 0.5 * len(parts) and not _is_affiliation(line, text)


def _is_name_continuation(line: Line) -> bool:
    """True for a line with one word of a name divided between author lines."""
    text = text_with_breaks(line)
    parts = split_names(text)
    return (
        0 < len(parts) <= 2
        and all(re.fullmatch(r"[^\W\d_a-z][\w'’.-]+", part) for part in parts)
        and not _is_affiliation(line, text)
    )


def _is_affiliation(line: Line, text: str) -> bool:
    return names_institution(text) or bool(ZIP.search(ADDRESSES.sub("", line.text)))


def _name_before_affiliation(text: str) -> str:
    """The name in "Ada King, Department of Things", or an empty string."""
    name, _, affiliation = text.partition(",")
    name = strip_titles(name.replace(NAME_BREAK, " "))
    return name if is_name(name) and names_institution(affiliation) and not NOT_AUTHORS.match(text) else ""


# --- the names in a line


def text_with_breaks(line: Line) -> str:
    """The line with NAME_BREAK at raised markers and wide spaces."""
    parts: list[str] = []
    last: Word | None = None
    for word in line.words:
        if last is not None and word.x0 - last.x1 > WIDE_GAP_EMS * line.size:
            parts.append(NAME_BREAK)
        raised = word.size < 0.86 * line.size and not _is_small_capital(word, line)
        parts.append(NAME_BREAK if raised else ("" if word.glued else " ") + word.text)
        last = word
    text = LOST_ACCENT.sub("", clean("".join(parts).replace(HYPHEN, "-")))
    return MARKERS.sub(NAME_BREAK, ADDRESSES.sub(NAME_BREAK, text))


def _is_small_capital(word: Word, line: Line) -> bool:
    return (
        len(word.text.strip(".,")) > 1
        and abs(word.base - line.base) < 0.08 * line.size
        and word.text.strip(".,-").isalpha()
    )


def split_names(text: str) -> list[str]:
    """Candidate names in a line with breaks.

    >>> split_names("Ada King, Bob Lee and Cy Ray")
    ['Ada King', 'Bob Lee', 'Cy Ray']
    """
    text = re.sub(r"\([^)]*\)|\bID\b|\[[^\]]*\]", NAME_BREAK, BYLINE_PREFIX.sub("", text.strip()))
    text = re.sub(r"(?<=\b[^\W\d_]\.)(?=[^\W\d_]{2})|(?<=\bYu\.)(?=[A-Z])", " ", text)
    if inverted := _uninvert(text):
        return inverted
    if single_name := _name_before_affiliation(text):
        return [single_name]
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


def _uninvert(text: str) -> list[str]:
    """ "King, Ada; Lee, Bob" in natural order."""
    full_names = [
        " ".join(full_name.split()).strip(" ,")
        for full_name in re.split(rf"[;{NAME_BREAK}]", text)
        if full_name.strip(" ,")
    ]
    pairs = [full_name.split(",") for full_name in full_names]
    if not pairs or any(len(pair) != 2 or len(pair[0].split()) > 3 or len(pair[1].split()) > 4 for pair in pairs):
        return []
    natural = [f"{given.strip()} {family.strip()}" for family, given in pairs]
    several = len(pairs) > 1 and ";" in text
    single = all(not is_name(family.strip()) for family, _ in pairs)
    return natural if (several or single) and all(map(is_name, natural)) else []


def _printed_names(lines: Sequence[Line]) -> list[PrintedName]:
    """Names in order without duplicates; a name divided at a line end is joined."""
    if inverted := _uninvert(" ".join(map(text_with_breaks, lines))):
        return [PrintedName(name, lines[0]) for name in inverted]
    found: list[PrintedName] = []
    open_name = ""
    for number, line in enumerate(lines):
        text = text_with_breaks(line)
        parts = split_names(text)
        if open_name and parts and is_name(f"{open_name} {parts[0]}") and _is_one_name(open_name, parts[0]):
            if found and found[-1].text == open_name:
                found.pop()
            parts[0] = f"{open_name} {parts[0]}"
        continues = (
            bool(parts)
            and number + 1 < len(lines)
            and not re.search(rf"(?:[,;·•&|{NAME_BREAK}]|\b(?:and|und|et))\s*$", text)
        )
        open_name = parts[-1] if continues else ""
        found += [PrintedName(part, line) for part in parts if is_name(part)]
    unique = {piece.text: piece for piece in reversed(found)}
    return [piece for piece in found if unique.pop(piece.text, None)]


def _is_one_name(open_name: str, part: str) -> bool:
    """True if two parts at a line end are one name: one is incomplete, or the first ends in an initial or particle."""
    last = open_name.split()[-1]
    if not is_name(open_name) or INITIALS.fullmatch(last) or last in PARTICLES:
        return True
    return len(part.split()) == 1


def _capitalise(name: str) -> str:
    """A name in capitals in mixed case: "ADA O'NEIL" becomes Ada O'Neil."""
    words = name.split()
    if not all(word.isupper() for word in words) or not any(len(word.strip(".")) > 3 for word in words):
        return name
    return " ".join(re.sub(r"[^\W\d_]{2,}", lambda part: part.group().capitalize(), word) for word in words)
