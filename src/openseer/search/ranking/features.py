"""What speaks for each candidate of a search, counted over all of them at once: words, places, neighbours, meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openseer.search.embeddings.encoder import Vectors
from openseer.search.ranking.forward_index import AUTHORS, KEYWORDS, PLACES, PRINTED, TITLE, VENUE, ForwardIndex, unpack
from openseer.search.ranking.query_terms import QueryTerms, pair_keys

SATURATION, LENGTH = 2.0, 0.5
"""BM25's k1 and b: in short texts a second occurrence still says much."""
WORTH = np.array([2.0, 1.0, 1.0, 0.0, 0.0, 0.0])
"""What one occurrence counts in each place."""
NEAREST, COMPARED = 8, 100
"""So many neighbours vouch for a candidate, among so many of the best."""
DESCRIPTION = 40
"""Words of a question that describes at length: what all candidates have in common then says nothing."""
NEARLY = 8
"""The power of a share of which half is nothing yet."""
BY_MEANING = 0.7
"""Share of meaning in the score by which neighbours are judged."""
LEAST_SPREAD = 0.05
"""Of likeness by vectors, a third of the usual: of two or three candidates a small difference stays one."""
WORD_FOR_WORD = 0.8
"""By how much words stand for meaning where there is no vector, at the least."""

Real = NDArray[np.float64]
Whole = NDArray[np.int64]

