"""HTML pages, feeds and machine-readable endpoints; all work without scripts."""

from fastapi import APIRouter

from openseer.web.pages import api_reference, cart, click_ping, legacy_redirects, machine_endpoints, submit
from openseer.web.pages.browse import author, documents, home, name_lists, statistics
from openseer.web.pages.reader import evidence, reading_view
from openseer.web.pages.search import advanced, citing_sentences, help, results
from openseer.web.pages.work import versions, work_page

router = APIRouter()
for part in (
    home,
    results,
    click_ping,
    work_page,
    versions,
    cart,
    author,
    name_lists,
    statistics,
    documents,
    advanced,
    citing_sentences,
    help,
    api_reference,
    reading_view,
    evidence,
    submit,
    machine_endpoints,
    legacy_redirects,
):
    router.include_router(part.router)

__all__ = ["router"]
