"""Where each datum of a paper was read: its page and place, how sure the reader is, and by which rule or model."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from markupsafe import Markup, escape

from openseer.web.parts import As, Library
from openseer.web.templating import render
from openseer.works import find

router = APIRouter()
READS = ["GET", "HEAD"]
SHEET = (612.0, 792.0)
"""A sheet of paper, where the file does not tell."""
SHOWN = {
    "title": "Title", "authors": "Authors", "abstract": "Abstract", "year": "Year", "venue": "Venue", "doi": "DOI",
    "arxiv": "arXiv", "keywords": "Keywords", "acknowledgments": "Acknowledgments", "references": "References",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Datum:
    """One datum and where it stands."""

    name: str
    value: str
    pages: tuple[int, ...]
    confidence: float
    source: str
    pieces: int


@router.api_route("/proof/{sha1}", methods=READS)
def proof(request: Request, sha1: str, library: Library, viewer: As) -> Response:
    """The data of a file with their places, drawn on its pages."""
    document = library.records.document(sha1.lower(), viewer)
    work = find(library, document.sha1, viewer)
    packed = library.files.read("extraction", document.sha1, f"{document.generation}.json.gz")
    found = orjson.loads(gzip.decompress(packed))
    evidence = {name: places for name, places in found.get("evidence", {}).items() if places and name in SHOWN}
    values = {
        "document": document,
        "work": work,
        "data": list(_data(found, evidence)),
        "sheets": list(_sheets(evidence)),
        "verdict": found["academic"],
        "versions": found.get("versions", {}),
        "warnings": found.get("warnings", ()),
    }
    return render(request, "proof.html", values)


def _data(found: Mapping[str, Any], evidence: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[Datum]:
    for name in SHOWN:
        if places := evidence.get(name):
            yield Datum(
                SHOWN[name],
                _told(found.get(name)),
                tuple(sorted({one["page"] for one in places})),
                min(one["confidence"] for one in places),
                ", ".join(sorted({one["source"] for one in places if one["source"]})),
                len(places),
            )


def _told(value: Any) -> str:
    if isinstance(value, list):
        names = [one if isinstance(one, str) else one.get("name") or one.get("title") or "" for one in value]
        return f"{len(value)} entries" if len(value) > 12 else "; ".join(filter(None, names))
    return str(value or "")[:300]


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
