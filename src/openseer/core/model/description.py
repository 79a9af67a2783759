"""Descriptions of works, where they were seen, and what was judged of them."""

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
    """Everything the matcher reads of one description; never a work."""

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
    """The beginning of the text of a document; empty for references."""
    cites: tuple[str, ...] = ()
    """Names of the descriptions of its own references; empty for references."""

    def __hash__(self) -> int:
        """Of little: descriptions are looked up several times for each pair that is judged."""
        return hash((self.title, self.year, self.pages, self.page_one))

    def as_text(self) -> str:
        """Stable JSON of what is known, the stored form."""
        known = {name: value for name in FIELDS if (value := getattr(self, name))}
        return json.dumps(known, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @staticmethod
    def of_text(text: str) -> MatchFields:
        """The inverse of `as_text`."""
        return _parsed(text)


FIELDS = tuple(field.name for field in fields(MatchFields))


@lru_cache(20_000)
def _parsed(text: str) -> MatchFields:
    """Kept for a while: the descriptions of a work much cited are read again with every new one."""
    values: dict[str, Any] = json.loads(text)
    values["authors"] = tuple((family, given) for family, given in values.get("authors", ()))
    values["cites"] = tuple(values.get("cites", ()))
    return MatchFields(**values)


@dataclass(frozen=True, slots=True)
class Description:
    """One distinct way in which a work is described."""

    id: str
    """`d` + SHA-1 for a document's header; `r` + hash of the match fields for a reference, `i` + hash for an import."""
    text: str
    """What the matcher reads of it, as it is stored."""

    @classmethod
    def of(cls, name: str, match_fields: MatchFields) -> Description:
        """A description from its fields."""
        return cls(name, match_fields.as_text())

    @property
    def fields(self) -> MatchFields:
        """What the matcher reads of it."""
        return MatchFields.of_text(self.text)

    @property
    def content_hash(self) -> str:
        """Its keys and verdicts are void when it changed."""
        return hashlib.blake2b(self.text.encode(), digest_size=10).hexdigest()


def work_id_of(description: str) -> str:
    """`w` + 12 characters of Crockford's base32, from the hash of a description's id."""
    number = int.from_bytes(hashlib.sha256(description.encode()).digest()[:8], "big") >> 4
    return "w" + "".join(CROCKFORD[(number >> shift) & 31] for shift in range(55, -1, -5))


def header_id(sha1: str) -> str:
    """The description of a document's header is named by the document."""
    return "d" + sha1


def reference_id(fields: MatchFields) -> str:
    """A reference's description is named by its fields."""
    return "r" + _hash_of(fields)


def import_id(fields: MatchFields) -> str:
    """So is an imported record's; equal records of several lists share one."""
    return "i" + _hash_of(fields)


def is_named_by_content(description: str) -> bool:
    """Whether what a description says can never change: it would have another name."""
    return description[0] in "ri" and len(description) == 33


def _hash_of(fields: MatchFields) -> str:
    """Under a normalisation that never changes."""
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
    """Where a description was seen."""

    description: str
    kind: Kind
    position: int = 0
    """Its number in the document's reading, where printed string and contexts stand."""
    is_self_citation: bool = False
    """Whether an author of the document is among the authors of what it cites here."""


@dataclass(frozen=True, slots=True)
class Authorship:
    """One author of a header or an imported record: a name string, not a disambiguated person."""

    name: str
    family: str
    """Normalised, like `given`."""
    given: str
    affiliation: str = ""
    email: str = ""
    orcid: str = ""


@dataclass(frozen=True, slots=True)
class MatchLink:
    """What the matcher said of two descriptions; `low` sorts before `high`."""

    low: str
    high: str
    score: float
    reason: str
    version: int

    @classmethod
    def of(cls, one: str, other: str, score: float, reason: str, version: int) -> MatchLink:
        """A verdict on a pair given in any order."""
        low, high = sorted((one, other))
        return cls(low, high, score, reason, version)


@dataclass(frozen=True, slots=True)
class LinkConstraint:
    """A person's decision that two descriptions are, or are not, of one work."""

    low: str
    high: str
    must: bool
