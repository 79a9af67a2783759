"""The same question with less asked of an answer: small words need not occur, then any word may be missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from openseer.core.model.query import And, Node, Or, Phrase, SoftOr, Word
from openseer.search.terms import NUMBERS, words_of

MOST = 200
"""Words of a description that are looked for."""


def discriminative(tree: Node) -> Node:
    """Without the small words that stand bare beside others: "how to teach speaking" asks for two words."""
    if not isinstance(tree, And | SoftOr):
        return tree
    nodes = tuple(discriminative(node) if isinstance(node, SoftOr) else node for node in tree.nodes)
    kept = tuple(node for node in nodes if not _is_small(node))
    return replace(tree, nodes=kept or nodes)


def relaxed(tree: Node, text: str = "") -> Node | None:
    """The best match of all its words, phrases and brackets taken apart; only fields, ranges and what must not be stay.

    With the text as it was typed, words that are said twice count twice, where nothing but words was asked.
    None where that is the same question, or one without words.
    """
    parts = tree.nodes if isinstance(tree, And) else (tree,)
    rest = tuple(part for part in parts if not any(_words(part)))
    typed = map(Word, words_of(text)) if text and not rest else (word for part in parts for word in _words(part))
    words = tuple(word for word in typed if not _is_small(word))[:MOST]
    if len(words) < 2 or tree == SoftOr(words):
        return None
    return And((SoftOr(words), *rest)) if rest else SoftOr(words)


def _words(node: Node) -> Iterator[Word]:
    """The words that stand in no field."""
    match node:
        case Word(text, "", prefix):
            yield from (Word(word, "", prefix) for word in words_of(text))
        case Phrase(text, ""):
            yield from map(Word, words_of(text))
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            for one in nodes:
                yield from _words(one)


def _is_small(node: Node) -> bool:
    if not isinstance(node, Word) or node.field or node.prefix:
        return False
    return not any(NUMBERS[word] for word in words_of(node.text))
