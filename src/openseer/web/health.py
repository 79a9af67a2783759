"""Health check for load balancers and operators."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Request

from openseer.core.errors import IndexBehind
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index
from openseer.web.api.schemas import Health
from openseer.web.dependencies import IndexDep, LibraryDep
from openseer.web.services import services_of

router = APIRouter()


@router.get(
    "/healthz", summary="Health check", response_model=None, name="get_health", responses={200: {"model": Health}}
)
@router.head("/healthz", include_in_schema=False)
async def health(request: Request, library: LibraryDep, index: IndexDep) -> Health:
    """200 with the number of changes the index is behind; 503 if it is behind and no process updates it."""
    services = services_of(request)
    return await services.health_work.run(_health, library, index, services.index_alive)


def _health(library: Library, index: Index, index_alive: Callable[[], bool]) -> Health:
    behind = library.records.last_change() - index.checkpoint().position
    if behind and not index_alive():
        raise IndexBehind(f"The index is {behind} changes behind and no process updates it.")
    return {"status": "ok", "library": library.records.uuid, "index_behind": behind}
