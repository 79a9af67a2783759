"""Learning from the library itself what makes a good answer: from citing sentences, and from what readers opened.

Each is a question with known answers. Some of them are held out; the new weights are kept only if these come out
better, and if nobody who knows a title finds it later than before."""

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

NEEDED = 60
"""Questions from citing sentences and clicks; from fewer only chance is learned."""
MOST = 1500
"""Questions of one kind that are asked, drawn from all of them."""
LEAST_WORDS, MOST_WORDS = 6, 60
"""A citing sentence with fewer telling words asks nothing; of a longer one the first are asked."""
PIECE = 6
"""Words of a title that somebody remembers."""
TITLES = 300
CANDIDATES = 200
HELD = 3
"""One question of so many is held out."""
MANY = 50
"""Questions from which on one kind counts as much as another."""
HARM = 0.01
"""How much worse one kind of question may come out when the mean gets better."""
KINDS = {"sentences": "citing sentences", "clicks": "clicks", "titles": "pieces of titles"}

Rows = tuple[Floats, Floats, Floats]
"""Signals of the candidates of a question, how right each of them is, and how right there are any."""
Tasks = dict[str, TrainingSet]


@dataclass(frozen=True, slots=True)
class Known:
    """A question whose answers are known."""

    kind: str
    text: str
    answers: frozenset[str]
    """Ids that lead to works that are right."""
    without: str = ""
    """The work it was taken from, which is no answer to it."""

    @property
    def held_out(self) -> bool:
        """Whether it is for measuring; sentences of one paper always stand on one side."""
        source = self.without or self.text
        return hashlib.blake2b(source.encode(), digest_size=8).digest()[0] % HELD == 0


@dataclass(frozen=True, slots=True)
class Figures:
    """How well held-out questions of one kind are answered, in per cent."""

    questions: int
    mrr: float
    ndcg: float


@dataclass(frozen=True, slots=True)
class Learned:
    """What learning one set of weights came to."""

    way: str
    """words, or meaning where vectors count too."""
    before: Mapping[str, Figures]
    after: Mapping[str, Figures]
    weights: Mapping[str, float]
    better: bool
    """Whether the new weights are the better ones where they were not learned."""


def learn(library: Library, clicks: ClickLog, model: Encoder | None, keep: bool = True) -> list[Learned]:
    """Fit the weights anew, those by words and, with a model, those by meaning; keep what got better."""
    index = library.open_index()
    asked = [*sentences(library.records), *opened(clicks), *titles(index)]
    told = sum(one.kind != "titles" for one in asked)
    if told < NEEDED:
        raise TooLittle(told, NEEDED)
    found = [_learned(library, index, asked, None)]
    if model is not None:
        found.append(_learned(library, index, asked, model))
    if keep and any(one.better for one in found):
        _keep(library, found)
    return found


def sentences(records: Records) -> Iterator[Known]:
    """Sentences that cite something; the answers are the works cited."""
    found: dict[tuple[str, str], set[str]] = {}
    for document in records.documents():
        if document.outcome == "ingested" and not document.is_bibliography:
            for text, one in _citing(records, document.sha1):
                found.setdefault((document.sha1, text), set()).add(one)
    for (sha1, text), cited in random.Random(1).sample(list(found.items()), min(MOST, len(found))):
        citing = work_id_of(header_id(sha1))
        yield Known("sentences", text, frozenset(cited), records.canonical_ids([citing]).get(citing, citing))


def _citing(records: Records, sha1: str) -> Iterator[tuple[str, str]]:
    """The citing sentences of a paper without their marks, each with an id of what it cites."""
    references = decode(records.summary(sha1)).references
    for entry in records.outgoing_citations(sha1):
        for context in references[entry.position].get("contexts", ()) if entry.position < len(references) else ():
            words = words_of(context["text"].replace(context.get("printed") or "\0", " "))
            if sum(bool(STEM_IDS[word]) for word in words) >= LEAST_WORDS:
                yield " ".join(words[:MOST_WORDS]), entry.minted_id


