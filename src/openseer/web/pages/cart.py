"""Saved works and their export."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request, Response

from openseer.catalog.export.registry import FORMATS
from openseer.core.errors import BadRequest
from openseer.storage.protocols.index import Index
from openseer.web.dependencies import IndexDep
from openseer.web.params import READ_METHODS
from openseer.web.responses import export_response
from openseer.web.templating import render

router = APIRouter()
MAX_URL_WORKS, MAX_FORM_WORKS = 500, 10_000
"""Works in one request by GET and by POST."""
FormatName = Literal["bibtex", "ris", "refer", "csl", "xml"]


@router.api_route("/cart", methods=READ_METHODS)
def cart(request: Request) -> Response:
    """Page of saved works; a script fills it from the browser's storage."""
    formats = [(name, FORMATS[name].extension) for name in ("bibtex", "ris", "refer", "csl")]
    return render(request, "cart.html", {"formats": formats})


@router.api_route("/export", methods=READ_METHODS)
def export(
    request: Request,
    index: IndexDep,
    ids: Annotated[str, Query(max_length=20_000)] = "",
    form: Annotated[FormatName, Query(alias="format")] = "bibtex",
) -> Response:
    """Works by id in an export format."""
    return _export(request, index, ids, form, MAX_URL_WORKS)


@router.post("/export")
def export_many(
    request: Request,
    index: IndexDep,
    ids: Annotated[str, Form(max_length=500_000)] = "",
    form: Annotated[FormatName, Form(alias="format")] = "bibtex",
) -> Response:
    """Works by id in an export format, for more ids than a URL can hold."""
    return _export(request, index, ids, form, MAX_FORM_WORKS)


def _export(request: Request, index: Index, ids: str, form: FormatName, max_works: int) -> Response:
    names = list(dict.fromkeys(name.strip() for name in ids.split(",") if name.strip()))
    if not names:
        raise BadRequest("Missing parameter: ids.", "Write /export?ids=w1,w2&format=bibtex.")
    if len(names) > max_works:
        raise BadRequest(
            f"{len(names):,} ids were given; at most {max_works:,} works can be exported at a time.",
            f"Send the same fields as a form (POST): up to {MAX_FORM_WORKS:,} works at a time.",
        )
    indexed = index.find(names)
    response = export_response(request, [indexed[name] for name in names if name in indexed], form)
    response.headers["Content-Disposition"] = response.headers["Content-Disposition"].replace("inline", "attachment")
    return response
