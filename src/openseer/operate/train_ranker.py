"""Training of the ranking weights from the library itself: citing sentences, clicks and parts of titles.

Each is a query with known answers. One of three is held out; new weights are stored only if they improve the held-out
queries and harm no kind of query."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import orjson

from openseer.core.errors import TooLittle
from openseer.core.model.description import header_id, work_id_of
from openseer.core.model.query import And, Everything, IdSet, Not, SearchQuery
from openseer.search.embeddings.encoder import Encoder
from openseer.search.query.explain import ranking_words
from openseer.search.query.parser import parse
from openseer.search.ranking.features import Floats, features_of
from openseer.search.ranking.linear_model import load_reranker, trained_reranker
from openseer.search.ranking.rerank import candidate_rows, query_terms_of
from openseer.search.ranking.tune import (
    MIN_GAIN,
    TrainingSet,
    fit,
    quality,
    training_set,
    tunable_features,
    weights_by_name,
)
from openseer.search.terms import STEM_IDS, words_of
from openseer.storage.codecs.document_summary import decode
from openseer.storage.durable_files import write_atomically
from openseer.storage.open import Library
from openseer.storage.protocols.index import Candidates, Index
from openseer.storage.protocols.records import Records
from openseer.storage.protocols.sessions import ClickLog

MIN_QUERIES = 60
"""Minimum number of queries from citing sentences and clicks; fewer are too noisy."""
MAX_QUERIES_PER_KIND = 1500
"""Maximum number of queries of one kind, a random sample."""
MIN_SENTENCE_WORDS, MAX_QUERY_WORDS = 6, 60
"""Minimum number of content words in a citing sentence, and maximum number of its words in the query."""
TITLE_QUERY_WORDS = 6
"""Consecutive title words in a query."""
MAX_TITLE_QUERIES = 300
MAX_CANDIDATES = 200
HOLD_OUT_RATIO = 3
"""One query in this many is held out."""
FULL_WEIGHT_QUERIES = 50
"""Number of queries that gives a kind its full weight."""
MAX_NDCG_LOSS = 0.01
"""Tolerated loss of nDCG of one kind of query."""
KINDS = {"sentences": "citing sentences", "clicks": "clicks", "titles": "pieces of titles"}

Rows = tuple[Floats, Floats, Floats]
"""Features of the candidates of a query, their relevance, and the relevances of the ideal ranking."""
Tasks = dict[str, TrainingSet]


@dataclass(frozen=True, slots=True)
class KnownQuery:
    """A query with known answers."""

    kind: str
    text: str
    answers: frozenset[str]
    """Ids of the correct works."""
    without: str = ""
    """The work that the query comes from, excluded from its results."""

    @property
    def held_out(self) -> bool:
        """True for evaluation queries; all sentences of a paper are on the same side."""
        source = self.without or self.text
        return hashlib.blake2b(source.encode(), digest_size=8).digest()[0] % HOLD_OUT_RATIO == 0


@dataclass(frozen=True, slots=True)
class Figures:
    """Ranking quality of the held-out queries of one kind, in per cent."""

    questions: int
    mrr: float
    ndcg: float


@dataclass(frozen=True, slots=True)
class Learned:
    """Result of training one set of weights."""

    way: str
    """`words`, or `meaning` with embeddings."""
    before: Mapping[str, Figures]
    after: Mapping[str, Figures]
    weights: Mapping[str, float]
    better: bool
    """True if the new weights are better on the held-out queries."""


def learn(library: Library, clicks: ClickLog, model: Encoder | None, keep: bool = True) -> list[Learned]:
    """Fit the weights by words and, with a model, those with embeddings; store the improved ones."""
    index = library.open_index()
    asked = [*sentences(library.records), *opened(clicks), *titles(index)]
    usable = sum(one.kind != "titles" for one in asked)
    if usable < MIN_QUERIES:
        raise TooLittle(usable, MIN_QUERIES)
    found = [_train(library, index, asked, None)]
    if model is not None:
        found.append(_train(library, index, asked, model))
    if keep and any(one.better for one in found):
        _store(library, found)
    return found


def sentences(records: Records) -> Iterator[KnownQuery]:
    """Queries from citing sentences; the answers are the cited works."""
    found: dict[tuple[str, str], set[str]] = {}
    for document in records.documents():
        if document.outcome == "ingested" and not document.is_bibliography:
            for text, one in _citing(records, document.sha1):
                found.setdefault((document.sha1, text), set()).add(one)
    for (sha1, text), cited in random.Random(1).sample(list(found.items()), min(MAX_QUERIES_PER_KIND, len(found))):
        citing = work_id_of(header_id(sha1))
        yield KnownQuery("sentences", text, frozenset(cited), records.canonical_ids([citing]).get(citing, citing))


def _citing(records: Records, sha1: str) -> Iterator[tuple[str, str]]:
    """The citing sentences of a paper without their markers, each with the id of a cited work."""
    references = decode(records.summary(sha1)).references
    for entry in records.outgoing_citations(sha1):
        for context in references[entry.position].get("contexts", ()) if entry.position < len(references) else ():
            words = words_of(context["text"].replace(context.get("printed") or "\0", " "))
            if sum(bool(STEM_IDS[word]) for word in words) >= MIN_SENTENCE_WORDS:
                yield " ".join(words[:MAX_QUERY_WORDS]), entry.minted_id


def opened(clicks: ClickLog) -> Iterator[KnownQuery]:
    """Queries from the click log; the answers are the opened works."""
    found: dict[str, set[str]] = {}
    for one in clicks.all():
        found.setdefault(one.words, set()).add(one.work)
    for words, works in list(found.items())[-MAX_QUERIES_PER_KIND:]:
        yield KnownQuery("clicks", words, frozenset(works))


def titles(index: Index) -> Iterator[KnownQuery]:
    """Queries of consecutive title words; the answer is the work with that title."""
    rng = random.Random(2)
    for hit in index.search(SearchQuery(Everything(), "citations", limit=MAX_TITLE_QUERIES)).hits:
        words = words_of(hit.work.title)
        if len(words) > TITLE_QUERY_WORDS:
            start = rng.randrange(len(words) - TITLE_QUERY_WORDS + 1)
            yield KnownQuery("titles", " ".join(words[start : start + TITLE_QUERY_WORDS]), frozenset((hit.work.id,)))


def rows_of(index: Index, asked: KnownQuery, model: Encoder | None) -> Rows | None:
    """The features of the hits for a query; None with fewer than two hits."""
    tree = parse(asked.text)
    terms = query_terms_of(index, ranking_words(asked.text, tree), model)
    if terms is None:
        return None
    captured: list[Candidates] = []

    def capture(found: Candidates) -> list[float]:
        captured.append(found)
        return list(found.scores)

    others = And((tree, Not(IdSet("id", (asked.without,))))) if asked.without else tree
    hits = index.search(SearchQuery(others, limit=MAX_CANDIDATES), capture).hits
    if len(hits) < 2:
        return None
    right = np.zeros(len(hits))
    for hit in hits:
        right[hit.candidate] = not asked.answers.isdisjoint((hit.work.id, *hit.work.ids))
    return features_of(terms, candidate_rows(captured[0], terms)), right, np.ones(len(asked.answers))


def _train(library: Library, index: Index, asked: list[KnownQuery], model: Encoder | None) -> Learned:
    by_meaning = model is not None
    known, held = _tasks(index, asked, model)
    before, shipped = (
        one.meaning if by_meaning else one.words for one in (trained_reranker(library.ranker_weights), load_reranker())
    )
    kind_weights = {kind: min(1.0, len(one.ideal) / FULL_WEIGHT_QUERIES) for kind, one in (held | known).items()}
    starts = [before] if np.array_equal(before, shipped) else [before, shipped]  # bad weights are hard to leave
    fitted = [fit(known, kind_weights, start, tunable_features(by_meaning)) for start in starts]
    after = max(fitted, key=lambda weights: quality(known, kind_weights, weights))
    gained = quality(held, kind_weights, after) - quality(held, kind_weights, before)
    harmed = any(one.ndcg(after).mean() < one.ndcg(before).mean() - MAX_NDCG_LOSS for one in held.values())
    return Learned(
        "meaning" if by_meaning else "words",
        {kind: _evaluate(one, before) for kind, one in held.items()},
        {kind: _evaluate(one, after) for kind, one in held.items()},
        weights_by_name(after),
        gained > MIN_GAIN and not harmed,
    )


def _tasks(index: Index, asked: list[KnownQuery], model: Encoder | None) -> tuple[Tasks, Tasks]:
    """Training set and held-out set, by kind."""
    parts: tuple[dict[str, list[Rows]], dict[str, list[Rows]]] = ({}, {})
    for one in asked:
        if rows := rows_of(index, one, model):
            parts[one.held_out].setdefault(one.kind, []).append(rows)
    if not all(parts):
        raise TooLittle(sum(map(len, (*parts[0].values(), *parts[1].values()))), MIN_QUERIES)
    known, held = ({kind: training_set(rows) for kind, rows in part.items()} for part in parts)
    return known, held


def _evaluate(task: TrainingSet, weights: Floats) -> Figures:
    reciprocal, ndcg = task.reciprocal_ranks(weights).mean(), task.ndcg(weights).mean()
    return Figures(len(task.ideal), 100 * float(reciprocal), 100 * float(ndcg))


def _store(library: Library, found: list[Learned]) -> None:
    """Store the improved weights; the others stay unchanged."""
    current = trained_reranker(library.ranker_weights)
    values = {"words": weights_by_name(current.words), "meaning": weights_by_name(current.meaning)}
    values |= {one.way: dict(one.weights) for one in found if one.better}
    write_atomically(library.ranker_weights, orjson.dumps(values, option=orjson.OPT_INDENT_2))
