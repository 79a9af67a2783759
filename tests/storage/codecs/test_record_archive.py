"""A shelf gives each record back, and nothing for what is not there or damaged."""

from __future__ import annotations

import io
from typing import Any

import pytest

from openseer.storage.codecs.record_archive import compress_record, pack_archive, record_at

RECORDS: list[dict[str, Any]] = [{"title": "One"}, {}, {"title": "Drei", "authors": [["King", "Ada"]]}]


def test_each_record_is_found_at_its_place():
    blob = pack_archive([compress_record(record) for record in RECORDS])
    assert [record_at(io.BytesIO(blob), place) for place in range(3)] == RECORDS


@pytest.mark.parametrize("place", [-1, 3, 10**9])
def test_no_record_stands_elsewhere(place):
    assert record_at(io.BytesIO(pack_archive([compress_record(record) for record in RECORDS])), place) == {}


def test_a_damaged_shelf_gives_nothing_and_no_error():
    blob = pack_archive([compress_record(record) for record in RECORDS])
    for cut in range(len(blob) - 1):
        assert record_at(io.BytesIO(blob[:cut]), 2) == {}
    assert record_at(io.BytesIO(b"\xff" * 100), 0) == {}
    assert record_at(io.BytesIO(pack_archive([])), 0) == {}
