"""Candidates for learning to rank: first-stage hits of a query, deeper and wider than the service retrieves them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from openseer.core.model.query import And, Node, Or, Phrase, SearchQuery, SoftOr, Word
from openseer.evaluation.retrieval import DEPTH, Collection, GoldQuery
from openseer.search.query.parser import parse
from openseer.search.ranking.features import CandidateRows, Floats
from openseer.search.ranking.query_terms import QueryTerms, query_terms
from openseer.search.terms import STEM_IDS, words_of
from openseer.storage.protocols.index import Index

RERANKED = 200
"""First-stage hits that are candidates."""
MAX_WORDS = 200
"""Words of a long query that are searched."""


@dataclass(frozen=True, slots=True)
class FirstStageHits:
    """Hits of the first stage, best first."""

    ids: tuple[str, ...]
    scores: Floats


def first_stage(index: Index, query: GoldQuery, limit: int = DEPTH) -> FirstStageHits:
    """First-stage hits: works with all words, then works with some."""
    tree = discriminative(parse(query.text))
    trees = (tree, relaxed(tree, query.text))
    found = [hit for one in trees if one for hit in index.search(SearchQuery(one, limit=limit + 1)).hits]
    found.sort(key=lambda hit: hit.score)
    distinct = {hit.work.id: hit for hit in found if hit.work.id != query.without}
    best = sorted(distinct.values(), key=lambda hit: -hit.score)[:limit]
    return FirstStageHits(tuple(hit.work.id for hit in best), np.array([hit.score for hit in best]))


def terms_of(collection: Collection, text: str, use_embeddings: bool) -> QueryTerms:
    """Query terms of a text."""
    vector = collection.encoder.query(text) if use_embeddings and collection.encoder else None
    return query_terms([text], collection.frequencies.__getitem__, len(collection.works), vector)


def candidate_rows(collection: Collection, hits: FirstStageHits) -> CandidateRows:
    """The first hits as candidate rows."""
    found = [collection.works[name] for name in hits.ids[:RERANKED]]
    return CandidateRows(
        [collection.forward[one.id] for one in found],
        hits.scores[:RERANKED],
        np.array([one.cited for one in found], dtype=np.float64),
        np.array([one.year or 0 for one in found], dtype=np.float64),
        np.array([bool(one.documents) for one in found], dtype=np.bool_),
        np.stack([collection.vectors[one.id] for one in found]) if collection.vectors and found else None,
    )


def discriminative(tree: Node) -> Node:
    """The tree without bare stop words beside others: "how to teach speaking" requires two words."""
    if not isinstance(tree, And | SoftOr):
        return tree
    nodes = tuple(discriminative(node) if isinstance(node, SoftOr) else node for node in tree.nodes)
    required = tuple(node for node in nodes if not _is_stop_word(node))
    return replace(tree, nodes=required or nodes)


def relaxed(tree: Node, text: str = "") -> Node | None:
    """A `SoftOr` of all words, also of phrases and parentheses; only fields, ranges and exclusions stay required.

    Given the typed text, words that occur twice in a query of words alone count twice.
    None if the tree would stay the same, or has fewer than two words.
    """
    parts = tree.nodes if isinstance(tree, And) else (tree,)
    rest = tuple(part for part in parts if not any(_free_words(part)))
    typed = map(Word, words_of(text)) if text and not rest else (word for part in parts for word in _free_words(part))
    words = tuple(word for word in typed if not _is_stop_word(word))[:MAX_WORDS]
    if len(words) < 2 or tree == SoftOr(words):
        return None
    return And((SoftOr(words), *rest)) if rest else SoftOr(words)


def _free_words(node: Node) -> Iterator[Word]:
    """Words without a field."""
    match node:
        case Word(text, "", prefix):
            yield from (Word(word, "", prefix) for word in words_of(text))
        case Phrase(text, ""):
            yield from map(Word, words_of(text))
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            for one in nodes:
                yield from _free_words(one)


def _is_stop_word(node: Node) -> bool:
    if not isinstance(node, Word) or node.field or node.prefix:
        return False
    return not any(STEM_IDS[word] for word in words_of(node.text))
