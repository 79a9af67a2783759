"""Where each datum of a paper was read: its page and place, how sure the reader is, and by which rule or model."""

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
from openseer.core.errors import NotFound
from openseer.core.model.document import Document
from openseer.core.model.work import DescriptionCount
from openseer.core.text.normalize import squeezed
from openseer.extract.output.page_crops import Crop
from openseer.storage.open import Library
from openseer.web.dependencies import LibraryDep, PageImagesDep, ViewerDep
from openseer.web.templating import plural, render

router = APIRouter()
READS = ["GET", "HEAD"]
SHEET = (612.0, 792.0)
"""A sheet of paper, where the file does not tell."""
MOST_TEXT = 500
"""Characters of a datum that are shown."""
BEGINNING = 5
"""Entries of a long list that are shown as a picture."""
WORDS = {"reference": "references", "header": "another version", "import": "a list", "correction": "a correction"}
"""Who says it, by the kind of an observation."""
SHOWN = {
    "title": "Title", "authors": "Authors", "abstract": "Abstract", "year": "Year", "venue": "Venue", "doi": "DOI",
    "arxiv": "arXiv", "keywords": "Keywords", "acknowledgments": "Acknowledgments", "references": "References",
}  # fmt: skip


RIVALS = ("title", "year", "venue", "doi", "arxiv")
"""Fields on which others may have another word."""
MOST_RIVALS = 3
MOST_NAMES, FEW_ENTRIES = 200, 12
"""Names and keywords that are shown, and titles of references."""


@dataclass(frozen=True, slots=True)
class Rival:
    """What others say instead, and how often."""

    value: str
    times: int
    kinds: str


@dataclass(frozen=True, slots=True)
class Datum:
    """One datum and where it stands."""

    field: str
    name: str
    value: str
    pages: tuple[int, ...]
    confidence: float
    source: str
    crop: Crop | None
    rivals: tuple[Rival, ...]


@router.api_route("/proof/{sha1}", methods=READS)
def proof(request: Request, sha1: str, library: LibraryDep, viewer: ViewerDep) -> Response:
    """The data of a file with their places, cut out of its pages and drawn on them."""
    document = library.records.document(sha1.lower(), viewer)
    work = find(library, document.sha1, viewer)
    found = _extraction(library, document)
    evidence = _evidence(found)
    rivals = _rivals(library.records.descriptions_of([work]).get(work, ()), document.sha1, found)
    values = {
        "document": document,
        "work": work,
        "data": list(_data(found, evidence, rivals)),
        "sheets": list(_sheets(evidence)),
        "has_file": library.files.has("pdf", document.sha1, "pdf"),
        "verdict": found["academic"],
        "versions": found.get("versions", {}),
        "warnings": found.get("warnings", ()),
    }
    return render(request, "proof.html", values)


@router.api_route("/proof/{sha1}/{field}.png", methods=READS)
def picture(sha1: str, field: str, library: LibraryDep, pictures: PageImagesDep, viewer: ViewerDep) -> Response:
    """The place of a datum, cut out of its page."""
    document = library.records.document(sha1.lower(), viewer)
    crop = _crop(_evidence(_extraction(library, document)).get(field, ()))
    if crop is None:
        raise NotFound(f"No place of {field} is known in this file.", f"See /proof/{document.sha1}.")
    made = pictures.image(document, crop)
    return Response(made, media_type="image/png", headers={"Cache-Control": "public, max-age=86400"})


def _extraction(library: Library, document: Document) -> dict[str, Any]:
    packed = library.files.read("extraction", document.sha1, f"{document.generation}.json.gz")
    found: dict[str, Any] = orjson.loads(gzip.decompress(packed))
    return found


def _evidence(found: Mapping[str, Any]) -> dict[str, Sequence[Mapping[str, Any]]]:
    return {name: places for name, places in found.get("evidence", {}).items() if places and name in SHOWN}


