"""The REST API: the published names and parameters, and our own beside them."""

from fastapi import APIRouter

from openseer.web.api import authors, contexts, files, search, uploads, works

router = APIRouter()
for part in (search, works, authors, contexts, files, uploads):
    router.include_router(part.router)

__all__ = ["router"]
