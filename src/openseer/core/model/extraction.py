"""Extraction: all data extracted from one document, in the shape of `openseer extract --format json`."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the top left of the displayed page."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Position and confidence of an extracted value."""

    page: int
    box: Box | None = None
    confidence: float = 1.0
    source: str = ""
    """The rule or model that found it."""
    item: int | None = None
    """Index of a list entry, from 0; an entry that continues in another column has one box per column."""


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
    """A person named in a reference."""

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
    """The citation marker, e.g. "[3, 5-7]"."""
    at: tuple[int, int] | None = None
    """Span of the marker in `text`."""
    page: int = 0
    box: Box | None = None
    section: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a bibliography, raw and parsed."""

    raw: str
    """The entry exactly as printed."""
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
    """Span in the text of the section."""
    page: int = 0
    """First page."""
    language: str = ""
    """ISO 639-1; "" if the text is too short."""


@dataclass(frozen=True, slots=True)
class Section:
    """One section of the body."""

    heading: str
    """With its printed number; "" for text before the first heading."""
    level: int = 1
    type: str = ""
    page: int = 0
    text: str = ""
    """The paragraphs, separated by an empty line."""
    paragraphs: tuple[Paragraph, ...] = ()


@dataclass(frozen=True, slots=True)
class ScholarlyVerdict:
    """Result of the scholarly classifier: verdict and document type; without values for a file that was not read."""

    verdict: bool | None = None
    type: str = ""
    """article, preprint, thesis, book, chapter, report, slides, poster, cv, form, invoice, manual or other."""
    probability: float | None = None
    """Probability that it is scholarly."""
    reasons: tuple[str, ...] = ()
    """The features with the greatest weight; "not: ..." for absent ones."""
    types: dict[str, float] = field(default_factory=dict)
    """Type -> probability, highest first, without those below 0.01."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """Data extracted from a document. Absent: "" for text, () for lists, None for year."""

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
    """The whole text, form feeds between pages; stored beside the extraction, not in its JSON."""
    versions: dict[str, int] = field(default_factory=dict)
    """Extractor -> its version."""

    def as_record(self, evidence: bool = False) -> dict[str, Any]:
        """JSON of `openseer extract --format json`: always every key, without the text."""
        record: dict[str, Any] = _plain(self.as_dict(evidence))
        return record

    def as_dict(self, evidence: bool = False) -> dict[str, Any]:
        """The same with unconverted values, for an encoder that supports dataclasses."""
        left_out = ("text",) if evidence else ("text", "evidence")
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name not in left_out}


FIELD_NAMES: dict[type[Any], tuple[str, ...]] = {}
"""Class -> its field names."""
SCALAR_TYPES = frozenset({str, int, float, bool, type(None)})


def _plain(value: Any) -> Any:
    """Dataclasses as dictionaries, tuples as lists; four times as fast as `dataclasses.asdict`."""
    kind = type(value)
    if kind in SCALAR_TYPES:
        return value
    if kind is tuple or kind is list:
        return [item if type(item) in SCALAR_TYPES else _plain(item) for item in value]
    if kind is dict:
        return {name: _plain(item) for name, item in value.items()}
    if kind not in FIELD_NAMES:
        FIELD_NAMES[kind] = tuple(field.name for field in fields(value))
    return {name: _plain(getattr(value, name)) for name in FIELD_NAMES[kind]}
