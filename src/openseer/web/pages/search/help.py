"""Help and about pages."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from openseer import __version__
from openseer.core.model.query import Everything, SearchQuery
from openseer.web.dependencies import IndexDep
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]


@router.api_route("/help", methods=READS)
def help_page(request: Request) -> Response:
    """How to search, keys, formats, addresses for programs."""
    return render(request, "help.html", {})


@router.api_route("/about", methods=READS)
def about(request: Request, index: IndexDep) -> Response:
    """What this library is, how far its numbers can be trusted, and by what it is run."""
    full = cached(request, "full", lambda: index.search(SearchQuery(Everything(), limit=1, full_text_only=True)).total)
    works = cached(request, "works", lambda: index.search(SearchQuery(Everything(), limit=1)).total)
    return render(request, "about.html", {"full": full, "works": works, "version": __version__})
