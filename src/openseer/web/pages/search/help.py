"""Pages that explain: help, about, the advanced form; and the search among citing sentences."""

from __future__ import annotations

from itertools import islice
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel

from openseer import __version__
from openseer.catalog.work_view import find
from openseer.core.model.query import Counting, Everything, Question
from openseer.search.citing_sentences import say
from openseer.search.query.parser import parse
from openseer.storage.protocols.index import Index
from openseer.web.api.search import sort_named
from openseer.web.dependencies import IndexDep, LibraryDep, SearchContextDep, ViewerDep
from openseer.web.pages.page_cache import kept
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
PAGE = 20
EXAMPLES = 3
"""Questions that are proposed to who has none."""


class AdvancedParameters(BaseModel):
    """The advanced form, with the names that the old CiteSeerX gave its fields."""

    textQuery: str = ""
    titleQuery: str = ""
    authorQuery: str = ""
    affilQuery: str = ""
    venueQuery: str = ""
    keywordQuery: str = ""
    abstractQuery: str = ""
    year: str = ""
    fromYear: str = ""
    toYear: str = ""
    minCitations: str = ""
    includeCites: str = ""
    sortCriteria: str = ""
    full: str = ""

    def query(self) -> str:
        """ViewerDep one query of the query language."""
        fields = {
            "": self.textQuery, "title": self.titleQuery, "author": self.authorQuery, "affil": self.affilQuery,
            "venue": self.venueQuery, "keyword": self.keywordQuery, "abstract": self.abstractQuery,
        }  # fmt: skip
        parts = [_within(name, text) for name, text in fields.items() if text.strip()]
        if self.minCitations.isdigit() and int(self.minCitations):
            parts.append(f"cited:>={self.minCitations}")
        return " ".join(parts)

    def address(self) -> str:
        """The page of results that answers it."""
        told = {
            "q": self.query(),
            "low": self.year or self.fromYear,
            "high": self.year or self.toYear,
            "sort": sort_named(self.sortCriteria) if self.sortCriteria else "",
            "full": "true" if self.full else "",
        }
        return "/search?" + urlencode({name: value for name, value in told.items() if value})


def _within(field: str, text: str) -> str:
    """Words to be looked for in one field: each gets its name; a phrase stays one.

    >>> _within("title", "focused crawling"), _within("author", '"de Smet"')
    ('title:focused title:crawling', 'author:"de Smet"')
    """
    if not field:
        return text.strip()
    parts = text.split('"')
    words = [f"{field}:{word}" for plain in parts[::2] for word in plain.split()]
    return " ".join([*words, *(f'{field}:"{phrase}"' for phrase in parts[1::2] if phrase.strip())])


@router.api_route("/advanced", methods=READS)
def advanced(request: Request, asked: Annotated[AdvancedParameters, Query()]) -> Response:
    """A form for every field; sent, it leads to the results."""
    if any(asked.model_dump().values()):
        return RedirectResponse(asked.address(), 302)
    return render(request, "advanced.html", {})


@router.api_route("/contexts", methods=READS)
def contexts(
    request: Request,
    library: LibraryDep,
    shelves: SearchContextDep,
    viewer: ViewerDep,
    q: Annotated[str, Query(max_length=10_000)] = "",
    cited: Annotated[str, Query(max_length=500)] = "",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """Sentences in which works are cited: what people say about something."""
    about = find(library, cited, viewer) if cited else ""
    total, found = say(shelves, q, about, (page - 1) * PAGE, PAGE) if q or about else (0, [])
    last = max(1, -(-total // PAGE))
    if page > last and total:
        page = last
        total, found = say(shelves, q, about, (page - 1) * PAGE, PAGE)
    values = {
        "q": q,
        "about": shelves.index.get(about) if about else None,
        "total": total,
        "found": found,
        "page": page,
        "last": last,
        "link": lambda number: "/contexts?" + urlencode({"q": q, "cited": about, "page": number}),
        "empty": not (q or about),
        "examples": kept(request, "examples", lambda: _examples(shelves.index)) if not (q or about) else (),
    }
    return render(request, "contexts.html", values)


def _examples(index: Index) -> list[str]:
    """Topics of the library of which its papers speak when they cite, those of several words first."""
    question = Question(Everything(), limit=1, counting=(Counting("topic", 60),))
    topics = sorted((one.label for one in index.search(question).facets["topic"]), key=lambda one: " " not in one)
    said = (one for one in topics if index.sentences(parse(one), (), 0, 1)[0])
    return list(islice(said, EXAMPLES))


@router.api_route("/help", methods=READS)
def help_page(request: Request) -> Response:
    """How to search, keys, formats, addresses for programs."""
    return render(request, "help.html", {})


@router.api_route("/about", methods=READS)
def about(request: Request, index: IndexDep) -> Response:
    """What this library is, how far its numbers can be trusted, and by what it is run."""
    full = kept(request, "full", lambda: index.search(Question(Everything(), limit=1, full_text_only=True)).total)
    works = kept(request, "works", lambda: index.search(Question(Everything(), limit=1)).total)
    return render(request, "about.html", {"full": full, "works": works, "version": __version__})
