"""Home page."""

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
from openseer.web.pages.charts import growth_line
from openseer.web.params import READ_METHODS
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()
WORKS_SHOWN = 6
"""Works in each list."""
MAX_PAPERS, MIN_PAPERS, RECENT_YEARS = 300, 30, 3
"""The newest papers: those of the last years, but at least and at most so many."""
GROWTH_POINTS = 24
DAY_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class RecentlyCited:
    """Works that the newest papers cite most."""

    first: int
    last: int
    """Years of publication of these papers."""
    papers: int
    works: list[tuple[IndexedWork, int]]
    """Each work with the number of these papers that cite it."""


@router.api_route("/", methods=READ_METHODS)
def home(request: Request, library: LibraryDep, index: IndexDep) -> Response:
    """Home page: search box, numbers, the newest and the most cited works."""
    return render(request, "home.html", cached(request, "home", lambda: _home_values(library, index)))


def _home_values(library: Library, index: Index) -> dict[str, Any]:
    recent = index.search(SearchQuery(Everything(), "added", limit=WORKS_SHOWN, full_text_only=True))
    cited = index.search(SearchQuery(Everything(), "citations", limit=WORKS_SHOWN, facets=(FacetRequest("year"),)))
    years = {int(one.value): one.count for one in cited.facets["year"]}
    growth, growth_label = _growth(index, recent.total) or _cumulative_by_year(years)
    return {
        "works": cited.total,
        "full": recent.total,
        "references": library.records.counts()["references"],
        "span": (min(years), max(years)) if years else None,
        "recent": [hit.work for hit in recent.hits],
        "cited": [hit.work for hit in cited.hits if hit.work.cited],
        "recently_cited": _recently_cited(library, index),
        "growth": growth,
        "growth_label": growth_label,
    }


def _recently_cited(library: Library, index: Index) -> RecentlyCited | None:
    """Works cited most by the newest papers: the thirty newest by year, and all of the last three years."""
    this_year = datetime.datetime.now(datetime.UTC).year
    query = SearchQuery(Range("year", high=this_year), "newest", limit=MAX_PAPERS, full_text_only=True)
    papers = [hit.work for hit in index.search(query).hits if hit.work.year]
    last = papers[0].year if papers else None
    if last is None:
        return None
    papers = [one for number, one in enumerate(papers) if number < MIN_PAPERS or (one.year or 0) > last - RECENT_YEARS]
    counts: Counter[str] = Counter()
    for cited in library.records.references([one.id for one in papers]).values():
        counts.update(cited)
    frequent = [work for work, count in sorted(counts.items(), key=_by_count)[: 2 * WORKS_SHOWN] if count > 1]
    indexed = index.find(frequent).values()
    works = [(one, counts[one.id]) for one in sorted(indexed, key=lambda one: _by_count((one.id, counts[one.id])))]
    if not works:
        return None
    return RecentlyCited(min(one.year or last for one in papers), last, len(papers), works[:WORKS_SHOWN])


def _by_count(counted: tuple[str, int]) -> tuple[int, str]:
    """Sort key: the highest count first, ids as tie-breaker."""
    return -counted[1], counted[0]


def _growth(index: Index, total: int) -> tuple[Markup, str] | None:
    """Line of the number of documents over time with its label; None if they were added within two days."""
    if total < 2:
        return None
    offsets = sorted({round(number * (total - 1) / GROWTH_POINTS) for number in range(GROWTH_POINTS + 1)})
    dates = [
        index.search(SearchQuery(Everything(), "added", offset, 1, full_text_only=True)).hits[0].work.added
        for offset in offsets
    ]  # the newest first
    newest, oldest = max(dates), min(dates)
    if newest - oldest < 2 * DAY_SECONDS:
        return None
    moments = [oldest + (newest - oldest) * number / GROWTH_POINTS for number in range(GROWTH_POINTS + 1)]
    counts = [
        total - next((offset for offset, date in zip(offsets, dates, strict=True) if date <= moment), total)
        for moment in moments
    ]
    return growth_line(counts, "Documents in the library over time"), "Documents over time"


def _cumulative_by_year(years: dict[int, int]) -> tuple[Markup, str]:
    """Line of the cumulative number of works by year of publication, with its label."""
    if len(years) < 3:
        return Markup(""), ""
    sums, total = [], 0
    for year in range(min(years), max(years) + 1):
        total += years.get(year, 0)
        sums.append(total)
    return growth_line(sums, "Works by year of publication, cumulative"), "Works by year of publication, cumulative"
