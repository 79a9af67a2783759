"""REST: search in citing sentences."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from openseer.catalog.identifiers import find
from openseer.catalog.serializers import citing_sentence_body
from openseer.search.citing_sentences import search_sentences
from openseer.web.api.routing import StrictRoute
from openseer.web.api.schemas import CitingSentences
from openseer.web.dependencies import LibraryDep, SearchContextDep, ViewerDep
from openseer.web.params import PagingDep
from openseer.web.responses import as_json

router = APIRouter(route_class=StrictRoute)


@router.get("/contexts", summary="Search citing sentences", response_model=CitingSentences)
def search_citing_sentences(
    library: LibraryDep,
    context: SearchContextDep,
    viewer: ViewerDep,
    paging: PagingDep,
    q: Annotated[str, Query(max_length=10_000, description="Words of the sentence", examples=["scales linearly"])] = "",
    cited: Annotated[str, Query(max_length=500, description="Cited work: work id, SHA-1 or DOI")] = "",
) -> Response:
    """Sentences with the works they cite and the work that contains them."""
    about = find(library, cited, viewer) if cited else ""
    total, found = search_sentences(context, q, about, paging.start, paging.size)
    return as_json({"total_results": total, "response": [citing_sentence_body(one) for one in found]})
