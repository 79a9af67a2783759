"""Verdicts: whether two descriptions are of one work. A pure function of the two, asked in batches."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from openseer.core.ml.tree_ensemble import TreeEnsemble, load_ensemble
from openseer.core.model.description import MatchFields, MatchLink, is_named_by_content
from openseer.core.text.normalize import plain_arxiv, plain_doi, words_of
from openseer.match.pair_features import (
    FEATURES,
    Prepared,
    closeness,
    closeness_by_counts,
    features_of,
    prefilter_fields,
    prepared,
)
from openseer.match.sketch import MOST, Sketch, most_shared

VERSION = 4
"""The matcher's version; a verdict of a higher one replaces that of a lower."""
MODEL = "matcher.forest.gz"
FOLDER = Path(__file__).parent / "models"
LEAST, IN_HAND = 0.4, 0.25
"""Titles whose S is lower are of two works, unless a page speaks for one; of two papers in hand their texts may do so.
(0.25 for all let four times as many be judged in a library of a million, and none of these was joined.)"""
CONTAINED = 0.6
"""But one may be cut short, or have other text glued to it, and hold this much of the other."""
SURE = 6.0
"""Log-odds are cut here: no pair outweighs all others."""
PREPRINT_DOIS = (
    "10.48550/", "10.1101/", "10.2139/", "10.5281/", "10.6084/", "10.20944/", "10.31219/", "10.31234/", "10.31235/",
)  # fmt: skip
"""Archives that give a DOI to a copy of a work that may have another one: evidence, never a conflict."""
ARCHIVE = re.compile(
    r"\b(?:arxiv|corr|preprint|(?:tech\w*|working|discussion) (?:report|paper)|ssrn|biorxiv|medrxiv)", re.I
)
"""Where copies go round before they are published."""
AGREEING, VERSIONS, LONG_TITLE, FEW_YEARS = 1.0, 1.5, 22, 3
NEAR_TITLE, MOST_AUTHORS = 0.75, 0.7
"""Of two that stand in one place, the titles are so alike and so many of the authors the same."""
NEAR_PAGE = 0.6
"""So many runs of words of a first page stand on the other too."""
S, EQUAL, LENGTH, FEWER, FIRST, YEARS, VENUE, VOLUME, PAGE, LAST, PARTS = (FEATURES.index(name) for name in (
    "S", "equal", "length", "authors of the fewer", "first author", "year", "venue", "volume", "first page",
    "last page", "parts differ",
))  # fmt: skip

Named = tuple[str, MatchFields]
Odds = NDArray[np.float64]


class PairwiseModel:
    """The trained part of a verdict."""

    def __init__(self, forest: TreeEnsemble) -> None:
        self._forest = forest

    def log_odds(self, rows: NDArray[np.float64]) -> Odds:
        """Log-odds that each pair is one work."""
        if not len(rows):
            return np.zeros(0)
        share = self._forest.predict(rows)[:, 0]
        cut: Odds = np.clip(np.log((share + 1e-9) / (1 - share + 1e-9)), -SURE, SURE)
        return cut


@cache
def pairwise_model() -> PairwiseModel:
    """Those that come with the program."""
    return PairwiseModel(load_ensemble(FOLDER / MODEL))


def passes_prefilter(one: MatchFields, other: MatchFields, least: float = LEAST) -> bool:
    """The first look: titles alike at all, or none to compare, or the same first page or identifier."""
    mine, theirs = prefilter_fields(one), prefilter_fields(other)
    if not mine.title or not theirs.title or (mine.first_page and mine.first_page == theirs.first_page):
        return True
    alike, _, contained = closeness(mine.grams, theirs.grams)
    enough = IN_HAND if one.page_one and other.page_one else least
    return alike >= enough or contained >= CONTAINED or _same_id(one, other)


def sketch_may_match(one: Sketch, other: Sketch) -> bool:
    """The look before the first: True wherever that would be, told from the signs alone."""
    if MOST in (one.size, other.size) or not one.size or not other.size:
        return True
    if one.first_page == other.first_page != 0 or one.doi == other.doi != 0 or one.arxiv == other.arxiv != 0:
        return True
    return most_shared(one, other) >= _least_shared(one.size, other.size, one.has_full_text and other.has_full_text)


