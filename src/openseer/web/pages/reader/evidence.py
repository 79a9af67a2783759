"""Evidence page: where in the PDF each field was found, with which confidence, and by which extractor."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from markupsafe import Markup, escape

from openseer.catalog.identifiers import find
from openseer.catalog.page_images import PageImageCache
from openseer.core.errors import NotFound
from openseer.core.model.document import Document, Viewer
from openseer.core.model.work import DescriptionCount
from openseer.core.text.normalize import squeezed
from openseer.extract.output.page_crops import Crop
from openseer.storage.open import Library
from openseer.web.dependencies import LibraryDep, PageImagesDep, ViewerDep
from openseer.web.params import READ_METHODS
from openseer.web.services import services_of
from openseer.web.templating import plural, render

router = APIRouter()
DEFAULT_PAGE_SIZE = (612.0, 792.0)
"""Page size in points; pages are drawn larger if a box lies outside."""
MAX_VALUE_CHARACTERS = 500
MAX_CROPPED_ENTRIES = 5
"""Entries of a long list in its page image."""
MAX_DRAWN_PAGES = 12
SOURCE_NAMES = {
    "reference": "references", "header": "other versions", "import": "imported records", "correction": "corrections",
}  # fmt: skip
"""Kinds of descriptions as the page names them."""
FIELD_LABELS = {
    "title": "Title", "authors": "Authors", "abstract": "Abstract", "year": "Year", "venue": "Venue", "doi": "DOI",
    "arxiv": "arXiv", "keywords": "Keywords", "acknowledgments": "Acknowledgments", "references": "References",
}  # fmt: skip


COMPARED_FIELDS = ("title", "year", "venue", "doi", "arxiv")
"""Fields that other descriptions of the work state too."""
MAX_CANDIDATES = 3
MAX_LIST_ITEMS = 200
"""Names and keywords in a value."""
MAX_LISTED_REFERENCES = 12
"""References listed by title; longer lists are only counted."""


@dataclass(frozen=True, slots=True)
class CandidateValue:
    """A different value in other descriptions of the work, with their number and kinds."""

    value: str
    count: int
    kinds: str


@dataclass(frozen=True, slots=True)
class FieldEvidence:
    """One extracted field with its positions."""

    field: str
    label: str
    value: str
    pages: tuple[int, ...]
    confidence: float
    source: str
    crop: Crop | None
    candidates: tuple[CandidateValue, ...]


Position = Mapping[str, Any]
"""A position of a field as stored: page, box, confidence, source."""


@router.api_route("/proof/{sha1}", methods=READ_METHODS)
def evidence_page(request: Request, sha1: str, library: LibraryDep, viewer: ViewerDep) -> Response:
    """Evidence page of a document."""
    document = library.records.as_seen_by(viewer).document(sha1.lower())
    work = find(library, document.sha1, viewer)
    extraction = _extraction(library, document)
    positions = _positions(extraction)
    descriptions = library.records.descriptions_of([work]).get(work, ())
    candidates = _candidates(descriptions, document.sha1, extraction)
    values = {
        "document": document,
        "work": work,
        "fields": list(_field_evidence(extraction, positions, candidates)),
        "drawings": list(_page_drawings(positions)),
        "has_file": library.files.has("pdf", document.sha1, "pdf"),
        "verdict": extraction["academic"],
        "versions": extraction.get("versions", {}),
        "warnings": extraction.get("warnings", ()),
    }
    return render(request, "evidence.html", values)


@router.api_route("/proof/{sha1}/{field}.png", methods=READ_METHODS)
async def crop_image(
    request: Request, sha1: str, field: str, library: LibraryDep, page_images: PageImagesDep, viewer: ViewerDep
) -> Response:
    """Page image of the position of a field."""
    return await services_of(request).image_work.run(_crop_image, library, page_images, viewer, sha1, field)


def _crop_image(library: Library, page_images: PageImageCache, viewer: Viewer, sha1: str, field: str) -> Response:
    document = library.records.as_seen_by(viewer).document(sha1.lower())
    crop = _crop_of(_positions(_extraction(library, document)).get(field, ()))
    if crop is None:
        raise NotFound(f"No position of {field} is known in this file.", f"See /proof/{document.sha1}.")
    image = page_images.image(document, crop)
    return Response(image, media_type="image/png", headers={"Cache-Control": "public, max-age=86400"})


def _extraction(library: Library, document: Document) -> dict[str, Any]:
    packed = library.files.read("extraction", document.sha1, f"{document.generation}.json.gz")
    extraction: dict[str, Any] = orjson.loads(gzip.decompress(packed))
    return extraction


def _positions(extraction: Mapping[str, Any]) -> dict[str, Sequence[Position]]:
    """Field -> its positions."""
    evidence = extraction.get("evidence", {})
    return {name: found for name, found in evidence.items() if found and name in FIELD_LABELS}


def _field_evidence(
    extraction: Mapping[str, Any],
    positions: Mapping[str, Sequence[Position]],
    candidates: Mapping[str, tuple[CandidateValue, ...]],
) -> Iterator[FieldEvidence]:
    for name, label in FIELD_LABELS.items():
        if found := positions.get(name):
            yield FieldEvidence(
                name,
                label,
                _value_text(name, extraction.get(name)),
                tuple(sorted({one["page"] for one in found})),
                min(one["confidence"] for one in found),
                ", ".join(sorted({one["source"] for one in found if one["source"]})),
                _crop_of(found),
                candidates.get(name, ()),
            )


def _crop_of(positions: Sequence[Position]) -> Crop | None:
    """Bounding box of the boxes on the first page; of a long list only its first entries."""
    boxed = [one for one in positions if one.get("box")]
    if not boxed:
        return None
    page = boxed[0]["page"]
    boxes = [one["box"] for one in boxed if one["page"] == page]
    boxes = boxes[:MAX_CROPPED_ENTRIES] if len(boxes) > 2 * MAX_CROPPED_ENTRIES else boxes
    x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return Crop(page, (x0, y0, max(box[2] for box in boxes), max(box[3] for box in boxes)))


def _candidates(
    descriptions: Sequence[DescriptionCount], sha1: str, extraction: Mapping[str, Any]
) -> dict[str, tuple[CandidateValue, ...]]:
    """Field -> its most frequent different values in other papers, references and imported records."""
    candidates = {}
    for name in COMPARED_FIELDS:
        extracted = squeezed(str(extraction.get(name) or ""))
        counts: Counter[str] = Counter()
        kinds: dict[str, set[str]] = {}
        for one in descriptions:
            value = str(getattr(one.fields, name) or "")
            if value and one.sha1 != sha1 and squeezed(value) != extracted:
                counts[value] += one.count
                kinds.setdefault(value, set()).add(SOURCE_NAMES.get(one.kind, one.kind))
        if counts:
            frequent = counts.most_common(MAX_CANDIDATES)
            candidates[name] = tuple(CandidateValue(one, n, ", ".join(sorted(kinds[one]))) for one, n in frequent)
    return candidates


def _value_text(field: str, value: Any) -> str:
    if isinstance(value, list):
        if field == "references" and len(value) > MAX_LISTED_REFERENCES:
            return plural(len(value), "entry", "entries")
        names = [one if isinstance(one, str) else one.get("name") or one.get("title") or "" for one in value]
        more = f" and {len(names) - MAX_LIST_ITEMS:,} more" if len(names) > MAX_LIST_ITEMS else ""
        return "; ".join(filter(None, names[:MAX_LIST_ITEMS])) + more
    text = str(value or "")
    return text if len(text) <= MAX_VALUE_CHARACTERS else f"{text[:MAX_VALUE_CHARACTERS].rsplit(' ', 1)[0]} …"


def _page_drawings(positions: Mapping[str, Sequence[Position]]) -> Iterator[tuple[int, Markup]]:
    """Page number and drawing of each page with positions."""
    boxes: dict[int, list[tuple[str, Sequence[float]]]] = {}
    for name, found in positions.items():
        for one in found:
            if one.get("box"):
                boxes.setdefault(one["page"], []).append((name, one["box"]))
    for page in sorted(boxes)[:MAX_DRAWN_PAGES]:
        yield page, _drawing(page, boxes[page])


def _drawing(page: int, boxes: Sequence[tuple[str, Sequence[float]]]) -> Markup:
    width = max([DEFAULT_PAGE_SIZE[0], *(box[2] + 20 for _, box in boxes)])
    height = max([DEFAULT_PAGE_SIZE[1], *(box[3] + 20 for _, box in boxes)])
    shapes, labelled = "", set[str]()
    for name, (x0, y0, x1, y1) in boxes:
        shapes += f'<rect class="box {name}" x="{x0:.0f}" y="{y0:.0f}" width="{x1 - x0:.0f}" height="{y1 - y0:.0f}"/>'
        if name not in labelled:
            labelled.add(name)
            shapes += f'<text x="{x0:.0f}" y="{y0 - 3:.0f}">{escape(FIELD_LABELS[name])}</text>'
    attributes = f'role="img" aria-label="Positions of fields on page {page}"'
    start = f'<svg class="chart page-map" viewBox="0 0 {width:.0f} {height:.0f}" {attributes}>'
    return Markup(f'{start}<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>{shapes}</svg>')