def opened(clicks: ClickLog) -> Iterator[Known]:
    """What readers asked; the answers are the works they opened, however often."""
    found: dict[str, set[str]] = {}
    for one in clicks.all():
        found.setdefault(one.words, set()).add(one.work)
    for words, works in list(found.items())[-MOST:]:
        yield Known("clicks", words, frozenset(works))


def titles(index: Index) -> Iterator[Known]:
    """Words out of the middle of titles that follow each other: whoever remembers them wants that work."""
    dice = random.Random(2)
    for hit in index.search(SearchQuery(Everything(), "citations", limit=TITLES)).hits:
        words = words_of(hit.work.title)
        if len(words) > PIECE:
            start = dice.randrange(len(words) - PIECE + 1)
            yield Known("titles", " ".join(words[start : start + PIECE]), frozenset((hit.work.id,)))


def rows_of(index: Index, asked: Known, model: Encoder | None) -> Rows | None:
    """The signals of what the index finds for a question; None where there is nothing to put in order."""
    tree = parse(asked.text)
    terms = query_terms_of(index, ranking_words(asked.text, tree), model)
    if terms is None:
        return None
    seen: list[Candidates] = []

    def look(found: Candidates) -> list[float]:
        seen.append(found)
        return list(found.scores)

    others = And((tree, Not(IdSet("id", (asked.without,))))) if asked.without else tree
    hits = index.search(SearchQuery(others, limit=CANDIDATES), look).hits
    if len(hits) < 2:
        return None
    right = np.zeros(len(hits))
    for hit in hits:
        right[hit.candidate] = not asked.answers.isdisjoint((hit.work.id, *hit.work.ids))
    return features_of(terms, candidate_rows(seen[0], terms)), right, np.ones(len(asked.answers))


def _learned(library: Library, index: Index, asked: list[Known], model: Encoder | None) -> Learned:
    by_meaning = model is not None
    known, held = _tasks(index, asked, model)
    before, shipped = (
        one.meaning if by_meaning else one.words for one in (trained_reranker(library.ranker_weights), load_reranker())
    )
    worth = {kind: min(1.0, len(one.ideal) / MANY) for kind, one in (held | known).items()}
    starts = [before] if np.array_equal(before, shipped) else [before, shipped]  # bad ones are hard to leave
    fitted = [fit(known, worth, start, tunable_features(by_meaning)) for start in starts]
    after = max(fitted, key=lambda weights: quality(known, worth, weights))
    gained = quality(held, worth, after) - quality(held, worth, before)
    harmed = any(one.ndcg(after).mean() < one.ndcg(before).mean() - HARM for one in held.values())
    return Learned(
        "meaning" if by_meaning else "words",
        {kind: _figures(one, before) for kind, one in held.items()},
        {kind: _figures(one, after) for kind, one in held.items()},
        weights_by_name(after),
        gained > MIN_GAIN and not harmed,
    )


def _tasks(index: Index, asked: list[Known], model: Encoder | None) -> tuple[Tasks, Tasks]:
    """What is learned from, and what is held out, by kind."""
    parts: tuple[dict[str, list[Rows]], dict[str, list[Rows]]] = ({}, {})
    for one in asked:
        if rows := rows_of(index, one, model):
            parts[one.held_out].setdefault(one.kind, []).append(rows)
    if not all(parts):
        raise TooLittle(sum(map(len, (*parts[0].values(), *parts[1].values()))), NEEDED)
    known, held = ({kind: training_set(rows) for kind, rows in part.items()} for part in parts)
    return known, held


def _figures(task: TrainingSet, weights: Floats) -> Figures:
    reciprocal, ndcg = task.reciprocal_ranks(weights).mean(), task.ndcg(weights).mean()
    return Figures(len(task.ideal), 100 * float(reciprocal), 100 * float(ndcg))


def _keep(library: Library, found: list[Learned]) -> None:
    """Write the better weights down; those that got no better stay as they are."""
    force = trained_reranker(library.ranker_weights)
    told = {"words": weights_by_name(force.words), "meaning": weights_by_name(force.meaning)}
    told |= {one.way: dict(one.weights) for one in found if one.better}
    write_atomically(library.ranker_weights, orjson.dumps(told, option=orjson.OPT_INDENT_2))
