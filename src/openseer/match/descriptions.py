"""Builds descriptions and authorships from extractions and imported records."""

from __future__ import annotations

from collections.abc import Sequence

from openseer.core.model.bibliography_record import BibliographyRecord
from openseer.core.model.description import (
    Authorship,
    Description,
    MatchFields,
    Observation,
    header_id,
    import_id,
    reference_id,
)
from openseer.core.model.extraction import Author, Extraction, Name, Reference
from openseer.core.text.normalize import squeezed

MAX_TEXT_CHARS = 1500
"""Characters of the text passed to the matcher."""


def describe(sha1: str, extraction: Extraction) -> tuple[list[Description], list[Observation]]:
    """The descriptions in a document (header and references) and their observations."""
    references = [_of_reference(entry) for entry in extraction.references]
    matchable = [(position, one) for position, one in enumerate(references) if one is not None]
    header = Description.of(
        header_id(sha1),
        MatchFields(
            title=extraction.title,
            authors=tuple((author.family or author.name, author.given) for author in extraction.authors),
            year=extraction.year,
            venue=extraction.venue,
            volume=extraction.volume,
            pages=extraction.page_range,
            doi=extraction.doi,
            arxiv=extraction.arxiv,
            page_one=extraction.text[:MAX_TEXT_CHARS],
            cites=tuple(one.id for _, one in matchable),
        ),
    )
    is_self_citation = [share_an_author(extraction.authors, entry) for entry in extraction.references]
    observations = [
        Observation(header.id, "header"),
        *(Observation(one.id, "reference", position, is_self_citation[position]) for position, one in matchable),
    ]
    return [header, *{one.id: one for _, one in matchable}.values()], observations


def authorships(extraction: Extraction) -> list[Authorship]:
    """The authorships in the header of a document."""
    return [
        Authorship(
            one.name, squeezed(one.family or one.name), squeezed(one.given), one.affiliation, one.email, one.orcid
        )
        for one in extraction.authors
    ]


def authors_of(fields: MatchFields) -> list[Authorship]:
    """The authorships of an imported record."""
    return [
        Authorship(f"{given} {family}".strip(), squeezed(family), squeezed(given)) for family, given in fields.authors
    ]


def share_an_author(authors: Sequence[Author], entry: Reference) -> bool:
    """True if an author of the paper is an author of the reference."""
    cited = [_name_key(author.family or author.name, author.given) for author in entry.authors]
    citing = [_name_key(author.family or author.name, author.given) for author in authors]
    return any(
        family == cited_family and (not initial or not cited_initial or initial == cited_initial)
        for family, initial in citing
        for cited_family, cited_initial in cited
        if family
    )


def _name_key(family: str, given: str) -> tuple[str, str]:
    return squeezed(family), squeezed(given)[:1]


def describe_import(record: BibliographyRecord) -> Description:
    """The description of an imported record."""
    fields = MatchFields(
        title=record.title,
        authors=record.authors,
        year=record.year,
        venue=record.venue,
        volume=record.volume,
        pages=record.pages,
        doi=record.doi,
        arxiv=record.arxiv,
    )
    return Description.of(import_id(fields), fields)


def _of_reference(entry: Reference) -> Description | None:
    fields = fields_of(entry)
    return None if fields is None else Description.of(reference_id(fields), fields)


def fields_of(entry: Reference) -> MatchFields | None:
    """Match fields of a reference; None if they are too few to identify a work."""
    has_position = entry.authors and entry.pages and (entry.volume or entry.year)
    if not (squeezed(entry.title) or entry.doi or entry.arxiv or has_position):
        return None
    return MatchFields(
        title=entry.title,
        authors=tuple(_name(author) for author in entry.authors),
        year=entry.year,
        venue=entry.venue,
        volume=entry.volume,
        pages=entry.pages,
        doi=entry.doi,
        arxiv=entry.arxiv,
    )


def _name(author: Name) -> tuple[str, str]:
    return author.family or author.name, author.given
