"""Second-order operators (`citations(...)`, `similar(...)`): each is replaced by the set of works it yields."""

from __future__ import annotations

from openseer.core.model.query import And, IdSet, Node, Not, Or, Related, SearchQuery, SoftOr
from openseer.search.context import SearchContext
from openseer.search.similar import similar_works

MAX_SEEDS = 200
"""Works that an operator starts from: the best hits of its inner query."""
MAX_SIMILARITY_SEEDS = 10
"""Seeds of the operators that look for similar works."""
MAX_WORKS = 1000
"""Works that an operator yields."""
KINDS = {"similar": "all", "cocited": "cocitation", "coupled": "coupling"}
"""Operator -> kind of similarity."""


def resolve_operators(context: SearchContext, node: Node) -> Node:
    """Replace each operator of a query tree by the works it yields."""
    match node:
        case Related(operator, inner):
            return _related_works(context, operator, resolve_operators(context, inner))
        case Not(inner):
            return Not(resolve_operators(context, inner))
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            return type(node)(tuple(resolve_operators(context, one) for one in nodes))
    return node


def _related_works(context: SearchContext, operator: str, tree: Node) -> IdSet:
    works = [hit.work for hit in context.index.search(SearchQuery(tree, limit=MAX_SEEDS)).hits]
    if operator == "citations":
        return IdSet("cites", tuple(name for work in works for name in work.ids))
    if operator == "references":
        cited = context.records.references([work.id for work in works])
        return IdSet("id", tuple(sorted(set().union(*cited.values()))))
    scores: dict[str, float] = {}
    for work in works[:MAX_SIMILARITY_SEEDS]:
        for one in similar_works(context, work, KINDS[operator], MAX_WORKS):
            scores[one.work.id] = scores.get(one.work.id, 0.0) + one.score
    seeds = {work.id for work in works[:MAX_SIMILARITY_SEEDS]}
    return IdSet("id", tuple(sorted(scores.keys() - seeds, key=lambda name: (-scores[name], name))[:MAX_WORKS]))
