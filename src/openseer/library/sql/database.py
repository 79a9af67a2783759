"""One SQLite file: connections, transactions, migrations, and its errors in our words."""

from __future__ import annotations

import sqlite3
import threading
import uuid
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from openseer.errors import DiskFull, Locked, NewerLibrary, NotALibrary, OpenseerError, StoreUnavailable

CHUNK = 500
"""Values in one IN list."""

Row = tuple[Any, ...]


def migrations() -> list[tuple[int, str]]:
    """The numbered list of migrations, in order."""
    folder = resources.files("openseer.library.sql") / "migrations"
    scripts = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(int(name[:4]), (folder / name).read_text(encoding="utf-8")) for name in scripts]


class _Held:
    """The connection of one thread; it is closed when the thread ends, since nobody else holds it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __del__(self) -> None:
        self.connection.close()


class Database:
    """A connection a thread, WAL, every commit on the disk before it is acknowledged."""

    def __init__(self, path: Path, lock_wait: float) -> None:
        self.path = path
        self._lock_wait = lock_wait
        self._local = threading.local()
        self._opened: weakref.WeakSet[_Held] = weakref.WeakSet()
        self._guard = threading.Lock()
        self._migrate()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """All rows of a question."""
        with self._our_errors():
            return self._connection.execute(sql, values).fetchall()

    def stream(self, sql: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        """Rows one by one, for answers that may be large."""
        with self._our_errors():
            cursor = self._connection.execute(sql, values)
            while batch := cursor.fetchmany(CHUNK):
                yield from batch

    def one(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        """The first row, if any."""
        with self._our_errors():
            row: Row | None = self._connection.execute(sql, values).fetchone()
            return row

    def rows_in(self, sql: str, values: Iterable[str]) -> Iterator[Row]:
        """A question with `IN ({})`, asked in chunks."""
        wanted = list(values)
        for start in range(0, len(wanted), CHUNK):
            chunk = wanted[start : start + CHUNK]
            yield from self.rows(sql.format(",".join("?" * len(chunk))), chunk)

    def do(self, sql: str, values: Sequence[Any] = ()) -> int:
        """One statement; how many rows it touched."""
        with self._our_errors():
            return self._connection.execute(sql, values).rowcount

    def do_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """One statement for many rows."""
        with self._our_errors():
            self._connection.executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold the write lock; commit at the end, or leave no trace."""
        self.do("BEGIN IMMEDIATE")
        try:
            yield
            self.do("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._guard:
            for held in list(self._opened):
                held.connection.close()
        self._local = threading.local()

    @property
    def _connection(self) -> sqlite3.Connection:
        held: _Held | None = getattr(self._local, "held", None)
        if held is None:
            held = self._local.held = self._open()
        return held.connection

    def _open(self) -> _Held:
        connection = sqlite3.connect(
            self.path, timeout=self._lock_wait, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        held = _Held(connection)
        with self._guard:
            self._opened.add(held)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA cache_size = -32768")
        return held

    def _migrate(self) -> None:
        """Bring the file to the newest schema; refuse one that is newer than we are."""
        known = migrations()
        if self._schema() == known[-1][0]:
            return
        with self.transaction():
            self.do("CREATE TABLE IF NOT EXISTS library (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
            at = self._schema()
            if at > known[-1][0]:
                raise NewerLibrary(at, known[-1][0])
            for number, script in known:
                if number > at:
                    for statement in _statements(script):
                        self.do(statement)
            upsert = "INSERT INTO library VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            self.do(upsert, ("schema", str(known[-1][0])))
            self.do("INSERT INTO library VALUES ('uuid', ?) ON CONFLICT (name) DO NOTHING", (str(uuid.uuid4()),))

    def _schema(self) -> int:
        if not self.one("SELECT 1 FROM sqlite_master WHERE name = 'library'"):
            return 0
        row = self.one("SELECT value FROM library WHERE name = 'schema'")
        return int(row[0]) if row else 0

    @contextmanager
    def _our_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise _in_our_words(error, self.path) from error


def _statements(script: str) -> list[str]:
    bare = "\n".join(line.split("--")[0] for line in script.splitlines())
    return [statement.strip() for statement in bare.split(";") if statement.strip()]


def _in_our_words(error: sqlite3.DatabaseError, path: Path) -> OpenseerError:
    text = str(error)
    if "locked" in text or "busy" in text:
        return Locked(f"{path.name} is locked by another process.")
    if "full" in text:
        return DiskFull(f"The disk of {path} is full.")
    if "not a database" in text or "malformed" in text:
        return NotALibrary(f"{path} is no openseer library: {text}.")
    return StoreUnavailable(f"{path} does not answer: {text}.")
