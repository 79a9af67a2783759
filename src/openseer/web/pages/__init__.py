"""The pages for people, and for programs that read pages. They work without scripts."""

from fastapi import APIRouter

from openseer.web.pages import cart, click_ping, legacy_redirects, machine_endpoints, submit
from openseer.web.pages.browse import author, browse, home, statistics
from openseer.web.pages.reader import evidence, reader
from openseer.web.pages.search import help, results
from openseer.web.pages.work import versions, work

router = APIRouter()
for part in (
    home,
    results,
    click_ping,
    work,
    versions,
    cart,
    author,
    browse,
    statistics,
    help,
    reader,
    evidence,
    submit,
    machine_endpoints,
    legacy_redirects,
):
    router.include_router(part.router)

__all__ = ["router"]
