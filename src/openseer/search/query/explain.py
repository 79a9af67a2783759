"""A tree in words: how a query was read, which words to mark, and what it would be without a part."""

from __future__ import annotations

import re
from collections.abc import Iterator

from openseer.core.model.query import (
    RAW_FIELDS,
    And,
    Everything,
    ExactField,
    IdSet,
    Node,
    Not,
    Or,
    Phrase,
    Range,
    Related,
    SoftOr,
    Word,
)  # fmt: skip


def explain(node: Node) -> str:  # noqa: C901, PLR0911 - one line a kind
    """How a query was read, in words that parse to the same tree."""
    match node:
        case Everything():
            return "everything"
        case Word(text, field, prefix):
            return _named(field, text + "*" * prefix)
        case Phrase(text, field):
            return _named(field, f'"{text}"')
        case ExactField(text, field):
            return f'{field}:="{text}"'
        case Range(field, low, high):
            return _named(field, _span(low, high))
        case Not(inner):
            return f"-{_bracketed(inner)}"
        case And(nodes):
            return " AND ".join(map(_bracketed, nodes))
        case Or(nodes):
            return " OR ".join(map(_bracketed, nodes))
        case SoftOr(nodes):
            return f"best match of: {' '.join(map(explain, nodes))}"
        case Related(operator, inner):
            return f"{operator}({explain(inner)})"
        case IdSet(field, values):
            return f"{len(values)} works" if field == "id" else f"works citing {len(values)} others"


def _named(field: str, text: str) -> str:
    return f"{field}:{text}" if field else text


def _span(low: int | None, high: int | None) -> str:
    return str(low) if low == high else f"{'' if low is None else low}-{'' if high is None else high}"


def _bracketed(node: Node) -> str:
    return f"({explain(node)})" if isinstance(node, And | Or) else explain(node)


def words_in(node: Node) -> Iterator[str]:
    """The words of a query, without those that are excluded or name a work."""
    return (word.rstrip("*") for word in marks_in(node))


def marks_in(node: Node) -> Iterator[str]:
    """The words to mark in what is found; an asterisk stands behind one that may go on."""
    match node:
        case Word(text, field, prefix=True) if field not in RAW_FIELDS:
            yield from (f"{word}*" for word in re.findall(r"\w+", text))
        case Word(text, field) | Phrase(text, field) | ExactField(text, field) if field not in RAW_FIELDS:
            yield from re.findall(r"\w+", text)
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            for one in nodes:
                yield from marks_in(one)


def is_bare(node: Node) -> bool:
    """Whether a query is nothing but words, as they may stand in a title."""
    match node:
        case Word(_, field, prefix):
            return not field and not prefix
        case Phrase(_, field):
            return not field
        case And(nodes) | SoftOr(nodes):
            return all(map(is_bare, nodes))
    return False


def as_query(node: Node) -> str:
    """The same as a query to be asked again."""
    if isinstance(node, SoftOr):
        return " ".join(map(explain, node.nodes))
    if isinstance(node, And):
        return " ".join(as_query(one) if isinstance(one, SoftOr) else _bracketed(one) for one in node.nodes)
    return "" if isinstance(node, Everything) else explain(node).replace("best match of: ", "")


def without(tree: Node, part: Node) -> Node:
    """The tree with one of its uppermost parts left out."""
    if not isinstance(tree, And | SoftOr):
        return Everything()
    left = tuple(one for one in tree.nodes if one is not part)
    return left[0] if len(left) == 1 else type(tree)(left) if left else Everything()


def with_words(tree: Node, spelled: dict[str, str]) -> Node:
    """The tree with some of its bare words spelled otherwise."""
    match tree:
        case Word(text, field, prefix) if text in spelled and not prefix:
            return Word(spelled[text], field)
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            return type(tree)(tuple(with_words(one, spelled) for one in nodes))
    return tree


def plain_words(tree: Node) -> Iterator[Word]:
    """Words that may be misspelt: bare ones, and those of a field made of words."""
    match tree:
        case Word(_, field, prefix) if field not in RAW_FIELDS and not prefix:
            yield tree
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            for one in nodes:
                yield from plain_words(one)
