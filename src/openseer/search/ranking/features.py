"""Ranking features of the candidates of a search, computed for all of them at once with numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openseer.search.embeddings.encoder import Vectors
from openseer.search.ranking.forward_index import (
    AUTHORS,
    FIELD_COUNT,
    KEYWORDS,
    PRINTED,
    TITLE,
    VENUE,
    ForwardIndex,
    unpack,
)
from openseer.search.ranking.naming import NamingEvidence, naming_probability
from openseer.search.ranking.query_terms import QueryTerms, pair_keys

BM25_K1, BM25_B = 2.0, 0.5
"""BM25 parameters: k1 is high because in short texts a second occurrence is still informative."""
FIELD_WEIGHTS = np.array([2.0, 1.0, 1.0, 0.0, 0.0, 0.0])
"""Weight of one occurrence in each field."""
MAX_NEIGHBOURS, MAX_COMPARED = 8, 100
"""Nearest neighbours that count for a candidate, among so many of the best candidates."""
LONG_QUERY_WORDS = 40
"""Words of a long query, from which on the mean embedding of the candidates is subtracted in full."""
PHRASE_EXPONENT = 8
"""Exponent of the phrase features: only a share near 1 counts."""
EMBEDDING_SHARE = 0.7
"""Share of the embedding similarity in the score by which neighbours are weighted."""
GOOD_MATCH = 0.5
"""Share of the score of the best hit from which on a full text matches well."""
MIN_SPREAD = 0.05
"""Minimum standard deviation of embedding similarities, a third of the usual one: small differences between two or
three candidates stay small."""
MIN_SLOPE = 0.8
"""Minimum slope of the regression from word score to embedding similarity, for works without embedding."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEATURES = (
    "words", "title", "side_by_side", "phrase", "title_run", "same_title", "authors",
    "by_them", "venue", "year", "first", "cited", "age", "preferred", "neighbours", "meaning",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class CandidateRows:
    """The first hits of the index as arrays, one row a candidate."""

    forward: Sequence[bytes]
    scores: Floats
    """Scores of the first stage."""
    cited: Floats
    years: Floats
    """0 where unknown."""
    full_text: NDArray[np.bool_]
    vectors: Vectors | None = None
    """Embeddings, one per row; zeros for a work without one."""
    optional_words: bool = False
    """True if candidates may lack some of the words of the query."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Occurrences of query terms in the candidates."""

    at: Ints
    """Position in `ForwardIndex.words`."""
    work: Ints
    field: Ints
    term: Ints
    counts: Floats
    """Number of occurrences by field, work and term."""


def features_of(query: QueryTerms, candidates: CandidateRows) -> Floats:
    """Feature matrix: one row a candidate, one column for each of `FEATURES`."""
    forward = unpack(candidates.forward)
    matches = _matches(query, forward)
    words = _bm25(query, forward, matches)
    by_words = standardised(words)
    by_embedding = _embedding_feature(query, candidates, by_words)
    shared = naming_evidence(query, forward, matches, candidates.years)
    best = by_words if by_embedding is None else (1 - EMBEDDING_SHARE) * by_words + EMBEDDING_SHARE * by_embedding
    columns = (
        by_words,
        _query_share(query, matches.counts[TITLE] > 0),
        shared.adjacent,
        shared.phrase**PHRASE_EXPONENT,
        shared.title_run**PHRASE_EXPONENT,
        (forward.titles == query.title) * 1.0,
        np.log1p(shared.named_authors),
        _only_authors(query, shared.named_authors, shared.of_year),
        _field_share(matches, forward, VENUE),
        shared.of_year,
        standardised(candidates.scores),
        np.log1p(candidates.cited),
        _age(candidates.years),
        _preferred(candidates, shared),
        _neighbour_scores(forward, best),
        np.zeros(len(words)) if by_embedding is None else by_embedding,
    )
    return np.stack(columns, axis=1)


def standardised(values: Floats, least: float = 1e-9) -> Floats:
    """Values with mean 0 and standard deviation 1, smaller if they hardly differ."""
    found: Floats = (values - values.mean()) / max(least, float(values.std()))
    return found


