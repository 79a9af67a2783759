"""Work: one distinct bibliographic unit, its voted fields, citations, relations, and its form in the index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from openseer.core.model.description import Authorship, Kind, MatchFields


@dataclass(frozen=True, slots=True)
class DescriptionCount:
    """A description of a work with the number of its observations."""

    description: str
    fields: MatchFields
    kind: Kind
    count: int
    sha1: str = ""
    """The document, for a header."""


@dataclass(frozen=True, slots=True)
class WorkFields:
    """The fields of a work by weighted majority vote of its descriptions."""

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
    """One stored citation: the citing work, document and reference number."""

    work: str
    sha1: str
    position: int
    is_self_citation: bool = False
    """True if the citing paper and the cited work share an author."""


@dataclass(frozen=True, slots=True)
class AuthorshipOfWork:
    """A work and one of its authors."""

    work: str
    author: Authorship


@dataclass(frozen=True, slots=True)
class CitationCount:
    """Number of citing works, and of those that share an author."""

    total: int = 0
    self_citations: int = 0


class OutgoingCitation(NamedTuple):
    """One reference of a document, with the cited work."""

    position: int
    minted_id: str
    """The work id minted by the description of the reference."""
    work: str
    is_self_citation: bool
    """True if the two share an author."""


@dataclass(frozen=True, slots=True)
class RelatedWork:
    """A work related to another by co-citation or shared references."""

    work: str
    shared: int
    """Number of common citing works or references."""
    weight: float


@dataclass(frozen=True, slots=True)
class CitingSentence:
    """A sentence that cites works."""

    text: str
    citing: str
    """Id of the citing work."""
    cited: tuple[str, ...]
    """Ids of the cited works."""
    section: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class IndexedWork:
    """A work as indexed: the searched fields, and those displayed in a result."""

    id: str
    ids: tuple[str, ...]
    """Every work id that redirects here."""
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
    formats: tuple[str, ...] = ()
    """Suffix of each of them, as stored: pdf, html, docx ..."""
    language: str = ""
    type: str = ""
    cites: tuple[str, ...] = ()
    """Work ids that its documents cite."""
    added: int = 0
    """Seconds since the epoch."""
    is_doubtful: bool = False
    """True if its documents are probably no papers."""
    cited: int = 0
    """Number of citing works; not part of the digest, since it changes without the work."""
    self_citations: int = 0
    """Number of citing works that share an author; not part of the digest."""
    people: tuple[str, ...] = ()
    """Author facet keys: family name and initial, equal for spellings of one name."""
    affiliations: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    """Fields of study."""
    topics: tuple[str, ...] = ()
    """Printed keywords, or else extracted keyphrases."""
    hosts: tuple[str, ...] = ()
    """Hosts of the sources of its files."""
    fingerprint: int | None = None
    """Simhash of the text of its first file."""
    sentences: tuple[CitingSentence, ...] = ()
    """Its citing sentences."""
    forward_index: bytes = b""
    """Encoded words, read by the ranking."""
    embedding: bytes = b""
    """Embedding of title and abstract."""
    recorded: bool = False
    """True if a paper or an imported record describes it; false for works that are only cited."""
    volume: str = ""
    pages: str = ""
    digest: str = ""
    """Hash of all fields above except the counts and the text (identified by document and generation)."""
