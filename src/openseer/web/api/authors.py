"""REST: search of author names."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from openseer.catalog.author_names import CAVEAT, Found, search_names
from openseer.web.dependencies import SearchContextDep
from openseer.web.responses import as_json

router = APIRouter()


class AuthorForm(BaseModel):
    """Published request body of an author search."""

    queryString: str = Field(default="", max_length=1000, examples=["Andrei Broder"])


@router.get("/searchAuthor", summary="Search author names")
def search_author(
    context: SearchContextDep,
    q: Annotated[str, Query(max_length=1000, examples=["broder"])] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """Author names with variants, affiliations, topics and the numbers of works and citations."""
    return as_json(_body(*search_names(context.index, q, limit)))


@router.post("/searchAuthor", summary="Search author names (published form)")
def search_author_form(context: SearchContextDep, form: AuthorForm) -> Response:
    """Search author names by a JSON body."""
    return as_json(_body(*search_names(context.index, form.queryString, 20)))


def _body(total: int, found: list[Found]) -> dict[str, Any]:
    names = [
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
