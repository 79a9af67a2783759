"""The home page."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from openseer.library import opening, stores
from openseer.queries import Counting, Everything, Question
from openseer.web.pages.charts import line
from openseer.web.pages.keeping import kept
from openseer.web.parts import Index, Library
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
RECENT = 6
"""Works shown of each kind."""
POINTS = 24
"""Of the line of growth."""
DAY = 86_400


@router.api_route("/", methods=READS)
def home(request: Request, library: Library, index: Index) -> Response:
    """The search box, what is in the library, and what came last."""
    return render(request, "home.html", kept(request, "home", lambda: _shown(library, index)))


def _shown(library: opening.Library, index: stores.Index) -> dict[str, Any]:
    recent = index.search(Question(Everything(), "added", limit=RECENT, full_text_only=True))
    cited = index.search(Question(Everything(), "citations", limit=RECENT, counting=(Counting("year"),)))
    years = {int(one.value): one.count for one in cited.facets["year"]}
    growth, told = _growth(index, recent.total) or _by_years(years)
    return {
        "works": cited.total,
        "full": recent.total,
        "references": library.records.counts()["references"],
        "span": (min(years), max(years)) if years else None,
        "recent": [hit.work for hit in recent.hits],
        "cited": [hit.work for hit in cited.hits if hit.work.cited],
        "growth": growth,
        "growth_told": told,
    }


def _growth(index: stores.Index, total: int) -> tuple[Markup, str] | None:
    """How the documents came in over time; None when they came all at once."""
    if total < 2:
        return None
    places = sorted({round(number * (total - 1) / POINTS) for number in range(POINTS + 1)})
    dates = [
        index.search(Question(Everything(), "added", place, 1, full_text_only=True)).hits[0].work.added
        for place in places
    ]  # the newest first
    newest, oldest = dates[0], dates[-1]
    if newest - oldest < 2 * DAY:
        return None
    moments = [oldest + (newest - oldest) * number / POINTS for number in range(POINTS + 1)]
    counts = [
        total - next((place for place, date in zip(places, dates, strict=True) if date <= when), total)
        for when in moments
    ]
    return line(counts, "Documents in the library over time"), "Documents over time"


def _by_years(years: dict[int, int]) -> tuple[Markup, str]:
    """Works by year of publication, added up."""
    if len(years) < 3:
        return Markup(""), ""
    sums, total = [], 0
    for year in range(min(years), max(years) + 1):
        total += years.get(year, 0)
        sums.append(total)
    return line(
        sums, "Works up to each year of publication"
    ), f"Works published from {min(years)} to {max(years)}, added up"
