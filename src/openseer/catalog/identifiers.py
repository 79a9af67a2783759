"""Identifiers of works: work id, SHA-1, DOI, arXiv id."""

from __future__ import annotations

import re

from openseer.core.errors import NotFound
from openseer.core.model.description import header_id, work_id_of
from openseer.core.model.document import Viewer
from openseer.core.text.normalize import plain_arxiv, plain_doi
from openseer.search.query.parser import ARXIV
from openseer.storage.open import Library


def find(library: Library, name: str, viewer: Viewer = Viewer.PUBLIC) -> str:
    """The work with a work id, the SHA-1 of a document, a DOI or an arXiv id."""
    if re.fullmatch(r"[0-9a-fA-F]{40}", name):
        document = library.records.as_seen_by(viewer).document(name.lower())
        if document.outcome != "ingested":
            reason = document.detail or "it was not extracted yet"
            raise NotFound(f"The document {document.sha1} is not in the library: {reason}", "Upload a repaired file.")
        if document.is_bibliography:
            raise NotFound(
                f"{document.sha1} is a bibliography, not a paper.", "Search for its records by their titles."
            )
        return library.records.canonical_id(work_id_of(header_id(document.sha1)))
    if found := ARXIV.fullmatch(name):
        arxiv = plain_arxiv(found[1])
        return _work_with_key(library, f"arxiv:{arxiv}", f"the arXiv id {arxiv}")
    if doi := plain_doi(name):
        return _work_with_key(library, f"doi:{doi}", f"the DOI {doi}")
    return library.records.canonical_id(name)


def _work_with_key(library: Library, key: str, identifier: str) -> str:
    """The work with an identifier, preferably one with full text."""
    works = library.records.works_by_key(key)
    if not works:
        raise NotFound(f"No work with {identifier} is in this library.", "Search for it by its title.")
    full = library.records.with_full_text(works)
    return next((work for work in works if work in full), works[0])