def _data(
    found: Mapping[str, Any],
    evidence: Mapping[str, Sequence[Mapping[str, Any]]],
    rivals: Mapping[str, tuple[Rival, ...]],
) -> Iterator[Datum]:
    for name in SHOWN:
        if places := evidence.get(name):
            yield Datum(
                name,
                SHOWN[name],
                _told(name, found.get(name)),
                tuple(sorted({one["page"] for one in places})),
                min(one["confidence"] for one in places),
                ", ".join(sorted({one["source"] for one in places if one["source"]})),
                _crop(places),
                rivals.get(name, ()),
            )


def _crop(places: Sequence[Mapping[str, Any]]) -> Crop | None:
    """All of a datum that stands on the first of its pages; of a long list its beginning."""
    boxed = [one for one in places if one.get("box")]
    if not boxed:
        return None
    page = boxed[0]["page"]
    boxes = [one["box"] for one in boxed if one["page"] == page]
    boxes = boxes[:BEGINNING] if len(boxes) > 2 * BEGINNING else boxes
    x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return Crop(page, (x0, y0, max(box[2] for box in boxes), max(box[3] for box in boxes)))


def _rivals(seen: Sequence[DescriptionCount], sha1: str, found: Mapping[str, Any]) -> dict[str, tuple[Rival, ...]]:
    """What other papers, references and lists say of the same work, where it is something else."""
    told = {}
    for name in RIVALS:
        mine = squeezed(str(found.get(name) or ""))
        times: Counter[str] = Counter()
        kinds: dict[str, set[str]] = {}
        for one in seen:
            value = str(getattr(one.fields, name) or "")
            if value and one.sha1 != sha1 and squeezed(value) != mine:
                times[value] += one.count
                kinds.setdefault(value, set()).add(WORDS.get(one.kind, one.kind))
        if times:
            most = times.most_common(MOST_RIVALS)
            told[name] = tuple(Rival(value, count, ", ".join(sorted(kinds[value]))) for value, count in most)
    return told


def _told(field: str, value: Any) -> str:
    if isinstance(value, list):
        if field == "references" and len(value) > FEW_ENTRIES:
            return plural(len(value), "entry", "entries")
        names = [one if isinstance(one, str) else one.get("name") or one.get("title") or "" for one in value]
        more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
        return "; ".join(filter(None, names[:MOST_NAMES])) + more
    text = str(value or "")
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT].rsplit(' ', 1)[0]} …"


def _sheets(evidence: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[tuple[int, Markup]]:
    """Each page on which something was found, as a drawing of the places."""
    boxes: dict[int, list[tuple[str, Sequence[float]]]] = {}
    for name, places in evidence.items():
        for one in places:
            if one.get("box"):
                boxes.setdefault(one["page"], []).append((name, one["box"]))
    for page in sorted(boxes)[:12]:
        yield page, _drawn(page, boxes[page])


def _drawn(page: int, boxes: Sequence[tuple[str, Sequence[float]]]) -> Markup:
    wide = max([SHEET[0], *(box[2] + 20 for _, box in boxes)])
    tall = max([SHEET[1], *(box[3] + 20 for _, box in boxes)])
    shapes, told = "", set[str]()
    for name, (x0, y0, x1, y1) in boxes:
        shapes += f'<rect class="box {name}" x="{x0:.0f}" y="{y0:.0f}" width="{x1 - x0:.0f}" height="{y1 - y0:.0f}"/>'
        if name not in told:
            told.add(name)
            shapes += f'<text x="{x0:.0f}" y="{y0 - 3:.0f}">{escape(SHOWN[name])}</text>'
    name = f'role="img" aria-label="Places on page {page}"'
    opened = f'<svg class="chart page-map" viewBox="0 0 {wide:.0f} {tall:.0f}" {name}>'
    return Markup(f'{opened}<rect class="paper" width="{wide:.0f}" height="{tall:.0f}"/>{shapes}</svg>')
