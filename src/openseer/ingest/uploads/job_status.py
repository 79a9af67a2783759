"""Status of the documents of an upload job."""

from __future__ import annotations

from dataclasses import dataclass

from openseer.core.model.description import header_id, work_id_of
from openseer.core.model.document import Document, Viewer
from openseer.core.model.resource import MEMBER
from openseer.storage.open import Library

WITHDRAWN = "withdrawn"
"""Outcome that is shown for a document that the viewer may not see."""


@dataclass(frozen=True, slots=True)
class DocumentStatus:
    """Status of one document of a job."""

    sha1: str
    name: str
    state: str
    """waiting, held, done, cancelled or quarantined."""
    outcome: str
    detail: str
    work: str


def statuses(library: Library, job: str, viewer: Viewer) -> list[DocumentStatus]:
    """Status of each document of a job, by name; a document that the viewer may not see has no work."""
    records = library.records
    origin = records.job(job).what.partition(" ")[2]
    states = dict(records.job_documents(job))
    documents = records.documents_by_sha1(states)
    visible = records.as_seen_by(viewer).documents(states)
    ids = {sha1: work_id_of(header_id(sha1)) for sha1, one in visible.items() if one.outcome == "ingested"}
    works = records.canonical_ids(ids.values())
    found = [
        DocumentStatus(
            sha1, name_in(one, origin), states[sha1], one.outcome or "", one.detail, works.get(ids.get(sha1, ""), "")
        )
        if sha1 in visible
        else DocumentStatus(sha1, name_in(one, origin), states[sha1], WITHDRAWN, "It is not public.", "")
        for sha1, one in documents.items()
    ]
    return sorted(found, key=lambda one: one.name)


def name_in(document: Document, origin: str) -> str:
    """The name under which a document was uploaded: file name, URL, or name in the archive."""
    for source in document.sources:
        name = source.url.removeprefix("upload:")
        if name == origin:
            return name
        if name.startswith(f"{origin}{MEMBER}"):
            return name[len(origin) + len(MEMBER) :]
    return origin
