"""How alike two descriptions are, as the numbers the matcher looks at."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from openseer.identify.normal import squeezed, words_of
from openseer.identify.parts import Said, said_by
from openseer.records.description import MatchFields

NUMBER = re.compile(r"\d+")
CLUES = (
    "S", "jaccard", "containment", "indel", "token set", "partial", "length", "length ratio", "prefix", "equal",
    "words differing", "longest other word", "last word", "fewest words", "numbers differ", "numbers",
    "authors of the fewer", "authors of the more", "first author", "first given", "first among", "counts of authors",
    "without authors", "swapped", "year", "without year", "venue", "without venue", "volume", "without volume",
    "first page", "pages apart", "last page", "without pages", "without title", "parts differ", "notices differ",
)  # fmt: skip
"""-1 stands for what cannot be compared because one side lacks it."""
FAR = 50
NEAR_NAME = 0.75
"""Family names that are so alike are one, misspelled."""


class Prepared(NamedTuple):
    """A description in the form in which it is compared."""

    title: str
    words: tuple[str, ...]
    grams: frozenset[str]
    numbers: frozenset[str]
    families: tuple[str, ...]
    givens: tuple[str, ...]
    year: int | None
    venue: str
    venue_words: tuple[str, ...]
    volume: str
    first_page: str
    last_page: str
    said: Said


@lru_cache(20_000)
def prepared(fields: MatchFields) -> Prepared:
    """Made once for each description while a batch is judged."""
    words = words_of(fields.title)
    title = "".join(words)
    pages = NUMBER.findall(fields.pages)
    volume = NUMBER.search(fields.volume)
    return Prepared(
        title,
        words,
        grams_of(title),
        frozenset(word for word in words if word.isdecimal()),
        tuple(squeezed(family) for family, _ in fields.authors[:40]),
        tuple(squeezed(given) for _, given in fields.authors[:40]),
        fields.year,
        squeezed(fields.venue),
        words_of(fields.venue),
        volume.group() if volume else "",
        pages[0] if pages else "",
        pages[1] if len(pages) > 1 else "",
        said_by(fields.title),
    )


def grams_of(title: str) -> frozenset[str]:
    """Runs of three characters."""
    return frozenset(title[at : at + 3] for at in range(len(title) - 2)) or frozenset({title} - {""})


def closeness(one: frozenset[str], other: frozenset[str]) -> tuple[float, float, float]:
    """The published S = 2JC/(J+C), with J and C: Jaccard and containment of title 3-grams."""
    both = len(one & other)
    if not both:
        return 0.0, 0.0, 0.0
    jaccard = both / (len(one) + len(other) - both)
    containment = both / min(len(one), len(other))
    return 2 * jaccard * containment / (jaccard + containment), jaccard, containment


def clues_of(one: Prepared, other: Prepared) -> list[float]:
    """One row for the trees."""
    return [*_titles(one, other), *_authors(one, other), *_imprints(one, other)]


def _titles(one: Prepared, other: Prepared) -> list[float]:
    shorter, longer = sorted((len(one.title), len(other.title)))
    if not shorter:
        return [0.0] * 16
    mine, theirs = frozenset(one.words), frozenset(other.words)
    return [
        *closeness(one.grams, other.grams),
        Indel.normalized_similarity(one.title, other.title),
        fuzz.token_set_ratio(" ".join(one.words), " ".join(other.words)) / 100,
        fuzz.partial_ratio(one.title, other.title) / 100,
        float(shorter),
        shorter / longer,
        float(one.title.startswith(other.title) or other.title.startswith(one.title)),
        float(one.title == other.title),
        float(len(mine ^ theirs)),
        float(_longest_other(mine, theirs)),
        float(one.words[-1] == other.words[-1]),
        float(min(len(mine), len(theirs))),
        float(one.numbers != other.numbers),
        float(len(one.numbers | other.numbers)),
    ]


def _longest_other(mine: frozenset[str], theirs: frozenset[str]) -> int:
    """The length of the longest word of one title that the other has not even misspelled."""
    alone = [(word, theirs) for word in mine - theirs] + [(word, mine) for word in theirs - mine]
    for word, others in sorted(alone, key=lambda one: (-len(one[0]), one[0])):
        if not any(word[:4] == other[:4] or Indel.normalized_similarity(word, other) > 0.7 for other in others):
            return len(word)
    return 0


def _authors(one: Prepared, other: Prepared) -> list[float]:
    without = float(not one.families) + float(not other.families)
    if without:
        return [-1.0] * 6 + [without, 0.0]
    met = _met(one.families, other.families)
    first, second = one.families[0], other.families[0]
    return [
        met / min(len(one.families), len(other.families)),
        met / max(len(one.families), len(other.families)),
        Indel.normalized_similarity(first, second),
        _given(one.givens[0], other.givens[0]),
        float(first in other.families or second in one.families),
        float(abs(len(one.families) - len(other.families))),
        0.0,
        float(first != second and set(one.families) == set(other.families)),
    ]


def _met(mine: tuple[str, ...], theirs: tuple[str, ...]) -> float:
    """How many family names the two have in common, misspelled ones by how alike they are."""
    common = set(mine) & set(theirs)
    count = float(len(common))
    left = [name for name in theirs if name not in common]
    for name in mine:
        if name in common or not left:
            continue
        score, best = max((Indel.normalized_similarity(name, other), other) for other in left)
        if score > NEAR_NAME:
            count += score
            left.remove(best)
    return count


def _given(one: str, other: str) -> float:
    """Given names: equal, an initial of the other, another one with the same initial, or another."""
    if not one or not other:
        return -1.0
    if one == other:
        return 1.0
    if one[0] != other[0]:
        return 0.0
    return 0.5 if one.startswith(other) or other.startswith(one) else 0.2


def _imprints(one: Prepared, other: Prepared) -> list[float]:
    dated = one.year is not None and other.year is not None
    years = min(abs((one.year or 0) - (other.year or 0)), 6) if dated else -1
    return [
        float(years),
        float((one.year is None) + (other.year is None)),
        _venues(one, other),
        float(not one.venue) + float(not other.venue),
        _same(one.volume, other.volume),
        float(not one.volume) + float(not other.volume),
        _same(one.first_page, other.first_page),
        _pages_apart(one.first_page, other.first_page),
        _same(one.last_page, other.last_page),
        float(not one.first_page) + float(not other.first_page),
        float(not one.title) + float(not other.title),
        float(one.said.part != other.said.part),
        float(one.said.notice != other.said.notice),
    ]


def _same(one: str, other: str) -> float:
    return float(one == other) if one and other else -1.0


def _pages_apart(one: str, other: str) -> float:
    return float(min(abs(int(one[:6]) - int(other[:6])), FAR)) if one and other else -1.0


def _venues(one: Prepared, other: Prepared) -> float:
    """As spelled, word by word as abbreviations, or one the initials of the other."""
    if not one.venue or not other.venue:
        return -1.0
    if one.venue == other.venue:
        return 1.0
    fewer, more = sorted((one.venue_words, other.venue_words), key=len)
    told = [word for word in fewer if len(word) > 1]
    met = sum(any(long.startswith(word) or word.startswith(long) for long in more) for word in told)
    initials = "".join(word[0] for word in more)
    short = min((one.venue, other.venue), key=len)
    return max(
        Indel.normalized_similarity(one.venue, other.venue),
        0.9 * met / max(1, len(told)),
        0.9 * (len(short) < 9 and short in initials),
    )
