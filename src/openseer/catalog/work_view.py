"""The view of one work: voted fields, documents, references and citations, for pages and REST."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from openseer.catalog.imported_fields import imported_record, with_imported
from openseer.catalog.indexing.projection import by_length
from openseer.core.errors import Gone
from openseer.core.model.bibliography_record import BibliographyRecord
from openseer.core.model.document import Document, Viewer
from openseer.core.model.work import (
    CitationCount,
    DescriptionCount,
    IncomingCitation,
    WorkFields,
)
from openseer.match.field_voting import vote
from openseer.match.text_versions import SAME, similarity, stage
from openseer.storage.codecs.document_summary import DocumentSummary, decode
from openseer.storage.open import Library

MAX_CITING_IDS = 1000


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """One reference of a work, with the work it names."""

    position: int
    printed: dict[str, Any]
    work: str
    """"" if the reference cannot be matched."""
    in_library: bool = False
    """True if the cited work has full text."""
    is_self_citation: bool = False
    """True if the citing paper shares an author with it."""


@dataclass(frozen=True, slots=True)
class Version:
    """One document of a work, compared with the first one."""

    document: Document
    stage: str
    """preprint, published or ""."""
    similarity: str
    """Its text compared with the first document: same text, revised, another text; "" for the first itself."""
    elsewhere: bool = False
    """True if it belongs to another work, though the texts are similar."""


@dataclass(frozen=True, slots=True)
class WorkView:
    """All that a page or a REST response shows of a work."""

    id: str
    ids: tuple[str, ...]
    fields: WorkFields
    reading: DocumentSummary
    documents: tuple[Document, ...]
    """Documents that the viewer may see; the first is the one to open."""
    versions: tuple[Version, ...]
    """The same documents compared, and near-duplicates in other works."""
    entries: tuple[ReferenceEntry, ...]
    cited: CitationCount
    listed: BibliographyRecord
    """Fields of its imported records that are not voted."""

    @property
    def covered(self) -> int:
        """Number of references to works with full text."""
        return sum(entry.in_library for entry in self.entries)


def view(library: Library, work: str, viewer: Viewer = Viewer.PUBLIC) -> WorkView:
    """A work by any of its ids."""
    root = library.records.canonical_id(work)
    descriptions = library.records.descriptions_of([root]).get(root)
    if not descriptions:
        raise Gone(f"The work {work} has no description left in this library.")
    documents = _documents(library, descriptions, viewer)
    imported = imported_record(library, root, descriptions, viewer)
    reading = decode(library.records.summary(documents[0].sha1)) if documents else DocumentSummary()
    return WorkView(
        id=root,
        ids=tuple(library.records.ids_of([root])[root]),
        fields=vote(descriptions),
        reading=with_imported(reading, imported),
        documents=documents,
        versions=tuple(_versions(library, documents, descriptions, viewer)),
        entries=tuple(_entries(library, documents[0].sha1, reading)) if documents else (),
        cited=library.records.citation_counts([root]).get(root, CitationCount()),
        listed=imported,
    )


def citing_ids(library: Library, root: str) -> list[str]:
    """Work ids of the works that cite a work, at most `MAX_CITING_IDS`."""
    return library.records.citing_ids(root, MAX_CITING_IDS)


def citing_works(library: Library, root: str) -> dict[str, list[IncomingCitation]]:
    """The works that cite a work, each with its citations; references to itself do not count."""
    found: dict[str, list[IncomingCitation]] = {}
    for citation in library.records.incoming_citations(root):
        if citation.work != root:
            found.setdefault(citation.work, []).append(citation)
    return found


def _documents(library: Library, seen: list[DescriptionCount], viewer: Viewer) -> tuple[Document, ...]:
    """Documents that the viewer may see, with their sources."""
    headers = [one.sha1 for one in seen if one.kind == "header"]
    return by_length(library.records.as_seen_by(viewer).documents(headers).values())


def _entries(library: Library, sha1: str, reading: DocumentSummary) -> Iterator[ReferenceEntry]:
    named = {one.position: one for one in library.records.outgoing_citations(sha1)}
    full = library.records.with_full_text({one.work for one in named.values()})
    for position, printed in enumerate(reading.references):
        one = named.get(position)
        yield (
            ReferenceEntry(position, printed, one.work, one.work in full, one.is_self_citation)
            if one
            else ReferenceEntry(position, printed, "")
        )


def _versions(
    library: Library, documents: Sequence[Document], seen: list[DescriptionCount], viewer: Viewer
) -> Iterator[Version]:
    """The documents of a work, the one to open first; then near-duplicates in other works."""
    fields = {one.sha1: one.fields for one in seen if one.kind == "header"}
    for one in documents:
        alike = similarity(documents[0].simhash, one.simhash) if one is not documents[0] else ""
        yield Version(one, stage(fields[one.sha1]), alike)
    own = {one.sha1 for one in documents}
    first = documents[0].simhash if documents else None
    for sha1, _ in library.records.near_duplicates(first, SAME) if first else []:
        if sha1 not in own and library.records.as_seen_by(viewer).may_see(sha1):
            document = library.records.as_seen_by(viewer).document(sha1)
            yield Version(document, "", similarity(first, document.simhash), elsewhere=True)
