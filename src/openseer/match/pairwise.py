"""Pairwise matcher: log-odds that two descriptions name the same work. A pure function, computed in batches."""

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
    features_of,
    prefilter_fields,
    prepared,
    similarity_by_counts,
    title_similarity,
)
from openseer.match.sketch import MOST, Sketch, most_shared

VERSION = 4
"""Version of the matcher; links of a higher version replace those of a lower one."""
MODEL = "matcher.forest.gz"
FOLDER = Path(__file__).parent / "models"
MIN_S, MIN_S_FULL_TEXT = 0.4, 0.25
"""Least S of two titles to be scored; the second for two full texts, whose first pages may match.
(0.25 for all had four times as many pairs scored in a library of a million works; none of these matched.)"""
MIN_CONTAINMENT = 0.6
"""Least containment of a title that is cut short or has other text attached."""
MAX_LOG_ODDS = 6.0
"""Log-odds are clipped here, so that no pair outweighs all others."""
PREPRINT_DOIS = (
    "10.48550/", "10.1101/", "10.2139/", "10.5281/", "10.6084/", "10.20944/", "10.31219/", "10.31234/", "10.31235/",
)  # fmt: skip
"""Prefixes of preprint archives and repositories: such a DOI is evidence, never a conflict with another one."""
ARCHIVE = re.compile(
    r"\b(?:arxiv|corr|preprint|(?:tech\w*|working|discussion) (?:report|paper)|ssrn|biorxiv|medrxiv)", re.I
)
"""Venues of copies that circulate before publication."""
MIN_ODDS_AGREEING, MIN_ODDS_VERSIONS = 1.0, 1.5
"""Least log-odds of pairs that agree in all fields, and of versions of one paper."""
LONG_TITLE, MAX_YEARS_APART = 22, 3
"""Letters of a title that is unlikely to occur twice; years between two versions."""
MIN_S_SAME_PAGES, MIN_AUTHORS_SAME_PAGES = 0.75, 0.7
"""Least title similarity and share of common authors of two records with the same volume and pages."""
MIN_SHARED_SHINGLES = 0.6
"""Share of 4-word shingles that the first pages of two versions have in common."""
S, EQUAL, LENGTH, FEWER, FIRST, YEARS, VENUE, VOLUME, PAGE, LAST, PARTS = (FEATURES.index(name) for name in (
    "S", "equal", "length", "authors of the fewer", "first author", "year", "venue", "volume", "first page",
    "last page", "parts differ",
))  # fmt: skip

Named = tuple[str, MatchFields]
Odds = NDArray[np.float64]


class PairwiseModel:
    """The trained part of the matcher."""

    def __init__(self, trees: TreeEnsemble) -> None:
        self._trees = trees

    def log_odds(self, rows: NDArray[np.float64]) -> Odds:
        """Log-odds that the two of each pair are the same work."""
        if not len(rows):
            return np.zeros(0)
        probability = self._trees.predict(rows)[:, 0]
        clipped: Odds = np.clip(np.log((probability + 1e-9) / (1 - probability + 1e-9)), -MAX_LOG_ODDS, MAX_LOG_ODDS)
        return clipped


@cache
def pairwise_model() -> PairwiseModel:
    """The shipped model."""
    return PairwiseModel(load_ensemble(FOLDER / MODEL))


def passes_prefilter(one: MatchFields, other: MatchFields, min_s: float = MIN_S) -> bool:
    """True if the titles are similar enough, one is missing, or first page or an identifier are the same."""
    mine, theirs = prefilter_fields(one), prefilter_fields(other)
    if not mine.title or not theirs.title or (mine.first_page and mine.first_page == theirs.first_page):
        return True
    s, _, containment = title_similarity(mine.grams, theirs.grams)
    least = MIN_S_FULL_TEXT if one.page_one and other.page_one else min_s
    return s >= least or containment >= MIN_CONTAINMENT or _same_id(one, other)


def sketch_may_match(one: Sketch, other: Sketch) -> bool:
    """True wherever `passes_prefilter` may be, decided from the stored sketches alone."""
    if MOST in (one.size, other.size) or not one.size or not other.size:
        return True
    if one.first_page == other.first_page != 0 or one.doi == other.doi != 0 or one.arxiv == other.arxiv != 0:
        return True
    return most_shared(one, other) >= _min_shared_grams(one.size, other.size, one.has_full_text and other.has_full_text)