@lru_cache(maxsize=1 << 15)
def _least_shared(one: int, other: int, in_hand: bool) -> int:
    """How many 3-grams two titles of so many must share to be worth a look."""
    least = IN_HAND if in_hand else LEAST
    for both in range(1, min(one, other)):
        alike, _, contained = closeness_by_counts(both, one, other)
        if alike >= least or contained >= CONTAINED:
            return both
    return min(one, other)


def features_between(one: MatchFields, other: MatchFields) -> list[float]:
    return features_of(prepared(one), prepared(other))


def log_odds_between(pairs: Sequence[tuple[MatchFields, MatchFields]]) -> list[float]:
    """Log-odds that the two of each pair are one work; 0 is even."""
    asked = [number for number, pair in enumerate(pairs) if passes_prefilter(*pair)]
    found = [-SURE] * len(pairs)
    rows = np.array([features_between(*pairs[number]) for number in asked])
    for number, row, odds in zip(asked, rows, pairwise_model().log_odds(rows), strict=True):
        found[number] = apply_rules(float(odds), pairs[number], row)
    return found


def log_odds(fields: Mapping[str, MatchFields], pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], float]:
    """Of named descriptions, each pair in order; those whose names tell their content are remembered for a while."""
    asked = [pair for pair in pairs if pair not in _remembered]
    fresh = dict(zip(asked, log_odds_between([(fields[one], fields[other]) for one, other in asked]), strict=True))
    found = {pair: fresh[pair] if pair in fresh else _remembered[pair] for pair in pairs}
    if len(_remembered) > MOST_REMEMBERED:
        _remembered.clear()
    _remembered.update((pair, odds) for pair, odds in fresh.items() if all(map(is_named_by_content, pair)))
    return found


_remembered: dict[tuple[str, str], float] = {}
MOST_REMEMBERED = 200_000


def apply_rules(odds: float, pair: tuple[MatchFields, MatchFields], row: NDArray[np.float64]) -> float:
    """What the trees say of a pair, with what they were not taught."""
    if _agree(row) or _in_one_place(row):
        odds = max(odds, AGREEING)
    if _are_versions(*pair, row):
        odds = max(odds, VERSIONS)
    return max(-SURE, min(SURE, odds + _evidence(*pair, row[S])))


def _agree(row: NDArray[np.float64]) -> bool:
    """Same long title, same authors, and nothing that both say differs: one may merely say less."""
    if not row[EQUAL] or row[LENGTH] < LONG_TITLE or row[FEWER] < 0.99 or row[FIRST] < 0.99:
        return False
    venues_differ = 0 <= row[VENUE] < 0.6
    return row[YEARS] <= 0 and not venues_differ and row[PAGE] != 0 and row[VOLUME] != 0


def _in_one_place(row: NDArray[np.float64]) -> bool:
    """The same volume and pages under nearly the same title: what differs besides is misspelled."""
    if row[PAGE] != 1 or row[VOLUME] == 0 or row[LAST] == 0 or 1 not in (row[VOLUME], row[LAST]):
        return False
    return bool(row[S] >= NEAR_TITLE and not row[PARTS] and (row[FEWER] >= MOST_AUTHORS or row[FEWER] < 0))


def links_of(rows: Iterable[tuple[str, str, float, MatchFields, MatchFields]]) -> list[MatchLink]:
    """Verdicts as they are kept, each with its score and the reason."""
    return [
        MatchLink.of(one, other, round(1 / (1 + math.exp(-odds)), 4), _reason(mine, theirs), VERSION)
        for one, other, odds, mine, theirs in rows
    ]


def match_pairs(pairs: Sequence[tuple[Named, Named]]) -> list[MatchLink]:
    """The verdicts that join."""
    odds = log_odds_between([(one[1], other[1]) for one, other in pairs])
    return links_of(
        (one[0], other[0], odd, one[1], other[1]) for (one, other), odd in zip(pairs, odds, strict=True) if odd >= 0
    )


