"""Click logging."""

from __future__ import annotations

import html
import re
from contextlib import closing

import pytest
from fastapi.testclient import TestClient

from openseer.core.settings import Search
from openseer.storage.open import open_library
from openseer.web.app import create_app


@pytest.fixture
def library(data):
    with open_library(data) as opened:
        yield opened


def clicks_of(library):
    with closing(library.open_click_log()) as clicks:
        return list(clicks.all())


def test_a_click_logs_query_work_and_position_only(library):
    with TestClient(create_app(library)) as web:
        page = web.get("/search", params={"q": 'title:Crawling "web"', "size": 3, "page": 2}).text
        pings = [html.unescape(one) for one in re.findall(r'ping="([^"]+)"', page)]
        works = re.findall(r'<h3[^>]*><a href="/works/(w[0-9a-z]{12})"', page)
        assert len(pings) == len(works) > 0
        answer = web.post(pings[0], headers={"content-type": "text/ping"}, content=b"PING")
        assert (answer.status_code, answer.content, dict(answer.cookies)) == (204, b"", {})
        web.post(pings[0])
    (click,) = clicks_of(library)
    assert (click.words, click.work, click.position, click.count) == ("crawling web", works[0], 4, 2)
    stored = (library.data / "accounts.db").read_bytes()
    assert b"testclient" not in stored
    assert b"title:" not in stored


@pytest.mark.parametrize(
    "told",
    [
        {"q": "", "work": "{}", "place": "1"},
        {"q": "crawling", "work": "w00000000000z", "place": "1"},
        {"q": "crawling", "work": "../../etc", "place": "1"},
        {"q": "crawling", "work": "{}", "place": "0"},
        {"q": "crawling", "work": "{}", "place": "1e9"},
        {"q": "crawling", "work": "{}"},
    ],
)
def test_invalid_clicks_are_ignored(library, told):
    with TestClient(create_app(library)) as web:
        work = web.get("/api/search").json()["response"][0]["cluster_id"]
        told = {name: value.format(work) for name, value in told.items()}
        assert web.post("/clicked", params=told).status_code == 204
    assert clicks_of(library) == []


def test_other_sites_cannot_fill_the_log(library):
    with TestClient(create_app(library)) as web:
        work = web.get("/api/search").json()["response"][0]["cluster_id"]
        told = {"q": "crawling", "work": work, "place": "1"}
        assert web.post("/clicked", params=told, headers={"sec-fetch-site": "cross-site"}).status_code == 204
    assert clicks_of(library) == []


def test_one_setting_turns_it_off(library, data):
    off = library.settings.model_copy(update={"search": Search(click_log=False)})
    with open_library(data, settings=off) as silent, TestClient(create_app(silent)) as web:
        page = web.get("/search?q=crawling").text
        assert "ping=" not in page
        work = re.findall(r"/works/(w[0-9a-z]{12})", page)[0]
        web.post("/clicked", params={"q": "crawling", "work": work, "place": "1"})
    assert clicks_of(library) == []
