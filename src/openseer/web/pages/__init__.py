"""The pages for people. They work without scripts."""

from fastapi import APIRouter

from openseer.web.pages import home, results, saved, work

router = APIRouter()
for part in (home, results, work, saved):
    router.include_router(part.router)

__all__ = ["router"]
