"""The reference of the REST API as a page."""

from __future__ import annotations

import html
import re

import pytest
from fastapi.testclient import TestClient

from openseer.storage.open import open_library
from openseer.web.app import create_app


@pytest.fixture(scope="module")
def web(sample_data):
    with open_library(sample_data) as library, TestClient(create_app(library)) as client:
        yield client


@pytest.fixture(scope="module")
def reference(web):
    answer = web.get("/api", headers={"accept": "text/html"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    return answer.text


def test_every_operation_parameter_and_synonym_is_explained(web, reference):
    described = web.get("/api/openapi.json").json()
    for path, methods in described["paths"].items():
        for method, one in methods.items():
            section = re.search(rf'<section class="operation" id="{one["operationId"]}".*?</section>', reference, re.S)
            assert section, one["operationId"]
            assert f"{method.upper()} {path}" in section[0]
            for parameter in one.get("parameters", ()):
                assert f"<code>{parameter['name']}</code>" in section[0]
                for synonym in parameter.get("x-synonyms", ()):
                    assert synonym in section[0].partition("Synonyms")[2]


def test_every_key_of_an_answer_is_listed_and_every_link_leads_somewhere(web, reference):
    for name, schema in web.get("/api/openapi.json").json()["components"]["schemas"].items():
        section = re.search(rf'id="{name}".*?</section>', reference, re.S)
        assert section, name
        for key in schema["properties"]:
            assert f"<code>{key}</code>" in section[0]
    anchors = set(re.findall(r' id="([\w-]+)"', reference))
    assert set(re.findall(r'href="#([\w-]+)"', reference)) <= anchors


def test_every_example_can_be_tried(web, reference):
    examples = [html.unescape(one) for one in re.findall(r'Example: <a href="([^"]+)"', reference)]
    assert len(examples) >= 14
    for one in examples:
        assert web.get(one).status_code == 200, one
    assert any(one.startswith("/api/search?q=") for one in examples)


@pytest.mark.parametrize("address", ["/docs", "/api/docs"])
def test_usual_addresses_lead_to_it(web, address):
    answer = web.get(address, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (308, "/api")


def test_the_foot_of_every_page_links_to_it(web, reference):
    assert '<a href="/api">API</a>' in web.get("/").text
    assert '<a href="/api" aria-current="page">API</a>' in reference


def test_an_empty_library_has_a_reference_too(tmp_path):
    with open_library(tmp_path / "data", create=True) as library, TestClient(create_app(library)) as client:
        text = client.get("/api").text
        assert "search_works" in text
        assert "/api/paper?" not in text, "there is no work to show"


@pytest.mark.parametrize("address", ["/nowhere", "/api/nowhere"])
def test_errors_of_programs_lead_to_it(web, address):
    hint = web.get(address).json()["hint"]
    assert ("See /api " in hint) == address.startswith("/api/")
