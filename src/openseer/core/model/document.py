"""Documents: one file each, named by its SHA-1, with outcome, visibility and sources."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from openseer.core.model.document_type import DOCUMENT_TYPES, PDF_MIME, DocumentType

MIN_SURE = 0.5
"""Probability of being a paper from which on the verdict is yes."""


class Visibility(StrEnum):
    """Who may see a document or work."""

    PUBLIC = "public"
    RESTRICTED = "restricted"
    DELETED = "deleted"
    DMCA = "dmca"
    REDIRECT = "redirect"


class Viewer(StrEnum):
    """The role in whose name something is read."""

    PUBLIC = "public"
    OPERATOR = "operator"

    def sees(self, visibility: Visibility) -> bool:
        """True if this viewer may see something of that visibility."""
        return self is Viewer.OPERATOR or visibility in (Visibility.PUBLIC, Visibility.REDIRECT)


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Facts about a file before extraction."""

    sha1: str
    sha256: str
    size: int
    mime: str = ""
    """Detected from the bytes, never from the name."""


@dataclass(frozen=True, slots=True)
class DocumentSelection:
    """Which documents a list has; every condition that is set must hold."""

    outcomes: tuple[str, ...] = ()
    """Outcomes, "waiting" for documents that are not finished; empty: any."""
    job: str = ""
    is_doubtful: bool = False
    """Only documents that are probably no papers."""


@dataclass(frozen=True, slots=True)
class Source:
    """One place where a document was found: a URL and the page that links to it."""

    url: str
    parent: str
    fetched_at: float


@dataclass(frozen=True, slots=True)
class Document:
    """One file of the library."""

    sha1: str
    sha256: str
    size: int
    mime: str
    outcome: str | None
    """One of `errors.OUTCOMES`, or None while it is not finished."""
    detail: str = ""
    """The reason in a sentence, if it was not ingested."""
    visibility: Visibility = Visibility.PUBLIC
    generation: int = 0
    """The extraction whose observations are stored."""
    pages: int = 0
    words: int = 0
    language: str = ""
    simhash: int | None = None
    is_stored: bool = False
    """True if its bytes are in the file store."""
    added_at: float = 0.0
    scholarly: float | None = None
    """Probability that it is a paper; None if it is not known."""
    is_accepted: bool = False
    """True if an operator confirmed that it is a paper."""
    sources: tuple[Source, ...] = ()

    @property
    def type(self) -> DocumentType:
        """The document type; of a document that was never read: PDF."""
        return DOCUMENT_TYPES.get(self.mime, DOCUMENT_TYPES[PDF_MIME])

    @property
    def is_doubtful(self) -> bool:
        """True if it was ingested but is probably no paper, and nobody confirmed it."""
        uncertain = self.scholarly is not None and self.scholarly < MIN_SURE
        return self.outcome == "ingested" and uncertain and not self.is_accepted

    @property
    def is_bibliography(self) -> bool:
        """True for an ingested bibliography file, false for papers."""
        return self.outcome == "ingested" and self.type.is_bibliography
