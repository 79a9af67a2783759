"""Document: one file, named by its SHA-1, with what reading it gave and who may see it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

BIBLIOGRAPHY_TYPES = {
    "text/x-bibtex": "bib",
    "application/x-research-info-systems": "ris",
    "application/vnd.citationstyles.csl+json": "json",
    "text/csv": "csv",
}
"""Files that hold other people's records: mime type -> suffix under which the original is kept."""


class Visibility(StrEnum):
    """Who may see a document or work."""

    PUBLIC = "public"
    RESTRICTED = "restricted"
    DELETED = "deleted"
    DMCA = "dmca"
    REDIRECT = "redirect"


class Viewer(StrEnum):
    """In whose name something is read. Every read is given one."""

    PUBLIC = "public"
    OPERATOR = "operator"

    def sees(self, visibility: Visibility) -> bool:
        """Whether this viewer is shown something of that visibility."""
        return self is Viewer.OPERATOR or visibility in (Visibility.PUBLIC, Visibility.REDIRECT)


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What is known of a file before it is read."""

    sha1: str
    sha256: str
    size: int
    mime: str = ""
    """As sniffed from the bytes, never from the name."""


@dataclass(frozen=True, slots=True)
class Source:
    """One place where a document was found."""

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
    """Why, in a sentence, when it was not ingested."""
    visibility: Visibility = Visibility.PUBLIC
    generation: int = 0
    """The reading whose observations stand."""
    pages: int = 0
    words: int = 0
    language: str = ""
    simhash: int | None = None
    is_stored: bool = False
    """Whether its bytes are in the file store."""
    added_at: float = 0.0
    sources: tuple[Source, ...] = ()

    @property
    def is_list(self) -> bool:
        """Whether it is a list of records that was imported, and no paper."""
        return self.outcome == "ingested" and self.mime in BIBLIOGRAPHY_TYPES

    @property
    def original(self) -> tuple[str, str]:
        """Type and suffix under which the file store keeps its bytes."""
        return ("records", BIBLIOGRAPHY_TYPES[self.mime]) if self.is_list else ("pdf", "pdf")
