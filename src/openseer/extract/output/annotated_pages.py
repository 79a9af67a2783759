"""Annotated page images: every page with a box around each extracted item, in one self-contained HTML file."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from openseer.core.model.extraction import Author, Box, Extraction, Reference
from openseer.extract.pdf.page_reader import open_document

PAGE_WIDTH_PIXELS = 1000
MAX_HEIGHT_PIXELS = 1500
MAX_PAGES = 200
COLOURS = {
    "title": "#c0392b", "authors": "#2471a3", "abstract": "#1e8449", "keywords": "#9a7d0a", "year": "#7d3c98",
    "doi": "#ba4a00", "arxiv": "#ba4a00", "venue": "#148f77", "references": "#616a6b", "figures": "#117a65",
    "tables": "#6c3483", "algorithms": "#935116", "formulas": "#1a5276",
}  # fmt: skip
OTHER_COLOUR = "#34495e"
STYLE = """
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; color: #1c2833; background: #eceff1 }
main { display: grid; grid-template-columns: minmax(0, 1000px) minmax(16rem, 30rem); gap: 1.5rem; padding: 1.5rem;
       justify-content: center; align-items: start }
aside { background: #fff; padding: 1rem 1.25rem; border-radius: 6px; position: sticky; top: 1.5rem;
        max-height: calc(100vh - 5rem); overflow: auto; overflow-wrap: anywhere }
