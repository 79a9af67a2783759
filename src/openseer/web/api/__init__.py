"""REST API under `/api`: the published routes and parameters of CiteSeerX, and our own."""

from fastapi import APIRouter

from openseer.web.api import authors, citing_sentences, files, search, uploads, works

router = APIRouter()
for part in (search, works, authors, citing_sentences, files, uploads):
    router.include_router(part.router)

__all__ = ["router"]
