"""Schema migrations: the numbered scripts, shared by both backends, and their application."""

from __future__ import annotations

import uuid
from importlib import resources

from openseer.core.errors import NewerLibrary
from openseer.storage.sql.engine.dialect import Database


def migrations() -> list[tuple[int, str]]:
    """Number and script of every migration, in order."""
    folder = resources.files("openseer.storage.sql.engine") / "migrations"
    scripts = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(int(name[:4]), (folder / name).read_text(encoding="utf-8")) for name in scripts]


def version(db: Database) -> int:
    """Schema version of a database; 0 without a library."""
    if not db.has_table("library"):
        return 0
    row = db.one("SELECT value FROM library WHERE name = 'schema'")
    return int(row[0]) if row else 0


def migrate(db: Database) -> None:
    """Migrate a database to the newest schema; raises NewerLibrary if its schema is newer than supported."""
    if version(db) == newest():
        return
    with db.transaction():
        apply_migrations(db)


def newest() -> int:
    """The newest schema version."""
    return migrations()[-1][0]


def apply_migrations(db: Database) -> None:
    """Apply pending migrations inside a transaction of the caller."""
    available = migrations()
    db.create("CREATE TABLE IF NOT EXISTS library (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    current = version(db)
    if current > available[-1][0]:
        raise NewerLibrary(current, available[-1][0])
    for number, script in available:
        if number > current:
            for statement in _statements(script):
                db.create(statement)
    upsert = "INSERT INTO library VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    db.do(upsert, ("schema", str(available[-1][0])))
    db.do("INSERT INTO library VALUES ('uuid', ?) ON CONFLICT (name) DO NOTHING", (str(uuid.uuid4()),))


def _statements(script: str) -> list[str]:
    without_comments = "\n".join(line.split("--")[0] for line in script.splitlines())
    return [statement.strip() for statement in without_comments.split(";") if statement.strip()]
