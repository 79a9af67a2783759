"""Hosts and origins: which requests a browser sends for pages of other sites."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from fastapi.testclient import TestClient
from starlette.datastructures import Headers

from openseer.core.settings import Settings
from openseer.storage.open import open_library
from openseer.web.app import create_app
from openseer.web.http.access import SiteAccess

PDF = b"%PDF-1.4 no paper"
CROSS_SITE = [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "http://evil.example"},
              {"origin": "null"}, {"origin": "http://localhost:9999"}]  # fmt: skip
OWN_SITE = [{}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}, {"origin": "http://localhost"}]


@contextmanager
def visited(folder, monkeypatch, **environ):
    monkeypatch.setattr("openseer.ingest.uploads.intake.UploadService.ensure_worker", lambda self, **_: None)
    settings = Settings.load(folder / "none", {f"OPENSEER_{name}": value for name, value in environ.items()})
    with (
        open_library(folder / "data", create=True, settings=settings) as library,
        TestClient(create_app(library)) as client,
    ):
        yield client


@pytest.mark.parametrize(
    ("host", "is_accepted"),
    [
        ("localhost", True),
        ("localhost:8000", True),
        ("LOCALHOST.", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("192.168.1.7:8000", True),
        ("library.example.org", True),
        ("library.example.org:443", True),
        ("second.example", True),
        ("box.lan:8000", True),
        ("", True),
        ("evil.example", False),
        ("evil.example:8000", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("[::1].evil.example", False),
        ("library.example.org.evil.example", False),
        ("[", False),
    ],
)
def test_names_of_the_site_and_addresses_are_accepted(tmp_path, host, is_accepted):
    environ = {"OPENSEER_SITE__ADDRESS": "https://library.example.org", "OPENSEER_WEB__HOSTS": "second.example, third"}
    access = SiteAccess(Settings.load(tmp_path / "none", environ), "box.lan")
    assert access.accepts_host(host) is is_accepted


def test_any_host_is_accepted_if_somebody_says_so(tmp_path):
    assert SiteAccess(Settings.load(tmp_path / "none", {"OPENSEER_WEB__HOSTS": "*"})).accepts_host("any.example")


def test_requests_by_another_name_are_refused(tmp_path, monkeypatch):
    evil = {"host": "evil.example:8000"}
    with visited(tmp_path, monkeypatch, WEB__ALLOW_UPLOAD="true") as web:
        answers = [web.get("/", headers=evil), web.get("/api/search?q=a", headers=evil)]
        answers.append(web.post("/api/document", headers=evil, content=PDF))
        for answer in answers:
            assert (answer.status_code, answer.json()["code"]) == (400, "unknown_host")
            assert answer.headers["x-content-type-options"] == "nosniff"
        assert "site.address" in answers[0].json()["hint"]
        assert web.get("/", headers={"host": "127.0.0.1:8000"}).status_code == 200


def test_links_use_the_address_of_the_site(tmp_path, monkeypatch):
    with visited(tmp_path, monkeypatch, SITE__ADDRESS="https://library.example.org/") as web:
        assert "Sitemap: https://library.example.org/sitemap.xml" in web.get("/robots.txt").text
        assert '<link rel="canonical" href="https://library.example.org/">' in web.get("/").text
        assert "https://library.example.org/feeds/search.atom?q=a" in web.get("/feeds/search.atom?q=a").text
        assert "http://localhost" not in web.get("/opensearch.xml").text


@pytest.mark.parametrize("headers", CROSS_SITE)
def test_pages_of_other_sites_upload_nothing(tmp_path, monkeypatch, headers):
    with visited(tmp_path, monkeypatch, WEB__ALLOW_UPLOAD="true", WEB__UPLOAD_KEY="secret") as web:
        forms = [
            web.post("/api/document", files={"file": ("a.pdf", PDF)}, headers=headers),
            web.post("/api/document", content=PDF, headers={**headers, "content-type": "text/plain"}),
            web.post("/api/similar/file", content=PDF, headers=headers),
            web.post("/submit", files={"file": ("a.pdf", PDF)}, headers=headers),
            web.post("/submit/key", data={"key": "secret"}, headers=headers),
        ]
        assert [(one.status_code, one.json()["code"]) for one in forms] == [(403, "cross_site")] * 5
        keyed = web.post("/api/document", content=PDF, headers={**headers, "x-upload-key": "secret"})
        assert keyed.status_code == 202, "the key is no secret of the browser's user"


@pytest.mark.parametrize("headers", OWN_SITE)
def test_programs_and_own_pages_upload(tmp_path, monkeypatch, headers):
    with visited(tmp_path, monkeypatch, WEB__ALLOW_UPLOAD="true") as web:
        assert web.post("/api/document", files={"file": ("a.pdf", PDF)}, headers=headers).status_code == 202
        assert web.post("/submit", files={"file": ("a.pdf", PDF)}, headers=headers).status_code == 200


def test_the_origin_is_compared_with_the_address_of_the_site_too(tmp_path):
    access = SiteAccess(Settings.load(tmp_path / "none", {"OPENSEER_SITE__ADDRESS": "https://library.example.org"}))
    headers = Headers({"host": "127.0.0.1:8000", "origin": "https://library.example.org"})
    assert not access.is_cross_site(headers)


def test_other_origins_read_nothing_by_default(tmp_path, monkeypatch):
    with visited(tmp_path, monkeypatch) as web:
        for path in ("/api/search?q=a", "/api/document?doi=x", "/", "/api/nothing"):
            answer = web.get(path, headers={"origin": "http://evil.example"})
            assert "access-control-allow-origin" not in answer.headers
        assert "access-control-allow-headers" not in web.options("/api/search").headers


def test_a_named_origin_reads_the_api_but_no_originals(tmp_path, monkeypatch):
    good, evil = {"origin": "https://example.org"}, {"origin": "https://evil.example"}
    with visited(tmp_path, monkeypatch, WEB__CROSS_ORIGIN="https://example.org") as web:
        answer = web.get("/api/search?q=a", headers=good)
        assert answer.headers["access-control-allow-origin"] == "https://example.org"
        assert "Origin" in answer.headers["vary"]
        assert web.options("/api/search", headers=good).headers["access-control-allow-methods"] == "GET, HEAD, POST"
        other = web.get("/api/search?q=a", headers=evil)
        assert "access-control-allow-origin" not in other.headers
        assert "Origin" in other.headers["vary"], "caches keep the two apart"
        assert "access-control-allow-origin" not in web.get("/api/document?doi=x", headers=good).headers