def _matches(query: QueryTerms, forward: ForwardIndex) -> Matches:
    if not len(query.ids):
        empty = np.zeros(0, dtype=np.int64)
        return Matches(empty, empty, empty, empty, np.zeros((FIELD_COUNT, len(forward.titles), 0)))
    order = np.argsort(query.ids)
    ordered = query.ids[order]
    at = _possible_positions(query.ids, forward)
    near = np.minimum(np.searchsorted(ordered, forward.words[at]), len(ordered) - 1)
    is_match = ordered[near] == forward.words[at]
    at, term = at[is_match], order[near[is_match]]
    work, field = forward.work[at], forward.field[at]
    shape = (FIELD_COUNT, len(forward.titles), len(ordered))
    cells = np.ravel_multi_index((field, work, term), shape)
    counts = np.bincount(cells, minlength=int(np.prod(shape))).astype(np.float64)
    return Matches(at, work, field, term, counts.reshape(shape))


def _possible_positions(ids: NDArray[np.uint32], forward: ForwardIndex) -> Ints:
    """Positions of terms that share the low 16 bits with a query term: a fast prefilter."""
    table = np.zeros(1 << 16, dtype=np.bool_)
    table[ids & 0xFFFF] = True
    return np.flatnonzero(table[forward.words & 0xFFFF] & (forward.field != AUTHORS))


def _bm25(query: QueryTerms, forward: ForwardIndex, matches: Matches) -> Floats:
    """BM25 over title (counted twice), abstract and keywords as one text."""
    counts = np.tensordot(FIELD_WEIGHTS, matches.counts, axes=1)
    lengths = forward.lengths @ FIELD_WEIGHTS
    saturation = BM25_K1 * (1 - BM25_B + BM25_B * lengths / max(1.0, lengths.mean()))
    found: Floats = (counts * (BM25_K1 + 1) / (counts + saturation[:, None])) @ query.weights
    return found


def _query_share(query: QueryTerms, present: NDArray[np.bool_]) -> Floats:
    """IDF-weighted share of the query terms that are present."""
    share: Floats = present @ query.weights / max(1e-9, query.weights.sum())
    return share


def _field_share(matches: Matches, forward: ForwardIndex, field: int) -> Floats:
    """Share of a field that consists of query terms."""
    found: Floats = matches.counts[field].sum(axis=1) / np.maximum(1, forward.lengths[:, field])
    return np.minimum(1.0, found)


def _named_authors(query: QueryTerms, forward: ForwardIndex) -> Floats:
    """Number of words of author names that occur in the query."""
    at, name = _matched_names(query, forward)
    return np.bincount(forward.work[at], query.name_words[name], minlength=len(forward.titles)).astype(np.float64)


def _matched_names(query: QueryTerms, forward: ForwardIndex) -> tuple[Ints, Ints]:
    """Positions of author names that occur in the query, and the number of each in `QueryTerms.names`."""
    at = np.flatnonzero(forward.field == AUTHORS)
    if not len(query.names):
        return at[:0], at[:0]
    near = np.minimum(np.searchsorted(query.names, forward.words[at]), len(query.names) - 1)
    is_named = query.names[near] == forward.words[at]
    return at[is_named], near[is_named]


def _only_authors(query: QueryTerms, named_authors: Floats, of_year: Floats) -> Floats:
    """1 if the query has only authors of the work, or authors and its year: "kingma ba 2014"."""
    if query.distinct_words < 2:  # a single word may or may not be a name
        return np.zeros(len(named_authors))
    return ((named_authors > 0) & (named_authors + of_year >= query.distinct_words)).astype(np.float64)


