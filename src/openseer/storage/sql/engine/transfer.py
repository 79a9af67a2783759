"""Transfer of records between database backends, table by table, by way of a SQLite file of the newest schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from openseer.core.errors import LibraryExists
from openseer.storage.sql.engine.dialect import Database, Row
from openseer.storage.sql.engine.migrate import apply_migrations, version
from openseer.storage.sql.engine.sqlite import SqliteDatabase

BATCH_ROWS = 5000
"""Rows inserted in one batch."""
LOCK_TIMEOUT_SECONDS = 30.0
"""Lock timeout of a file that no other process should use."""


def copy_rows(target: Path, read: Callable[[str], Iterator[Row]]) -> None:
    """Write all tables into a SQLite file; `read` runs each query in one snapshot."""
    with closing(SqliteDatabase(target, LOCK_TIMEOUT_SECONDS)) as copy, copy.transaction():
        apply_migrations(copy)
        copy.do("DELETE FROM library")
        for table, columns in _tables(copy).items():
            _insert(copy, table, len(columns), read(f"SELECT {', '.join(columns)} FROM {table}"))


def copy_into(source: Path, target: Database) -> None:
    """Copy a SQLite file of the newest schema into an empty database, in one transaction."""
    with closing(SqliteDatabase(source, LOCK_TIMEOUT_SECONDS)) as origin, target.transaction():
        if version(target):  # another process was faster
            raise LibraryExists(target.name)
        apply_migrations(target)
        target.do("DELETE FROM library")
        for table, columns in _tables(origin).items():
            _insert(target, table, len(columns), origin.stream(f"SELECT {', '.join(columns)} FROM {table}"))


def _tables(db: SqliteDatabase) -> dict[str, list[str]]:
    """Table -> columns of a SQLite file, in the order of the migrations, which both backends share."""
    named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    return {name: [row[1] for row in db.rows(f"PRAGMA table_info({name})")] for (name,) in db.rows(named)}


def _insert(db: Database, table: str, width: int, rows: Iterator[Row]) -> None:
    values = ", ".join("?" * width)
    while batch := list(islice(rows, BATCH_ROWS)):
        db.do_many(f"INSERT INTO {table} VALUES ({values})", batch)
