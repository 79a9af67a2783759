"""Features of a pair of descriptions, for the pairwise matcher."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel
from rapidfuzz.process import extractOne

from openseer.core.model.description import MatchFields
from openseer.core.text.normalize import squeezed, words_of
from openseer.match.title_qualifiers import Qualifiers, qualifiers_of
from openseer.match.venue_names import REPORT, Venue, venue_of
from openseer.match.word_idf import RAREST, idf_of

NUMBER = re.compile(r"\d+")
SPAN = re.compile(r"(\d+)\s?[-\u2013\u2014]+\s?(\d+)")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
FEATURES = (
    "S", "jaccard", "containment", "indel", "token set", "partial", "length", "length ratio", "prefix", "equal",
    "words differing", "longest other word", "last word", "fewest words", "numbers differ", "numbers",
    "told by both", "told by one", "told by the other", "share told by both", "heaviest told by one",
    "authors of the fewer", "authors of the more", "first author", "first given", "first among", "counts of authors",
    "without authors", "swapped", "names of the fewer", "other initials",
    "year", "without year", "venue", "without venue", "kinds of venue", "volume", "without volume",
    "first page", "pages apart", "last page", "without pages", "without title", "parts differ", "notices differ",
)  # fmt: skip
"""Names of the features, in the order of the model; -1 stands for a value that one side lacks."""
_GLUE = """
proc proceedings conference conf international intl symposium workshop journal acm ieee technical report tr appear
appeared extended abstract invited paper talk tutorial panel demo demonstration poster short version draft preprint
available pdf ps html vol pp pages edition press
"""
GLUE = frozenset(_GLUE.split())
"""Words printed next to a title that are not part of it."""
MAX_PAGES_APART = 50
OTHER_KIND_SIMILARITY = 0.2
"""Similarity of a journal and a meeting, which may have the same name."""
MIN_WORD_SIMILARITY, MIN_NAME_SIMILARITY = 0.75, 0.75
"""Words and family names at least as similar count as one, misspelled."""


class Prepared(NamedTuple):
    """Match fields, normalised and split for comparison."""

    title: str
    words: tuple[str, ...]
    word_set: frozenset[str]
    spaced: str
    grams: frozenset[str]
    numbers: frozenset[str]
    title_weight: int
    """Sum of the inverse document frequencies of its title words."""
    families: tuple[str, ...]
    givens: tuple[str, ...]
    people: str
    """All names as one string, for records whose names are not split."""
    family_words: frozenset[str]
    year: int | None
    venue: Venue
    volume: str
    first_page: str
    last_page: str
    qualifiers: Qualifiers


class PrefilterFields(NamedTuple):
    """Fields that the prefilter compares; few candidate pairs need the others."""

    title: str
    words: tuple[str, ...]
    grams: frozenset[str]
    first_page: str
    last_page: str


@lru_cache(10_000)
def prefilter_fields(fields: MatchFields) -> PrefilterFields:
    """Prefilter fields of a description, computed once while a batch is scored."""
    words = words_of(fields.title)
    title = "".join(words)
    return PrefilterFields(title, words, grams_of(title), *_pages(fields.pages))


@lru_cache(5_000)
def prepared(fields: MatchFields) -> Prepared:
    """All fields of a description that passes the prefilter, computed once."""
    title, words, grams, first_page, last_page = prefilter_fields(fields)
    volume = NUMBER.search(fields.volume)
    families = [words_of(family) for family, _ in fields.authors[:40]]
    givens = tuple(squeezed(given) for _, given in fields.authors[:40])
    return Prepared(
        title,
        words,
        frozenset(words),
        " ".join(words),
        grams,
        frozenset(word for word in words if word.isdecimal()),
        sum(map(idf_of, set(words))),
        tuple(map("".join, families)),
        givens,
        " ".join(("".join(map("".join, families)), "".join(givens))),
        frozenset(word for family in families for word in family if len(word) > 2),
        fields.year or _year_in(fields.venue),
        venue_of(fields.venue),
        volume.group() if volume else "",
        first_page,
        last_page,
        qualifiers_of(fields.title),
    )


def _year_in(venue: str) -> int | None:
    """Year in a venue like "SIGMOD 1996"."""
    found = YEAR.search(venue)
    return int(found.group()) if found else None


def _pages(printed: str) -> tuple[str, str]:
    """First and last page, "" if missing; a range counts before a single number: "2, pp. 524-532"."""
    if span := SPAN.search(printed):
        return span.group(1), span.group(2)
    numbers = NUMBER.findall(printed)[:2]
    return (numbers[0], numbers[1]) if len(numbers) > 1 else (numbers[0] if numbers else "", "")


def grams_of(title: str) -> frozenset[str]:
    """3-grams of a title, as strings, which the garbage collector skips."""
    runs = zip(title, title[1:], title[2:], strict=False)
    return frozenset(map("".join, runs)) or frozenset({title} - {""})


def title_similarity(one: frozenset[str], other: frozenset[str]) -> tuple[float, float, float]:
    """The published S = 2JC/(J+C), with J and C: Jaccard and containment of title 3-grams."""
    return similarity_by_counts(len(one & other), len(one), len(other))


def similarity_by_counts(common: int, one: int, other: int) -> tuple[float, float, float]:
    """`title_similarity` from numbers of 3-grams: common ones, and those of each title."""
    if not common:
        return 0.0, 0.0, 0.0
    jaccard = common / (one + other - common)
    containment = common / min(one, other)
    return 2 * jaccard * containment / (jaccard + containment), jaccard, containment


def features_of(one: Prepared, other: Prepared) -> list[float]:
    """The row of features of a pair."""
    return [*_titles(one, other), *_authors(one, other), *_publications(one, other)]


def _titles(one: Prepared, other: Prepared) -> list[float]:
    shorter, longer = sorted((len(one.title), len(other.title)))
    if not shorter:
        return [0.0] * 21
    mine, theirs = one.word_set, other.word_set
    left, right = _unmatched_words(one, other), _unmatched_words(other, one)
    return [
        *title_similarity(one.grams, other.grams),
        Indel.normalized_similarity(one.title, other.title),
        fuzz.token_set_ratio(one.spaced, other.spaced) / 100,
        fuzz.partial_ratio(one.title, other.title) / 100,
        float(shorter),
        shorter / longer,
        float(one.title.startswith(other.title) or other.title.startswith(one.title)),
        float(one.title == other.title),
        float(len(mine ^ theirs)),
        float(max(map(len, left + right), default=0)),
        float(one.words[-1] == other.words[-1]),
        float(min(len(mine), len(theirs))),
        float(one.numbers != other.numbers),
        float(len(one.numbers | other.numbers)),
        *_word_weights(one, other, left, right),
    ]


def _unmatched_words(one: Prepared, other: Prepared) -> list[str]:
    """Words of one title that the other record lacks, also misspelled, run together, or as venue or author."""
    left = one.word_set - other.word_set - GLUE
    if not left:
        return []
    others = other.word_set - one.word_set
    return [word for word in left if not _is_matched(word, others, other)]


def _is_matched(word: str, others: frozenset[str], other: Prepared) -> bool:
    if len(word) > 3 and (word in other.title or word in other.venue.words or word in other.family_words):
        return True
    return extractOne(word, others, scorer=Indel.normalized_similarity, score_cutoff=MIN_WORD_SIMILARITY) is not None


def _word_weights(one: Prepared, other: Prepared, left: list[str], right: list[str]) -> list[float]:
    """IDF weights of the words that both titles have, that one has and that the other has."""
    alone, besides = ([idf_of(word) for word in words] for words in (left, right))
    fewer, more = sorted((sum(alone), sum(besides)))
    both = float(min(one.title_weight - sum(alone), other.title_weight - sum(besides)))
    heaviest = min(max(alone, default=0), max(besides, default=0))
    return [both, float(fewer), float(more), both / max(1.0, both + fewer + more), heaviest / RAREST]


def _authors(one: Prepared, other: Prepared) -> list[float]:
    without = float(not one.families) + float(not other.families)
    if without:
        return [-1.0] * 6 + [without, 0.0, -1.0, -1.0]
    common = _common_names(one.families, other.families)
    first, second = one.families[0], other.families[0]
    return [
        common / min(len(one.families), len(other.families)),
        common / max(len(one.families), len(other.families)),
        Indel.normalized_similarity(first, second),
        _given(one.givens[0], other.givens[0]),
        float(first in other.families or second in one.families),
        float(abs(len(one.families) - len(other.families))),
        0.0,
        float(first != second and set(one.families) == set(other.families)),
        _names_found(*sorted((one, other), key=lambda side: (len(side.family_words), side.people))),
        _other_initials(one, other),
    ]


def _names_found(fewer: Prepared, more: Prepared) -> float:
    """Share of the names of the record with fewer names that occur anywhere among those of the other."""
    if not fewer.family_words:
        return -1.0
    return sum(word in more.people for word in fewer.family_words) / len(fewer.family_words)


def _other_initials(one: Prepared, other: Prepared) -> float:
    """Share of common family names whose initials differ."""
    initial = {family: given[0] for family, given in zip(one.families, one.givens, strict=True) if given}
    differ = [
        initial[family] != given[0]
        for family, given in zip(other.families, other.givens, strict=True)
        if given and family in initial
    ]
    return sum(differ) / len(differ) if differ else -1.0


def _common_names(mine: tuple[str, ...], theirs: tuple[str, ...]) -> float:
    """Number of common family names; a misspelled one counts by its similarity."""
    common = set(mine) & set(theirs)
    count = float(len(common))
    left = [name for name in theirs if name not in common]
    for name in mine:
        if name in common or not left:
            continue
        score, best = max((Indel.normalized_similarity(name, other), other) for other in left)
        if score > MIN_NAME_SIMILARITY:
            count += score
            left.remove(best)
    return count


def _given(one: str, other: str) -> float:
    """Given names: equal 1, one the start of the other 0.5, same initial 0.2, different 0."""
    if not one or not other:
        return -1.0
    if one == other:
        return 1.0
    if one[0] != other[0]:
        return 0.0
    return 0.5 if one.startswith(other) or other.startswith(one) else 0.2


def _publications(one: Prepared, other: Prepared) -> list[float]:
    dated = one.year is not None and other.year is not None
    years = min(abs((one.year or 0) - (other.year or 0)), 6) if dated else -1
    return [
        float(years),
        float((one.year is None) + (other.year is None)),
        _venues(one.venue, other.venue),
        float(not one.venue.squeezed) + float(not other.venue.squeezed),
        _kinds(one.venue, other.venue),
        _same(one.volume, other.volume),
        float(not one.volume) + float(not other.volume),
        _same(one.first_page, other.first_page),
        _pages_apart(one.first_page, other.first_page),
        _same(one.last_page, other.last_page),
        float(not one.first_page) + float(not other.first_page),
        float(not one.title) + float(not other.title),
        float(one.qualifiers.part != other.qualifiers.part),
        float(one.qualifiers.notice != other.qualifiers.notice),
    ]


def _same(one: str, other: str) -> float:
    return float(one == other) if one and other else -1.0


def _pages_apart(one: str, other: str) -> float:
    return float(min(abs(int(one[:6]) - int(other[:6])), MAX_PAGES_APART)) if one and other else -1.0


def _kinds(one: Venue, other: Venue) -> float:
    """0: same kind of venue; 1: a journal and a meeting; 2: a report and one of these; -1: unknown."""
    if not one.kind or not other.kind:
        return -1.0
    if one.kind == other.kind:
        return 0.0
    return 2.0 if REPORT in (one.kind, other.kind) else 1.0


@lru_cache(20_000)
def _venues(one: Venue, other: Venue) -> float:
    """Similarity of venues: spelling, common short name, abbreviated words, initials."""
    if not one.squeezed or not other.squeezed:
        return -1.0
    if one.squeezed == other.squeezed:
        return 1.0
    if _kinds(one, other) > 0:
        return OTHER_KIND_SIMILARITY
    if one.short & other.short:
        return 0.95
    fewer, more = sorted((one.words, other.words), key=lambda words: (len(words), words))
    long_words = [word for word in fewer if len(word) > 1]
    abbreviated = sum(
        any(other_word.startswith(word) or word.startswith(other_word) for other_word in more) for word in long_words
    )
    initials = "".join(word[0] for word in more)
    short = min((one.squeezed, other.squeezed), key=lambda text: (len(text), text))
    return max(
        Indel.normalized_similarity(one.squeezed, other.squeezed),
        0.9 * abbreviated / max(1, len(long_words)),
        0.9 * (len(short) < 9 and short in initials),
    )