figure { margin: 0 0 1.5rem; background: #fff; box-shadow: 0 1px 4px #0004 }
figcaption { padding: .2rem .6rem; font-size: .8rem; color: #566573; background: #f8f9f9 }
svg { display: block; width: 100%; height: auto }
h1 { font-size: 1.05rem; margin: 0 0 .6rem } h2 { font-size: .85rem; margin: 1rem 0 .2rem } p, ol { margin: 0 }
ol { padding-left: 2rem; font-size: .85rem } .not { color: #909497 }
@media (max-width: 60rem) { main { grid-template-columns: minmax(0, 1fr) }
  aside { position: static; max-height: none } }
"""


class BoxAnnotation(NamedTuple):
    """A box to draw, with label and tooltip."""

    field: str
    label: str
    box: Box
    tip: str = ""


def annotated_pages(found: Extraction, path: Path) -> bytes:
    """The pages of the document with the extracted items."""
    annotations = annotations_of(found)
    title = escape(found.title or path.name)
    pages = "\n".join(_figures(path, annotations))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Annotated pages: {title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{STYLE}</style></head>
<body><main><div>
{pages}
</div>
<aside>{_summary(found, path)}</aside></main></body></html>
""".encode()


def annotations_of(found: Extraction) -> dict[int, list[BoxAnnotation]]:
    """The annotations of each page."""
    annotations: dict[int, list[BoxAnnotation]] = {}
    for name, evidence in found.evidence.items():
        for item in evidence:
            if item.box:
                label = name if item.item is None else str(item.item + 1)
                tip = f"{name}, {item.source}, {item.confidence:.2f}"
                if item.item is not None and name == "references" and item.item < len(found.references):
                    tip = _entry(found.references[item.item])
                annotations.setdefault(item.page, []).append(BoxAnnotation(name, label, item.box, tip))
    for name in ("figures", "tables", "algorithms", "formulas"):
        for one in getattr(found, name):
            if one.get("box"):
                label = str(one.get("label") or name)
                annotations.setdefault(one["page"], []).append(
                    BoxAnnotation(name, label, one["box"], str(one.get("caption", "")))
                )
    return annotations


# -- pages --------------------------------------------------------------------------------------------------------


def _figures(path: Path, annotations: dict[int, list[BoxAnnotation]]) -> Iterator[str]:
    with open_document(path) as document:
        count = len(document)
        for number in range(min(count, MAX_PAGES)):
            try:
                yield _figure(document, number, annotations.get(number + 1, []))
            except (pdfium.PdfiumError, ValueError, OSError) as error:
                reason = escape(str(error))
                yield f"<figure><figcaption>Page {number + 1} cannot be drawn: {reason}</figcaption></figure>"
        if count > MAX_PAGES:
            yield f"<p>{count - MAX_PAGES} more pages are not shown.</p>"


def _figure(document: Any, number: int, annotations: list[BoxAnnotation]) -> str:
    page = document[number]
    try:
        width, height = page.get_size()
        image = base64.b64encode(_png(page, width, height)).decode("ascii")
    finally:
        page.close()
    size = max(5.0, width / 75)
    boxes = "\n".join(_box(annotation, size) for annotation in annotations)
    return (
        f'<figure><svg viewBox="0 0 {width:.1f} {height:.1f}" role="img" aria-label="Page {number + 1}">'
        f'<image width="{width:.1f}" height="{height:.1f}" href="data:image/png;base64,{image}"/>\n{boxes}</svg>'
        f"<figcaption>Page {number + 1}</figcaption></figure>"
    )


def _box(annotation: BoxAnnotation, size: float) -> str:
    x0, y0, x1, y1 = annotation.box
    colour = COLOURS.get(annotation.field, OTHER_COLOUR)
    label_width = 0.58 * size * len(annotation.label) + 0.6 * size
    is_number = annotation.label.isdecimal()  # numbers go beside the entry, words above the box
    left, top = (x0 - label_width - 2, y0) if is_number else (x0, y0 - 1.25 * size)
    return (
        f'<g><rect x="{x0 - 1:.1f}" y="{y0 - 1:.1f}" width="{x1 - x0 + 2:.1f}" height="{y1 - y0 + 2:.1f}"'
        f' fill="{colour}" fill-opacity=".09" stroke="{colour}" stroke-width=".8"/>'
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{label_width:.1f}" height="{1.25 * size:.1f}" fill="{colour}"/>'
        f'<text x="{left + 0.3 * size:.1f}" y="{top + 0.95 * size:.1f}" font-size="{size:.1f}"'
        f' font-family="sans-serif" fill="#fff">{escape(annotation.label)}</text>'
        f"<title>{escape(annotation.tip)}</title></g>"
    )


def _png(page: Any, width: float, height: float) -> bytes:
    scale = min(PAGE_WIDTH_PIXELS / max(1.0, width), MAX_HEIGHT_PIXELS / max(1.0, height))
    bitmap = page.render(scale=scale, rev_byteorder=True, prefer_bgrx=False)
    try:
        return png(bitmap.to_numpy())
    finally:
        bitmap.close()


def png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """PNG of RGB pixel rows; images without colour are stored in grey, a third of the size."""
    pixels = pixels[:, :, :3]
    grey = bool((pixels[:, :, 0] == pixels[:, :, 1]).all() and (pixels[:, :, 1] == pixels[:, :, 2]).all())
    height, width = pixels.shape[:2]
    rows = pixels[:, :, 0] if grey else pixels.reshape(height, 3 * width)
    lines = np.zeros((height, rows.shape[1] + 1), dtype=np.uint8)  # each line starts with its filter type: none
    lines[:, 1:] = rows
    head = struct.pack(">IIBBBBB", width, height, 8, 0 if grey else 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


# -- summary ------------------------------------------------------------------------------------------------------


def _summary(found: Extraction, path: Path) -> str:
    """Extracted fields beside the pages, including those without a box."""
    verdict = found.academic
    rows = {
        "title": found.title,
        "authors": "; ".join(map(_author, found.authors)),
        "venue": " ".join(filter(None, (found.venue, found.volume, found.page_range))),
        "year": str(found.year or ""),
        "doi": found.doi,
        "arxiv": found.arxiv,
        "keywords": "; ".join(found.keywords),
        "abstract": found.abstract,
    }
    parts = [f"<h1>{escape(path.name)}</h1>", f"<p>{escape(_verdict(verdict.type, verdict.probability))}</p>"]
    for name, value in rows.items():
        shown = escape(value) if value else '<span class="not">not found</span>'
        parts.append(f"{_heading(name, name)}<p>{shown}</p>")
    parts.append(_heading("references", f"references ({len(found.references)})"))
    parts.append(f"<ol>{_items(map(_entry, found.references))}</ol>")
    return "\n".join(parts)


def _heading(name: str, text: str) -> str:
    return f'<h2 style="color: {COLOURS.get(name, OTHER_COLOUR)}">{escape(text)}</h2>'


def _items(texts: Iterable[str]) -> str:
    return "\n".join(f"<li>{escape(text)}</li>" for text in texts)


def _verdict(kind: str, probability: float | None) -> str:
    return f"Type: {kind} (scholarly probability {probability or 0:.2f})."


def _author(one: Author) -> str:
    where = ", ".join(filter(None, (one.affiliation, one.email)))
    return f"{one.name} ({where})" if where else one.name


def _entry(one: Reference) -> str:
    names = ", ".join(name.name for name in one.authors)
    year = f"({one.year})" if one.year else ""
    return " · ".join(filter(None, (names, year, one.title, one.venue))) or one.raw
