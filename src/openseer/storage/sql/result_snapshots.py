"""`Lists` in SQL: results that are being walked, in a file that may be deleted at any time."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import orjson

from openseer.storage.protocols.sessions import Ranked
from openseer.storage.sql.engine.sqlite import SqliteDatabase

TABLE = "CREATE TABLE IF NOT EXISTS list (name TEXT PRIMARY KEY, until DOUBLE PRECISION NOT NULL, works BLOB NOT NULL)"
KEEP = (
    "INSERT INTO list VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET until = excluded.until, works = excluded.works"
)
LOCK_WAIT = 5.0
"""Seconds that one reader's list may wait for another's."""


class SqlResultSnapshots:
    """Lists in a SQLite file, shared by all processes that serve."""

    def __init__(self, file: Path, seconds: float = 600.0, clock: Callable[[], float] = time.time) -> None:
        self._db, self._seconds, self._clock = SqliteDatabase(file, LOCK_WAIT, durable=False), seconds, clock
        self._db.create(TABLE)
        self._db.do("CREATE INDEX IF NOT EXISTS list_until ON list (until)")

    def put(self, works: Sequence[Ranked], name: str = "") -> str:
        name, now = name or secrets.token_hex(8), self._clock()
        with self._db.transaction():
            self._db.do("DELETE FROM list WHERE until < ?", (now,))
            self._db.do(KEEP, (name, now + self._seconds, orjson.dumps(works)))
        return name

    def get(self, name: str) -> list[Ranked] | None:
        now = self._clock()
        row = self._db.one("SELECT works, until FROM list WHERE name = ? AND until >= ?", (name, now))
        if row is None:
            return None
        if row[1] - now < self._seconds / 2:  # not each time: reading needs no lock
            self._db.do("UPDATE list SET until = ? WHERE name = ?", (now + self._seconds, name))
        return [(work, score) for work, score in orjson.loads(row[0])]

    def close(self) -> None:
        self._db.close()
