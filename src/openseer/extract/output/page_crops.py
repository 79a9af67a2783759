"""Page crops: a box of a page as PNG, rendered in a worker."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
import pypdfium2 as pdfium

from openseer.core.errors import Corrupt, OpenseerError
from openseer.core.model.extraction import Box
from openseer.extract.output.annotated_pages import png
from openseer.extract.pdf.page_reader import open_document

MARGIN = 3.5
"""Points around the box."""
MAX_WIDTH, MAX_HEIGHT, MAX_SCALE = 1000.0, 800.0, 2.0
"""Pixels of the image, and pixels per point."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A box of a page, in points from its top left; pages count from 1."""

    page: int
    box: Box

    @property
    def frame(self) -> Box:
        """The box with its margin."""
        x0, y0, x1, y1 = self.box
        return max(0.0, x0 - MARGIN), max(0.0, y0 - MARGIN), x1 + MARGIN, y1 + MARGIN

    @property
    def scale(self) -> float:
        """Pixels per point within the size limits."""
        x0, y0, x1, y1 = self.frame
        return min(MAX_SCALE, MAX_WIDTH / max(1.0, x1 - x0), MAX_HEIGHT / max(1.0, y1 - y0))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the image in pixels."""
        x0, y0, x1, y1 = self.frame
        return max(1, round((x1 - x0) * self.scale)), max(1, round((y1 - y0) * self.scale))


def render_crop(path: Path, crop: Crop) -> bytes:
    """The crop as PNG."""
    with open_document(path) as document:
        if not 1 <= crop.page <= len(document):
            raise Corrupt(f"The document has no page {crop.page}.")
        page = document[crop.page - 1]
        try:
            width, height = page.get_size()
            x0, y0, x1, y1 = crop.frame
            x0, y0 = min(x0, width - 1), min(y0, height - 1)
            edges = (x0, max(0.0, height - y1), max(0.0, width - x1), y0)
            bitmap = page.render(scale=crop.scale, crop=edges, rev_byteorder=True, prefer_bgrx=False)
            try:
                return png(bitmap.to_numpy())
            finally:
                bitmap.close()
        except (pdfium.PdfiumError, ValueError) as error:
            raise Corrupt(f"Page {crop.page} cannot be drawn: {error}") from error
        finally:
            page.close()


def encode_request(path: Path, crop: Crop) -> bytes:
    """Request to the worker; the path may contain any bytes."""
    return orjson.dumps([crop.page, *crop.box]) + b"\n" + os.fsencode(path)


def crop_job(job: bytes) -> Sequence[bytes]:
    """Worker job: the image, or an empty frame and the error message."""
    crop_json, _, path = job.partition(b"\n")
    page, *box = orjson.loads(crop_json)
    x0, y0, x1, y1 = map(float, box)
    try:
        return [render_crop(Path(os.fsdecode(path)), Crop(page, (x0, y0, x1, y1)))]
    except OpenseerError as error:
        return [b"", str(error).encode()]
