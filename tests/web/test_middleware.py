"""Error pages, compression, size limits."""

from __future__ import annotations

import gzip

import brotli
import html5lib
import pytest
from fastapi.testclient import TestClient

from openseer.core.errors import Gone, RemovedByLaw, TooMany, Unavailable
from openseer.core.settings import Settings
from openseer.core.telemetry.counters import counters
from openseer.storage.open import open_library
from openseer.web.app import create_app, static_folder
from openseer.web.middleware import SECURITY_HEADERS
from tests.web.pages.test_pages import PAGES

MOST = 60_000
"""Bytes of a page on its way."""
FAULTS = {
    "/gone": (Gone("It is gone."), 410, "Works that cite it are still listed"),
    "/law": (RemovedByLaw("A court asked."), 451, "Works that cite it are still listed"),
    "/many": (TooMany("Too fast."), 429, "Wait a moment"),
    "/later": (Unavailable("Not now."), 503, "Try again"),
    "/broken": (ZeroDivisionError("never shown"), 500, "See the server log"),
}


@pytest.fixture(scope="module")
def web(sample_data):
    with open_library(sample_data) as library:
        app = create_app(library)

        def failing(error):
            def fail():
                raise error

            return fail

        for path, (error, _, _) in FAULTS.items():
            app.router.add_api_route(path, failing(error), include_in_schema=False)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield client


@pytest.mark.parametrize("path", FAULTS)
def test_every_error_has_a_page_with_help_and_a_problem_for_programs(web, path):
    _, status, help_told = FAULTS[path]
    page = web.get(path, headers={"accept": "text/html"})
    assert page.status_code == status
    assert help_told in page.text
    assert 'href="/' in page.text
    assert "never shown" not in page.text
    html5lib.HTMLParser(strict=True).parse(page.text)
    record = web.get(path, headers={"accept": "application/json"}).json()
    assert (record["status"], bool(record["code"])) == (status, True)


@pytest.mark.parametrize("name", sorted(path.name for path in static_folder().iterdir() if path.is_file()))
def test_static_files_are_compressed_by_accept_encoding(web, name):
    plain = (static_folder() / name).read_bytes()
    sent = {}
    for accept, way in (("br, gzip", "br"), ("gzip", "gzip"), ("identity", None), ("br;q=0, gzip", "gzip")):
        with web.stream("GET", f"/static/{name}", headers={"accept-encoding": accept}) as answer:
            body = b"".join(answer.iter_raw())
        assert answer.headers.get("content-encoding") == way
        assert answer.headers["vary"] == "Accept-Encoding"
        unpacked = {"br": brotli.decompress, "gzip": gzip.decompress}.get(way or "", bytes)(body)
        assert unpacked == plain
        sent[way] = len(body)
    assert sent["br"] <= sent["gzip"]


def test_no_page_is_heavy(web):
    paper = web.get("/api/search", params={"q": "citation", "must_have_pdf": True}).json()["response"][0]
    names = {"work": paper["cluster_id"], "sha1": paper["id"], "cited": paper["cluster_id"], "versioned": "none"}
    for address in PAGES:
        page = web.get(address.format(**names), headers={"accept": "text/html"})
        assert len(gzip.compress(page.content, 5)) <= MOST, address


@pytest.mark.parametrize("path", ["/api/search", "/api/document", "/api/similar/file"])
@pytest.mark.parametrize("told", [True, False], ids=["its length told", "piece by piece"])
def test_too_large_requests_are_rejected_before_they_are_stored(data, path, told):
    settings = Settings.load(
        data / "openseer.toml", {"OPENSEER_EXTRACT__MAX_BYTES": "1000", "OPENSEER_WEB__ALLOW_UPLOAD": "true"}
    )
    sent = []

    def pieces():
        for _ in range(100):
            sent.append(1 << 20)
            yield bytes(1 << 20)

    body = {"content": bytes(3 << 20)} if told else {"content": pieces()}
    with open_library(data, settings=settings) as library, TestClient(create_app(library)) as client:
        answer = client.post(
            path, headers={"content-type": "application/json" if path == "/api/search" else "application/pdf"}, **body
        )
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_responses_are_counted_by_status(web):
    before = {
        status: counters.value("openseer_http_responses_total", status=status) for status in ("200", "404", "500")
    }
    for path in ("/help", "/nowhere", "/broken"):
        web.get(path)
    for status, count in before.items():
        assert counters.value("openseer_http_responses_total", status=status) == count + 1


def test_head_requests_of_the_api(web):
    for path in ("/api/search?q=citation", "/api/openapi.json", "/api/nothing"):
        head, whole = web.head(path), web.get(path)
        assert (head.status_code, head.content) == (whole.status_code, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]


def test_an_unexpected_error_has_the_headers_of_every_response(web):
    expected = web.get("/help").headers
    for accept in ("text/html", "application/json"):
        answer = web.get("/broken", headers={"accept": accept})
        assert answer.status_code == 500
        for name in SECURITY_HEADERS:
            assert answer.headers[name] == expected[name]


def test_responses_that_ask_for_patience_say_how_long(web):
    for path in ("/many", "/later"):
        assert int(web.get(path).headers["retry-after"]) > 0


def test_a_wrong_method_names_the_allowed_ones(web):
    answer = web.delete("/api/search")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert "Allow" in answer.json()["hint"]
