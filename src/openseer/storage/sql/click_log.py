"""`Clicks` in SQL: a small table in a file of its own, so that a click never waits for ingest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from openseer.core.model.click import Click
from openseer.storage.sql.engine.sqlite import SqliteDatabase

TABLE = (
    "CREATE TABLE IF NOT EXISTS click (day INTEGER NOT NULL, words TEXT NOT NULL, work TEXT NOT NULL,"
    " place INTEGER NOT NULL, times INTEGER NOT NULL, PRIMARY KEY (day, words, work)) WITHOUT ROWID"
)
ADD = (
    "INSERT INTO click VALUES (?, ?, ?, ?, 1)"
    " ON CONFLICT (day, words, work) DO UPDATE SET times = times + 1, place = excluded.place"
)
OLDEST = "DELETE FROM click WHERE (day, words, work) IN (SELECT day, words, work FROM click ORDER BY day LIMIT ?)"
DAY = 86_400
LOCK_WAIT = 2.0
"""Seconds that a click may wait for another."""


class SqlClickLog:
    """The click log in a SQLite file."""

    def __init__(self, file: Path, most: int = 100_000, clock: Callable[[], float] = time.time) -> None:
        self._db, self._most, self._clock = SqliteDatabase(file, LOCK_WAIT, durable=False), most, clock
        self._slack = max(1, most // 100)
        self._until_count = 0
        self._db.create(TABLE)

    def add(self, words: str, work: str, place: int) -> None:
        with self._db.transaction():
            self._db.do(ADD, (int(self._clock()) // DAY, words, work, place))
            self._until_count -= 1
            if self._until_count <= 0:
                self._forget_oldest()

    def _forget_oldest(self) -> None:
        """Counting all of them is not cheap, so it is done once for many clicks."""
        over = self._count() - self._most
        if over > 0:
            self._db.do(OLDEST, (over,))
        self._until_count = self._slack

    def _count(self) -> int:
        row = self._db.one("SELECT count(*) FROM click")
        return int(row[0]) if row else 0

    def all(self) -> Iterator[Click]:
        for day, words, work, place, times in self._db.stream("SELECT * FROM click ORDER BY day, words, work"):
            yield Click(words, work, place, day, times)

    def clear(self) -> None:
        with self._db.transaction():
            self._db.do("DELETE FROM click")

    def close(self) -> None:
        self._db.close()
