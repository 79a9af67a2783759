"""REST: original files, and their extraction as text and XML."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse

from openseer.core.errors import NotFound
from openseer.web.api.routing import StrictRoute
from openseer.web.dependencies import LibraryDep, ViewerDep
from openseer.web.downloads import extraction_response, original_response

router = APIRouter(route_class=StrictRoute)
OCTETS = "application/octet-stream"
BINARY = {"type": "string", "format": "binary"}
FILE_CONTENT: dict[str, Any] = {
    OCTETS: {"schema": BINARY},
    "application/pdf": {"schema": BINARY},
    "text/plain": {"schema": {"type": "string"}},
    "application/xml": {"schema": {"type": "string"}},
}
"""Media types of a file; the first is sent if the request accepts only that, as generated clients may."""


@router.get(
    "/document",
    summary="Download a file",
    response_class=FileResponse,
    responses={200: {"description": "The file", "content": FILE_CONTENT}},
)
def get_document(
    request: Request,
    library: LibraryDep,
    viewer: ViewerDep,
    doi: Annotated[str, Query(max_length=500, description="SHA-1 of the file, by its published name")],
    kind: Annotated[
        Literal["pdf", "original", "txt", "xml"],
        Query(alias="type", description="pdf or original: the original; txt: its text; xml: its extraction"),
    ] = "pdf",
    repid: Annotated[str, Query(deprecated=True, description="Published name of a repository; ignored")] = "",
    key: Annotated[str, Query(deprecated=True, description="Published name of a key; ignored")] = "",
) -> Response:
    """The original file, with ranges; or its extracted text; or its extraction as XML with the published elements."""
    if len(doi) != 40:
        raise NotFound(f"No document with SHA-1 {doi[:60]}.", "Use the SHA-1 of the file, 40 hex digits.")
    sha1 = doi.lower()
    found = (
        extraction_response(library, sha1, viewer, kind)
        if kind in ("txt", "xml")
        else original_response(library, sha1, viewer)
    )
    if request.headers.get("accept", "") == OCTETS:
        found.headers["Content-Type"] = OCTETS
    return found
