"""Cursors page through a list by relevance to its end while the index changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from openseer.core.model.work import IndexedWork
from openseer.search import pagination
from openseer.search.pagination import Cursor
from openseer.storage.open import open_library
from openseer.web.app import create_app

QUERY = "web OR search OR citation"


@pytest.fixture
def library(data):
    with open_library(data) as opened:
        yield opened


@pytest.fixture
def processes(library):
    """Two processes that serve one library share nothing but its directory."""
    with TestClient(create_app(library)) as one, TestClient(create_app(library)) as other:
        yield one, other


def page(web, cursor, **more):
    answer = web.get("/api/search", params={"q": QUERY, "pageSize": 6, "cursor": cursor, **more})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    return [one["cluster_id"] for one in body["response"]], body.get("next_cursor", "")


def all_pages(processes, cursor="*", **more):
    """All pages, asked of one process and the other in turn."""
    pages: list[list[str]] = []
    while cursor:
        works, cursor = page(processes[len(pages) % 2], cursor, **more)
        pages.append(works)
    return pages


def change(library, put=(), remove=()):
    writer = library.open_index().writer()
    for work in put:
        writer.put(work)
    for name in remove:
        writer.remove(name)
    writer.commit(library.open_index().checkpoint())
    writer.close()


def newcomers(count):
    """Works that would stand before all others."""
    names = [f"w{number:012d}" for number in range(count)]
    return [IndexedWork(id=name, ids=(name,), title="Web search citation", abstract=QUERY) for name in names]


def test_pages_neither_repeat_nor_lose_works_while_the_index_changes(library, processes):
    quiet = [one for works in all_pages(processes) for one in works]
    assert len(quiet) > 30
    first, cursor = page(processes[0], "*")
    gone = quiet[10]
    change(library, newcomers(40), [gone])
    assert page(processes[1], "*")[0] != first, "the newcomers stand first now"
    rest = [one for works in all_pages(processes[::-1], cursor) for one in works]
    assert first + rest[: len(quiet) - len(first) - 1] == [one for one in quiet if one != gone]
    assert len(set(first + rest)) == len(first + rest)


def test_works_that_became_one_are_shown_once(library, processes):
    first, cursor = page(processes[0], "*")
    later = page(processes[0], cursor)[0]
    index = library.open_index()
    one, other = index.get(first[0]), index.get(later[0])
    assert one is not None
    assert other is not None
    merged = IndexedWork(id=one.id, ids=(*one.ids, *other.ids), title=one.title, abstract=one.abstract)
    change(library, [merged], [other.id])
    assert page(processes[0], cursor)[0] == later[1:]


def test_a_list_grows_where_it_ends(library, processes, monkeypatch):
    whole = [one for works in all_pages(processes) for one in works]
    monkeypatch.setattr(pagination, "SNAPSHOT_STEP", 10)
    stretched = [one for works in all_pages(processes) for one in works]
    assert len(stretched) == len(set(stretched)) == len(whole)
    monkeypatch.setattr(pagination, "MAX_SNAPSHOT", 20)
    counted = [one for works in all_pages(processes) for one in works]
    assert len(counted) >= 20
    assert len(set(counted[:20])) == 20


def test_a_page_of_a_list_is_the_same_again(processes):
    _, cursor = page(processes[0], "*")
    assert page(processes[0], cursor) == page(processes[1], cursor)


def test_a_cursor_of_an_expired_snapshot_is_an_error(processes):
    _, cursor = page(processes[0], "*")
    unknown = replace(Cursor.of(cursor), snapshot="0123456789abcdef").token
    answer = processes[1].get("/api/search", params={"q": QUERY, "cursor": unknown})
    assert (answer.status_code, answer.json()["code"]) == (410, "cursor_expired")
    assert "cursor=*" in answer.json()["hint"]


def test_the_second_page_of_a_corrected_query_is_corrected_too(processes):
    parameters = {"q": "citatoin", "pageSize": 3}
    pages = [processes[0].get("/api/search", params={**parameters, "page": number}).json() for number in (1, 2)]
    assert all(one["corrected"] for one in pages)
    assert len(pages[1]["response"]) == 3
    first = processes[0].get("/api/search", params={**parameters, "cursor": "*"}).json()
    second = processes[1].get("/api/search", params={**parameters, "cursor": first["next_cursor"]}).json()
    assert [one["cluster_id"] for one in second["response"]] == [one["cluster_id"] for one in pages[1]["response"]]
