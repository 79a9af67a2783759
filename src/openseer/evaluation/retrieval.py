"""Questions with judged answers: put the documents into an index, ask, rank in each way, and score."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np

from openseer.core.errors import BadRequest
from openseer.core.model.query import SearchQuery
from openseer.core.model.work import IndexedWork
from openseer.evaluation.jsonl import rows_of
from openseer.search.context import SearchContext
from openseer.search.embeddings.encoder import Encoder, Vectors, embedded_text
from openseer.search.query.parser import parse
from openseer.search.query.relax import discriminative, relaxed
from openseer.search.ranking.features import CandidateRows, Floats
from openseer.search.ranking.forward_index import pack
from openseer.search.ranking.linear_model import load_reranker
from openseer.search.ranking.query_terms import QueryTerms, query_terms
from openseer.search.similar import similar_works
from openseer.search.terms import stem, words_of
from openseer.storage.open import open_index
from openseer.storage.protocols.index import Checkpoint, Index
from openseer.storage.protocols.records import Records

DEPTH, RERANKED = 1000, 200
"""Hits of the first stage, and how many of them the second puts in order."""
DEEP = 100
"""Similar works that are asked for."""
FIGURES = ("map", "ndcg@10", "p@10", "recall@100")
Judged = dict[str, dict[str, float]]
"""Question -> document -> how relevant it is."""


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """A question of a collection."""

    id: str
    text: str
    without: str = ""
    """The document it was made from, which is no answer to it."""


@dataclass(frozen=True, slots=True)
class Hits:
    """What the first stage found, best first."""

    ids: tuple[str, ...]
    scores: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """Documents, questions and judgements; what ranking needs of each document is made once."""

    works: dict[str, IndexedWork]
    questions: tuple[GoldQuery, ...]
    judged: Judged
    forward: dict[str, bytes]
    frequencies: Counter[str]
    vectors: dict[str, Vectors]
    model: Encoder | None

    def wanted(self, text: str, by_meaning: bool) -> QueryTerms:
        """A question as ranking sees it."""
        vector = self.model.query(text) if by_meaning and self.model else None
        return query_terms([text], self.frequencies.__getitem__, len(self.works), vector)

    def candidates(self, hits: Hits) -> CandidateRows:
        """The first hits as ranking sees them."""
        found = [self.works[name] for name in hits.ids[:RERANKED]]
        return CandidateRows(
            [self.forward[one.id] for one in found],
            hits.scores[:RERANKED],
            np.array([one.cited for one in found], dtype=np.float64),
            np.array([one.year or 0 for one in found], dtype=np.float64),
            np.array([bool(one.documents) for one in found], dtype=np.bool_),
            np.stack([self.vectors[one.id] for one in found]) if self.vectors and found else None,
        )


def collection_of(folder: Path, model: Encoder | None = None) -> Collection:
    """A folder with docs.jsonl.gz, queries.jsonl and qrels.tsv."""
    works = [_work(one) for one in rows_of(folder / "docs.jsonl.gz")]
    asked = [
        GoldQuery(str(one["id"]), str(one["text"]), str(one.get("query_doc") or ""))
        for one in rows_of(folder / "queries.jsonl")
    ]
    return gathered(works, asked, _judged(folder / "qrels.tsv"), model)


def gathered(
    works: Sequence[IndexedWork], asked: Sequence[GoldQuery], judged: Judged, model: Encoder | None
) -> Collection:
    """What ranking needs of these works; questions without an answer are left out."""
    by_id = {one.id: one for one in works}
    forward = {one.id: pack(one.title, one.abstract, one.keywords, one.authors, one.venue) for one in works}
    frequencies = Counter(each for one in works for each in {stem(word) for word in _words(one)})
    rows = model.texts([embedded_text(one.title, one.abstract) for one in by_id.values()]) if model else ()
    vectors = dict(zip(by_id, rows, strict=True)) if model else {}
    questions = tuple(one for one in asked if any(value > 0 for value in judged.get(one.id, {}).values()))
    return Collection(by_id, questions, judged, forward, frequencies, vectors, model)


def _work(record: Mapping[str, Any]) -> IndexedWork:
    return IndexedWork(
        id=str(record["id"]),
        ids=(str(record["id"]),),
        title=str(record.get("title") or ""),
        authors=tuple(record.get("authors") or ()),
        venue=str(record.get("venue") or ""),
        year=int(record["year"]) if record.get("year") else None,
        abstract=str(record.get("abstract") or ""),
    )


def _words(work: IndexedWork) -> list[str]:
    return words_of(f"{work.title} {work.abstract}")


def _judged(file: Path) -> Judged:
    """Lines of question, document and, last, how relevant it is; the first line is a heading."""
    found: Judged = {}
    try:
        lines = file.read_text(encoding="utf-8").splitlines()[1:]
        for question, document, *_, value in (line.split("\t") for line in lines if line.strip()):
            of_question = found.setdefault(question, {})
            of_question[document] = max(of_question.get(document, 0.0), float(value))
    except (OSError, ValueError) as error:
        raise BadRequest(f"{file} cannot be read as judgements: {error}.", "See the manual.") from None
    return found


@contextmanager
def index_of(works: Sequence[IndexedWork]) -> Iterator[Index]:
    """An index of these works alone, gone afterwards."""
    with TemporaryDirectory() as folder:
        index = open_index(Path(folder))
        writer = index.writer()
        for work in works:
            writer.put(work)
        writer.commit(Checkpoint())
        writer.close()
        yield index


def first_stage(index: Index, asked: GoldQuery, limit: int = DEPTH) -> Hits:
    """What the index alone answers: works with all words first, then those with some."""
    tree = discriminative(parse(asked.text))
    trees = (tree, relaxed(tree, asked.text))
    found = [hit for one in trees if one for hit in index.search(SearchQuery(one, limit=limit + 1)).hits]
    found.sort(key=lambda hit: hit.score)
    once = {hit.work.id: hit for hit in found if hit.work.id != asked.without}
    best = sorted(once.values(), key=lambda hit: -hit.score)[:limit]
    return Hits(tuple(hit.work.id for hit in best), np.array([hit.score for hit in best]))


def reranked(collection: Collection, asked: GoldQuery, hits: Hits, by_meaning: bool) -> list[str]:
    """The first hits in a better order, the others behind them."""
    ranking = load_reranker().rank(collection.wanted(asked.text, by_meaning), collection.candidates(hits))
    return [hits.ids[at] for at in ranking.order] + list(hits.ids[RERANKED:])


Runs = dict[str, dict[str, list[str]]]
"""Way of ranking -> question -> documents, best first."""


def runs_of(collection: Collection) -> Runs:
    """BM25 alone, put in order by words, and by meaning too where that is installed; before them, where questions were
    made from documents, what is similar to those."""
    ways = {"words": False} | ({"meaning": True} if collection.model else {})
    runs: Runs = {way: {} for way in ("bm25", *ways)}
    works = {
        name: replace(one, embedding=_told(collection.vectors.get(name))) for name, one in collection.works.items()
    }
    with index_of(list(works.values())) as index:
        if made_from := {one.id: works[one.without] for one in collection.questions if one.without in works}:
            runs = {"similar": {name: _similar(index, work) for name, work in made_from.items()}, **runs}
        for asked in collection.questions:
            hits = first_stage(index, asked)
            runs["bm25"][asked.id] = list(hits.ids)
            for way, by_meaning in ways.items():
                runs[way][asked.id] = reranked(collection, asked, hits, by_meaning)
    return runs


def _told(vector: Vectors | None) -> bytes:
    return b"" if vector is None else vector.tobytes()


def _similar(index: Index, work: IndexedWork) -> list[str]:
    """By words and meaning, which need no records."""
    return [one.work.id for one in similar_works(SearchContext(index, cast(Records, None)), work, "text", DEEP)]


def scores_of(judged: Judged, run: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """The means of `FIGURES` over all questions, in per cent."""
    each = [_scores(judged[name], ranked) for name, ranked in run.items()]
    return {figure: 100 * sum(one[figure] for one in each) / max(1, len(each)) for figure in FIGURES}


def _scores(judged: Mapping[str, float], ranked: Sequence[str]) -> dict[str, float]:
    relevant = {name for name, value in judged.items() if value > 0}
    found = [name in relevant for name in ranked]
    precisions = [sum(found[: at + 1]) / (at + 1) for at, hit in enumerate(found) if hit]
    ideal = _gain(sorted(judged.values(), reverse=True))
    return {
        "map": sum(precisions) / len(relevant),
        "ndcg@10": _gain([judged.get(name, 0.0) for name in ranked]) / ideal,
        "p@10": sum(found[:10]) / 10,
        "recall@100": sum(found[:100]) / len(relevant),
    }


def _gain(values: Sequence[float]) -> float:
    """Discounted gain of the first ten."""
    return sum((math.exp2(max(0.0, value)) - 1) / math.log2(at + 2) for at, value in enumerate(values[:10]))


def trec_lines(run: Mapping[str, Sequence[str]]) -> Iterator[bytes]:
    """A run as scorers outside read it: question, Q0, document, rank, score, name."""
    for name, ranked in run.items():
        for rank, document in enumerate(ranked[:DEPTH], 1):
            yield f"{name} Q0 {document} {rank} {DEPTH - rank + 1} openseer".encode()
