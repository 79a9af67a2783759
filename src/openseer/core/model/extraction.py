"""Extraction: everything read in one document, in the shape that `openseer extract --format json` prints."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the top left of the page as shown."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a datum stands and how sure we are."""

    page: int
    box: Box | None = None
    confidence: float = 1.0
    source: str = ""
    """The rule or model that found it."""
    item: int | None = None
    """Which entry of a list it is, from 0; an entry that goes on in another column has a box for each."""


@dataclass(frozen=True, slots=True)
class Author:
    """One author of the document itself."""

    name: str
    given: str = ""
    family: str = ""
    affiliation: str = ""
    """All affiliations, joined by "; "."""
    affiliations: tuple[str, ...] = ()
    email: str = ""
    orcid: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """A person as a reference names them."""

    name: str
    given: str = ""
    family: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """One sentence that cites an entry."""

    text: str
    before: str = ""
    after: str = ""
    printed: str = ""
    """The mark, e.g. "[3, 5-7]"."""
    at: tuple[int, int] | None = None
    """Where the mark stands in text."""
    page: int = 0
    box: Box | None = None
    section: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a bibliography: as printed, and as understood."""

    raw: str
    """The entry exactly as it stands in the document."""
    type: str = "other"
    """article, inproceedings, book, chapter, thesis, report, preprint, web or other."""
    title: str = ""
    authors: tuple[Name, ...] = ()
    editors: tuple[Name, ...] = ()
    venue: str = ""
    year: int | None = None
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    institution: str = ""
    location: str = ""
    note: str = ""
    doi: str = ""
    url: str = ""
    arxiv: str = ""
    contexts: tuple[Context, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of a section."""

    at: tuple[int, int]
    """Where it stands in the text of the section."""
    page: int = 0
    """The page it begins on."""
    language: str = ""
    """ISO 639-1; "" where it is too short to tell."""


@dataclass(frozen=True, slots=True)
class Section:
    """One section of the body."""

    heading: str
    """With its printed number; "" for what stands before the first heading."""
    level: int = 1
    type: str = ""
    page: int = 0
    text: str = ""
    """Its paragraphs, an empty line between two."""
    paragraphs: tuple[Paragraph, ...] = ()


@dataclass(frozen=True, slots=True)
class ScholarlyVerdict:
    """Whether the document is scholarly, and of which type."""

    verdict: bool = True
    type: str = ""
    """article, preprint, thesis, book, chapter, report, slides, poster, cv, form, invoice, manual or other."""
    probability: float = 1.0
    """How likely it is scholarly."""
    reasons: tuple[str, ...] = ()
    """What weighed most; "not: ..." when the lack of it did."""
    types: dict[str, float] = field(default_factory=dict)
    """Type -> how likely, the likeliest first; what is below 0.01 is left out."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read in a document. Absent: "" for text, () for lists, None for year."""

    file: str = ""
    sha1: str = ""
    mime: str = ""
    pages: int = 0
    words: int = 0
    language: str = ""
    title: str = ""
    abstract: str = ""
    venue: str = ""
    year: int | None = None
    volume: str = ""
    issue: str = ""
    page_range: str = ""
    doi: str = ""
    arxiv: str = ""
    keywords: tuple[str, ...] = ()
    authors: tuple[Author, ...] = ()
    references: tuple[Reference, ...] = ()
    sections: tuple[Section, ...] = ()
    figures: tuple[dict[str, Any], ...] = ()
    tables: tuple[dict[str, Any], ...] = ()
    algorithms: tuple[dict[str, Any], ...] = ()
    formulas: tuple[dict[str, Any], ...] = ()
    acknowledgments: str = ""
    funders: tuple[dict[str, Any], ...] = ()
    thanked: tuple[str, ...] = ()
    """People named in the acknowledgments."""
    keyphrases: tuple[dict[str, Any], ...] = ()
    key_sentences: tuple[dict[str, Any], ...] = ()
    subjects: tuple[dict[str, Any], ...] = ()
    evidence: dict[str, tuple[Evidence, ...]] = field(default_factory=dict)
    academic: ScholarlyVerdict = ScholarlyVerdict()
    timing_ms: dict[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    error: dict[str, str] | None = None
    text: str = ""
    """The whole text, form feeds between pages; kept beside the extraction, not printed in it."""
    versions: dict[str, int] = field(default_factory=dict)
    """Extractor -> the version that read this."""

    def as_record(self, evidence: bool = False) -> dict[str, Any]:
        """The contract of `openseer extract --format json`: every key always, text left out."""
        record: dict[str, Any] = _plain(self.as_dict(evidence))
        return record

    def as_dict(self, evidence: bool = False) -> dict[str, Any]:
        """The same with the values as they are, for an encoder that knows records."""
        left_out = ("text",) if evidence else ("text", "evidence")
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name not in left_out}


NAMES: dict[type[Any], tuple[str, ...]] = {}
"""Class -> the names of its fields."""
LEAVES = frozenset({str, int, float, bool, type(None)})


def _plain(value: Any) -> Any:
    """Records as dictionaries and tuples as lists; `dataclasses.asdict` does the same at four times the price."""
    kind = type(value)
    if kind in LEAVES:
        return value
    if kind is tuple or kind is list:
        return [item if type(item) in LEAVES else _plain(item) for item in value]
    if kind is dict:
        return {name: _plain(item) for name, item in value.items()}
    if kind not in NAMES:
        NAMES[kind] = tuple(field.name for field in fields(value))
    return {name: _plain(getattr(value, name)) for name in NAMES[kind]}
