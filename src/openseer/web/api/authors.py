"""Authors as printed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from openseer.catalog.author_names import CAVEAT, Found, search_names
from openseer.web.dependencies import SearchContextDep
from openseer.web.responses import as_json

router = APIRouter()


class AuthorForm(BaseModel):
    """The published body of a search for authors."""

    queryString: str = Field(default="", max_length=1000, examples=["Andrei Broder"])


@router.get("/searchAuthor", summary="Search printed names")
def search_author(
    context: SearchContextDep,
    q: Annotated[str, Query(max_length=1000, examples=["broder"])] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """Names with their variants, number of works and citations, and what they write about."""
    return as_json(_body(*search_names(context.index, q, limit)))


@router.post("/searchAuthor", summary="Search printed names (published form)")
def search_author_form(context: SearchContextDep, form: AuthorForm) -> Response:
    """The same question as a JSON body."""
    return as_json(_body(*search_names(context.index, form.queryString, 20)))


def _body(total: int, found: list[Found]) -> dict[str, Any]:
    people = [
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
    return {"total_results": total, "note": CAVEAT, "response": people}
