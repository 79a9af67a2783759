"""The click log in SQL: a small table in a file of its own, so that a click never waits for ingest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from openseer.core.model.click import Click
from openseer.storage.sql.engine.sqlite import SqliteDatabase

TABLE = (
    "CREATE TABLE IF NOT EXISTS click_event (day INTEGER NOT NULL, words TEXT NOT NULL, work TEXT NOT NULL,"
    " position INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, words, work)) WITHOUT ROWID"
)
ADD = (
    "INSERT INTO click_event (day, words, work, position, count) VALUES (?, ?, ?, ?, 1)"
    " ON CONFLICT (day, words, work) DO UPDATE SET count = click_event.count + 1, position = excluded.position"
)
RENAMES = (
    "ALTER TABLE click RENAME COLUMN place TO position",
    "ALTER TABLE click RENAME COLUMN times TO count",
    "ALTER TABLE click RENAME TO click_event",
)
OLDEST = (
    "DELETE FROM click_event WHERE (day, words, work) IN"
    " (SELECT day, words, work FROM click_event ORDER BY day LIMIT ?)"
)
DAY = 86_400
LOCK_TIMEOUT_SECONDS = 2.0
"""How long a click waits for another."""


class SqlClickLog:
    """The click log in a SQLite file."""

    def __init__(self, file: Path, max_rows: int = 100_000, clock: Callable[[], float] = time.time) -> None:
        self._db, self._max_rows = SqliteDatabase(file, LOCK_TIMEOUT_SECONDS, durable=False), max_rows
        self._clock = clock
        self._slack = max(1, max_rows // 100)
        self._clicks_until_count = 0
        if self._db.has_table("click"):  # of a version before 0.2
            for statement in RENAMES:
                self._db.create(statement)
        self._db.create(TABLE)

    def add(self, words: str, work: str, position: int) -> None:
        with self._db.transaction():
            self._db.do(ADD, (int(self._clock()) // DAY, words, work, position))
            self._clicks_until_count -= 1
            if self._clicks_until_count <= 0:
                self._delete_oldest()

    def _delete_oldest(self) -> None:
        """Delete the oldest rows above the limit; counting is slow, so it is done once for many clicks."""
        over = self._count() - self._max_rows
        if over > 0:
            self._db.do(OLDEST, (over,))
        self._clicks_until_count = self._slack

    def _count(self) -> int:
        row = self._db.one("SELECT count(*) FROM click_event")
        return int(row[0]) if row else 0

    def all(self) -> Iterator[Click]:
        columns = "words, work, position, day, count"
        for row in self._db.stream(f"SELECT {columns} FROM click_event ORDER BY day, words, work"):
            yield Click(*row)

    def clear(self) -> None:
        with self._db.transaction():
            self._db.do("DELETE FROM click_event")

    def close(self) -> None:
        self._db.close()
