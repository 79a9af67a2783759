"""The page on which papers are added."""

from __future__ import annotations

from contextlib import contextmanager

import html5lib
import pytest
from fastapi.testclient import TestClient

from openseer.library.opening import open_library
from openseer.settings import Settings
from openseer.web.app import create_app
from openseer.web.pages.giving import is_over

HTML = {"accept": "text/html"}


@contextmanager
def visited(folder, environ):
    settings = Settings.load(folder / "none", environ)
    with (
        open_library(folder / "data", create=True, settings=settings) as library,
        TestClient(create_app(library), headers=HTML) as client,
    ):
        yield client


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({}, "Uploads are off here"),
        ({"OPENSEER_WEB__UPLOAD_KEY": "secret"}, 'name="key"'),
        ({"OPENSEER_WEB__ALLOW_UPLOAD": "true"}, 'type="file"'),
    ],
)
def test_the_page_says_who_may_add_papers(tmp_path, environ, told):
    with visited(tmp_path, environ) as web:
        html = web.get("/submit").text
        assert told in html
        assert ('href="/submit"' in web.get("/about").text) == bool(environ)
        html5lib.HTMLParser(strict=True).parse(html)


def test_without_leave_nothing_is_taken(tmp_path):
    with visited(tmp_path, {"OPENSEER_WEB__UPLOAD_KEY": "secret"}) as web:
        answer = web.post("/submit", files={"file": ("a.pdf", b"%PDF-1.4")}, data={"key": "wrong"})
        assert answer.status_code == 403


def test_a_refused_file_says_why(tmp_path):
    with visited(tmp_path, {"OPENSEER_WEB__ALLOW_UPLOAD": "true"}) as web:
        answer = web.post("/submit", files=[("file", ("notes.txt", b"no paper")), ("file", ("empty.pdf", b""))])
        assert answer.status_code == 422
        assert "notes.txt</strong>" in answer.text
        assert "The file holds nothing." in answer.text
        html5lib.HTMLParser(strict=True).parse(answer.text)


def test_a_taken_file_has_a_page_that_tells_how_far_it_has_come(tmp_path, sample_papers, monkeypatch):
    monkeypatch.setattr("openseer.receiving.Receiver.wake", lambda self: None)
    paper = (sample_papers / "paper-rank.pdf").read_bytes()
    with visited(tmp_path, {"OPENSEER_WEB__ALLOW_UPLOAD": "true"}) as web:
        answer = web.post("/submit", files=[("file", ("paper.pdf", paper)), ("file", ("notes.txt", b"no paper"))])
        assert answer.status_code == 200
        for part in ("paper.pdf</strong>", "waits for its turn", "notes.txt</strong>", 'http-equiv="refresh"'):
            assert part in answer.text
        html5lib.HTMLParser(strict=True).parse(answer.text)
        assert web.get("/submit/events/jnone").status_code == 404
        assert web.get("/submit/jobs?job=jnone").status_code == 404


@pytest.mark.parametrize(
    ("state", "outcome", "searchable", "over"),
    [
        ("active", None, False, False),
        ("ended", "ingested", False, False),
        ("ended", "ingested", True, True),
        ("ended", "too_short", False, True),
    ],
)
def test_a_job_is_over_when_its_papers_are_found_or_refused(state, outcome, searchable, over):
    assert is_over({"state": state, "documents": [{"outcome": outcome, "searchable": searchable}]}) == over
