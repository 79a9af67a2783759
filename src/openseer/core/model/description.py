"""Descriptions of works, their observations in documents, match links and link constraints."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal

CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"

Kind = Literal["header", "reference", "import", "correction"]


@dataclass(frozen=True, slots=True)
class MatchFields:
    """Input of the matcher: the fields of one description (never of a work)."""

    title: str = ""
    authors: tuple[tuple[str, str], ...] = ()
    """(family, given) in order."""
    year: int | None = None
    venue: str = ""
    volume: str = ""
    pages: str = ""
    doi: str = ""
    arxiv: str = ""
    page_one: str = ""
    """Start of the document text; empty for references."""
    cites: tuple[str, ...] = ()
    """Ids of the descriptions of its references; empty for references."""

    def __hash__(self) -> int:
        """Hash of a few fields only: descriptions are looked up several times for each scored pair."""
        return hash((self.title, self.year, self.pages, self.page_one))

    def as_text(self) -> str:
        """Stable JSON of the non-empty fields: the stored form."""
        known = {name: value for name in FIELDS if (value := getattr(self, name))}
        return json.dumps(known, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @staticmethod
    def of_text(text: str) -> MatchFields:
        """The inverse of `as_text`."""
        return _parsed(text)


FIELDS = tuple(field.name for field in fields(MatchFields))


@lru_cache(20_000)
def _parsed(text: str) -> MatchFields:
    """Parsed fields, cached: the descriptions of a much-cited work are read again with every new one."""
    values: dict[str, Any] = json.loads(text)
    values["authors"] = tuple((family, given) for family, given in values.get("authors", ()))
    values["cites"] = tuple(values.get("cites", ()))
    return MatchFields(**values)


@dataclass(frozen=True, slots=True)
class Description:
    """One distinct description of a work."""

    id: str
    """`d` + SHA-1 for a document's header; `r` + hash of the match fields for a reference, `i` + hash for an import."""
    text: str
    """The match fields in stored form (JSON)."""

    @classmethod
    def of(cls, name: str, match_fields: MatchFields) -> Description:
        """A description from its fields."""
        return cls(name, match_fields.as_text())

    @property
    def fields(self) -> MatchFields:
        """The parsed match fields."""
        return MatchFields.of_text(self.text)

    @property
    def content_hash(self) -> str:
        """Hash of the text; blocking keys and links are invalid when it changes."""
        return hashlib.blake2b(self.text.encode(), digest_size=10).hexdigest()


def work_id_of(description: str) -> str:
    """Work id minted by a description: `w` + 12 characters of Crockford base32 of the hash of its id."""
    number = int.from_bytes(hashlib.sha256(description.encode()).digest()[:8], "big") >> 4
    return "w" + "".join(CROCKFORD[(number >> shift) & 31] for shift in range(55, -1, -5))


def header_id(sha1: str) -> str:
    """Description id of the header of a document: `d` + SHA-1."""
    return "d" + sha1


def reference_id(fields: MatchFields) -> str:
    """Description id of a reference: `r` + hash of its fields."""
    return "r" + _hash_of(fields)


def import_id(fields: MatchFields) -> str:
    """Description id of an imported record: `i` + hash of its fields, shared by equal records."""
    return "i" + _hash_of(fields)


def is_named_by_content(description: str) -> bool:
    """True if the id is a content hash, so that the description can never change."""
    return description[0] in "ri" and len(description) == 33


def _hash_of(fields: MatchFields) -> str:
    """Content hash under a normalisation that never changes."""
    parts = (
        fields.title,
        ";".join(f"{family},{given}" for family, given in fields.authors),
        str(fields.year or ""),
        fields.venue,
        fields.volume,
        fields.pages,
        fields.doi,
        fields.arxiv,
    )
    minimal = "\x1f".join(" ".join(part.casefold().split()) for part in parts)
    return hashlib.blake2b(minimal.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Observation:
    """One occurrence of a description in a document."""

    description: str
    kind: Kind
    position: int = 0
    """Number of the reference in the extraction, which holds the printed string and the contexts."""
    is_self_citation: bool = False
    """True if the document and the cited work share an author."""


@dataclass(frozen=True, slots=True)
class Authorship:
    """One author of a header or an imported record: an author-name string, not a disambiguated person."""

    name: str
    family: str
    """Normalised, like `given`."""
    given: str
    affiliation: str = ""
    email: str = ""
    orcid: str = ""


@dataclass(frozen=True, slots=True)
class MatchLink:
    """Match score of two descriptions; `low` sorts before `high`."""

    low: str
    high: str
    score: float
    reason: str
    version: int

    @classmethod
    def of(cls, one: str, other: str, score: float, reason: str, version: int) -> MatchLink:
        """Link of a pair given in any order."""
        low, high = sorted((one, other))
        return cls(low, high, score, reason, version)


@dataclass(frozen=True, slots=True)
class LinkConstraint:
    """A curator's decision that two descriptions are (must-link) or are not (cannot-link) of one work."""

    low: str
    high: str
    must: bool
