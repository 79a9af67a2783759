"""Interface of the search index, a projection of the records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from openseer.core.model.query import Node, SearchQuery
from openseer.core.model.work import CitingSentence, IndexedWork


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far a projection has come."""

    library: str = ""
    position: int = 0
    counted: int = 0
    """The same for minor changes, which are gathered."""


class IndexedDigest(NamedTuple):
    """By what two states of a work in the index are told apart."""

    digest: str
    cited: int
    self_citations: int

    @classmethod
    def of(cls, work: IndexedWork) -> IndexedDigest:
        """Of a work as it should be."""
        return cls(work.digest, work.cited, work.self_citations)


@dataclass(frozen=True, slots=True)
class Hit:
    """One result, best first; its text is asked for apart."""

    work: IndexedWork
    score: float
    """0 unless ordered by relevance."""
    order_key: int = 0
    """Its place in any other order."""
    candidate: int = -1
    """Its number among the candidates, when they were put into another order."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The first hits by relevance, as far as an order is made of them; works that are alike by scores and vectors."""

    scores: Sequence[float]
    vectors: Sequence[bytes]
    forward_indexes: Sequence[bytes] = ()
    cited: Sequence[int] = ()
    years: Sequence[int | None] = ()
    has_full_text: Sequence[bool] = ()  # whether the full text is here


RankFunction = Callable[[Candidates], Sequence[float]]
"""Gives each candidate a score, the greatest first."""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """One value of a facet, and how many of the works found have it."""

    value: str
    count: int
    label: str = ""
    """As readers know it."""


@dataclass(frozen=True, slots=True)
class SearchHits:
    """An answer of the index."""

    total: int
    hits: tuple[Hit, ...]
    facets: Mapping[str, tuple[FacetValue, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Completion:
    """What a reader who has typed so far may mean."""

    kind: str
    """title, author, venue or field."""
    text: str
    id: str = ""
    """Of the work, when it is a title."""


class IndexWriter(Protocol):
    """The one writer of an index."""

    def stored_digest(self, work: str) -> IndexedDigest | None:
        """What a work was as committed, to see whether it must be written again."""

    def put(self, work: IndexedWork) -> None:
        """Write a work, in place of what stood under its id."""

    def remove(self, work: str) -> None:
        """Take a work out."""

    def clear(self) -> None:
        """Take everything out, before anything is put; readers see the old index until the next commit."""

    def commit(self, checkpoint: Checkpoint) -> None:
        """Make all of it visible, with the checkpoint, at once."""

    def close(self) -> None:
        """Let another writer in."""


class Index(Protocol):
    """The search index of works: a projection that can always be made anew."""

    @property
    def generation(self) -> str:
        """Another one after each commit: for whom it is worth to keep answers."""

    @property
    def changed_at(self) -> float:
        """When that was, in seconds since 1970."""

    @property
    def works(self) -> int:
        """How many there are."""

    def search(self, question: SearchQuery, rank: RankFunction | None = None) -> SearchHits:
        """The works that answer a question; the first of them by relevance may be put into another order."""

    def count(self, question: SearchQuery) -> int:
        """How many works answer a question."""

    def label(self, facet: str, value: str) -> str:
        """A value of a facet as it is printed in the most cited work that has it."""

    def similar_to_text(self, text: str, limit: int, rank: RankFunction | None = None) -> SearchHits:
        """Works with the telling words of a text in title or abstract; the first by `rank`, by scores and vectors."""

    def get(self, work: str) -> IndexedWork | None:
        """One work as indexed."""

    def find(self, works: Sequence[str]) -> dict[str, IndexedWork]:
        """Many works, by the ids they are asked by; without their texts."""

    def texts(self, works: Sequence[str]) -> dict[str, str]:
        """The texts of works, by the ids that they show."""

    def sentences(self, tree: Node, about: Sequence[str], offset: int, limit: int) -> tuple[int, list[CitingSentence]]:
        """Citing sentences with these words, of the work with these ids or of any: how many there are, and some."""

    def frequency(self, words: Sequence[str]) -> list[int]:
        """In how many works each of these words stands in title or abstract."""

    def correct_spelling(self, word: str) -> str:
        """A more frequent word that this one may be a misspelling of, or nothing."""

    def complete(self, typed: str, limit: int) -> list[Completion]:
        """Titles, names and venues that go on like this, also if a letter is wrong."""

    def explain(self, question: SearchQuery, work: str) -> dict[str, Any]:
        """How the score of a work comes about, as the engine tells it."""

    def checkpoint(self) -> Checkpoint:
        """How far the committed index has come."""

    def digests(self) -> Iterator[tuple[str, IndexedDigest]]:
        """Every indexed work."""

    def writer(self) -> IndexWriter:
        """Become the one writer; raises Locked if there is another."""
