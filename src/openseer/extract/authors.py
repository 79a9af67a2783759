"""The authors: names in the lines between title and abstract, told from affiliations by look and by shape."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from openseer.extract.lines import GAP, Line
from openseer.extract.names import AFFILIATION, is_name, split_name, strip_titles
from openseer.extract.words import ACCENTS, HYPHEN, Word, clean
from openseer.records.extraction import Author

BREAK = "\x1f"
"""Stands for a superscript, a symbol or a wide gap: names end there."""

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
SEPARATORS = re.compile(
    rf"{BREAK}|;|,|\band\b|&|\bund\b|\bet\b|\by\b(?= [A-Z])|·|•|\||\bи\b|/| - | – |\bwith\b|\bby\b|\bvon\b(?=:)", re.I
)
SYMBOLS = re.compile("[\x00-\x1e\x7f*†‡§¶∗⋆♦♣♠♥#¹²³⁴⁵⁶⁷⁸⁹⁰◦◇△▽⊥∥‖\ue000-\uf8ff]|\\(\\d+\\)|\\[\\d+\\]|\\d+")
DEGREE = re.compile(
    r"(?:[A-Z][A-Za-z]{0,2}\.? ?){0,2}[A-Z]{1,5}|(?:M|B|D)\.?[A-Z][a-z]{1,3}\.?|PhD|Dr|Jr|Sr|MSc|BSc|DSc|MPhil|student"
)
OTHERS = re.compile(
    r"(?:edit(?:ed|ors?)\b|reviewed by|how to cite|to cite|cite this|citation|recommended by|herausgeber|communicated by|action editor|academic editor|this is an open)",
    re.I,
)


def authors_of(zone: Sequence[Line]) -> tuple[list[Author], list[Line]]:
    """The authors named in these lines, and the lines that name them."""
    zone = _until_others(sorted(zone, key=lambda line: line.order))
    rows = [(line, names_in(marked_text(line))) for line in zone]
    first = next((line for line, names in rows if names and not AFFILIATION.search(line.text.split("@")[0])), None)
    if first is None:
        return [], []
    pieces: list[str] = []
    taken: list[Line] = []
    run: list[Line] = []
    for line, names in rows:
        if run and (_same_look(run[-1], line) and _follows(run[-1], line) and not AFFILIATION.search(line.text)):
            run.append(line)
            continue
        pieces += names_in_lines(run)
        taken += run
        run = [line] if names and (_same_look(first, line) or _kindred(first, line)) else []
    pieces += names_in_lines(run)
    return people_of(pieces), [*taken, *run]


def _until_others(zone: Sequence[Line]) -> list[Line]:
    """The lines before those that name editors, reviewers or how to cite."""
    stop = next((at for at, line in enumerate(zone) if at and OTHERS.match(line.text)), len(zone))
    return list(zone[:stop])


def _same_look(one: Line, two: Line) -> bool:
    return (
        abs(one.size - two.size) < 0.08 * one.size
        and one.font.bold == two.font.bold
        and one.font.italic == two.font.italic
    )


def _kindred(first: Line, line: Line) -> bool:
    """Small capitals and mixed lines: nearly the same size, and an e-mail or a list beside the name."""
    return (
        abs(first.size - line.size) < 0.15 * first.size
        and abs(first.x0 - line.x0) < 2
        and bool(EMAIL.search(line.text))
    )


def _follows(last: Line, line: Line) -> bool:
    """The next line of a list of names: close below, and the line before it was cut inside the list."""
    close = 0 < line.base - last.base < 1.7 * last.size and line.x0 < last.x1
    text = SYMBOLS.sub(" ", marked_text(last)).replace(BREAK, " ").rstrip()
    listed = bool(re.search(r",|;|·|•|\band$|&", text)) and len(text.split()) > 3
    return close and listed and not EMAIL.search(last.text)


def marked_text(line: Line) -> str:
    """The line with a break for every superscript and wide gap."""
    parts: list[str] = []
    last: Word | None = None
    for word in line.words:
        raised = word.text not in ACCENTS and word.size < 0.86 * line.size and word.base < line.base - 0.1 * line.size
        wide = last is not None and word.x0 - last.x1 > GAP * line.size
        if raised or wide:
            parts.append(BREAK)
        if not raised:
            parts.append(word.text if word.glued and not wide else " " + word.text)
        last = word
    return clean("".join(parts)).replace(HYPHEN, "-")


def names_in_lines(lines: Sequence[Line]) -> list[str]:
    """The names in lines that belong together; a name may be cut by the end of a line."""
    return names_in(" ".join(map(marked_text, lines)))


def names_in(text: str) -> list[str]:
    """The names in a text, or nothing when most of it is something else.

    >>> names_in("A. Turing, Grace M. Hopper and J.Backus")
    ['A. Turing', 'Grace M. Hopper', 'J. Backus']
    """
    text = SYMBOLS.sub(BREAK, EMAIL.sub(BREAK, text))
    text = re.sub(r"(?<=[A-Za-zА-Я]\.)(?=[^\W\d_a-z][^\W_])", " ", text)
    if ";" in text and (whole := _inverted(text)):
        return whole
    pieces = [re.sub(r"\s+", " ", piece).strip(" .:()[]–-") for piece in SEPARATORS.split(strip_titles(text))]
    pieces = [strip_titles(piece) for piece in pieces]
    pieces = [piece for piece in pieces if sum(map(str.isalpha, piece)) > 1 and not DEGREE.fullmatch(piece)]
    names = [piece for piece in pieces if is_name(piece)]
    return names if len(names) > 0.5 * len(pieces) else []


def _inverted(text: str) -> list[str]:
    """A list of "Family, Given; Family, Given"."""
    whole = [one.strip(" ,.") for one in re.sub(f"{BREAK}|\\s+", " ", text).split(";")]
    whole = [one for one in whole if one]
    return whole if all(one.count(",") == 1 and is_name(" ".join(reversed(one.split(",")))) for one in whole) else []


def people_of(names: Iterable[str]) -> list[Author]:
    """Each name once, split into its parts."""
    people: dict[str, Author] = {}
    for name in names:
        text = _as_printed(name)
        parts = split_name(text)
        people.setdefault(parts.name.lower(), Author(parts.name, parts.given, parts.family))
    return list(people.values())


def _as_printed(name: str) -> str:
    """Capitals become a usual name: "JOHN O'NEIL" is John O'Neil."""
    words = name.split()
    if all(word.isupper() for word in words) and any(len(word.strip(".")) > 2 for word in words):
        return " ".join(word if word.endswith(".") or len(word) == 1 else _capital(word) for word in words)
    return name


def _capital(word: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda part: part.group().capitalize(), word)