def _same_id(one: MatchFields, other: MatchFields) -> bool:
    doi, arxiv = plain_doi(one.doi), plain_arxiv(one.arxiv)
    return bool(doi and doi == plain_doi(other.doi)) or bool(arxiv and arxiv == plain_arxiv(other.arxiv))


def _are_versions(one: MatchFields, other: MatchFields, row: NDArray[np.float64]) -> bool:
    """A paper in hand and what may be its preprint or its published version: same long title, same authors, few years.

    The trees learned from lists that keep such versions apart; here they are one work."""
    in_hand = bool(one.page_one or other.page_one)
    apart = one.venue and other.venue and not (ARCHIVE.search(one.venue) or ARCHIVE.search(other.venue))
    if not in_hand or apart or not row[EQUAL] or row[LENGTH] < LONG_TITLE:
        return False
    return bool(row[FEWER] > 0.99 and row[FIRST] > 0.99 and row[YEARS] <= FEW_YEARS)


def _evidence(one: MatchFields, other: MatchFields, closeness_of_titles: float) -> float:
    """What identifiers, the first page and the bibliography add to what the trees say."""
    added = 0.0
    if _same_id(one, other):
        added += 6.0 if closeness_of_titles > 0.3 or not (one.title and other.title) else 1.5
    elif is_published(one.doi) and is_published(other.doi):
        added -= 1.5
    elif one.arxiv and other.arxiv:  # an archive gives one number to all versions of a paper
        added -= 3.0
    mine, theirs = prepared(one).numbers, prepared(other).numbers
    if mine - theirs and theirs - mine:  # the third and the fourth of a series
        added -= 3.0
    if _cite_the_same(one, other):
        added += 2.0
    if one.page_one and other.page_one:
        shared = _shared_words(one.page_one, other.page_one)
        added += 5.0 if shared > 0.85 else 2.0 * (shared > NEAR_PAGE)
    return added


def is_one_text(one: MatchFields, other: MatchFields) -> bool:
    """Two papers in hand with nearly one first page and one bibliography: versions, whatever title they were given."""
    in_hand = bool(one.page_one and other.page_one)
    return in_hand and _cite_the_same(one, other) and _shared_words(one.page_one, other.page_one) > NEAR_PAGE


def _cite_the_same(one: MatchFields, other: MatchFields) -> bool:
    """Whether the shorter bibliography, of more than five entries, stands mostly in the other."""
    fewer = min(len(one.cites), len(other.cites))
    return fewer > 5 and len(set(one.cites) & set(other.cites)) / fewer > 0.5


def is_published(doi: str) -> bool:
    """Whether a DOI is that of a publisher, not of an archive of copies."""
    bare = plain_doi(doi)
    return bool(bare) and not bare.startswith(PREPRINT_DOIS)


def _shared_words(one: str, other: str) -> float:
    """Of the runs of four words, how many both pages have."""
    mine, theirs = _shingles(one), _shingles(other)
    return len(mine & theirs) / max(1, min(len(mine), len(theirs)))


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {words[at : at + 4] for at in range(len(words) - 3)}


def _reason(one: MatchFields, other: MatchFields) -> str:
    """In a few words why they are taken for one."""
    if _same_id(one, other):
        return "same identifier"
    mine, theirs = prepared(one), prepared(other)
    row = features_of(mine, theirs)
    said = [
        "same title" if row[EQUAL] else f"title {row[S]:.2f}" if mine.title and theirs.title else "no title",
        _authors_said(mine, theirs),
        "same year" if row[YEARS] == 0 else f"{row[YEARS]:.0f} years apart" if row[YEARS] > 0 else "",
        "same first page" if row[PAGE] == 1 else "",
        "same venue" if row[VENUE] > 0.8 else "",
    ]
    return ", ".join(filter(None, said))


def _authors_said(one: Prepared, other: Prepared) -> str:
    if not one.families or not other.families:
        return ""
    common = len(set(one.families) & set(other.families))
    return f"{common} of {min(len(one.families), len(other.families))} authors"
