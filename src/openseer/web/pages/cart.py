"""Works that a reader saved, and taking them away."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request, Response

from openseer.catalog.export.registry import FORMATS
from openseer.core.errors import BadRequest
from openseer.storage.protocols.index import Index
from openseer.web.dependencies import IndexDep
from openseer.web.responses import export_response
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
MOST, MOST_SENT = 500, 10_000
"""Works that an address may name, and a form."""
Name = Literal["bibtex", "ris", "refer", "csl", "xml"]


@router.api_route("/cart", methods=READS)
def cart(request: Request) -> Response:
    """What was saved in this browser; the list never leaves it, but for being exported."""
    forms = [(name, FORMATS[name].extension) for name in ("bibtex", "ris", "refer", "csl")]
    return render(request, "cart.html", {"forms": forms})


@router.api_route("/export", methods=READS)
def export(
    request: Request,
    index: IndexDep,
    ids: Annotated[str, Query(max_length=20_000)] = "",
    form: Annotated[Name, Query(alias="format")] = "bibtex",
) -> Response:
    """Works by their ids, in a format for other programs."""
    return _exported(request, index, ids, form, MOST)


@router.post("/export")
def export_many(
    request: Request,
    index: IndexDep,
    ids: Annotated[str, Form(max_length=500_000)] = "",
    form: Annotated[Name, Form(alias="format")] = "bibtex",
) -> Response:
    """The same for more works than an address can hold."""
    return _exported(request, index, ids, form, MOST_SENT)


def _exported(request: Request, index: Index, ids: str, form: Name, most: int) -> Response:
    names = list(dict.fromkeys(name.strip() for name in ids.split(",") if name.strip()))
    if not names:
        raise BadRequest("Name the works to be exported.", "Write /export?ids=w1,w2&format=bibtex.")
    if len(names) > most:
        raise BadRequest(
            f"{len(names):,} works are named; {most:,} are exported at a time.",
            f"Send the same fields as a form (POST): up to {MOST_SENT:,} works at a time.",
        )
    known = index.find(names)
    answer = export_response(request, [known[name] for name in names if name in known], form)
    answer.headers["Content-Disposition"] = answer.headers["Content-Disposition"].replace("inline", "attachment")
    return answer
