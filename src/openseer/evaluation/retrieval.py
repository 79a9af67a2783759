"""Evaluation of retrieval on test collections: index the documents, search, rank in each mode, score."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from openseer.core.errors import BadRequest
from openseer.core.model.work import IndexedWork
from openseer.evaluation.jsonl import rows_of
from openseer.search.context import SearchContext
from openseer.search.embeddings.encoder import Encoder, Vectors, embedded_text
from openseer.search.ranking.forward_index import pack
from openseer.search.service import SearchRequest, search
from openseer.search.similar import similar_works
from openseer.search.terms import stem, words_of
from openseer.storage.open import open_index
from openseer.storage.protocols.index import Checkpoint, Index
from openseer.storage.protocols.records import Records

DEPTH, MAX_PAGE_SIZE = 1000, 100
"""Results of each query, and results on one page of the service."""
SIMILAR_DEPTH = 100
"""Similar works per query document."""
METRICS = ("map", "ndcg@10", "p@10", "recall@100")
Judgements = dict[str, dict[str, float]]
"""Query -> document -> relevance."""


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """A query of a test collection."""

    id: str
    text: str
    without: str = ""
    """The document it was made from, which is excluded from its results."""


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """Documents, queries and relevance judgements, with the ranking data of each document."""

    works: dict[str, IndexedWork]
    queries: tuple[GoldQuery, ...]
    judgements: Judgements
    forward: dict[str, bytes]
    frequencies: Counter[str]
    vectors: dict[str, Vectors]
    encoder: Encoder | None


def load_collection(folder: Path, encoder: Encoder | None = None) -> Collection:
    """Load a folder with docs.jsonl.gz, queries.jsonl and qrels.tsv."""
    works = [_work(one) for one in rows_of(folder / "docs.jsonl.gz")]
    queries = [
        GoldQuery(str(one["id"]), str(one["text"]), str(one.get("query_doc") or ""))
        for one in rows_of(folder / "queries.jsonl")
    ]
    return build_collection(works, queries, _load_judgements(folder / "qrels.tsv"), encoder)


def build_collection(
    works: Sequence[IndexedWork], candidates: Sequence[GoldQuery], judgements: Judgements, encoder: Encoder | None
) -> Collection:
    """Build a collection; queries without a relevant document are left out."""
    by_id = {one.id: one for one in works}
    forward = {one.id: pack(one.title, one.abstract, one.keywords, one.authors, one.venue) for one in works}
    frequencies = Counter(each for one in works for each in {stem(word) for word in _document_words(one)})
    rows = encoder.texts([embedded_text(one.title, one.abstract) for one in by_id.values()]) if encoder else ()
    vectors = dict(zip(by_id, rows, strict=True)) if encoder else {}
    queries = tuple(one for one in candidates if any(value > 0 for value in judgements.get(one.id, {}).values()))
    return Collection(by_id, queries, judgements, forward, frequencies, vectors, encoder)


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


def _document_words(work: IndexedWork) -> list[str]:
    return words_of(f"{work.title} {work.abstract}")


def _load_judgements(file: Path) -> Judgements:
    """Judgements from lines of query, document and, last, relevance; the first line is a header."""
    found: Judgements = {}
    try:
        lines = file.read_text(encoding="utf-8").splitlines()[1:]
        for query, document, *_, value in (line.split("\t") for line in lines if line.strip()):
            of_query = found.setdefault(query, {})
            of_query[document] = max(of_query.get(document, 0.0), float(value))
    except (OSError, ValueError) as error:
        raise BadRequest(f"{file} cannot be read as judgements: {error}.", "See the manual.") from None
    return found


@contextmanager
def temporary_index(works: Sequence[IndexedWork]) -> Iterator[Index]:
    """A temporary index of these works."""
    with TemporaryDirectory() as folder:
        index = open_index(Path(folder))
        writer = index.writer()
        for work in works:
            writer.put(work)
        writer.commit(Checkpoint())
        writer.close()
        yield index


Runs = dict[str, dict[str, list[str]]]
"""Ranking mode -> query -> documents, best first."""


def all_runs(collection: Collection) -> Runs:
    """Runs of the search service in each mode: BM25 alone, re-ranked by words, and by embeddings too if there is an
    encoder; before them a run of similar works, if the queries were made from documents."""
    modes = {"bm25": SearchRequest(plain=True), "words": SearchRequest(use_embeddings=False)}
    if collection.encoder:
        modes["meaning"] = SearchRequest()
    runs: Runs = {mode: {} for mode in modes}
    works = {
        name: replace(one, forward_index=collection.forward[name], embedding=_as_bytes(collection.vectors.get(name)))
        for name, one in collection.works.items()
    }
    with temporary_index(list(works.values())) as index:
        context = SearchContext(index, cast(Records, None), encoder=collection.encoder)
        if source_works := {one.id: works[one.without] for one in collection.queries if one.without in works}:
            runs = {"similar": {name: _similar(index, work) for name, work in source_works.items()}, **runs}
        for query in collection.queries:
            for mode, request in modes.items():
                runs[mode][query.id] = _results(context, replace(request, query=query.text), query.without)
    return runs


def _results(context: SearchContext, request: SearchRequest, without: str) -> list[str]:
    """All pages of the service's results, up to `DEPTH`."""
    ids: list[str] = []
    for page in range(1, DEPTH // MAX_PAGE_SIZE + 1):
        response = search(context, replace(request, page=page, page_size=MAX_PAGE_SIZE))
        ids += [one.work.id for one in response.results if one.work.id != without]
        if len(response.results) < MAX_PAGE_SIZE:
            break
    return list(dict.fromkeys(ids))


def _as_bytes(vector: Vectors | None) -> bytes:
    return b"" if vector is None else vector.tobytes()


def _similar(index: Index, work: IndexedWork) -> list[str]:
    """Similar works by words and embedding, which need no records."""
    return [
        one.work.id for one in similar_works(SearchContext(index, cast(Records, None)), work, "text", SIMILAR_DEPTH)
    ]


def scores_of(judgements: Judgements, run: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Means of `METRICS` over all queries, in per cent."""
    each = [_scores(judgements[name], ranked) for name, ranked in run.items()]
    return {metric: 100 * sum(one[metric] for one in each) / max(1, len(each)) for metric in METRICS}


def _scores(judgements: Mapping[str, float], ranked: Sequence[str]) -> dict[str, float]:
    relevant = {name for name, value in judgements.items() if value > 0}
    found = [name in relevant for name in ranked]
    precisions = [sum(found[: at + 1]) / (at + 1) for at, hit in enumerate(found) if hit]
    ideal = _dcg(sorted(judgements.values(), reverse=True))
    return {
        "map": sum(precisions) / len(relevant),
        "ndcg@10": _dcg([judgements.get(name, 0.0) for name in ranked]) / ideal,
        "p@10": sum(found[:10]) / 10,
        "recall@100": sum(found[:100]) / len(relevant),
    }


def _dcg(values: Sequence[float]) -> float:
    """Discounted cumulative gain at 10."""
    return sum((math.exp2(max(0.0, value)) - 1) / math.log2(at + 2) for at, value in enumerate(values[:10]))


def trec_lines(run: Mapping[str, Sequence[str]]) -> Iterator[bytes]:
    """A run in TREC format: query, Q0, document, rank, score, name."""
    for name, ranked in run.items():
        for rank, document in enumerate(ranked[:DEPTH], 1):
            yield f"{name} Q0 {document} {rank} {DEPTH - rank + 1} openseer".encode()
