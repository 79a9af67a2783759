"""How works stand to each other: by words, by who cites them together, by what they cite, by who wrote them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from openseer.core.model.query import And, Everything, Filter, IdSet, Node, Not, Or, Related, SearchQuery, SoftOr
from openseer.core.model.work import IndexedWork, RelatedWork
from openseer.search.embeddings.encoder import Encoder, Vectors
from openseer.search.ranking.features import BY_MEANING, meant, standard
from openseer.search.ranking.linear_model import Reranker, load_reranker
from openseer.search.ranking.rerank import stacked
from openseer.storage.protocols.index import Candidates, Index, RankFunction
from openseer.storage.protocols.records import Records
from openseer.storage.protocols.sessions import ResultSnapshots

SEEDS = 200
"""Works that an operator starts from, the best that its query finds."""
MOST = 1000
"""Works that an operator gives."""
KINDS = ("text", "cocitation", "coupling", "authors")
WEIGHTS = {"text": 1.0, "cocitation": 1.2, "coupling": 1.0, "authors": 0.3}
"""Of each kind in the fusion, by reciprocal rank."""
RANK_OFFSET = 10
POOL = 50
"""Works of each kind that the fusion sees."""
LIKE, NEAR = "similar words", "similar words and meaning"


@dataclass(frozen=True, slots=True)
class Similar:
    """A work like another one, and why."""

    work: IndexedWork
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What a search reads: the index, and the records behind it."""

    index: Index
    records: Records
    named: Callable[[Records, str], str] = lambda records, text: ""
    """Gives the work that a pasted citation names, or nothing."""
    reranker: Callable[[], Reranker] = load_reranker
    """What each signal is worth at this moment."""
    lists: ResultSnapshots | None = None
    """Where results are kept that somebody walks through; None: a cursor then only counts."""
    model: Encoder | None = None
    """Tells what a question or a text means; None: words alone count."""

    def similar(self, work: IndexedWork, kind: str, limit: int, by_meaning: bool = True) -> list[Similar]:
        """Works like one in one way, or in all of them together (`kind` is "all")."""
        if kind != "all":
            return self._of_kind(work, kind, limit, by_meaning)[:limit]
        fused: dict[str, Similar] = {}
        for name in KINDS:
            for rank, one in enumerate(self._of_kind(work, name, POOL, by_meaning)):
                before = fused.get(one.work.id, Similar(one.work, 0.0, ()))
                score = before.score + WEIGHTS[name] / (RANK_OFFSET + rank)
                fused[one.work.id] = replace(before, score=score, reasons=before.reasons + one.reasons)
        return sorted(fused.values(), key=lambda one: (-one.score, one.work.id))[:limit]

    def similar_to_pasted(self, text: str, limit: int, by_meaning: bool = True) -> list[Similar]:
        """Works like a text that is in no library: an abstract, a paper."""
        return self.similar_to_text(text, limit, self.model.texts([text])[0] if self.model and by_meaning else None)

    def similar_to_text(self, text: str, limit: int, vector: Vectors | None = None, but: str = "") -> list[Similar]:
        """Works with the telling words of a text, the nearest first where it is known what it means."""
        hits = self.index.similar_to_text(text, limit + 1, None if vector is None else _nearness(vector)).hits
        others = [hit for hit in hits if hit.work.id != but][:limit]
        reasons = [NEAR if vector is not None and hit.work.embedding else LIKE for hit in others]
        return [Similar(hit.work, hit.score, (why,)) for hit, why in zip(others, reasons, strict=True)]

    def _of_kind(self, work: IndexedWork, kind: str, limit: int, by_meaning: bool) -> list[Similar]:
        if kind == "text":
            vector = np.frombuffer(work.embedding, dtype=np.int8) if work.embedding and by_meaning else None
            return self.similar_to_text(f"{work.title} {work.title} {work.abstract}", limit, vector, work.id)
        if kind == "cocitation":
            return self._shown(self.records.cocited(work.id)[:limit], "cited together by {} work{}")
        if kind == "coupling":
            return self._shown(self.records.coupled(work.id)[:limit], "{} shared reference{}")
        return self._same_authors(work)[:limit]

    def _shown(self, relatives: Sequence[RelatedWork], reason: str) -> list[Similar]:
        known = self.index.find([one.work for one in relatives])
        return [
            Similar(known[one.work], one.weight, (reason.format(one.shared, "" if one.shared == 1 else "s"),))
            for one in relatives
            if one.work in known
        ]

    def _same_authors(self, work: IndexedWork) -> list[Similar]:
        if not work.people:
            return []
        question = SearchQuery(
            Everything(), "citations", limit=POOL, filters=(Filter("author", tuple(dict.fromkeys(work.people))),)
        )
        found = []
        for hit in self.index.search(question).hits:
            named = zip(hit.work.people, hit.work.authors, strict=False)
            shared = [name for key, name in named if key in work.people]
            if hit.work.id != work.id and shared:
                found.append(Similar(hit.work, float(len(shared)), (f"also by {', '.join(shared[:3])}",)))
        return sorted(found, key=lambda one: -one.score)

    # -- second-order operators -----------------------------------------------------------------------------------

    def resolved(self, node: Node) -> Node:
        """The tree with every operator replaced by the works it leads to."""
        match node:
            case Related(operator, inner):
                return self._related(operator, self.resolved(inner))
            case Not(inner):
                return Not(self.resolved(inner))
            case And(nodes) | Or(nodes) | SoftOr(nodes):
                return type(node)(tuple(map(self.resolved, nodes)))
        return node

    def _related(self, operator: str, tree: Node) -> Node:
        works = [hit.work for hit in self.index.search(SearchQuery(tree, limit=SEEDS)).hits]
        if operator == "citations":
            return IdSet("cites", tuple(name for work in works for name in work.ids))
        if operator == "references":
            cited = self.records.references([work.id for work in works])
            return IdSet("id", tuple(sorted(set().union(*cited.values()))))
        kind = {"similar": "all", "cocited": "cocitation", "coupled": "coupling"}[operator]
        scores: dict[str, float] = {}
        for work in works[:10]:
            for one in self.similar(work, kind, MOST):
                scores[one.work.id] = scores.get(one.work.id, 0.0) + one.score
        seeds = {work.id for work in works[:10]}
        return IdSet("id", tuple(sorted(scores.keys() - seeds, key=lambda name: (-scores[name], name))[:MOST]))


def _nearness(vector: Vectors) -> RankFunction:
    """How like candidates are by words and meaning; the least of them not at all."""

    def rank(found: Candidates) -> Sequence[float]:
        by_words = standard(np.array(found.scores))
        meaning = meant(vector, stacked(found.vectors), by_words)
        scores = by_words if meaning is None else (1 - BY_MEANING) * by_words + BY_MEANING * meaning
        told: list[float] = (scores - scores.min()).tolist()
        return told

    return rank
