"""REST: original files."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from fastapi.responses import FileResponse

from openseer.core.errors import NotFound
from openseer.web.dependencies import LibraryDep, ViewerDep
from openseer.web.downloads import original_response

router = APIRouter()


@router.get("/document", summary="Download a file", response_class=FileResponse)
def document(
    library: LibraryDep,
    viewer: ViewerDep,
    doi: Annotated[str, Query(description="SHA-1 of the file (the published name of this parameter)")],
    kind: Annotated[Literal["pdf"], Query(alias="type")] = "pdf",
) -> Response:
    """The original file; supports ranges."""
    if len(doi) != 40:
        raise NotFound(f"No document with SHA-1 {doi[:60]}.", "Use the SHA-1 of the file, 40 hex digits.")
    return original_response(library, doi.lower(), viewer)
