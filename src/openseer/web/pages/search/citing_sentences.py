"""Search page for citing sentences."""

from __future__ import annotations

from itertools import islice
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from openseer.catalog.identifiers import find
from openseer.core.model.query import Everything, FacetRequest, SearchQuery
from openseer.search.citing_sentences import search_sentences
from openseer.search.query.parser import parse
from openseer.storage.protocols.index import Index
from openseer.web.dependencies import LibraryDep, SearchContextDep, ViewerDep
from openseer.web.params import READ_METHODS
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()
PAGE_SIZE = 20
MAX_EXAMPLES = 3
"""Example queries shown beside an empty form."""


@router.api_route("/contexts", methods=READ_METHODS)
def contexts(
    request: Request,
    library: LibraryDep,
    context: SearchContextDep,
    viewer: ViewerDep,
    q: Annotated[str, Query(max_length=10_000)] = "",
    cited: Annotated[str, Query(max_length=500)] = "",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """Citing sentences that match a query, or that cite one work."""
    about = find(library, cited, viewer) if cited else ""
    total, found = search_sentences(context, q, about, (page - 1) * PAGE_SIZE, PAGE_SIZE) if q or about else (0, [])
    last = max(1, -(-total // PAGE_SIZE))
    if page > last and total:
        page = last
        total, found = search_sentences(context, q, about, (page - 1) * PAGE_SIZE, PAGE_SIZE)
    values = {
        "q": q,
        "about": context.index.get(about) if about else None,
        "total": total,
        "found": found,
        "page": page,
        "last": last,
        "link": lambda number: "/contexts?" + urlencode({"q": q, "cited": about, "page": number}),
        "empty": not (q or about),
        "examples": cached(request, "examples", lambda: _example_queries(context.index)) if not (q or about) else (),
    }
    return render(request, "contexts.html", values)


def _example_queries(index: Index) -> list[str]:
    """Topics that occur in citing sentences, those of several words first."""
    query = SearchQuery(Everything(), limit=1, facets=(FacetRequest("topic", 60),))
    topics = sorted((one.label for one in index.search(query).facets["topic"]), key=lambda one: " " not in one)
    found = (one for one in topics if index.sentences(parse(one), (), 0, 1)[0])
    return list(islice(found, MAX_EXAMPLES))
