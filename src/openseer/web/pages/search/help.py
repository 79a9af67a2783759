"""Help and about pages."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from openseer import __version__
from openseer.core.model.query import Everything, SearchQuery
from openseer.web.dependencies import IndexDep
from openseer.web.params import READ_METHODS
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()


@router.api_route("/help", methods=READ_METHODS)
def help_page(request: Request) -> Response:
    """Help page: query language, keyboard shortcuts, formats, API."""
    return render(request, "help.html", {})


@router.api_route("/about", methods=READ_METHODS)
def about(request: Request, index: IndexDep) -> Response:
    """About page: contents, methods and limits of the library."""
    full = cached(request, "full", lambda: index.search(SearchQuery(Everything(), limit=1, full_text_only=True)).total)
    works = cached(request, "works", lambda: index.search(SearchQuery(Everything(), limit=1)).total)
    return render(request, "about.html", {"full": full, "works": works, "version": __version__})
