"""The query tree: what a reader asked, understood. The parser makes it, each index translates it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

FIELDS = (
    "title", "author", "first", "affil", "venue", "abstract", "keyword", "text", "doi", "arxiv", "type", "language",
    "has", "host", "sha1", "id",
)  # fmt: skip
"""Names that may stand before a colon; `year` and `cited` take ranges. `first` is the first author."""
RAW_FIELDS = frozenset({"doi", "arxiv", "type", "language", "has", "host", "sha1", "id"})
"""Fields whose values are compared as a whole."""
OPERATORS = ("citations", "references", "similar", "cocited", "coupled")
"""Names that may stand before parentheses: works that stand in this relation to what is found inside."""

Sort = Literal["relevance", "citations", "newest", "oldest", "added", "rate"]
SORTS: tuple[Sort, ...] = ("relevance", "citations", "newest", "oldest", "added", "rate")
"""`rate` is citations per year."""

FACETS = ("author", "venue", "year", "type", "language", "topic", "has", "host")
"""What an answer can be counted by."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word, in one field or in any."""

    text: str
    field: str = ""
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand side by side, exactly so."""

    text: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class ExactField:
    """A title, a venue or a name that is this and nothing more."""

    text: str
    field: str


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
class And:
    """Everything must match."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Something must match."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class SoftOr:
    """A description in many words: the more of them match, the better."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Works that stand in a relation to what a query finds."""

    operator: str
    node: Node


@dataclass(frozen=True, slots=True)
class IdSet:
    """Works that were found otherwise, by id, the best first; what `Related` comes to."""

    field: Literal["id", "cites"]
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Everything:
    """The empty query: every work."""


Node: TypeAlias = Word | Phrase | ExactField | Range | Not | And | Or | SoftOr | Related | IdSet | Everything


@dataclass(frozen=True, slots=True)
class Filter:
    """A facet with values chosen: one of them must be there, or none may."""

    facet: str
    values: tuple[str, ...]
    exclude: bool = False


YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
"""A word that may be a year."""
OTHER = "#"


@dataclass(frozen=True, slots=True)
class FacetRequest:
    """A facet to be counted."""

    facet: str
    size: int = 10
    containing: str = ""
    """Only values that have this in them."""
    beginning: str = ""
    """Only values that begin so; `OTHER` stands for all that begin with no letter from a to z."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A query with its page, order and filters."""

    tree: Node
    sort: Sort = "relevance"
    offset: int = 0
    limit: int = 10
    full_text_only: bool = False
    filters: tuple[Filter, ...] = ()
    facets: tuple[FacetRequest, ...] = ()
    since: int | None = None
    """The order key of the first work that may be shown; the offset counts from there. Not for relevance."""
