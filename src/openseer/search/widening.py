"""The same question with less asked of an answer: small words need not occur, then any word may be missing."""

from __future__ import annotations

from dataclasses import replace

from openseer.queries import All, Best, Node, Word
from openseer.search.stems import NUMBERS, words_of


def telling(tree: Node) -> Node:
    """Without the small words that stand bare beside others: "how to teach speaking" asks for two words."""
    if not isinstance(tree, All | Best):
        return tree
    nodes = tuple(telling(node) if isinstance(node, Best) else node for node in tree.nodes)
    kept = tuple(node for node in nodes if not _is_small(node))
    return replace(tree, nodes=kept or nodes)


def wider(tree: Node) -> Node | None:
    """All words become the best match of them; None where nothing is to be gained."""
    if not isinstance(tree, All):
        return None
    bare = tuple(node for node in tree.nodes if _is_bare(node))
    rest = tuple(node for node in tree.nodes if not _is_bare(node))
    if len(bare) < 2:
        return None
    return All((Best(bare), *rest)) if rest else Best(bare)


def _is_bare(node: Node) -> bool:
    return isinstance(node, Word) and not node.field and not node.prefix


def _is_small(node: Node) -> bool:
    return isinstance(node, Word) and _is_bare(node) and not any(NUMBERS[word] for word in words_of(node.text))
