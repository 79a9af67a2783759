"""Query relaxation: works may lack some of the words."""

from __future__ import annotations

from openseer.core.model.query import And, Node, SoftOr, Word


def bare_words(tree: Node) -> list[Word]:
    """The words of a query without a field, at its top level."""
    return [one for one in tree.nodes if isinstance(one, Word) and not one.field] if isinstance(tree, And) else []


def relax(tree: Node) -> Node | None:
    """The tree with its bare words in a `SoftOr`; None if it has fewer than two."""
    bare = bare_words(tree)
    if len(bare) < 2 or not isinstance(tree, And):
        return None
    rest = [one for one in tree.nodes if one not in bare]
    return And((SoftOr(tuple(bare)), *rest)) if rest else SoftOr(tuple(bare))
