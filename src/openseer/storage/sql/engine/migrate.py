"""The numbered list of migrations, one for both databases, and bringing a database to the newest."""

from __future__ import annotations

import uuid
from importlib import resources

from openseer.core.errors import NewerLibrary
from openseer.storage.sql.engine.dialect import Database


def migrations() -> list[tuple[int, str]]:
    """The numbered list of migrations, in order."""
    folder = resources.files("openseer.storage.sql.engine") / "migrations"
    scripts = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(int(name[:4]), (folder / name).read_text(encoding="utf-8")) for name in scripts]


def version(db: Database) -> int:
    """The schema a database has; 0 when there is no library in it."""
    if not db.has_table("library"):
        return 0
    row = db.one("SELECT value FROM library WHERE name = 'schema'")
    return int(row[0]) if row else 0


def migrate(db: Database) -> None:
    """Bring a database to the newest schema; refuse one that is newer than we are."""
    if version(db) == newest():
        return
    with db.transaction():
        bring_up(db)


def newest() -> int:
    """The schema that this openseer writes."""
    return migrations()[-1][0]


def bring_up(db: Database) -> None:
    """`migrate` inside a transaction of the caller."""
    known = migrations()
    db.create("CREATE TABLE IF NOT EXISTS library (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    at = version(db)
    if at > known[-1][0]:
        raise NewerLibrary(at, known[-1][0])
    for number, script in known:
        if number > at:
            for statement in _statements(script):
                db.create(statement)
    upsert = "INSERT INTO library VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    db.do(upsert, ("schema", str(known[-1][0])))
    db.do("INSERT INTO library VALUES ('uuid', ?) ON CONFLICT (name) DO NOTHING", (str(uuid.uuid4()),))


def _statements(script: str) -> list[str]:
    bare = "\n".join(line.split("--")[0] for line in script.splitlines())
    return [statement.strip() for statement in bare.split(";") if statement.strip()]
