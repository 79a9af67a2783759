"""The query tree: what a reader asked, understood. The parser makes it, each index translates it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

FIELDS = ("title", "author", "venue", "abstract", "keyword", "text", "doi", "type", "language", "has", "sha1", "id")
"""Names that may stand before a colon; `year` and `cited` take ranges."""

Sort = Literal["relevance", "citations", "newest", "oldest", "added"]
SORTS: tuple[Sort, ...] = ("relevance", "citations", "newest", "oldest", "added")


@dataclass(frozen=True, slots=True)
class Word:
    """One word, in one field or in any."""

    text: str
    field: str = ""
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand side by side."""

    text: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """A number between two bounds, both included; None is open."""

    field: Literal["year", "cited"]
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Not:
    """What must not match."""

    node: Node


@dataclass(frozen=True, slots=True)
class All:
    """Everything must match."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """Something must match."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Best:
    """A description in many words: the more of them match, the better."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Everything:
    """The empty query: every work."""


Node: TypeAlias = Word | Phrase | Range | Not | All | Any | Best | Everything


@dataclass(frozen=True, slots=True)
class Question:
    """A query with its page and order."""

    tree: Node
    sort: Sort = "relevance"
    offset: int = 0
    limit: int = 10
    full_text_only: bool = False
    words: tuple[str, ...] = field(default=())
    """The words to mark in snippets."""
