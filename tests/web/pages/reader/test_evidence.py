"""Evidence page: page images and different values."""

from __future__ import annotations

import re
import shutil
import struct

import html5lib
import pytest
from fastapi.testclient import TestClient

from openseer.catalog import page_images
from openseer.evaluation.samples import gold
from openseer.storage.open import open_library
from openseer.web.app import create_app
from openseer.web.pages.reader.evidence import _value_text

HTML = {"accept": "text/html"}


@pytest.fixture
def web(data):
    shutil.rmtree(data / "spool", ignore_errors=True)  # what others drew of the same library
    with open_library(data) as library, TestClient(create_app(library), headers=HTML) as client:
        yield client


@pytest.fixture
def sha1(web):
    return web.get("/api/search", params={"q": gold("near-duplicates")["title"]}).json()["response"][0]["id"]


def test_the_image_of_a_field_is_cropped_and_cached(web, sha1, data):
    html = web.get(f"/proof/{sha1}").text
    html5lib.HTMLParser(strict=True).parse(html)
    laid_out = re.search(rf'src="/proof/{sha1}/title.png" width="(\d+)" height="(\d+)"', html)
    answer = web.get(f"/proof/{sha1}/title.png")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    wide, tall = struct.unpack(">II", answer.content[16:24])
    assert wide > 3 * tall
    assert laid_out is not None
    assert abs(wide - int(laid_out[1])) <= 1, "nothing shifts when it arrives"
    assert abs(tall - int(laid_out[2])) <= 1
    (kept,) = (data / "spool" / "crops").iterdir()
    kept.write_bytes(b"kept")
    assert web.get(f"/proof/{sha1}/title.png").content == b"kept"


def test_different_values_of_other_descriptions_are_shown(web, sha1):
    html = web.get(f"/proof/{sha1}").text
    assert "Other values" in html
    assert "other versions" in html or "references" in html


def test_a_missing_file_is_noted(web, sha1, data):
    for path in (data / "files" / "pdf").rglob(f"{sha1}.pdf"):
        path.unlink()
    html = web.get(f"/proof/{sha1}").text
    assert "not available" in html
    assert ".png" not in html
    assert web.get(f"/proof/{sha1}/title.png").status_code == 404


@pytest.mark.parametrize("field", ["nonsense", "evidence", "formulas"])
def test_only_fields_with_positions_have_images(web, sha1, field):
    assert web.get(f"/proof/{sha1}/{field}.png").status_code == 404


def test_a_file_that_cannot_be_rendered_is_an_error(web, sha1, data):
    (path,) = (data / "files" / "pdf").rglob(f"{sha1}.pdf")
    path.chmod(0o644)
    path.write_bytes(b"%PDF-1.4 and then nothing")
    answer = web.get(f"/proof/{sha1}/title.png", headers={"accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "corrupt")


def test_the_image_cache_is_bounded(web, sha1, data, monkeypatch):
    monkeypatch.setattr(page_images, "MAX_IMAGES", 5)
    monkeypatch.setattr(page_images, "IMAGES_LEFT", 3)
    folder = data / "spool" / "crops"
    folder.mkdir(parents=True)
    for number in range(9):
        (folder / f"{number}.png").write_bytes(b"old")
    assert web.get(f"/proof/{sha1}/title.png").status_code == 200
    assert len(list(folder.iterdir())) == 3


def test_long_lists_of_names_are_cut():
    people = [{"name": f"Person {number}"} for number in range(15)]
    assert _value_text("authors", people).endswith("Person 13; Person 14")
    assert _value_text("references", people) == "15 entries"
    assert _value_text("authors", people * 20).endswith(" and 100 more")
