"""Serving the originals."""

from __future__ import annotations

import re
import unicodedata

from fastapi.responses import FileResponse

from openseer.catalog.work_view import find, view
from openseer.core.errors import NotFound, OpenseerError
from openseer.core.model.document import Viewer
from openseer.storage.open import Library
from openseer.web.conditional_get import dated_at

FOREVER = "public, max-age=86400"
"""Bytes named by their hash never change, but a takedown must be seen within a day."""


def pdf_response(library: Library, sha1: str, viewer: Viewer) -> FileResponse:
    """A PDF with ranges, an ETag that is its SHA-1, and a name a person can read."""
    document = library.records.document(sha1, viewer)
    if not document.is_stored:
        raise NotFound(f"The file {sha1} was not kept: {document.detail}", "")
    if document.is_list:
        raise NotFound(f"{sha1} is a list of records, no paper.", "Look for its records by their titles.")
    library.files.open("pdf", sha1, "pdf").close()  # says in our words when it is missing or the store is away
    headers = {"ETag": f'"{sha1}"', "Cache-Control": FOREVER}
    answer = FileResponse(
        library.files.local("pdf", sha1, "pdf"),
        media_type="application/pdf",
        filename=_readable(library, sha1, viewer),
        content_disposition_type="inline",
        headers=headers,
    )
    return dated_at(answer, document.added_at)


def _readable(library: Library, sha1: str, viewer: Viewer) -> str:
    """ "broder-1997-syntactic-clustering.pdf", or the SHA-1 when nothing is known."""
    try:
        fields = view(library, find(library, sha1, viewer), viewer).fields
    except OpenseerError:
        return f"{sha1}.pdf"
    parts = (fields.authors[0][0] if fields.authors else "", str(fields.year or ""), fields.title)
    plain = unicodedata.normalize("NFKD", " ".join(parts)).encode("ascii", "ignore").decode()
    return ("-".join(re.findall(r"\w+", plain.lower()))[:80].strip("-") or sha1) + ".pdf"
