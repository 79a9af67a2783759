"""The pages for people, and for programs that read pages. They work without scripts."""

from fastapi import APIRouter

from openseer.web.pages import (
    asked_plainly,
    browsing,
    figures,
    giving,
    home,
    machines,
    old,
    people,
    reader,
    results,
    saved,
    work,
)

router = APIRouter()
for part in (home, results, work, saved, people, browsing, figures, asked_plainly, reader, giving, machines, old):
    router.include_router(part.router)

__all__ = ["router"]
