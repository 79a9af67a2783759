"""The home page."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from openseer.library import stores
from openseer.queries import Counting, Everything, Question
from openseer.web.pages.keeping import kept
from openseer.web.parts import Index, Library
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
RECENT = 6
"""Works shown of each kind."""


@router.api_route("/", methods=READS)
def home(request: Request, library: Library, index: Index) -> Response:
    """The search box, what is in the library, and what came last."""
    return render(request, "home.html", kept(request, "home", lambda: _shown(index)))


def _shown(index: stores.Index) -> dict[str, Any]:
    recent = index.search(Question(Everything(), "added", limit=RECENT, full_text_only=True))
    cited = index.search(Question(Everything(), "citations", limit=RECENT, counting=(Counting("year"),)))
    return {
        "works": cited.total,
        "full": recent.total,
        "recent": [hit.work for hit in recent.hits],
        "cited": [hit.work for hit in cited.hits if hit.work.cited],
    }
