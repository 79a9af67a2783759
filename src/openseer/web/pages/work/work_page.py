"""Work page, cite box and PDF of a work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from openseer.catalog.export.registry import FORMATS
from openseer.catalog.identifiers import find
from openseer.catalog.indexing.projection import indexed_or_computed
from openseer.catalog.work_view import ReferenceEntry, WorkView, view
from openseer.core.model.work import DescriptionCount, IndexedWork
from openseer.search.similar import SimilarWork, similar_works
from openseer.storage.protocols.index import Index
from openseer.web.conditional_get import dated
from openseer.web.dependencies import IndexDep, LibraryDep, SearchContextDep, ViewerDep
from openseer.web.downloads import original_response
from openseer.web.pages.charts import year_chart
from openseer.web.pages.work.citation_map import CitationMap, citation_map
from openseer.web.pages.work.citation_styles import STYLES
from openseer.web.pages.work.citing import ORDERS, CitingWork, citing_page
from openseer.web.pages.work.metadata import (
    LINKED_FORMATS,
    coins,
    dublin_core,
    highwire_tags,
    linked_data,
    signposting_links,
)
from openseer.web.pages.work.versions import differing_fields
from openseer.web.params import READ_METHODS
from openseer.web.responses import base_url
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()
REFERENCES_SHOWN = 20
SIMILAR_SHOWN = 8
SIMILARITY_LABELS = {
    "all": "All reasons", "text": "Text", "cocitation": "Cited together", "coupling": "Shared references",
    "authors": "Same authors",
}  # fmt: skip
VOTED_FIELDS = ("title", "year", "venue", "volume", "pages", "doi", "arxiv")


@dataclass(frozen=True, slots=True)
class ReferenceItem:
    """One reference in the list of a work page."""

    entry: ReferenceEntry
    work: IndexedWork | None
    """The cited work, if it is indexed."""


@router.api_route("/works/{work}", methods=READ_METHODS)
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
    """Work page: metadata, references, citing works with sentences, similar works, versions."""
    work_view = view(library, find(library, work, viewer), viewer)
    if work_view.id != work:
        return RedirectResponse(f"/works/{work_view.id}", 302)  # not permanent: a merge can be undone
    if form := _requested_format(request.headers.get("accept", "")):
        return RedirectResponse(f"/api/works/{work_view.id}?format={form}", 303, {"Vary": "Accept"})
    indexed, base = indexed_or_computed(library, index, work_view.id), base_url(request)
    kind = similar if similar in SIMILARITY_LABELS else "all"
    order = order if order in ORDERS else "citations"
    citers = citing_page(library, index, work_view.id, citing, viewer, order)
    references = list(_references(index, work_view))
    descriptions = library.records.descriptions_of([work_view.id]).get(work_view.id, ())
    values: dict[str, Any] = {
        "work": work_view,
        "indexed": indexed,
        "citing": citers,
        "orders": ORDERS,
        "order": order,
        "references": references if refs == "all" else references[:REFERENCES_SHOWN],
        "chart": year_chart(citers.years, "citing works", citers.self_years),
        "map": _map(indexed, references, citers.works),
        "similar": cached(
            request,
            f"similar {indexed.id} {kind}",
            lambda: _without(similar_works(context, indexed, kind, SIMILAR_SHOWN + 1), indexed.id),
        ),
        "similar_kind": kind,
        "kinds": SIMILARITY_LABELS,
        "votes": list(_votes(descriptions)),
        "version_differences": differing_fields(library, descriptions, work_view.versions),
        "meta_tags": [
            *highwire_tags(indexed, work_view.reading.authors, work_view.listed.publisher, base),
            *dublin_core(indexed, base),
        ],
        "linked_data": linked_data(indexed, [one.entry.work for one in references if one.entry.work], base),
        "coins": coins(indexed, base),
        "affiliations": _affiliations(work_view),
        **citation_values(indexed, base),
    }
    return dated(render(request, "work.html", values, links=signposting_links(indexed, base)), index)


def _requested_format(accept: str) -> str:
    """Export format that the Accept header requests, or "" for a page."""
    media_types = [part.split(";")[0].strip() for part in accept.split(",")]
    formats = (name for name in LINKED_FORMATS if media_types[0] == FORMATS[name].media_type and name != "xml")
    return next(formats, "")


def _references(index: Index, work_view: WorkView) -> Sequence[ReferenceItem]:
    indexed = index.find([one.work for one in work_view.entries if one.work])
    return [ReferenceItem(one, indexed.get(one.work)) for one in work_view.entries]


def _map(work: IndexedWork, references: Sequence[ReferenceItem], citing: Sequence[CitingWork]) -> CitationMap | None:
    cited = {one.work.id: one.work for one in references if one.work and one.work.id != work.id}
    same_authors = {one.work.id for one in citing if one.is_self_citation} | {
        one.work.id for one in references if one.work and one.entry.is_self_citation
    }
    return citation_map(work, list(cited.values()), [one.work for one in citing], same_authors)


def _without(found: Sequence[SimilarWork], work: str) -> list[SimilarWork]:
    return [one for one in found if one.work.id != work][:SIMILAR_SHOWN]


def _votes(descriptions: Sequence[DescriptionCount]) -> Sequence[tuple[str, list[tuple[str, int, str]]]]:
    """Fields with their candidate values; each value with its number of descriptions and their kinds."""
    votes = []
    for name in VOTED_FIELDS:
        counts: Counter[str] = Counter()
        kinds: dict[str, set[str]] = {}
        for one in descriptions:
            if value := str(getattr(one.fields, name) or ""):
                counts[value] += one.count
                kinds.setdefault(value, set()).add(one.kind)
        if counts:
            candidates = [(value, n, ", ".join(sorted(kinds[value]))) for value, n in counts.most_common(5)]
            votes.append((name, candidates))
    return votes


def _affiliations(work_view: WorkView) -> Mapping[str, str]:
    """Author name -> affiliation in the paper."""
    authors = work_view.reading.authors
    return {one.get("name", ""): one.get("affiliation", "") for one in authors if one.get("affiliation")}


def citation_values(work: IndexedWork, base: str) -> dict[str, Any]:
    """Template values of the cite box."""
    return {
        "styles": [(name, write(work)) for name, write in STYLES.items()],
        "bibtex": FORMATS["bibtex"].write([work], base).strip(),
    }


@router.api_route("/cite/{work}", methods=READ_METHODS)
def cite(request: Request, work: str, library: LibraryDep, index: IndexDep, viewer: ViewerDep) -> Response:
    """Page with the cite box of a work."""
    indexed = indexed_or_computed(library, index, find(library, work, viewer))
    return render(request, "cite.html", {"indexed": indexed, **citation_values(indexed, base_url(request))})


@router.api_route("/document/{sha1}.{suffix}", methods=READ_METHODS)
def original(request: Request, sha1: str, suffix: str, library: LibraryDep, viewer: ViewerDep) -> Response:
    """The original file; its stored type decides how it is sent, never the suffix of the address."""
    document = library.records.as_seen_by(viewer).document(sha1.lower())
    if suffix != document.type.suffix:
        return RedirectResponse(f"/document/{sha1.lower()}.{document.type.suffix}", 302)
    response = original_response(library, sha1.lower(), viewer)
    response.headers["Link"] = f'<{base_url(request)}/works/{sha1.lower()}>; rel="collection"; type="text/html"'
    return response
