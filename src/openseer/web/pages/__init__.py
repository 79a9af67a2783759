"""The pages for people, and for programs that read pages. They work without scripts."""

from fastapi import APIRouter

from openseer.web.pages import (
    asked_plainly,
    browsing,
    clicking,
    figures,
    giving,
    home,
    machines,
    old,
    people,
    proof,
    reader,
    results,
    saved,
    versions,
    work,
)

router = APIRouter()
for part in (
    home,
    results,
    clicking,
    work,
    versions,
    saved,
    people,
    browsing,
    figures,
    asked_plainly,
    reader,
    proof,
    giving,
    machines,
    old,
):
    router.include_router(part.router)

__all__ = ["router"]
