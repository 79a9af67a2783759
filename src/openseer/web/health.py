"""Whether the library answers, for load balancers and people on call."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from openseer.core.errors import IndexBehind
from openseer.web.dependencies import IndexDep, LibraryDep
from openseer.web.services import services_of

router = APIRouter()


@router.get("/healthz")
@router.head("/healthz", include_in_schema=False)
def health(request: Request, library: LibraryDep, index: IndexDep) -> dict[str, Any]:
    """200 when records and index answer; how far the index is behind. 503 when nothing follows the records."""
    at = index.checkpoint()
    behind = library.records.last_change() - at.position
    if behind and not services_of(request).index_alive():
        raise IndexBehind(f"The index is {behind} changes behind and nothing follows the records.")
    return {"status": "ok", "library": library.records.uuid, "index_behind": behind}
