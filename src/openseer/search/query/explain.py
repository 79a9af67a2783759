"""Query explanation: a query tree as text, the words to highlight, and variants of the tree."""

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
    """The tree as text that parses to the same tree."""
    match node:
        case Everything():
            return "everything"
        case Word(text, field, prefix):
            return _with_field(field, text + "*" * prefix)
        case Phrase(text, field):
            return _with_field(field, f'"{text}"')
        case ExactField(text, field):
            return f'{field}:="{text}"'
        case Range(field, low, high):
            return _with_field(field, _range_text(low, high))
        case Not(inner):
            return f"-{_in_parentheses(inner)}"
        case And(nodes):
            return " AND ".join(map(_in_parentheses, nodes))
        case Or(nodes):
            return " OR ".join(map(_in_parentheses, nodes))
        case SoftOr(nodes):
            return f"best match of: {' '.join(map(explain, nodes))}"
        case Related(operator, inner):
            return f"{operator}({explain(inner)})"
        case IdSet(field, values):
            return f"{len(values)} works" if field == "id" else f"works citing {len(values)} others"


def _with_field(field: str, text: str) -> str:
    return f"{field}:{text}" if field else text


def _range_text(low: int | None, high: int | None) -> str:
    return str(low) if low == high else f"{'' if low is None else low}-{'' if high is None else high}"


def _in_parentheses(node: Node) -> str:
    return f"({explain(node)})" if isinstance(node, And | Or) else explain(node)


def words_in(node: Node) -> Iterator[str]:
    """Words of a query, without excluded words and identifiers."""
    return (word.rstrip("*") for word in words_to_highlight(node))


def words_to_highlight(node: Node) -> Iterator[str]:
    """Words to highlight in results; a prefix ends in an asterisk."""
    match node:
        case Word(text, field, prefix=True) if field not in RAW_FIELDS:
            yield from (f"{word}*" for word in re.findall(r"\w+", text))
        case Word(text, field) | Phrase(text, field) | ExactField(text, field) if field not in RAW_FIELDS:
            yield from re.findall(r"\w+", text)
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            for one in nodes:
                yield from words_to_highlight(one)


def is_free_text(node: Node) -> bool:
    """True if a query has only words and phrases without fields."""
    match node:
        case Word(_, field, prefix):
            return not field and not prefix
        case Phrase(_, field):
            return not field
        case And(nodes) | SoftOr(nodes):
            return all(map(is_free_text, nodes))
    return False


def ranking_words(text: str, tree: Node) -> list[str]:
    """Words by which results are ranked: the typed text, with stop words and repetitions, if it is free text; the
    words of the tree otherwise; none if the query has no words."""
    words = list(words_in(tree))
    return [text] if words and is_free_text(tree) else words


def as_query(node: Node) -> str:
    """Query text of a tree."""
    if isinstance(node, SoftOr):
        return " ".join(map(explain, node.nodes))
    if isinstance(node, And):
        return " ".join(as_query(one) if isinstance(one, SoftOr) else _in_parentheses(one) for one in node.nodes)
    return "" if isinstance(node, Everything) else explain(node).replace("best match of: ", "")


def without(tree: Node, part: Node) -> Node:
    """The tree without one of its top-level parts."""
    if not isinstance(tree, And | SoftOr):
        return Everything()
    remaining = tuple(one for one in tree.nodes if one is not part)
    return remaining[0] if len(remaining) == 1 else type(tree)(remaining) if remaining else Everything()


def with_words(tree: Node, spelling: dict[str, str]) -> Node:
    """The tree with corrected spelling: word -> replacement."""
    match tree:
        case Word(text, field, prefix) if text in spelling and not prefix:
            return Word(spelling[text], field)
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            return type(tree)(tuple(with_words(one, spelling) for one in nodes))
    return tree


def correctable_words(tree: Node) -> Iterator[Word]:
    """Words whose spelling may be corrected: bare ones, and those of text fields."""
    match tree:
        case Word(_, field, prefix) if field not in RAW_FIELDS and not prefix:
            yield tree
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            for one in nodes:
                yield from correctable_words(one)
