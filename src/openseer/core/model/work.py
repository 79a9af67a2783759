"""Work: one distinct bibliographic unit, with or without full text, as voted from its observations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from openseer.core.model.description import Authorship, Kind, MatchFields


@dataclass(frozen=True, slots=True)
class DescriptionCount:
    """A description of a work, and how often it was observed as what."""

    description: str
    fields: MatchFields
    kind: Kind
    count: int
    sha1: str = ""
    """The document, when it is a header."""


@dataclass(frozen=True, slots=True)
class WorkFields:
    """The fields of a work as its observations voted them."""

    title: str = ""
    authors: tuple[tuple[str, str], ...] = ()
    year: int | None = None
    venue: str = ""
    volume: str = ""
    pages: str = ""
    doi: str = ""
    arxiv: str = ""


@dataclass(frozen=True, slots=True)
class IncomingCitation:
    """One citation as the records hold it: who cites, with which entry of its list."""

    work: str
    sha1: str
    position: int
    is_self_citation: bool = False
    """Whether the citing paper and what it cites share an author."""


@dataclass(frozen=True, slots=True)
class AuthorshipOfWork:
    """A work and one of its author places."""

    work: str
    author: Authorship


@dataclass(frozen=True, slots=True)
class CitationCount:
    """How many works cite one, and how many of them are of its own authors."""

    total: int = 0
    self_citations: int = 0


class OutgoingCitation(NamedTuple):
    """One entry of a document's list, and the work it names."""

    position: int
    minted_id: str
    """The id that the entry's description founded."""
    work: str
    is_self_citation: bool
    """Whether the two share an author."""


@dataclass(frozen=True, slots=True)
class RelatedWork:
    """A work that stands in a relation to another."""

    work: str
    shared: int
    """Citing works or references in common."""
    weight: float


@dataclass(frozen=True, slots=True)
class CitingSentence:
    """A sentence in which works are cited."""

    text: str
    citing: str
    """The work it stands in."""
    cited: tuple[str, ...]
    """Ids of the works it speaks of."""
    section: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class IndexedWork:
    """A work as the index holds it: what is searched, and what a result shows."""

    id: str
    ids: tuple[str, ...]
    """Every work id that leads here."""
    title: str = ""
    authors: tuple[str, ...] = ()
    venue: str = ""
    year: int | None = None
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    text: str = ""
    doi: str = ""
    arxiv: str = ""
    documents: tuple[str, ...] = ()
    """SHA-1 of its public files; the first is the one to open."""
    language: str = ""
    type: str = ""
    cites: tuple[str, ...] = ()
    """Work ids that its documents cite."""
    added: int = 0
    """Seconds since the epoch."""
    cited: int = 0
    """Works citing it; not part of the digest, since it changes for other reasons than the work."""
    self_citations: int = 0
    """Those of them that share an author with it; not part of the digest either."""
    people: tuple[str, ...] = ()
    """Its authors as they are counted: family name and initial, so that spellings of one name fall together."""
    affiliations: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    """Fields of study."""
    topics: tuple[str, ...] = ()
    """Printed keywords, or else the keyphrases found in it."""
    hosts: tuple[str, ...] = ()
    """Where its files come from."""
    fingerprint: int | None = None
    """Of the text of its first file."""
    sentences: tuple[CitingSentence, ...] = ()
    """In which it cites others."""
    forward_index: bytes = b""
    """Its words as the ranking reads them."""
    embedding: bytes = b""
    """What it means, as far as its title and abstract say."""
    recorded: bool = False
    """Whether a paper or an imported record says what it is about, if only by a title; others are merely cited."""
    volume: str = ""
    pages: str = ""
    digest: str = ""
    """Hash of everything above but the counts and the text, which is named by document and generation."""
