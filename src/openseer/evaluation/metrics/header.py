"""Scores of what was read in papers: header and bibliography against gold; what gold does not know is not scored."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from openseer.evaluation.alignment import once
from openseer.evaluation.precision_recall import Tally
from openseer.evaluation.string_similarity import ALIKE, contained, similarity, similarity_at_least, untexed

INITIALS = re.compile(r"[A-Z]{1,3}|(?:[A-Z]\.?-?){1,4}")
GENERATION = re.compile(r"(?:jr|sr)\.?|ii|iii|iv", re.I)
PARTICLES = re.compile(r"van|von|de[rnl]?|di|da|della|la|le|du|dos|el|al|bin|ten|ter|zu", re.I)
DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
TITLE_ALIKE = 0.9
Person = tuple[str, str]
"""Family name and first initial, by letters."""
Item = TypeVar("Item")


def score_header(gold: dict[str, Any], found: dict[str, Any], tally: Tally) -> None:
    """Title, authors, abstract, year and DOI of one paper."""
    if gold.get("title"):
        one, two = untexed(gold["title"]), untexed(found.get("title"))
        tally.share("title.exact", one == two)
        tally.share("title.soft", similarity(one, two) >= ALIKE)
    if gold.get("authors"):
        _score_authors(gold["authors"], found.get("authors") or [], tally)
    if gold.get("abstract"):
        near = similarity(untexed(gold["abstract"]), untexed(found.get("abstract")))
        tally.share("abstract.soft", near >= ALIKE)
        tally.share("abstract.mean", near)
    if gold.get("year"):
        tally.share("year", year_of(gold["year"]) == year_of(found.get("year")))
    if gold.get("doi"):
        tally.share("doi", doi_of(gold["doi"]) == doi_of(found.get("doi")))


def _score_authors(gold: Sequence[Any], found: Sequence[Any], tally: Tally) -> None:
    wanted, given = [person_of(one) for one in gold], [person_of(one) for one in found]
    tally.f1("authors.name", _met(wanted, given, same_person), len(given), len(wanted))
    names, written = list(map(_whole_name, gold)), list(map(_whole_name, found))
    tally.f1("authors.full", _met(names, written, str.__eq__), len(written), len(names))
    tally.share("authors.list", len(wanted) == len(given) and all(map(same_person, wanted, given)))


def score_references(gold: dict[str, Any], found: dict[str, Any], tally: Tally) -> None:
    """The bibliography of one paper: which entries were found, and their fields where they were."""
    wanted, given = gold.get("references"), found.get("references") or []
    if not wanted:
        return
    pairs = matched(wanted, given)
    tally.f1("refs", len(pairs), len(given), len(wanted))
    tally.share("refs.count", abs(len(given) - len(wanted)) <= max(1, 0.05 * len(wanted)))
    for one, two in pairs:
        if one.get("title"):
            tally.share("refs.title", similarity(untexed(one["title"]), untexed(two.get("title"))) >= TITLE_ALIKE)
        if one.get("year"):
            tally.share("refs.year", year_of(one["year"]) == year_of(two.get("year")))
        if one.get("authors"):
            names = one["authors"] if isinstance(one["authors"], list) else re.split(r";| and ", one["authors"])
            first, other = person_of(names[0])[0], person_of((two.get("authors") or [""])[0])[0]
            tally.share("refs.author1", same_person((first, ""), (other, "")))


def matched(wanted: Sequence[dict[str, Any]], given: Sequence[dict[str, Any]]) -> list[tuple[Any, Any]]:
    """Pairs of entries that are one, the likest first, each entry once."""
    likes = [(entry_likeness(one, two), i, j) for i, one in enumerate(wanted) for j, two in enumerate(given)]
    ranked = sorted((row for row in likes if row[0] >= ALIKE), reverse=True)
    return [(wanted[i], given[j]) for i, j in once((i, j) for _, i, j in ranked)]


def entry_likeness(gold: Mapping[str, Any], found: Mapping[str, Any]) -> float:
    """By DOI, else by title, else by the printed string; gold with neither goes by venue and year."""
    doi = doi_of(gold.get("doi"))
    if doi and (doi == doi_of(found.get("doi")) or untexed(doi) in untexed(found.get("raw"))):
        return 1.01
    title = untexed(found.get("title"))
    if wanted := untexed(gold.get("title")):
        return similarity_at_least(ALIKE, wanted, title) if title else 0.0
    printed = untexed(gold.get("raw") or gold.get("deposited"))
    if not (gold.get("raw") or gold.get("deposited")):
        venue = untexed(gold.get("venue"))
        if not venue or year_of(gold.get("year")) != year_of(found.get("year")):
            return 0.0
        return max((similarity(venue, name) for name in (title, untexed(found.get("venue"))) if name), default=0.0)
    if len(title) < 12:
        return float(len(title) >= 5 and title in printed)
    return contained(title, printed) if len(title) <= len(printed) else 0.0


# -- names and numbers --------------------------------------------------------------------------------------------


def person_of(name: Any) -> Person:
    """From {"given", "family", "name"}, "Given Family", "Family, Given" or "Family GN"."""
    if isinstance(name, dict):
        if name.get("family"):
            return untexed(name["family"]), untexed(name.get("given"))[:1]
        name = name.get("name", "")
    text = str(name).strip()
    if "," in text:
        family, given = text.split(",", 1)
        return untexed(family), untexed(given)[:1]
    words = [word for word in text.split() if not GENERATION.fullmatch(word)]
    if not words:
        return "", ""
    if len(words) > 1 and INITIALS.fullmatch(words[-1]) and not INITIALS.fullmatch(words[0]):
        return untexed("".join(words[:-1])), untexed(words[-1])[:1]
    cut = len(words) - 1
    while cut > 1 and PARTICLES.fullmatch(words[cut - 1]):
        cut -= 1
    return untexed("".join(words[cut:])), untexed(words[0])[:1] if cut else ""


def same_person(one: Person, two: Person) -> bool:
    """The same family name, or one that ends in the other; initials agree where both are known."""
    short, long = sorted((one[0], two[0]), key=len)
    family = short == long or (len(short) > 3 and long.endswith(short))
    return family and (not one[1] or not two[1] or one[1] == two[1])


def _whole_name(name: Any) -> str:
    if isinstance(name, dict):
        return untexed(name.get("name") or f"{name.get('given', '')} {name.get('family', '')}")
    return untexed(str(name))


def _met(wanted: Sequence[Item], given: Sequence[Item], same: Callable[[Item, Item], bool]) -> int:
    """How many of the given are wanted, each wanted one used once."""
    left = list(wanted)
    for one in given:
        if (at := next((at for at, other in enumerate(left) if same(other, one)), None)) is not None:
            del left[at]
    return len(wanted) - len(left)


def doi_of(text: Any) -> str:
    """The DOI in a text, in lower case."""
    found = DOI.search(str(text or "").lower())
    return found.group(0).rstrip(".,;)]}") if found else ""


def year_of(value: Any) -> str:
    """The first year in a value."""
    found = YEAR.search(str(value or ""))
    return found.group(0) if found else ""
