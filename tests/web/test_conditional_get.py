"""Conditional requests by ETag and by date."""

from __future__ import annotations

import socket
from email.utils import formatdate, parsedate_to_datetime

import pytest
from fastapi.testclient import TestClient

from openseer.core.model.work import IndexedWork
from openseer.storage.open import open_library
from openseer.web.app import create_app
from openseer.web.server import listen

ADDRESSES = (
    "/works/{work}", "/api/works/{work}", "/api/works/{work}?format=bibtex", "/api/paper?id={work}",
    "/document/{sha1}.pdf", "/api/document?doi={sha1}", "/feeds/search.atom?q=web", "/feeds/search.rss?q=web",
)  # fmt: skip


@pytest.fixture(scope="module")
def web(sample_data):
    with open_library(sample_data) as library, TestClient(create_app(library)) as client:
        yield client


@pytest.fixture(scope="module")
def names(web):
    work = web.get("/api/search", params={"must_have_pdf": True}).json()["response"][0]
    return {"work": work["cluster_id"], "sha1": work["id"]}


@pytest.mark.parametrize("address", ADDRESSES)
def test_unchanged_responses_are_304(web, names, address):
    address = address.format(**names)
    answer = web.get(address)
    assert answer.status_code == 200
    tag, date = answer.headers["etag"], answer.headers["last-modified"]
    day_before = formatdate(parsedate_to_datetime(date).timestamp() - 86_400, usegmt=True)
    for headers, status in (
        ({"if-none-match": tag}, 304),
        ({"if-none-match": '"another"'}, 200),
        ({"if-modified-since": date}, 304),
        ({"if-modified-since": day_before}, 200),
        ({"if-modified-since": "some day"}, 200),
        ({"if-none-match": '"another"', "if-modified-since": date}, 200),
        ({"if-none-match": tag, "if-modified-since": day_before}, 304),
    ):
        again = web.get(address, headers=headers)
        assert again.status_code == status, headers
        assert bool(again.content) == (status == 200)
        assert again.headers["etag"].removeprefix("W/") == tag.removeprefix("W/")
        assert again.headers["last-modified"] == date


def test_a_changed_index_changes_date_and_feed(data):
    with open_library(data) as library, TestClient(create_app(library)) as web:
        before = web.get("/feeds/search.atom?q=web")
        writer = library.open_index().writer()
        writer.put(IndexedWork(id="w000000000001", ids=("w000000000001",), title="A new web", added=4_000_000_000))
        writer.commit(library.open_index().checkpoint())
        writer.close()
        date = parsedate_to_datetime(before.headers["last-modified"]).timestamp()
        after = web.get("/feeds/search.atom?q=web", headers={"if-none-match": before.headers["etag"]})
        assert after.status_code == 200
        assert parsedate_to_datetime(after.headers["last-modified"]).timestamp() >= date
        assert "A new web" in after.text


def test_a_response_does_not_wait_for_tcp_acknowledgement():
    """asyncio sends small pieces at once only on sockets that name their protocol."""
    with listen("127.0.0.1", 0) as door:
        assert door.socket.proto == socket.IPPROTO_TCP
