"""Whether the library answers, for load balancers and people on call."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from openseer.web.parts import Index, Library

router = APIRouter()


@router.get("/healthz")
def health(library: Library, index: Index) -> dict[str, Any]:
    """200 when records and index answer; how far the index is behind."""
    at = index.checkpoint()
    behind = library.records.last_change() - at.position
    return {"status": "ok", "library": library.records.uuid, "index_behind": behind}
