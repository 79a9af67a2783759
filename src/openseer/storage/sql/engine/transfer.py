"""Records from one keeper to another, table by table; on the way they are a SQLite file of the newest schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from openseer.core.errors import LibraryExists
from openseer.storage.sql.engine.dialect import Database, Row
from openseer.storage.sql.engine.migrate import bring_up, version
from openseer.storage.sql.engine.sqlite import SqliteDatabase

ROWS = 5000
"""Rows written at once."""
PATIENCE = 30.0
"""Seconds to wait for a file that nobody else should know of."""


def copy_rows(target: Path, read: Callable[[str], Iterator[Row]]) -> None:
    """Make a SQLite file of all tables; `read` answers each question as of one moment."""
    with closing(SqliteDatabase(target, PATIENCE)) as copy, copy.transaction():
        bring_up(copy)
        copy.do("DELETE FROM library")
        for table, columns in _tables(copy).items():
            _insert(copy, table, len(columns), read(f"SELECT {', '.join(columns)} FROM {table}"))


def copy_into(source: Path, target: Database) -> None:
    """Put everything a SQLite file of the newest schema holds into an empty database: all of it or nothing."""
    with closing(SqliteDatabase(source, PATIENCE)) as origin, target.transaction():
        if version(target):  # somebody was quicker
            raise LibraryExists(target.name)
        bring_up(target)
        target.do("DELETE FROM library")
        for table, columns in _tables(origin).items():
            _insert(target, table, len(columns), origin.stream(f"SELECT {', '.join(columns)} FROM {table}"))


def _tables(db: SqliteDatabase) -> dict[str, list[str]]:
    """Every table of a SQLite file with its columns, in the order of the migrations, which both keepers share."""
    named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    return {name: [row[1] for row in db.rows(f"PRAGMA table_info({name})")] for (name,) in db.rows(named)}


def _insert(db: Database, table: str, width: int, rows: Iterator[Row]) -> None:
    values = ", ".join("?" * width)
    while batch := list(islice(rows, ROWS)):
        db.do_many(f"INSERT INTO {table} VALUES ({values})", batch)
