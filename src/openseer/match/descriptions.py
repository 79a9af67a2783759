"""From an extraction to the descriptions it holds: its own header, and one for each reference."""

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

PAGE_ONE = 1500
"""Characters of the text that the matcher may look at."""


def describe(sha1: str, extraction: Extraction) -> tuple[list[Description], list[Observation]]:
    """Everything a document says about works, and where it says it."""
    references = [_of_reference(entry) for entry in extraction.references]
    named = [(place, one) for place, one in enumerate(references) if one is not None]
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
            page_one=extraction.text[:PAGE_ONE],
            cites=tuple(one.id for _, one in named),
        ),
    )
    own = [share_an_author(extraction.authors, entry) for entry in extraction.references]
    observations = [
        Observation(header.id, "header"),
        *(Observation(one.id, "reference", place, own[place]) for place, one in named),
    ]
    return [header, *{one.id: one for _, one in named}.values()], observations


def authorships(extraction: Extraction) -> list[Authorship]:
    """The author places of a document's header."""
    return [
        Authorship(
            one.name, squeezed(one.family or one.name), squeezed(one.given), one.affiliation, one.email, one.orcid
        )
        for one in extraction.authors
    ]


def authors_of(fields: MatchFields) -> list[Authorship]:
    """The author places of an imported record."""
    return [
        Authorship(f"{given} {family}".strip(), squeezed(family), squeezed(given)) for family, given in fields.authors
    ]


def share_an_author(authors: Sequence[Author], entry: Reference) -> bool:
    """Whether somebody who wrote the paper is among the authors of what it cites here."""
    cited = [_compared(author.family or author.name, author.given) for author in entry.authors]
    ours = [_compared(author.family or author.name, author.given) for author in authors]
    return any(
        mine == theirs and (not initial or not their_initial or initial == their_initial)
        for mine, initial in ours
        for theirs, their_initial in cited
        if mine
    )


def _compared(family: str, given: str) -> tuple[str, str]:
    return squeezed(family), squeezed(given)[:1]


def describe_import(record: BibliographyRecord) -> Description:
    """What an imported record says of a work."""
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
    """What the matcher reads of a reference; None for one that names nothing one could look for."""
    placed = entry.authors and entry.pages and (entry.volume or entry.year)
    if not (squeezed(entry.title) or entry.doi or entry.arxiv or placed):
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
