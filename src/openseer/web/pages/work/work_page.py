"""The page of a work, and the box from which it is cited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from openseer.catalog.export.registry import FORMATS
from openseer.catalog.work_view import ReferenceEntry, WorkView, find, held, view
from openseer.core.model.work import DescriptionCount, IndexedWork
from openseer.search.similar import SimilarWork, similar_works
from openseer.storage.protocols.index import Index
from openseer.web.conditional_get import dated
from openseer.web.dependencies import IndexDep, LibraryDep, SearchContextDep, ViewerDep
from openseer.web.downloads import original_response
from openseer.web.pages.charts import by_year
from openseer.web.pages.work.citation_map import Map, neighbourhood
from openseer.web.pages.work.citation_styles import STYLES
from openseer.web.pages.work.citing import ORDERS, citing_page
from openseer.web.pages.work.metadata import OFFERED, coins, dublin_core, linked_data, metas, signposts
from openseer.web.pages.work.versions import told_apart
from openseer.web.responses import base_url
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]
FEW_REFERENCES = 20
SIMILAR = 8
KINDS = {
    "all": "All reasons", "text": "Text", "cocitation": "Cited together", "coupling": "Shared references",
    "authors": "Same authors",
}  # fmt: skip
VOTED = ("title", "year", "venue", "volume", "pages", "doi", "arxiv")


@dataclass(frozen=True, slots=True)
class Listed:
    """One reference as the page shows it."""

    entry: ReferenceEntry
    work: IndexedWork | None
    """The work it names, as the index knows it."""


@router.api_route("/works/{work}", methods=READS)
def work(
    request: Request,
    work: str,
    library: LibraryDep,
    index: IndexDep,
    context: SearchContextDep,
    viewer: ViewerDep,
    citing: Annotated[int, Query(ge=1, le=100_000)] = 1,
    order: str = "citations",
    refs: str = "",
    similar: str = "all",
) -> Response:
    """One work: what it is, what it cites, who cites it and how, and what is like it."""
    shown = view(library, find(library, work, viewer), viewer)
    if shown.id != work:
        return RedirectResponse(f"/works/{shown.id}", 302)  # not for ever: a merge can be undone
    if form := _asked_for(request.headers.get("accept", "")):
        return RedirectResponse(f"/api/works/{shown.id}?format={form}", 303, {"Vary": "Accept"})
    me, base = held(library, index, shown.id), base_url(request)
    kind = similar if similar in KINDS else "all"
    order = order if order in ORDERS else "citations"
    cited_by = citing_page(library, index, shown.id, citing, viewer, order)
    references = list(_references(index, shown))
    seen = library.records.descriptions_of([shown.id]).get(shown.id, ())
    values: dict[str, Any] = {
        "work": shown,
        "me": me,
        "citing": cited_by,
        "orders": ORDERS,
        "order": order,
        "references": references if refs == "all" else references[:FEW_REFERENCES],
        "chart": by_year(cited_by.years, "citing works", cited_by.own_years),
        "map": _map(me, references, cited_by.works),
        "similar": cached(
            request, f"similar {me.id} {kind}", lambda: _similar(similar_works(context, me, kind, SIMILAR + 1), me.id)
        ),
        "similar_kind": kind,
        "kinds": KINDS,
        "votes": list(_votes(seen)),
        "apart": told_apart(library, seen, shown.versions),
        "metas": [
            *metas(me, shown.reading.authors, shown.listed.publisher, base),
            *dublin_core(me, base),
        ],
        "linked": linked_data(me, [one.entry.work for one in references if one.entry.work], base),
        "coins": coins(me, base),
        "places": _places(shown),
        **citations(me, base),
    }
    return dated(render(request, "work.html", values, links=signposts(me, base)), index)


def _asked_for(accept: str) -> str:
    """The format that a program asks for instead of a page, or nothing."""
    kinds = [part.split(";")[0].strip() for part in accept.split(",")]
    return next((name for name in OFFERED if kinds[0] == FORMATS[name].media_type and name != "xml"), "")


def _references(index: Index, shown: WorkView) -> Sequence[Listed]:
    known = index.find([one.work for one in shown.entries if one.work])
    return [Listed(one, known.get(one.work)) for one in shown.entries]


def _map(me: IndexedWork, references: Sequence[Listed], citing: Sequence[Any]) -> Map | None:
    cited = {one.work.id: one.work for one in references if one.work and one.work.id != me.id}
    own = {one.work.id for one in citing if one.own} | {
        one.work.id for one in references if one.work and one.entry.is_self_citation
    }
    return neighbourhood(me, list(cited.values()), [one.work for one in citing], own)


def _similar(found: Sequence[SimilarWork], me: str) -> list[SimilarWork]:
    return [one for one in found if one.work.id != me][:SIMILAR]


def _votes(seen: Sequence[DescriptionCount]) -> Sequence[tuple[str, list[tuple[str, int, str]]]]:
    """What each field was said to be, how often and by whom; fields on which there is nothing to say are left out."""
    told = []
    for name in VOTED:
        times: Counter[str] = Counter()
        kinds: dict[str, set[str]] = {}
        for one in seen:
            if value := str(getattr(one.fields, name) or ""):
                times[value] += one.count
                kinds.setdefault(value, set()).add(one.kind)
        if times:
            told.append((name, [(value, n, ", ".join(sorted(kinds[value]))) for value, n in times.most_common(5)]))
    return told


def _places(shown: WorkView) -> Mapping[str, str]:
    """Affiliation of each author as read in the paper."""
    return {one.get("name", ""): one.get("affiliation", "") for one in shown.reading.authors if one.get("affiliation")}


def citations(me: IndexedWork, base: str) -> dict[str, Any]:
    """What the cite box shows."""
    return {
        "styles": [(name, write(me)) for name, write in STYLES.items()],
        "bibtex": FORMATS["bibtex"].write([me], base).strip(),
    }


@router.api_route("/cite/{work}", methods=READS)
def cite(request: Request, work: str, library: LibraryDep, index: IndexDep, viewer: ViewerDep) -> Response:
    """How to cite a work, in several styles and formats."""
    root = find(library, work, viewer)
    me = held(library, index, root)
    return render(request, "cite.html", {"me": me, **citations(me, base_url(request))})


@router.api_route("/document/{sha1}.pdf", methods=READS)
def pdf(request: Request, sha1: str, library: LibraryDep, viewer: ViewerDep) -> Response:
    """The original file."""
    answer = original_response(library, sha1.lower(), viewer)
    answer.headers["Link"] = f'<{base_url(request)}/works/{sha1.lower()}>; rel="collection"; type="text/html"'
    return answer
