"""Many requests at a time: some are refused, the health check always answers."""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient

from openseer.core.errors import TooMany
from openseer.core.settings import Settings
from openseer.storage.open import open_library
from openseer.web import middleware
from openseer.web.app import create_app
from openseer.web.http.limits import RequestSlots, UploadRate

QUICK_SECONDS = 5.0
"""Far less than the slow work of these tests would take."""


@pytest.fixture
def end_of_work():
    """The slow work of a test goes on until this event."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def busy_site(tmp_path, monkeypatch, end_of_work):
    """A site with a slow route and slow fetches, and room for few requests."""
    monkeypatch.setattr(middleware, "MAX_REQUESTS", 10)
    monkeypatch.setattr(middleware, "REFUSAL_SECONDS", 0.01)
    monkeypatch.setattr("openseer.ingest.uploads.intake.UploadService.fetch", lambda *_: end_of_work.wait(60))
    settings = Settings.load(tmp_path / "none", {"OPENSEER_WEB__ALLOW_UPLOAD": "true"})
    with open_library(tmp_path / "data", create=True, settings=settings) as library:
        app = create_app(library)
        app.router.add_api_route("/slow", lambda: end_of_work.wait(60))
        with TestClient(app, raise_server_exceptions=False) as client, ThreadPoolExecutor(60) as pool:
            yield client, pool
            end_of_work.set()


def seconds_of(client, path) -> float:
    began = time.monotonic()
    assert client.get(path).status_code == 200
    return time.monotonic() - began


def until_some_are_refused(answers) -> None:
    until = time.monotonic() + 30
    while not any(one.done() for one in answers):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_an_overloaded_process_refuses_and_is_healthy(busy_site, end_of_work):
    client, pool = busy_site
    answers = [pool.submit(client.get, "/slow") for _ in range(40)]
    until_some_are_refused(answers)
    assert seconds_of(client, "/healthz") < QUICK_SECONDS
    assert seconds_of(client, "/static/openseer.css") < QUICK_SECONDS
    end_of_work.set()
    responses = [one.result() for one in answers]
    statuses = Counter(one.status_code for one in responses)
    assert statuses[200] >= 10
    assert statuses[503] >= 1
    refused = next(one for one in responses if one.status_code == 503)
    assert refused.json()["code"] == "overloaded"
    assert int(refused.headers["retry-after"]) > 0
    assert client.get("/help").status_code == 200, "the slots are free again"


def test_fetches_that_hang_stop_no_page(busy_site, end_of_work):
    client, pool = busy_site
    url = {"url": "http://hangs.example/a.pdf"}
    answers = [pool.submit(client.post, "/api/document", json=url) for _ in range(60)]
    until_some_are_refused(answers)
    for path in ("/", "/healthz"):
        assert seconds_of(client, path) < QUICK_SECONDS
    end_of_work.set()
    statuses = {one.result().status_code for one in answers}
    assert 429 in statuses or 503 in statuses


def test_slots_are_counted():
    slots = RequestSlots(1)
    assert slots.take()
    assert not slots.take()
    slots.give_back()
    assert slots.take()


def test_uploads_of_one_address_are_limited():
    rate = UploadRate(3)
    rate.count("192.0.2.1", 3)
    rate.count("192.0.2.2")
    with pytest.raises(TooMany):
        rate.count("192.0.2.1")
    UploadRate(0).count("192.0.2.1", 10**6)


@pytest.mark.parametrize("path", ["/api/document", "/submit"])
def test_a_body_without_a_file_is_small(busy_site, path):
    client, _ = busy_site
    for kind in ("application/json", "application/x-www-form-urlencoded"):
        answer = client.post(path, content=b"[" * 1_000_000, headers={"content-type": kind})
        if (path, kind) == ("/submit", "application/json"):
            assert answer.status_code == 400, "nothing of it is read"
        else:
            assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
