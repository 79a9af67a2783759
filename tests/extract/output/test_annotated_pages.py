"""Annotated pages: an image of every page and a box for every field."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest

from openseer.core.errors import Corrupt
from openseer.core.model.extraction import Evidence, Extraction, Reference
from openseer.evaluation.samples import gold
from openseer.extract.output.annotated_pages import annotated_pages, annotations_of, png
from openseer.extract.reader import read


@pytest.fixture(scope="module")
def paper(sample_papers):
    return sample_papers / "near-duplicates.pdf"


@pytest.fixture(scope="module")
def found(paper):
    return read(paper)


@pytest.fixture(scope="module")
def page(found, paper):
    return annotated_pages(found, paper).decode()


def test_every_page_is_a_picture_and_nothing_is_fetched(found, page):
    assert page.count("<image ") == page.count("data:image/png;base64,") == found.pages
    assert not re.findall(r"(?:src|href)=\"(?!data:)", page)
    assert "default-src 'none'" in page


def test_every_datum_has_its_box(found, page):
    for name in ("title", "authors", "abstract"):
        x0, y0, _, _ = found.evidence[name][0].box
        assert f'<rect x="{x0 - 1:.1f}" y="{y0 - 1:.1f}"' in page
        assert f">{name}</text>" in page
    assert len(re.findall(r">\d+</text>", page)) >= len(gold("near-duplicates")["references"])


def test_every_reference_has_its_own_box(found):
    places = found.evidence["references"]
    assert {place.item for place in places} == set(range(len(found.references)))
    assert [place.item for place in places] == sorted(place.item for place in places)
    boxes = [(place.page, place.box) for place in places]
    for number, (sheet, (x0, y0, x1, y1)) in enumerate(boxes):
        for other, (left, top, right, bottom) in boxes[number + 1 :]:
            apart = x1 <= left or right <= x0 or y1 <= top + 1 or bottom <= y0 + 1
            assert sheet != other or apart, "two entries share a place"


def test_an_entry_in_two_columns_has_two_boxes_of_one_number():
    places = (Evidence(1, (50, 700, 280, 740), 0.9, "rules", 0), Evidence(1, (300, 60, 550, 80), 0.9, "rules", 0))
    found = Extraction(references=(Reference("A. B. C.", title="C"),), evidence={"references": places})
    assert [(mark.label, mark.tip) for mark in annotations_of(found)[1]] == [("1", "C"), ("1", "C")]


def test_figures_and_tables_are_drawn_if_present():
    table = {"label": "Table 2", "caption": "Counts", "page": 3, "box": (1, 2, 3, 4), "rows": []}
    assert [mark.label for mark in annotations_of(Extraction(tables=(table,)))[3]] == ["Table 2"]


def test_document_text_is_escaped(found, paper):
    evil = "</title><script>alert(1)</script>"
    harmful = replace(found, title=evil, abstract=evil, references=(Reference(evil, title=evil),))
    assert b"<script" not in annotated_pages(harmful, paper)


def test_a_file_that_cannot_be_rendered_raises_an_error(tmp_path):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    with pytest.raises(Corrupt):
        annotated_pages(Extraction(), tmp_path / "broken.pdf")


@pytest.mark.parametrize(("colour", "kind", "channels"), [((7, 7, 7), 0, 1), ((7, 8, 9), 2, 3)])
def test_a_picture_is_a_png_in_greys_or_in_colours(colour, kind, channels):
    data = png(np.full((4, 5, 3), colour, dtype=np.uint8))
    assert data.startswith(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    assert struct.unpack(">IIBB", data[16:26]) == (5, 4, 8, kind)
    length = struct.unpack(">I", data[33:37])[0]
    lines = zlib.decompress(data[41 : 41 + length])
    assert lines == (b"\0" + bytes(colour[:channels]) * 5) * 4
    assert zlib.crc32(data[37 : 41 + length]) == struct.unpack(">I", data[41 + length : 45 + length])[0]
