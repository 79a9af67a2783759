"""Comparison of versions."""

from __future__ import annotations

import re
import shutil

import html5lib
import pytest
from fastapi.testclient import TestClient

from openseer.evaluation.samples import gold
from openseer.storage.open import open_library
from openseer.web.app import create_app

HTML = {"accept": "text/html"}


@pytest.fixture
def web(data):
    with open_library(data) as library, TestClient(create_app(library), headers=HTML) as client:
        yield client


@pytest.fixture
def work(web):
    title = gold("near-duplicates")["title"]
    return web.get("/api/search", params={"q": title}).json()["response"][0]["cluster_id"]


def files_of(web, work):
    return list(
        dict.fromkeys(re.findall(r"/document/(\w{40})\.pdf", web.get(f"/works/{work}").text.split('id="versions"')[1]))
    )


def test_the_work_page_lists_differences_of_versions(web, work):
    table = web.get(f"/works/{work}").text.split('id="versions"')[1]
    assert re.search(r"words \(not [\d,]+\)", table)
    assert f"/works/{work}/versions?from=" in table


def test_two_versions_are_compared_field_by_field_and_by_paragraph(web, work):
    first, second = files_of(web, work)
    html = web.get(f"/works/{work}/versions?from={first}&to={second}").text
    html5lib.HTMLParser(strict=True).parse(html)
    assert '<tr class="differs"><th scope="row">Words' in html
    assert "<del>" in html
    assert "identical" in html
    back = web.get(f"/works/{work}/versions?from={second}&to={first}").text
    assert re.findall(r"\d+ differences?;", html) == re.findall(r"\d+ differences?;", back) != []
    assert web.get(f"/works/{work}/versions").status_code == 200


def test_without_the_files_the_fields_are_still_compared(web, work, data):
    shutil.rmtree(data / "files" / "extraction")
    answer = web.get(f"/works/{work}/versions")
    assert answer.status_code == 200
    assert "not available" in answer.text
    assert '<th scope="row">Words' in answer.text


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/works/{single}/versions", 404),
        ("/works/{work}/versions?from=" + "0" * 40, 404),
        ("/works/{work}/versions?from=nonsense", 400),
        ("/works/w000000000000/versions", 404),
        ("/works/{work}/versions?start=99999", 200),
    ],
)
def test_invalid_comparisons_are_errors(web, work, address, status):
    single = web.get("/api/search", params={"q": gold("paper-rank")["title"]}).json()["response"][0]["cluster_id"]
    assert web.get(address.format(work=work, single=single)).status_code == status
