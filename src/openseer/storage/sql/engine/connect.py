"""Which database stands behind a place: a path is a SQLite file, an address a PostgreSQL server."""

from __future__ import annotations

from pathlib import Path

from openseer.core.errors import Misconfigured
from openseer.core.settings import DATABASE_SCHEMES
from openseer.storage.sql.engine.dialect import Database
from openseer.storage.sql.engine.migrate import version
from openseer.storage.sql.engine.sqlite import SqliteDatabase

Location = Path | str


def open_database(place: Location, lock_timeout: float) -> Database:
    """The database at a place; its tables are as they are."""
    if not str(place).startswith(DATABASE_SCHEMES):
        return SqliteDatabase(Path(place), lock_timeout)
    try:  # an optional dependency: a library in one file must not need it
        from openseer.storage.sql.engine.postgres import PostgresDatabase
    except ImportError as error:
        raise Misconfigured(
            "`records.url` names a PostgreSQL server, but psycopg is not installed.",
            "Install it: `pip install 'openseer[postgres]'`.",
        ) from error
    return PostgresDatabase(str(place), lock_timeout)


def has_library(place: Location) -> bool:
    """Whether a library was made there; asks without making one."""
    if isinstance(place, Path):
        return place.exists()
    db = open_database(place, lock_timeout=1.0)
    try:
        return version(db) > 0
    finally:
        db.close()
