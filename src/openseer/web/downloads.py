"""Downloads of original files, and of their extraction as text and XML."""

from __future__ import annotations

import gzip
import logging
import re
import unicodedata
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Literal

from fastapi.responses import FileResponse, Response
from pydantic import TypeAdapter
from starlette.background import BackgroundTask

from openseer.catalog.identifiers import find
from openseer.catalog.work_view import view
from openseer.core.errors import NotFound, OpenseerError, StoreUnavailable
from openseer.core.model.document import Document, Viewer
from openseer.core.model.document_type import PDF_MIME
from openseer.core.model.extraction import Extraction
from openseer.extract.output.plain_xml import plain_xml
from openseer.storage.open import Library
from openseer.web.conditional_get import dated_at

log = logging.getLogger("openseer.web")
SANDBOX = {
    "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of originals that a browser might show: they run nothing and belong to no page of this site."""
CACHE_ONE_DAY = "public, max-age=86400"
"""Files never change, but a takedown must take effect within a day."""


def check_original(library: Library, document: Document) -> None:
    """Raise our error if the file of a document is lost, or the store does not answer: both may pass."""
    kind, suffix = document.type.kind, document.type.suffix
    try:
        library.files.open(kind, document.sha1, suffix).close()
    except NotFound:
        log.error("file of a document is missing", extra={"sha1": document.sha1})
        raise StoreUnavailable(
            "The file of this paper is missing at the moment.", "Try again later, or tell the operator of this site."
        ) from None


def original_response(library: Library, sha1: str, viewer: Viewer) -> FileResponse:
    """The original file of a document: ranges, the SHA-1 as ETag, a readable file name."""
    document = library.records.as_seen_by(viewer).document(sha1)
    if document.outcome != "ingested" and viewer is Viewer.PUBLIC:
        raise NotFound(f"The file {sha1} is not in the library.", "Files are served once they are ingested.")
    if not document.is_stored:
        raise NotFound(f"The file {sha1} was not stored: {document.detail}", "")
    if document.is_bibliography:
        raise NotFound(f"{sha1} is a bibliography, not a paper.", "Search for its records by title.")
    check_original(library, document)
    kind, suffix = document.type.kind, document.type.suffix
    headers = {"ETag": f'"{sha1}"', "Cache-Control": CACHE_ONE_DAY}
    local_copy = ExitStack()
    response = FileResponse(
        local_copy.enter_context(library.files.as_path(kind, sha1, suffix)),
        media_type=document.type.mime,
        filename=f"{_readable_name(library, sha1, viewer)}.{suffix}",
        content_disposition_type="inline" if document.type.mime == PDF_MIME else "attachment",
        headers=headers if document.type.mime == PDF_MIME else {**headers, **SANDBOX},
        background=BackgroundTask(local_copy.close),
    )
    return dated_at(response, document.added_at)


@cache
def _extractions() -> TypeAdapter[Extraction]:
    """Decoder of stored extractions."""
    return TypeAdapter(Extraction)


def extraction_response(library: Library, sha1: str, viewer: Viewer, kind: Literal["txt", "xml"]) -> Response:
    """The text of a document, or its extraction as XML with the published elements."""
    document = library.records.as_seen_by(viewer).document(sha1)
    if document.outcome != "ingested" or document.is_bibliography:
        reason = "it is a bibliography" if document.is_bibliography else document.detail or "it was not extracted yet"
        raise NotFound(f"There is no extraction of {sha1}: {reason}", "The original has type=pdf.")
    name = f"{_readable_name(library, sha1, viewer)}.{kind}"
    headers = {"Content-Disposition": f'inline; filename="{name}"', "Cache-Control": CACHE_ONE_DAY}
    if kind == "txt":
        body = gzip.decompress(library.files.read("text", sha1, f"{document.generation}.txt.gz"))
        return dated_at(Response(body, headers=headers, media_type="text/plain; charset=utf-8"), document.added_at)
    packed = gzip.decompress(library.files.read("extraction", sha1, f"{document.generation}.json.gz"))
    found = replace(_extractions().validate_json(packed), file="")  # the path at ingest is the operator's affair
    body = plain_xml(found, Path(f"{sha1}.{document.type.suffix}"))
    return dated_at(Response(body, headers=headers, media_type="application/xml"), document.added_at)


def _readable_name(library: Library, sha1: str, viewer: Viewer) -> str:
    """ "broder-1997-syntactic-clustering", or the SHA-1 of a document without a work."""
    try:
        fields = view(library, find(library, sha1, viewer), viewer).fields
    except OpenseerError:
        return sha1
    parts = (fields.authors[0][0] if fields.authors else "", str(fields.year or ""), fields.title)
    plain = unicodedata.normalize("NFKD", " ".join(parts)).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"\w+", plain.lower()))[:80].strip("-") or sha1
