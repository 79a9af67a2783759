"""Metrics of header and bibliography; fields that gold does not have are not scored."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from openseer.evaluation.alignment import one_to_one
from openseer.evaluation.precision_recall import Tally
from openseer.evaluation.string_similarity import SIMILAR, contained, letters_of_latex, similarity, similarity_at_least

INITIALS = re.compile(r"[A-Z]{1,3}|(?:[A-Z]\.?-?){1,4}")
GENERATION = re.compile(r"(?:jr|sr)\.?|ii|iii|iv", re.I)
PARTICLES = re.compile(r"van|von|de[rnl]?|di|da|della|la|le|du|dos|el|al|bin|ten|ter|zu", re.I)
DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
MIN_TITLE_SIMILARITY = 0.9
Person = tuple[str, str]
"""Letters of the family name, and first initial."""
Item = TypeVar("Item")


def score_header(gold: dict[str, Any], found: dict[str, Any], tally: Tally) -> None:
    """Score title, authors, abstract, year and DOI of one paper."""
    if gold.get("title"):
        one, two = letters_of_latex(gold["title"]), letters_of_latex(found.get("title"))
        tally.share("title.exact", one == two)
        tally.share("title.soft", similarity(one, two) >= SIMILAR)
    if gold.get("authors"):
        _score_authors(gold["authors"], found.get("authors") or [], tally)
    if gold.get("abstract"):
        score = similarity(letters_of_latex(gold["abstract"]), letters_of_latex(found.get("abstract")))
        tally.share("abstract.soft", score >= SIMILAR)
        tally.share("abstract.mean", score)
    if gold.get("year"):
        tally.share("year", year_of(gold["year"]) == year_of(found.get("year")))
    if gold.get("doi"):
        tally.share("doi", doi_of(gold["doi"]) == doi_of(found.get("doi")))


def _score_authors(gold: Sequence[Any], found: Sequence[Any], tally: Tally) -> None:
    gold_people, found_people = [person_of(one) for one in gold], [person_of(one) for one in found]
    tally.f1("authors.name", _match_count(gold_people, found_people, same_person), len(found_people), len(gold_people))
    gold_names, found_names = list(map(_whole_name, gold)), list(map(_whole_name, found))
    tally.f1("authors.full", _match_count(gold_names, found_names, str.__eq__), len(found_names), len(gold_names))
    tally.share(
        "authors.list", len(gold_people) == len(found_people) and all(map(same_person, gold_people, found_people))
    )


def score_references(gold: dict[str, Any], found: dict[str, Any], tally: Tally) -> None:
    """Score the bibliography of one paper: entries found, and their fields."""
    gold_entries, found_entries = gold.get("references"), found.get("references") or []
    if not gold_entries:
        return
    pairs = match_entries(gold_entries, found_entries)
    tally.f1("refs", len(pairs), len(found_entries), len(gold_entries))
    tally.share("refs.count", abs(len(found_entries) - len(gold_entries)) <= max(1, 0.05 * len(gold_entries)))
    for one, two in pairs:
        if one.get("title"):
            tally.share(
                "refs.title",
                similarity(letters_of_latex(one["title"]), letters_of_latex(two.get("title"))) >= MIN_TITLE_SIMILARITY,
            )
        if one.get("year"):
            tally.share("refs.year", year_of(one["year"]) == year_of(two.get("year")))
        if one.get("authors"):
            names = one["authors"] if isinstance(one["authors"], list) else re.split(r";| and ", one["authors"])
            first, other = person_of(names[0])[0], person_of((two.get("authors") or [""])[0])[0]
            tally.share("refs.author1", same_person((first, ""), (other, "")))


def match_entries(
    gold_entries: Sequence[dict[str, Any]], found_entries: Sequence[dict[str, Any]]
) -> list[tuple[Any, Any]]:
    """One-to-one pairs of equal entries, most similar first."""
    similarities = [
        (entry_similarity(one, two), i, j) for i, one in enumerate(gold_entries) for j, two in enumerate(found_entries)
    ]
    ranked = sorted((row for row in similarities if row[0] >= SIMILAR), reverse=True)
    return [(gold_entries[i], found_entries[j]) for i, j in one_to_one((i, j) for _, i, j in ranked)]


def entry_similarity(gold: Mapping[str, Any], found: Mapping[str, Any]) -> float:
    """Similarity by DOI, else by title, else by the printed string; without these by venue and year."""
    doi = doi_of(gold.get("doi"))
    if doi and (doi == doi_of(found.get("doi")) or letters_of_latex(doi) in letters_of_latex(found.get("raw"))):
        return 1.01
    title = letters_of_latex(found.get("title"))
    if gold_title := letters_of_latex(gold.get("title")):
        return similarity_at_least(SIMILAR, gold_title, title) if title else 0.0
    printed = letters_of_latex(gold.get("raw") or gold.get("deposited"))
    if not (gold.get("raw") or gold.get("deposited")):
        venue = letters_of_latex(gold.get("venue"))
        if not venue or year_of(gold.get("year")) != year_of(found.get("year")):
            return 0.0
        return max(
            (similarity(venue, name) for name in (title, letters_of_latex(found.get("venue"))) if name), default=0.0
        )
    if len(title) < 12:
        return float(len(title) >= 5 and title in printed)
    return contained(title, printed) if len(title) <= len(printed) else 0.0


# -- names and numbers --------------------------------------------------------------------------------------------


def person_of(name: Any) -> Person:
    """Person from {"given", "family", "name"}, "Given Family", "Family, Given" or "Family GN"."""
    if isinstance(name, dict):
        if name.get("family"):
            return letters_of_latex(name["family"]), letters_of_latex(name.get("given"))[:1]
        name = name.get("name", "")
    text = str(name).strip()
    if "," in text:
        family, given = text.split(",", 1)
        return letters_of_latex(family), letters_of_latex(given)[:1]
    words = [word for word in text.split() if not GENERATION.fullmatch(word)]
    if not words:
        return "", ""
    if len(words) > 1 and INITIALS.fullmatch(words[-1]) and not INITIALS.fullmatch(words[0]):
        return letters_of_latex("".join(words[:-1])), letters_of_latex(words[-1])[:1]
    cut = len(words) - 1
    while cut > 1 and PARTICLES.fullmatch(words[cut - 1]):
        cut -= 1
    return letters_of_latex("".join(words[cut:])), letters_of_latex(words[0])[:1] if cut else ""


def same_person(one: Person, two: Person) -> bool:
    """True if one family name equals or ends in the other, and the initials agree if both are known."""
    short, long = sorted((one[0], two[0]), key=len)
    family = short == long or (len(short) > 3 and long.endswith(short))
    return family and (not one[1] or not two[1] or one[1] == two[1])


def _whole_name(name: Any) -> str:
    if isinstance(name, dict):
        return letters_of_latex(name.get("name") or f"{name.get('given', '')} {name.get('family', '')}")
    return letters_of_latex(str(name))


def _match_count(gold: Sequence[Item], found: Sequence[Item], same: Callable[[Item, Item], bool]) -> int:
    """Number of found items that match a gold item, each used once."""
    remaining = list(gold)
    for one in found:
        if (at := next((at for at, other in enumerate(remaining) if same(other, one)), None)) is not None:
            del remaining[at]
    return len(gold) - len(remaining)


def doi_of(text: Any) -> str:
    """DOI in a text, in lower case."""
    found = DOI.search(str(text or "").lower())
    return found.group(0).rstrip(".,;)]}") if found else ""


def year_of(value: Any) -> str:
    """First year in a value."""
    found = YEAR.search(str(value or ""))
    return found.group(0) if found else ""
