"""REST: search in citing sentences."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from openseer.catalog.identifiers import find
from openseer.catalog.serializers import citing_sentence_body
from openseer.search.citing_sentences import search_sentences
from openseer.web.dependencies import LibraryDep, SearchContextDep, ViewerDep
from openseer.web.params import Page, PageSize
from openseer.web.responses import as_json

router = APIRouter()


@router.get("/contexts", summary="Search citing sentences")
def contexts(
    library: LibraryDep,
    context: SearchContextDep,
    viewer: ViewerDep,
    q: Annotated[str, Query(max_length=10_000, examples=["scales linearly"])] = "",
    cited: Annotated[str, Query(max_length=500, description="Cited work: work id, SHA-1 or DOI")] = "",
    page: Page = 1,
    page_size: PageSize = 10,
) -> Response:
    """Sentences with the works they cite and the work that contains them."""
    about = find(library, cited, viewer) if cited else ""
    total, found = search_sentences(context, q, about, (page - 1) * page_size, page_size)
    return as_json({"total_results": total, "response": [citing_sentence_body(one) for one in found]})