@lru_cache(maxsize=1 << 15)
def _min_shared_grams(one: int, other: int, full_texts: bool) -> int:
    """Least number of common 3-grams with which titles of these sizes pass the prefilter."""
    least = MIN_S_FULL_TEXT if full_texts else MIN_S
    for common in range(1, min(one, other)):
        s, _, containment = similarity_by_counts(common, one, other)
        if s >= least or containment >= MIN_CONTAINMENT:
            return common
    return min(one, other)


def features_between(one: MatchFields, other: MatchFields) -> list[float]:
    """The row of features of a pair."""
    return features_of(prepared(one), prepared(other))


def log_odds_between(pairs: Sequence[tuple[MatchFields, MatchFields]]) -> list[float]:
    """Log-odds that the two of each pair are the same work; 0 is even."""
    passed = [number for number, pair in enumerate(pairs) if passes_prefilter(*pair)]
    found = [-MAX_LOG_ODDS] * len(pairs)
    rows = np.array([features_between(*pairs[number]) for number in passed])
    for number, row, odds in zip(passed, rows, pairwise_model().log_odds(rows), strict=True):
        found[number] = apply_rules(float(odds), pairs[number], row)
    return found


def log_odds(fields: Mapping[str, MatchFields], pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], float]:
    """Log-odds of pairs of named descriptions; cached for those whose names are hashes of their content."""
    cached = {pair: odds for pair in pairs if (odds := _cache.get(pair)) is not None}
    missing = [pair for pair in pairs if pair not in cached]
    computed = dict(
        zip(missing, log_odds_between([(fields[one], fields[other]) for one, other in missing]), strict=True)
    )
    if len(_cache) > MAX_CACHED_PAIRS:
        _cache.clear()
    _cache.update((pair, odds) for pair, odds in computed.items() if all(map(is_named_by_content, pair)))
    return {pair: computed[pair] if pair in computed else cached[pair] for pair in pairs}


_cache: dict[tuple[str, str], float] = {}
"""Only read by key and cleared as a whole, so several threads may use it."""
MAX_CACHED_PAIRS = 200_000


def apply_rules(odds: float, pair: tuple[MatchFields, MatchFields], row: NDArray[np.float64]) -> float:
    """Log-odds of the trees, corrected by rules for cases that their training data lack."""
    if _agree(row) or _same_volume_and_pages(row):
        odds = max(odds, MIN_ODDS_AGREEING)
    if _are_versions(*pair, row):
        odds = max(odds, MIN_ODDS_VERSIONS)
    return max(-MAX_LOG_ODDS, min(MAX_LOG_ODDS, odds + _evidence(*pair, row[S])))


def _agree(row: NDArray[np.float64]) -> bool:
    """True if long title and authors are the same and no field that both have differs."""
    if not row[EQUAL] or row[LENGTH] < LONG_TITLE or row[FEWER] < 0.99 or row[FIRST] < 0.99:
        return False
    venues_differ = 0 <= row[VENUE] < 0.6
    return row[YEARS] <= 0 and not venues_differ and row[PAGE] != 0 and row[VOLUME] != 0


def _same_volume_and_pages(row: NDArray[np.float64]) -> bool:
    """True if volume and pages are the same and the titles nearly so: other differences are misspellings."""
    if row[PAGE] != 1 or row[VOLUME] == 0 or row[LAST] == 0 or 1 not in (row[VOLUME], row[LAST]):
        return False
    return bool(
        row[S] >= MIN_S_SAME_PAGES and not row[PARTS] and (row[FEWER] >= MIN_AUTHORS_SAME_PAGES or row[FEWER] < 0)
    )


def links_of(rows: Iterable[tuple[str, str, float, MatchFields, MatchFields]]) -> list[MatchLink]:
    """Match links with score and reason."""
    return [
        MatchLink.of(one, other, round(1 / (1 + math.exp(-odds)), 4), _reason(mine, theirs), VERSION)
        for one, other, odds, mine, theirs in rows
    ]


def match_pairs(pairs: Sequence[tuple[Named, Named]]) -> list[MatchLink]:
    """Links of the pairs that match."""
    odds = log_odds_between([(one[1], other[1]) for one, other in pairs])
    return links_of(
        (one[0], other[0], odd, one[1], other[1]) for (one, other), odd in zip(pairs, odds, strict=True) if odd >= 0
    )


