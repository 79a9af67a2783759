"""Connection factory: SQLite for a path, PostgreSQL for a URL."""

from __future__ import annotations

from pathlib import Path

from openseer.core.errors import Misconfigured
from openseer.core.settings import DATABASE_SCHEMES
from openseer.storage.sql.engine.dialect import Database
from openseer.storage.sql.engine.migrate import version
from openseer.storage.sql.engine.sqlite import SqliteDatabase

Location = Path | str


def open_database(location: Location, lock_timeout: float) -> Database:
    """Open a database without migrating it."""
    if not str(location).startswith(DATABASE_SCHEMES):
        return SqliteDatabase(Path(location), lock_timeout)
    try:  # optional dependency: a SQLite library must not need it
        from openseer.storage.sql.engine.postgres import PostgresDatabase
    except ImportError as error:
        raise Misconfigured(
            "`records.url` names a PostgreSQL server, but psycopg is not installed.",
            "Install it: `pip install 'openseer[postgres]'`.",
        ) from error
    return PostgresDatabase(str(location), lock_timeout)


def has_library(location: Location) -> bool:
    """True if there is a library at this location; creates none."""
    if isinstance(location, Path):
        return location.exists()
    db = open_database(location, lock_timeout=1.0)
    try:
        return version(db) > 0
    finally:
        db.close()
