"""The contracts of the click log and of the lists that are being walked."""

from __future__ import annotations

import threading

import pytest

from openseer.core.model.click import Click
from openseer.storage.sql.click_log import DAY, SqlClickLog
from openseer.storage.sql.result_snapshots import SqlResultSnapshots


class Clock:
    now = 20_000.0 * DAY

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["sqlite"])  # a new keeper is one more word
def clicks(request, tmp_path, clock):
    opened = SqlClickLog(tmp_path / "accounts.db", max_rows=20, clock=clock)
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite"])
def lists(request, tmp_path, clock):
    opened = SqlResultSnapshots(tmp_path / "cache.db", clock=clock)
    yield opened
    opened.close()


def test_a_click_is_known_by_its_day_and_counted(clicks, clock):
    clicks.add("near duplicates", "w1", 3)
    clock.now += 3600
    clicks.add("near duplicates", "w1", 2)
    clicks.add("near duplicates", "w2", 1)
    clock.now += DAY
    clicks.add("near duplicates", "w1", 1)
    assert list(clicks.all()) == [
        Click("near duplicates", "w1", 2, 20_000, 2),
        Click("near duplicates", "w2", 1, 20_000, 1),
        Click("near duplicates", "w1", 1, 20_001, 1),
    ]


def test_the_oldest_clicks_are_forgotten(clicks, clock):
    for number in range(200):
        clicks.add(f"word{number}", "w1", 1)
        clock.now += DAY
    left = list(clicks.all())
    assert len(left) <= 21
    assert left[-1].words == "word199"
    assert [one.day for one in left] == sorted(one.day for one in left)


def test_all_clicks_can_be_forgotten(clicks):
    clicks.add("word", "w1", 1)
    clicks.clear()
    assert list(clicks.all()) == []


def test_clicks_of_several_threads_are_all_counted(clicks):
    threads = [
        threading.Thread(target=lambda: [clicks.add("word", "w1", 1) for _ in range(20)] and None) for _ in range(4)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [one.count for one in clicks.all()] == [80]


def test_a_list_is_found_for_ten_minutes_after_its_last_use(lists, clock):
    name = lists.put([("w1", 2.0), ("w2", 1.0)])
    clock.now += 500
    assert lists.get(name) == [("w1", 2.0), ("w2", 1.0)]
    clock.now += 500
    assert lists.get(name) is not None
    clock.now += 601
    assert lists.get(name) is None


def test_a_list_can_be_replaced_and_others_stay(lists):
    one, other = lists.put([("w1", 1.0)]), lists.put([("w2", 1.0)])
    assert lists.put([("w1", 1.0), ("w3", 0.5)], one) == one
    assert lists.get(one) == [("w1", 1.0), ("w3", 0.5)]
    assert lists.get(other) == [("w2", 1.0)]
    assert lists.get("nothing") is None


def test_another_process_finds_the_list(lists, tmp_path, clock):
    name = lists.put([("w1", 1.0)])
    beside = SqlResultSnapshots(tmp_path / "cache.db", clock=clock)
    assert beside.get(name) == [("w1", 1.0)]
    beside.close()


def test_old_lists_are_thrown_away(lists, clock):
    old = lists.put([("w1", 1.0)])
    clock.now += 601
    lists.put([("w2", 1.0)])
    clock.now -= 601
    assert lists.get(old) is None