def _adjacent_terms(query: QueryTerms, forward: ForwardIndex, matches: Matches) -> Floats:
    """IDF-weighted share of adjacent query terms that are adjacent in the work too."""
    works, terms = len(forward.titles), len(query.ids)
    query_pairs = query.order[:-1] * terms + query.order[1:]
    if not len(query_pairs) or len(matches.at) < 2:
        return np.zeros(works)
    follows = (np.diff(matches.at) == 1) & (np.diff(matches.work) == 0) & (np.diff(matches.field) == 0)
    pair = matches.term[:-1] * terms + matches.term[1:]
    selected = np.flatnonzero(follows & np.isin(pair, query_pairs))
    distinct = np.unique(matches.work[:-1][selected] * terms * terms + pair[selected])
    idf = query.idf
    weight = np.minimum(idf[distinct % (terms * terms) // terms], idf[distinct % terms])
    maximum = np.minimum(idf[query.order[:-1]], idf[query.order[1:]]).sum()
    found = np.bincount(distinct // (terms * terms), weight, minlength=works)
    share: Floats = np.minimum(1.0, found / max(1e-9, maximum))
    return share


def _title_phrases(query: QueryTerms, forward: ForwardIndex) -> tuple[Floats, Floats]:
    """Share of the query that is a phrase of the title, and of the title that is a phrase of the query."""
    works, pairs = len(forward.titles), query.pairs
    at = np.flatnonzero(forward.field == PRINTED)
    words, work = forward.words[at], forward.work[at]
    phrase_weights, matched_words = np.zeros(works), np.zeros(works)
    for gap in (1, 2):
        keys = pairs.keys[pairs.gaps] if gap > 1 else pairs.keys[~pairs.gaps]
        weights = pairs.weights[pairs.gaps] if gap > 1 else pairs.weights[~pairs.gaps]
        if not len(keys) or len(words) <= gap:
            continue
        found = pair_keys(words[:-gap], words[gap:])
        order = np.argsort(keys)
        near = order[np.minimum(np.searchsorted(keys, found, sorter=order), len(keys) - 1)]
        here = np.flatnonzero((keys[near] == found) & (work[:-gap] == work[gap:]))
        distinct = np.unique(work[here] * len(keys) + near[here])
        phrase_weights += np.bincount(distinct // len(keys), weights[distinct % len(keys)], minlength=works)
        matched_words += np.bincount(work[here], minlength=works) * gap
    of_title = np.minimum(1.0, matched_words / np.maximum(1, forward.lengths[:, PRINTED] - 1))
    return phrase_weights / max(1e-9, pairs.weights.sum()), of_title


def evidence_of(query: QueryTerms, candidates: CandidateRows) -> NamingEvidence:
    """Evidence that the query names a candidate."""
    forward = unpack(candidates.forward)
    return naming_evidence(query, forward, _matches(query, forward), candidates.years)


def naming_evidence(query: QueryTerms, forward: ForwardIndex, matches: Matches, years: Floats) -> NamingEvidence:
    """Evidence that the query names a candidate, from its matches."""
    in_title = matches.counts[TITLE] > 0
    phrase, title_run = _title_phrases(query, forward)
    occurring = int(matches.counts.any(axis=(0, 1)).sum()) + len(np.unique(_matched_names(query, forward)[1]))
    return NamingEvidence(
        in_title.sum(axis=1).astype(np.float64),
        in_title @ query.idf,
        _field_share(matches, forward, TITLE),
        _adjacent_terms(query, forward, matches),
        phrase,
        title_run,
        _named_authors(query, forward),
        np.isin(years, query.years).astype(np.float64),
        min(query.distinct_words, occurring),
        query.typed_words,
    )


def _preferred(candidates: CandidateRows, evidence: NamingEvidence) -> Floats:
    """1 for works with full text, for others the probability that the query names them; 0 if none has full text.

    Where words are optional, a full text that matches less than half as well as the best hit counts less."""
    if not candidates.full_text.any():
        return np.zeros(len(candidates.scores))
    matched = candidates.scores / max(1e-9, float(candidates.scores.max(initial=0.0)))
    share = np.minimum(1.0, matched / GOOD_MATCH) if candidates.optional_words else np.ones(len(matched))
    return np.where(candidates.full_text, share, naming_probability(evidence))


def _age(years: Floats) -> Floats:
    """Log of the years before the newest candidate; the median where no year is known."""
    known = years > 0
    if not known.any():
        return np.zeros(len(years))
    ages = np.log1p(years.max() - years)
    found: Floats = np.where(known, ages, np.median(ages[known]))
    return found


def _embedding_feature(query: QueryTerms, candidates: CandidateRows, by_words: Floats) -> Floats | None:
    if query.vector is None or candidates.vectors is None:
        return None
    return embedding_similarity(
        query.vector, candidates.vectors, by_words, min(1.0, len(query.order) / LONG_QUERY_WORDS)
    )


def embedding_similarity(vector: Vectors, vectors: Vectors, by_words: Floats, centring: float = 1.0) -> Floats | None:
    """Standardised cosine similarity to a vector; None with fewer than two embeddings.

    `centring` is the share of the mean embedding that is subtracted first. Works without embedding get the value that a
    regression on their word score predicts."""
    rows = vectors.astype(np.float32)
    lengths = np.linalg.norm(rows, axis=1)
    has = lengths > 0
    if has.sum() < 2:
        return None
    rows = rows[has] / lengths[has, None]
    direction = vector.astype(np.float32)
    direction = direction / max(1e-9, float(np.linalg.norm(direction)))
    shared = rows.mean(axis=0) * centring
    rows = rows - shared
    similarity = (rows @ (direction - shared)) / np.maximum(np.linalg.norm(rows, axis=1), 1e-9)
    found = np.zeros(len(has))
    found[has] = standardised(similarity.astype(np.float64), MIN_SPREAD)
    found[~has] = _predicted(by_words, found, has)
    return found


def _predicted(by_words: Floats, by_embedding: Floats, has: NDArray[np.bool_]) -> Floats:
    """Similarity of works without embedding, predicted from their word score by a regression over the others."""
    centred = by_words[has] - by_words[has].mean()
    slope = max(MIN_SLOPE, float(centred @ by_embedding[has]) / max(1e-9, float(centred @ centred)))
    predicted: Floats = slope * (by_words[~has] - by_words[has].mean())
    return predicted


def _neighbour_scores(forward: ForwardIndex, best: Floats) -> Floats:
    """Mean score of the nearest neighbours of each candidate: similar works are similarly relevant."""
    found: Floats = best.min() * np.ones(len(best))
    if len(best) < 3:
        return best.copy()
    chosen = np.argsort(-best, kind="stable")[:MAX_COMPARED]
    similarities = _similarities(forward, chosen)
    nearest = min(MAX_NEIGHBOURS, len(chosen) - 1)
    least = np.partition(similarities, -nearest, axis=1)[:, -nearest][:, None]
    similarities = np.where(similarities >= least, similarities, 0.0)
    found[chosen] = (similarities @ best[chosen]) / np.maximum(similarities.sum(axis=1), 1e-9)
    return found


def _similarities(forward: ForwardIndex, chosen: Ints) -> NDArray[np.float32]:
    """Cosine similarities between works over terms that some but not most of them share."""
    row, column, counts, works = _shared_words(forward, chosen)
    lengths = forward.lengths[chosen] @ FIELD_WEIGHTS
    saturation = BM25_K1 * (1 - BM25_B + BM25_B * lengths / max(1.0, lengths.mean()))
    weights = counts / (counts + saturation[row]) * np.log1p(len(chosen) / works)[column]
    weights /= np.sqrt(np.bincount(row, weights * weights, minlength=len(chosen)))[row]
    table = np.zeros((len(chosen), len(works)), dtype=np.float32)
    table[row, column] = weights
    similarities: NDArray[np.float32] = table @ table.T
    np.fill_diagonal(similarities, 0.0)
    return similarities


def _shared_words(forward: ForwardIndex, chosen: Ints) -> tuple[Ints, Ints, Floats, Ints]:
    """Row, column and weighted count of each term in each work, and the number of works of each column.

    Terms of fewer than two or more than half of the works are left out. It takes one sort of all terms."""
    row_of = np.full(len(forward.titles), -1)
    row_of[chosen] = np.arange(len(chosen))
    row = row_of[forward.work]
    selected = np.flatnonzero((row >= 0) & (forward.field <= KEYWORDS))
    keys = forward.words[selected].astype(np.int64) << 16 | row[selected] << 2 | forward.field[selected]
    keys.sort()
    first = np.flatnonzero(np.diff(keys >> 2, prepend=-1))
    counts = np.add.reduceat(FIELD_WEIGHTS[keys & 3], first) if len(first) else np.zeros(0)
    pairs = keys[first] >> 2
    column = np.cumsum(np.diff(pairs >> 14, prepend=pairs[:1] >> 14) > 0)
    works = np.bincount(column)
    shared = (works >= 2) & (works <= max(2, len(chosen) / 2))
    in_shared = np.flatnonzero(shared[column]) if len(works) else first
    return pairs[in_shared] & 0x3FFF, (np.cumsum(shared) - 1)[column[in_shared]], counts[in_shared], works[shared]
