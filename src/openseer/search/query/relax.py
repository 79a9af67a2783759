"""Query relaxation: stop words become optional, then any word may be missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from openseer.core.model.query import And, Node, Or, Phrase, SoftOr, Word
from openseer.search.terms import STEM_IDS, words_of

MAX_WORDS = 200
"""Words of a long query that are searched."""


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
