"""Interface of the search index, a projection of the records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from openseer.core.model.query import Node, SearchQuery
from openseer.core.model.work import CitingSentence, IndexedWork


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Position of a projection in the change feed."""

    library: str = ""
    position: int = 0
    counted: int = 0
    """Position for count-only changes, which are applied in batches."""


class IndexedDigest(NamedTuple):
    """Digest and counts of an indexed work, compared to detect changes."""

    digest: str
    cited: int
    self_citations: int

    @classmethod
    def of(cls, work: IndexedWork) -> IndexedDigest:
        """The digest of a projected work."""
        return cls(work.digest, work.cited, work.self_citations)


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result, without its text."""

    work: IndexedWork
    score: float
    """0 unless ordered by relevance."""
    order_key: int = 0
    """Sort key of any other order."""
    candidate: int = -1
    """Its index in `Candidates` if the hits were reranked; -1 otherwise."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Input of reranking: the columns of the first hits by relevance; only scores and vectors for similar works."""

    scores: Sequence[float]
    vectors: Sequence[bytes]
    forward_indexes: Sequence[bytes] = ()
    cited: Sequence[int] = ()
    years: Sequence[int | None] = ()
    has_full_text: Sequence[bool] = ()
    optional_words: bool = False
    """True if hits may lack some of the words of the query."""


RankFunction = Callable[[Candidates], Sequence[float]]
"""Scores each candidate; the hits are sorted by descending score."""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """One value of a facet, with its number of found works."""

    value: str
    count: int
    label: str = ""
    """Display form."""


@dataclass(frozen=True, slots=True)
class SearchHits:
    """Result of a search in the index."""

    total: int
    hits: tuple[Hit, ...]
    facets: Mapping[str, tuple[FacetValue, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Completion:
    """One autocomplete suggestion."""

    kind: str
    """title, author, venue or field."""
    text: str
    id: str = ""
    """Work id of a title; "" for the other kinds."""


class IndexWriter(Protocol):
    """The single writer of an index."""

    def stored_digest(self, work: str) -> IndexedDigest | None:
        """Committed digest of a work, to decide whether it must be rewritten."""

    def put(self, work: IndexedWork) -> None:
        """Write a work, replacing the one with the same id."""

    def remove(self, work: str) -> None:
        """Remove a work."""

    def clear(self) -> None:
        """Remove everything before a rebuild; readers see the old index until the next commit."""

    def commit(self, checkpoint: Checkpoint) -> None:
        """Make all changes and the checkpoint visible atomically."""

    def close(self) -> None:
        """Release the write lock."""


class Index(Protocol):
    """The search index of works: a projection that can always be rebuilt."""

    @property
    def generation(self) -> str:
        """Name of the current commit; caches are valid as long as it does not change."""

    @property
    def changed_at(self) -> float:
        """Time of the last commit, in seconds since 1970."""

    @property
    def works(self) -> int:
        """Number of indexed works."""

    def search(self, question: SearchQuery, rank: RankFunction | None = None) -> SearchHits:
        """Search for works; `rank` reranks the first hits by relevance."""

    def count(self, question: SearchQuery) -> int:
        """Number of works that match a query."""

    def label(self, facet: str, value: str) -> str:
        """Display form of a facet value, from the most cited work that has it."""

    def similar_to_text(self, text: str, limit: int, rank: RankFunction | None = None) -> SearchHits:
        """Works with the discriminative words of a text in title or abstract; `rank` reranks the first hits."""

    def get(self, work: str) -> IndexedWork | None:
        """One work as indexed."""

    def find(self, works: Sequence[str]) -> dict[str, IndexedWork]:
        """Requested id -> indexed work, without texts."""

    def texts(self, works: Sequence[str]) -> dict[str, str]:
        """Canonical work id -> text."""

    def sentences(self, tree: Node, about: Sequence[str], offset: int, limit: int) -> tuple[int, list[CitingSentence]]:
        """Citing sentences that match a query, of the work with these ids or of any: total number and one page."""

    def frequency(self, words: Sequence[str]) -> list[int]:
        """Document frequency of each word in title and abstract."""

    def correct_spelling(self, word: str) -> str:
        """Spelling correction: a more frequent similar word, or ""."""

    def complete(self, typed: str, limit: int) -> list[Completion]:
        """Titles, names and venues with this prefix, tolerating one wrong letter."""

    def explain(self, question: SearchQuery, work: str) -> dict[str, Any]:
        """The engine's explanation of the score of a work."""

    def checkpoint(self) -> Checkpoint:
        """Checkpoint of the committed index."""

    def digests(self) -> Iterator[tuple[str, IndexedDigest]]:
        """Id and digest of every indexed work."""

    def writer(self) -> IndexWriter:
        """Open the single writer; raises Locked if another is open."""
