"""The SQLite database: its write-ahead log stays short."""

from __future__ import annotations

import threading

from openseer.storage.sql.engine import sqlite
from openseer.storage.sql.reader import SqlRecords
from tests.builders import Paper, ingest_papers


def papers(start):
    return [Paper(f"Paper number {start + number} on shelves", "Nemo") for number in range(5)]


def test_a_long_log_is_shortened_though_somebody_reads(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "CHECKPOINT_WAL_BYTES", 50_000)
    monkeypatch.setattr(sqlite, "TRUNCATE_INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(sqlite, "CHECKPOINT_INTERVAL_SECONDS", float("inf"))  # else that thread may hold the lock
    records = SqlRecords(tmp_path / "library.db")
    log = tmp_path / "library.db-wal"
    ingest_papers(records, papers(0))
    assert log.stat().st_size <= 50_000, "nobody read"
    other = SqlRecords(tmp_path / "library.db")
    reading = other.documents()
    next(reading)
    ingest_papers(records, papers(5))
    ingest_papers(records, papers(10))
    assert len(list(reading)) == 4, "a reader is not disturbed"
    ingest_papers(records, papers(15))
    assert log.stat().st_size <= 50_000
    assert records.outcomes() == {"ingested": 20}
    records.close()
    other.close()


def test_a_long_log_is_written_back_beside_what_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "CHECKPOINT_WAL_BYTES", 50_000)
    monkeypatch.setattr(sqlite, "CHECKPOINT_INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(sqlite, "TRUNCATE_INTERVAL_SECONDS", float("inf"))
    records = SqlRecords(tmp_path / "library.db")
    for number in range(4):
        ingest_papers(records, papers(5 * number))
    for thread in threading.enumerate():
        if thread.name == sqlite.CHECKPOINT_THREAD:
            thread.join()
    assert (tmp_path / "library.db").stat().st_size > 50_000, "the pages stand in the database itself"
    assert records.outcomes() == {"ingested": 20}
    records.close()
