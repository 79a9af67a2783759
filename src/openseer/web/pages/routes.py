"""Home, search, work and PDF."""

from __future__ import annotations

from typing import Annotated, TypeVar
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, ValidatorFunctionWrapHandler, field_validator

from openseer.queries import SORTS, Everything, Question, Sort
from openseer.search.answers import Asked
from openseer.web.files import pdf_response
from openseer.web.pages.citing import citing_page
from openseer.web.parts import Answering, As, Index, Library
from openseer.web.templating import render
from openseer.works import find, view

router = APIRouter()


class SearchParameters(BaseModel):
    """The query string of the search page; what a reader typed into an address bar never gives an error."""

    q: str = ""
    page: int = 1
    size: int = 0
    sort: Sort = "relevance"
    full: bool = False
    low: str = ""
    high: str = ""

    @field_validator("page", mode="wrap")
    @classmethod
    def _some_page(cls, value: object, handler: ValidatorFunctionWrapHandler) -> int:
        return max(1, min(100_000, _or_else(value, handler, 1)))

    @field_validator("size", mode="wrap")
    @classmethod
    def _some_size(cls, value: object, handler: ValidatorFunctionWrapHandler) -> int:
        return max(0, min(100, _or_else(value, handler, 0)))

    @field_validator("sort", mode="wrap")
    @classmethod
    def _some_sort(cls, value: object, handler: ValidatorFunctionWrapHandler) -> Sort:
        return _or_else(value, handler, "relevance")

    @field_validator("full", mode="wrap")
    @classmethod
    def _some_switch(cls, value: object, handler: ValidatorFunctionWrapHandler) -> bool:
        return _or_else(value, handler, False)

    @staticmethod
    def year(text: str) -> int | None:
        """A year, or nothing for what is none."""
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


Kind = TypeVar("Kind")


def _or_else(value: object, handler: ValidatorFunctionWrapHandler, default: Kind) -> Kind:
    try:
        valid: Kind = handler(value)
    except ValueError:
        return default
    return valid


READS = ["GET", "HEAD"]
RECENT = 6
"""Works shown on the home page."""


@router.api_route("/", methods=READS)
def home(request: Request, index: Index) -> Response:
    """The search box, what is in the library, and what came last."""
    recent = index.search(Question(Everything(), "added", limit=RECENT, full_text_only=True))
    cited = index.search(Question(Everything(), "citations", limit=RECENT))
    works = index.search(Question(Everything(), limit=1)).total
    values = {
        "works": works,
        "full": recent.total,
        "recent": [hit.work for hit in recent.hits],
        "cited": [hit.work for hit in cited.hits if hit.work.cited],
    }
    return render(request, "home.html", values)


@router.api_route("/search", methods=READS)
def search(
    request: Request,
    library: Library,
    ask: Answering,
    asked: Annotated[SearchParameters, Query()],
) -> Response:
    """Results, ten to a page, with real next pages."""
    size = asked.size or library.settings.web.page_size
    page, low, high = asked.page, asked.year(asked.low), asked.year(asked.high)
    answered = ask(Asked(asked.q, page, size, asked.sort, asked.full, low, high))
    last = max(1, -(-answered.total // size))

    def link(**changes: object) -> str:
        now = {"q": asked.q, "sort": asked.sort, "full": asked.full or "", "low": low or "", "high": high or ""}
        return "/search?" + urlencode({name: value for name, value in (now | changes).items() if value != ""})

    values = {
        "asked": asked,
        "answered": answered,
        "page": page,
        "last": last,
        "size": size,
        "link": link,
        "sorts": SORTS,
    }
    return render(request, "search.html", values)


@router.api_route("/works/{work}", methods=READS)
def work(
    request: Request, work: str, library: Library, index: Index, viewer: As, citing: Annotated[int, Query(ge=1)] = 1
) -> Response:
    """One work: what it is, what it cites, who cites it."""
    shown = view(library, find(library, work, viewer), viewer)
    if shown.id != work:
        return RedirectResponse(f"/works/{shown.id}", 302)  # not for ever: a merge can be undone
    return render(
        request, "work.html", {"work": shown, "citing": citing_page(library, index, shown.id, citing, viewer)}
    )


@router.api_route("/document/{sha1}.pdf", methods=READS)
def pdf(sha1: str, library: Library, viewer: As) -> Response:
    """The original file."""
    return pdf_response(library, sha1.lower(), viewer)
