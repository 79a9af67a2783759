"""The home page."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from openseer.core.model.query import Everything, FacetRequest, Range, SearchQuery
from openseer.core.model.work import IndexedWork
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index
from openseer.web.dependencies import IndexDep, LibraryDep
from openseer.web.pages.charts import line
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
RECENT = 6
"""Works shown of each kind."""
NEWEST, AT_LEAST, YEARS = 300, 30, 3
"""Papers that count as the newest: so many at most, so many at least, between them those of so many years."""
POINTS = 24
"""Of the line of growth."""
DAY = 86_400


@dataclass(frozen=True, slots=True)
class Lately:
    """What the newest papers cite."""

    first: int
    last: int
    """Years of publication of these papers."""
    papers: int
    works: list[tuple[IndexedWork, int]]
    """Each with the number of these papers that cite it."""


@router.api_route("/", methods=READS)
def home(request: Request, library: LibraryDep, index: IndexDep) -> Response:
    """The search box, what is in the library, and what came last."""
    return render(request, "home.html", cached(request, "home", lambda: _shown(library, index)))


def _shown(library: Library, index: Index) -> dict[str, Any]:
    recent = index.search(SearchQuery(Everything(), "added", limit=RECENT, full_text_only=True))
    cited = index.search(SearchQuery(Everything(), "citations", limit=RECENT, facets=(FacetRequest("year"),)))
    years = {int(one.value): one.count for one in cited.facets["year"]}
    growth, told = _growth(index, recent.total) or _by_years(years)
    return {
        "works": cited.total,
        "full": recent.total,
        "references": library.records.counts()["references"],
        "span": (min(years), max(years)) if years else None,
        "recent": [hit.work for hit in recent.hits],
        "cited": [hit.work for hit in cited.hits if hit.work.cited],
        "lately": _lately(library, index),
        "growth": growth,
        "growth_told": told,
    }


def _lately(library: Library, index: Index) -> Lately | None:
    """What the newest papers cite most: the last thirty by year of publication, and all of the last three years."""
    this_year = datetime.datetime.now(datetime.UTC).year
    question = SearchQuery(Range("year", high=this_year), "newest", limit=NEWEST, full_text_only=True)
    papers = [hit.work for hit in index.search(question).hits if hit.work.year]
    last = papers[0].year if papers else None
    if last is None:
        return None
    papers = [one for place, one in enumerate(papers) if place < AT_LEAST or (one.year or 0) > last - YEARS]
    times: Counter[str] = Counter()
    for cited in library.records.references([one.id for one in papers]).values():
        times.update(cited)
    known = index.find([work for work, count in sorted(times.items(), key=_rank)[: 2 * RECENT] if count > 1])
    works = [(work, times[work.id]) for work in sorted(known.values(), key=lambda one: _rank((one.id, times[one.id])))]
    return Lately(min(one.year or last for one in papers), last, len(papers), works[:RECENT]) if works else None


def _rank(counted: tuple[str, int]) -> tuple[int, str]:
    """The most first; the same order every time."""
    return -counted[1], counted[0]


def _growth(index: Index, total: int) -> tuple[Markup, str] | None:
    """How the documents came in over time; None when they came all at once."""
    if total < 2:
        return None
    places = sorted({round(number * (total - 1) / POINTS) for number in range(POINTS + 1)})
    dates = [
        index.search(SearchQuery(Everything(), "added", place, 1, full_text_only=True)).hits[0].work.added
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
