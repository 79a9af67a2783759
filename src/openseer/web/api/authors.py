"""REST: search of author names."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from openseer.catalog.author_names import CAVEAT, Found, search_names
from openseer.web.api.routing import StrictRoute
from openseer.web.api.schemas import AuthorName, AuthorNames
from openseer.web.dependencies import SearchContextDep
from openseer.web.responses import as_json

router = APIRouter(route_class=StrictRoute)
published = APIRouter()


class AuthorForm(BaseModel):
    """Published request body of an author search."""

    queryString: str = Field(default="", max_length=1000, examples=["Andrei Broder"])


@router.get("/searchAuthor", summary="Search author names", response_model=AuthorNames)
def search_authors(
    context: SearchContextDep,
    q: Annotated[str, Query(max_length=1000, description="Words of a name", examples=["broder"])] = "",
    limit: Annotated[int, Query(ge=1, le=100, description="Maximum number of names")] = 20,
) -> Response:
    """Author names with variants, affiliations, topics and the numbers of works and citations."""
    return as_json(_body(*search_names(context.index, q, limit)))


@published.post("/searchAuthor", summary="Search author names (published form)", response_model=AuthorNames)
def search_authors_by_form(context: SearchContextDep, form: AuthorForm) -> Response:
    """Search author names by a JSON body."""
    return as_json(_body(*search_names(context.index, form.queryString, 20)))


def _body(total: int, found: list[Found]) -> AuthorNames:
    names: list[AuthorName] = [
        {
            "key": one.key,
            "name": one.name,
            "variants": list(one.variants),
            "affiliations": list(one.affiliations),
            "topics": list(one.topics),
            "n_works": one.works,
            "n_cited_by": one.cited,
        }
        for one in found
    ]
    return {"total_results": total, "note": CAVEAT, "response": names}
