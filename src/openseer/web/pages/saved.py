"""Works that a reader saved, and taking them away."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from openseer.errors import BadRequest
from openseer.formats import FORMATS
from openseer.web.api.answering import written
from openseer.web.parts import Index
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
MOST = 500


@router.api_route("/cart", methods=READS)
def cart(request: Request) -> Response:
    """What was saved in this browser; the list never leaves it, but for being exported."""
    forms = [(name, FORMATS[name].extension) for name in ("bibtex", "ris", "refer", "csl")]
    return render(request, "cart.html", {"forms": forms})


@router.api_route("/export", methods=READS)
def export(
    request: Request,
    index: Index,
    ids: Annotated[str, Query(max_length=20_000)] = "",
    form: Annotated[Literal["bibtex", "ris", "refer", "csl", "xml"], Query(alias="format")] = "bibtex",
) -> Response:
    """Works by their ids, in a format for other programs."""
    names = [name.strip() for name in ids.split(",") if name.strip()][:MOST]
    if not names:
        raise BadRequest("Name the works to be exported.", "Write /export?ids=w1,w2&format=bibtex.")
    known = index.find(names)
    answer = written(request, [known[name] for name in names if name in known], form)
    answer.headers["Content-Disposition"] = answer.headers["Content-Disposition"].replace("inline", "attachment")
    return answer
