"""REST API under `/api`: the published routes and parameters of CiteSeerX, and our own."""

from fastapi import APIRouter

from openseer.web.api import authors, citations, citing_sentences, files, search, similar, uploads, works

router = APIRouter()
for part, tag in (
    (search.router, "search"),
    (search.published, "search"),
    (citing_sentences.router, "search"),
    (works.router, "works"),
    (works.published, "works"),
    (citations.router, "works"),
    (similar.router, "works"),
    (authors.router, "authors"),
    (authors.published, "authors"),
    (files.router, "files"),
    (uploads.router, "files"),
):
    router.include_router(part, tags=[tag])

__all__ = ["router"]
