"""Result snapshots in SQL, in a file that may be deleted at any time."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import orjson

from openseer.storage.protocols.sessions import Ranked
from openseer.storage.sql.engine.sqlite import SqliteDatabase

TABLE = (
    "CREATE TABLE IF NOT EXISTS result_snapshot"
    " (name TEXT PRIMARY KEY, expires_at DOUBLE PRECISION NOT NULL, works BLOB NOT NULL)"
)
PUT = (
    "INSERT INTO result_snapshot (name, expires_at, works) VALUES (?, ?, ?)"
    " ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at, works = excluded.works"
)
LOCK_TIMEOUT_SECONDS = 5.0


class SqlResultSnapshots:
    """Result snapshots in a SQLite file, shared by all serving processes."""

    def __init__(self, file: Path, seconds: float = 600.0, clock: Callable[[], float] = time.time) -> None:
        self._db, self._seconds, self._clock = SqliteDatabase(file, LOCK_TIMEOUT_SECONDS, durable=False), seconds, clock
        self._db.create(TABLE)
        self._db.do("CREATE INDEX IF NOT EXISTS result_snapshot_expires ON result_snapshot (expires_at)")

    def put(self, works: Sequence[Ranked], name: str = "") -> str:
        name, now = name or secrets.token_hex(8), self._clock()
        with self._db.transaction():
            self._db.do("DELETE FROM result_snapshot WHERE expires_at < ?", (now,))
            self._db.do(PUT, (name, now + self._seconds, orjson.dumps(works)))
        return name

    def get(self, name: str) -> list[Ranked] | None:
        now = self._clock()
        row = self._db.one(
            "SELECT works, expires_at FROM result_snapshot WHERE name = ? AND expires_at >= ?", (name, now)
        )
        if row is None:
            return None
        if row[1] - now < self._seconds / 2:  # not each time: reading needs no lock
            self._db.do("UPDATE result_snapshot SET expires_at = ? WHERE name = ?", (now + self._seconds, name))
        return [(work, score) for work, score in orjson.loads(row[0])]

    def close(self) -> None:
        self._db.close()
