"""Similar works: by words and embedding, by co-citation, by bibliographic coupling, by shared authors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from openseer.core.model.query import Everything, Filter, SearchQuery
from openseer.core.model.work import IndexedWork, RelatedWork
from openseer.search.context import SearchContext
from openseer.search.embeddings.encoder import Vectors
from openseer.search.ranking.features import EMBEDDING_SHARE, embedding_similarity, standardised
from openseer.search.ranking.rerank import stacked
from openseer.storage.protocols.index import Candidates, RankFunction

KINDS = ("text", "cocitation", "coupling", "authors")
WEIGHTS = {"text": 1.0, "cocitation": 1.2, "coupling": 1.0, "authors": 0.3}
"""Weight of each kind in the reciprocal rank fusion."""
RANK_OFFSET = 10
POOL = 50
"""Works of each kind that enter the fusion."""
REASON_WORDS, REASON_EMBEDDING = "similar words", "similar words and meaning"


@dataclass(frozen=True, slots=True)
class SimilarWork:
    """A work similar to another one, with its score and the reasons."""

    work: IndexedWork
    score: float
    reasons: tuple[str, ...]


def similar_works(
    context: SearchContext, work: IndexedWork, kind: str, limit: int, use_embeddings: bool = True
) -> list[SimilarWork]:
    """Works similar in one way, or in all of them fused by reciprocal rank (`kind` is "all")."""
    if kind != "all":
        return _similar_by(context, work, kind, limit, use_embeddings)[:limit]
    fused: dict[str, SimilarWork] = {}
    for name in KINDS:
        for rank, one in enumerate(_similar_by(context, work, name, POOL, use_embeddings)):
            before = fused.get(one.work.id, SimilarWork(one.work, 0.0, ()))
            score = before.score + WEIGHTS[name] / (RANK_OFFSET + rank)
            fused[one.work.id] = replace(before, score=score, reasons=before.reasons + one.reasons)
    return sorted(fused.values(), key=lambda one: (-one.score, one.work.id))[:limit]


def similar_to_pasted(context: SearchContext, text: str, limit: int, use_embeddings: bool = True) -> list[SimilarWork]:
    """Works similar to a text that is not in the library: an abstract, a paper."""
    encoder = context.encoder
    return similar_to_text(context, text, limit, encoder.texts([text])[0] if encoder and use_embeddings else None)


def similar_to_text(
    context: SearchContext, text: str, limit: int, vector: Vectors | None = None, exclude: str = ""
) -> list[SimilarWork]:
    """Works that share the discriminative words of a text, nearest embedding first if there is one."""
    hits = context.index.similar_to_text(text, limit + 1, None if vector is None else _rank_by_similarity(vector)).hits
    others = [hit for hit in hits if hit.work.id != exclude][:limit]
    reasons = [REASON_EMBEDDING if vector is not None and hit.work.embedding else REASON_WORDS for hit in others]
    return [SimilarWork(hit.work, hit.score, (reason,)) for hit, reason in zip(others, reasons, strict=True)]


def _similar_by(
    context: SearchContext, work: IndexedWork, kind: str, limit: int, use_embeddings: bool
) -> list[SimilarWork]:
    if kind == "text":
        vector = np.frombuffer(work.embedding, dtype=np.int8) if work.embedding and use_embeddings else None
        return similar_to_text(context, f"{work.title} {work.title} {work.abstract}", limit, vector, work.id)
    if kind == "cocitation":
        return _indexed(context, context.records.cocited(work.id)[:limit], "cited together by {} work{}")
    if kind == "coupling":
        return _indexed(context, context.records.coupled(work.id)[:limit], "{} shared reference{}")
    return _by_same_authors(context, work)[:limit]


def _indexed(context: SearchContext, related: Sequence[RelatedWork], reason: str) -> list[SimilarWork]:
    """Related works of the citation graph, as far as they are in the index."""
    works = context.index.find([one.work for one in related])
    return [
        SimilarWork(works[one.work], one.weight, (reason.format(one.shared, "" if one.shared == 1 else "s"),))
        for one in related
        if one.work in works
    ]


def _by_same_authors(context: SearchContext, work: IndexedWork) -> list[SimilarWork]:
    if not work.people:
        return []
    query = SearchQuery(
        Everything(), "citations", limit=POOL, filters=(Filter("author", tuple(dict.fromkeys(work.people))),)
    )
    found = []
    for hit in context.index.search(query).hits:
        authors = zip(hit.work.people, hit.work.authors, strict=False)
        shared = [name for key, name in authors if key in work.people]
        if hit.work.id != work.id and shared:
            found.append(SimilarWork(hit.work, float(len(shared)), (f"also by {', '.join(shared[:3])}",)))
    return sorted(found, key=lambda one: -one.score)


def _rank_by_similarity(vector: Vectors) -> RankFunction:
    """Rank candidates by similarity of words and embeddings; the lowest score is 0."""

    def rank(found: Candidates) -> Sequence[float]:
        by_words = standardised(np.array(found.scores))
        by_embedding = embedding_similarity(vector, stacked(found.vectors), by_words)
        scores = by_words if by_embedding is None else (1 - EMBEDDING_SHARE) * by_words + EMBEDDING_SHARE * by_embedding
        shifted: list[float] = (scores - scores.min()).tolist()
        return shifted

    return rank
