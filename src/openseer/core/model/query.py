"""Query tree and search query. The parser builds the tree, each index backend translates it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

FIELDS = (
    "title", "author", "first", "affil", "venue", "abstract", "keyword", "text", "doi", "arxiv", "type", "format",
    "language", "has", "host", "sha1", "id",
)  # fmt: skip
"""Field names of the query language; `year` and `cited` take ranges, `first` is the first author."""
RAW_FIELDS = frozenset({"doi", "arxiv", "type", "format", "language", "has", "host", "sha1", "id"})
"""Fields whose values match as a whole."""
OPERATORS = ("citations", "references", "similar", "cocited", "coupled")
"""Second-order operators: works that are related in this way to the works of the inner query."""

Sort = Literal["relevance", "citations", "newest", "oldest", "added", "rate"]
SORTS: tuple[Sort, ...] = ("relevance", "citations", "newest", "oldest", "added", "rate")
"""`rate` is citations per year."""

FACETS = ("author", "venue", "year", "type", "language", "topic", "format", "has", "host")
"""Facets by which results can be counted."""

HAS_FIELDS = ("abstract", "doi", "arxiv", "keywords", "recorded", "embedding")
"""Fields of a work that are values of the facet "has" if they are not empty."""
HAS_VALUES = ("text", "no-text", "pdf", "no-pdf", "doubt", *HAS_FIELDS)
"""Values of the facet "has"."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word, in one field or in any field."""

    text: str
    field: str = ""
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Adjacent words as printed."""

    text: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class ExactField:
    """A title, venue or name that equals the text."""

    text: str
    field: str


@dataclass(frozen=True, slots=True)
class Range:
    """A number between two inclusive bounds; None is open."""

    field: Literal["year", "cited"]
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Not:
    """The node must not match."""

    node: Node


@dataclass(frozen=True, slots=True)
class And:
    """All nodes must match."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one node must match."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class SoftOr:
    """Optional words: the more of them match, the better."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Works related to the works of an inner query."""

    operator: str
    node: Node


@dataclass(frozen=True, slots=True)
class IdSet:
    """Works by id, best first; a resolved `Related`."""

    field: Literal["id", "cites"]
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Everything:
    """The empty query: matches every work."""


Node: TypeAlias = Word | Phrase | ExactField | Range | Not | And | Or | SoftOr | Related | IdSet | Everything


@dataclass(frozen=True, slots=True)
class Filter:
    """Selected values of a facet: a work must have one of them, or none if `exclude`."""

    facet: str
    values: tuple[str, ...]
    exclude: bool = False


YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
"""Word that may be a year."""
OTHER = "#"


@dataclass(frozen=True, slots=True)
class FacetRequest:
    """A facet that is to be counted."""

    facet: str
    size: int = 10
    containing: str = ""
    """Only values with this substring."""
    beginning: str = ""
    """Only values with this prefix; `OTHER`: values that begin with no letter from a to z."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A query tree with page, order, filters and facets."""

    tree: Node
    sort: Sort = "relevance"
    offset: int = 0
    limit: int = 10
    full_text_only: bool = False
    filters: tuple[Filter, ...] = ()
    facets: tuple[FacetRequest, ...] = ()
    since: int | None = None
    """Order key at which the page begins; the offset counts from there. Not for relevance."""