FEATURES = (
    "words", "title", "side_by_side", "phrase", "title_run", "same_title", "authors",
    "by_them", "venue", "year", "first", "cited", "age", "full_text", "neighbours", "meaning",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The first hits of the index, as rows."""

    forward: Sequence[bytes]
    scores: Real
    """Of the first stage."""
    cited: Real
    years: Real
    """0 where unknown."""
    full_text: NDArray[np.bool_]
    vectors: Vectors | None = None
    """One row a candidate, zeros where a work has none."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The words of the candidates that the question has."""

    at: Whole
    """Where in the long row of words."""
    work: Whole
    place: Whole
    term: Whole
    counts: Real
    """Occurrences by place, work and term."""


def features_of(wanted: QueryTerms, candidates: Candidates) -> Real:
    """One row a candidate, one column for each of `FEATURES`."""
    forward = unpack(candidates.forward)
    matches = _matches(wanted, forward)
    words = _bm25(wanted, forward, matches)
    by_words = standard(words)
    meaning = _meaning(wanted, candidates, by_words)
    phrase, run = _as_printed(wanted, forward)
    named: Real = _names(wanted, forward)
    of_year: Real = np.isin(candidates.years, wanted.years).astype(np.float64)
    best = by_words if meaning is None else (1 - BY_MEANING) * by_words + BY_MEANING * meaning
    columns = (
        by_words,
        _share(wanted, matches.counts[TITLE] > 0),
        _side_by_side(wanted, forward, matches),
        phrase,
        run,
        (forward.titles == wanted.title) * 1.0,
        np.log1p(named),
        _by_them(wanted, named, of_year),
        _part(matches, forward, VENUE),
        of_year,
        standard(candidates.scores),
        np.log1p(candidates.cited),
        _age(candidates.years),
        candidates.full_text * 1.0,
        _neighbours(forward, best),
        np.zeros(len(words)) if meaning is None else meaning,
    )
    return np.stack(columns, axis=1)


def standard(values: Real, least: float = 1e-9) -> Real:
    """Mean 0, spread 1; less where the values hardly differ."""
    found: Real = (values - values.mean()) / max(least, float(values.std()))
    return found


def _matches(wanted: QueryTerms, forward: ForwardIndex) -> Matches:
    if not len(wanted.numbers):
        none = np.zeros(0, dtype=np.int64)
        return Matches(none, none, none, none, np.zeros((PLACES, len(forward.titles), 0)))
    order = np.argsort(wanted.numbers)
    ordered = wanted.numbers[order]
    at = _perhaps(wanted.numbers, forward)
    near = np.minimum(np.searchsorted(ordered, forward.words[at]), len(ordered) - 1)
    true = ordered[near] == forward.words[at]
    at, term = at[true], order[near[true]]
    work, place = forward.work[at], forward.place[at]
    shape = (PLACES, len(forward.titles), len(ordered))
    cells = np.ravel_multi_index((place, work, term), shape)
    counts = np.bincount(cells, minlength=int(np.prod(shape))).astype(np.float64)
    return Matches(at, work, place, term, counts.reshape(shape))


def _perhaps(numbers: NDArray[np.uint32], forward: ForwardIndex) -> Whole:
    """Where words stand whose last sixteen bits are those of a word of the question: few, and quickly found."""
    table = np.zeros(1 << 16, dtype=np.bool_)
    table[numbers & 0xFFFF] = True
    return np.flatnonzero(table[forward.words & 0xFFFF] & (forward.place != AUTHORS))


def _bm25(wanted: QueryTerms, forward: ForwardIndex, matches: Matches) -> Real:
    """Title, abstract and keywords as one text in which a word of the title counts twice."""
    counts = np.tensordot(WORTH, matches.counts, axes=1)
    lengths = forward.lengths @ WORTH
    usual = SATURATION * (1 - LENGTH + LENGTH * lengths / max(1.0, lengths.mean()))
    found: Real = (counts * (SATURATION + 1) / (counts + usual[:, None])) @ wanted.weights
    return found


def _share(wanted: QueryTerms, present: NDArray[np.bool_]) -> Real:
    """How much of what the question says is present."""
    share: Real = present @ wanted.weights / max(1e-9, wanted.weights.sum())
    return share


def _part(matches: Matches, forward: ForwardIndex, place: int) -> Real:
    """How much of a place the question says."""
    found: Real = matches.counts[place].sum(axis=1) / np.maximum(1, forward.lengths[:, place])
    return np.minimum(1.0, found)


def _names(wanted: QueryTerms, forward: ForwardIndex) -> Real:
    """Names of authors that the question has."""
    at = np.flatnonzero(forward.place == AUTHORS)
    said = np.isin(forward.words[at], wanted.names)
    return np.bincount(forward.work[at][said], minlength=len(forward.titles)).astype(np.float64)


def _by_them(wanted: QueryTerms, named: Real, of_year: Real) -> Real:
    """Whether the question is nothing but authors of the work, or an author and its year: "kingma ba 2014"."""
    if wanted.telling < 2:  # one word alone may be a name or not
        return np.zeros(len(named))
    return ((named > 0) & (named + of_year >= wanted.telling)).astype(np.float64)


def _side_by_side(wanted: QueryTerms, forward: ForwardIndex, matches: Matches) -> Real:
    """Telling words that follow each other in the question and somewhere in the work: share of the question."""
    works, terms = len(forward.titles), len(wanted.numbers)
    asked = wanted.order[:-1] * terms + wanted.order[1:]
    if not len(asked) or len(matches.at) < 2:
        return np.zeros(works)
    follows = (np.diff(matches.at) == 1) & (np.diff(matches.work) == 0) & (np.diff(matches.place) == 0)
    pair = matches.term[:-1] * terms + matches.term[1:]
    kept = np.flatnonzero(follows & np.isin(pair, asked))
    once = np.unique(matches.work[:-1][kept] * terms * terms + pair[kept])
    rare = wanted.rarity
    weight = np.minimum(rare[once % (terms * terms) // terms], rare[once % terms])
    all_of_them = np.minimum(rare[wanted.order[:-1]], rare[wanted.order[1:]]).sum()
    found = np.bincount(once // (terms * terms), weight, minlength=works)
    share: Real = np.minimum(1.0, found / max(1e-9, all_of_them))
    return share


def _as_printed(wanted: QueryTerms, forward: ForwardIndex) -> tuple[Real, Real]:
    """How much of the question the title says word by word, and of the title the question; only nearly all counts."""
    works, pairs = len(forward.titles), wanted.pairs
    at = np.flatnonzero(forward.place == PRINTED)
    words, work = forward.words[at], forward.work[at]
    said, titled = np.zeros(works), np.zeros(works)
    for gap in (1, 2):
        keys = pairs.keys[pairs.gaps] if gap > 1 else pairs.keys[~pairs.gaps]
        weights = pairs.weights[pairs.gaps] if gap > 1 else pairs.weights[~pairs.gaps]
        if not len(keys) or len(words) <= gap:
            continue
        found = pair_keys(words[:-gap], words[gap:])
        order = np.argsort(keys)
        near = order[np.minimum(np.searchsorted(keys, found, sorter=order), len(keys) - 1)]
        here = np.flatnonzero((keys[near] == found) & (work[:-gap] == work[gap:]))
        once = np.unique(work[here] * len(keys) + near[here])
        said += np.bincount(once // len(keys), weights[once % len(keys)], minlength=works)
        titled += np.bincount(work[here], minlength=works) * gap
    of_title = np.minimum(1.0, titled / np.maximum(1, forward.lengths[:, PRINTED] - 1))
    return (said / max(1e-9, pairs.weights.sum())) ** NEARLY, of_title**NEARLY


def _age(years: Real) -> Real:
    """Years before the newest of them; the usual age where no year is known."""
    known = years > 0
    if not known.any():
        return np.zeros(len(years))
    ages = np.log1p(years.max() - years)
    found: Real = np.where(known, ages, np.median(ages[known]))
    return found


def _meaning(wanted: QueryTerms, candidates: Candidates, by_words: Real) -> Real | None:
    if wanted.vector is None or candidates.vectors is None:
        return None
    return meant(wanted.vector, candidates.vectors, by_words, min(1.0, len(wanted.order) / DESCRIPTION))


def meant(vector: Vectors, vectors: Vectors, by_words: Real, apart: float = 1.0) -> Real | None:
    """How like a vector others are, once what they have in common is more or less set `apart`; a work without one is as
    like as its words let expect. None where there is nothing to compare."""
    rows = vectors.astype(np.float32)
    lengths = np.linalg.norm(rows, axis=1)
    has = lengths > 0
    if has.sum() < 2:
        return None
    rows = rows[has] / lengths[has, None]
    toward = vector.astype(np.float32)
    toward = toward / max(1e-9, float(np.linalg.norm(toward)))
    shared = rows.mean(axis=0) * apart
    rows = rows - shared
    likeness = (rows @ (toward - shared)) / np.maximum(np.linalg.norm(rows, axis=1), 1e-9)
    found = np.zeros(len(has))
    found[has] = standard(likeness.astype(np.float64), LEAST_SPREAD)
    found[~has] = _expected(by_words, found, has)
    return found


def _expected(by_words: Real, meaning: Real, has: NDArray[np.bool_]) -> Real:
    """The likeness of works without vectors, from how words and likeness go together in those that have one."""
    centred = by_words[has] - by_words[has].mean()
    slope = max(WORD_FOR_WORD, float(centred @ meaning[has]) / max(1e-9, float(centred @ centred)))
    expected: Real = slope * (by_words[~has] - by_words[has].mean())
    return expected


def _neighbours(forward: ForwardIndex, best: Real) -> Real:
    """How good the candidates are that are most like each: what is alike is wanted alike."""
    found: Real = best.min() * np.ones(len(best))
    if len(best) < 3:
        return best.copy()
    chosen = np.argsort(-best, kind="stable")[:COMPARED]
    alike = _alike(forward, chosen)
    nearest = min(NEAREST, len(chosen) - 1)
    least = np.partition(alike, -nearest, axis=1)[:, -nearest][:, None]
    alike = np.where(alike >= least, alike, 0.0)
    found[chosen] = (alike @ best[chosen]) / np.maximum(alike.sum(axis=1), 1e-9)
    return found


def _alike(forward: ForwardIndex, chosen: Whole) -> NDArray[np.float32]:
    """Cosines between works by the words that some but not most of them share."""
    row, column, counts, works = _shared_words(forward, chosen)
    lengths = forward.lengths[chosen] @ WORTH
    usual = SATURATION * (1 - LENGTH + LENGTH * lengths / max(1.0, lengths.mean()))
    weights = counts / (counts + usual[row]) * np.log1p(len(chosen) / works)[column]
    weights /= np.sqrt(np.bincount(row, weights * weights, minlength=len(chosen)))[row]
    table = np.zeros((len(chosen), len(works)), dtype=np.float32)
    table[row, column] = weights
    alike: NDArray[np.float32] = table @ table.T
    np.fill_diagonal(alike, 0.0)
    return alike


def _shared_words(forward: ForwardIndex, chosen: Whole) -> tuple[Whole, Whole, Real, Whole]:
    """Of each word in each work its row, its column and its count, and in how many works each column stands.

    Words that fewer than two or more than half of the works have are left out. One sort of all words does it."""
    row_of = np.full(len(forward.titles), -1)
    row_of[chosen] = np.arange(len(chosen))
    row = row_of[forward.work]
    kept = np.flatnonzero((row >= 0) & (forward.place <= KEYWORDS))
    keys = forward.words[kept].astype(np.int64) << 16 | row[kept] << 2 | forward.place[kept]
    keys.sort()
    first = np.flatnonzero(np.diff(keys >> 2, prepend=-1))
    counts = np.add.reduceat(WORTH[keys & 3], first) if len(first) else np.zeros(0)
    pairs = keys[first] >> 2
    column = np.cumsum(np.diff(pairs >> 14, prepend=pairs[:1] >> 14) > 0)
    works = np.bincount(column)
    shared = (works >= 2) & (works <= max(2, len(chosen) / 2))
    told = np.flatnonzero(shared[column]) if len(works) else first
    return pairs[told] & 0x3FFF, (np.cumsum(shared) - 1)[column[told]], counts[told], works[shared]