def _same_id(one: MatchFields, other: MatchFields) -> bool:
    doi, arxiv = plain_doi(one.doi), plain_arxiv(one.arxiv)
    return bool(doi and doi == plain_doi(other.doi)) or bool(arxiv and arxiv == plain_arxiv(other.arxiv))


def _are_versions(one: MatchFields, other: MatchFields, row: NDArray[np.float64]) -> bool:
    """True for a full text and its preprint or published version: same long title, same authors, few years apart.

    The trees learned from lists that keep such versions apart; here they are one work."""
    has_full_text = bool(one.page_one or other.page_one)
    other_venue = one.venue and other.venue and not (ARCHIVE.search(one.venue) or ARCHIVE.search(other.venue))
    if not has_full_text or other_venue or not row[EQUAL] or row[LENGTH] < LONG_TITLE:
        return False
    return bool(row[FEWER] > 0.99 and row[FIRST] > 0.99 and row[YEARS] <= MAX_YEARS_APART)


def _evidence(one: MatchFields, other: MatchFields, title_s: float) -> float:
    """Log-odds that identifiers, numbers in titles, bibliographies and first pages add."""
    added = 0.0
    if _same_id(one, other):
        added += 6.0 if title_s > 0.3 or not (one.title and other.title) else 1.5
    elif is_published(one.doi) and is_published(other.doi):
        added -= 1.5
    elif one.arxiv and other.arxiv:  # an archive has one number for all versions of a paper
        added -= 3.0
    mine, theirs = prepared(one).numbers, prepared(other).numbers
    if mine - theirs and theirs - mine:  # the third and the fourth part of a series
        added -= 3.0
    if _same_bibliography(one, other):
        added += 2.0
    if one.page_one and other.page_one:
        shared = _shared_shingles(one.page_one, other.page_one)
        added += 5.0 if shared > 0.85 else 2.0 * (shared > MIN_SHARED_SHINGLES)
    return added


def is_one_text(one: MatchFields, other: MatchFields) -> bool:
    """True for two full texts with nearly the same first page and bibliography: versions, whatever their titles."""
    both_have_text = bool(one.page_one and other.page_one)
    return (
        both_have_text
        and _same_bibliography(one, other)
        and _shared_shingles(one.page_one, other.page_one) > MIN_SHARED_SHINGLES
    )


def _same_bibliography(one: MatchFields, other: MatchFields) -> bool:
    """True if more than half of the shorter bibliography, of more than five entries, is in the other."""
    fewer = min(len(one.cites), len(other.cites))
    return fewer > 5 and len(set(one.cites) & set(other.cites)) / fewer > 0.5


def is_published(doi: str) -> bool:
    """True for a publisher's DOI, false for one of a preprint archive or repository."""
    bare = plain_doi(doi)
    return bool(bare) and not bare.startswith(PREPRINT_DOIS)


def _shared_shingles(one: str, other: str) -> float:
    """Share of the 4-word shingles of the shorter page that both pages have."""
    mine, theirs = _shingles(one), _shingles(other)
    return len(mine & theirs) / max(1, min(len(mine), len(theirs)))


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {words[at : at + 4] for at in range(len(words) - 3)}


def _reason(one: MatchFields, other: MatchFields) -> str:
    """Reason of a link, in a few words."""
    if _same_id(one, other):
        return "same identifier"
    mine, theirs = prepared(one), prepared(other)
    row = features_of(mine, theirs)
    parts = [
        "same title" if row[EQUAL] else f"title {row[S]:.2f}" if mine.title and theirs.title else "no title",
        _common_authors(mine, theirs),
        "same year" if row[YEARS] == 0 else f"{row[YEARS]:.0f} years apart" if row[YEARS] > 0 else "",
        "same first page" if row[PAGE] == 1 else "",
        "same venue" if row[VENUE] > 0.8 else "",
    ]
    return ", ".join(filter(None, parts))


def _common_authors(one: Prepared, other: Prepared) -> str:
    if not one.families or not other.families:
        return ""
    common = len(set(one.families) & set(other.families))
    return f"{common} of {min(len(one.families), len(other.families))} authors"
