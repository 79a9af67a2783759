"""SQLite backend: connections, transactions, WAL checkpoints and error conversion."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from openseer.core.errors import DiskFull, Locked, NotALibrary, OpenseerError, StoreUnavailable
from openseer.storage.sql.engine.dialect import CHUNK, Connections, Row

BACKUP_STEP_PAGES = 2048
"""Pages copied in one step of a back-up."""


CHECKPOINT_WAL_BYTES = 64 << 20
"""WAL size in bytes above which a background thread checkpoints it. Blocking keys are scattered over the pages, so
writing them back took a sixth of the ingestion time."""
AUTOCHECKPOINT_PAGES = 131_072
"""WAL pages above which a commit checkpoints it, in case the thread cannot."""
CHECKPOINT_THREAD = "WAL checkpoint"
CHECKPOINT_INTERVAL_SECONDS, TRUNCATE_INTERVAL_SECONDS, TRUNCATE_TIMEOUT_MS = 0.5, 5.0, 200
"""Seconds between two such threads, seconds between two attempts to truncate the WAL, and its timeout in ms."""


class SqliteDatabase:
    """A SQLite file with one connection per thread, in WAL mode. Commits are durable; without `durable`, the last ones
    may be lost in a power failure."""

    def __init__(self, path: Path, lock_timeout: float, durable: bool = True) -> None:
        self._path, self._durable = path, durable
        self._lock_timeout = lock_timeout
        self._last_truncate = self._last_checkpoint = 0.0
        self._checkpointer: threading.Thread | None = None
        self._connections = Connections(self._connect)

    @property
    def name(self) -> str:
        return self._path.name

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        try:
            return self._connections.current().execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:  # not `_converted_errors`: it would double the time of a short query
            raise _converted(error, self._path) from error

    def stream(self, sql: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        with self._converted_errors():
            cursor = self._connections.current().execute(sql, values)
            while batch := cursor.fetchmany(CHUNK):
                yield from batch

    def one(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        with self._converted_errors():
            row: Row | None = self._connections.current().execute(sql, values).fetchone()
            return row

    def rows_in(self, sql: str, values: Iterable[str]) -> Iterator[Row]:
        wanted = list(values)
        for start in range(0, len(wanted), CHUNK):
            chunk = wanted[start : start + CHUNK]
            size = 1 << (len(chunk) - 1).bit_length()  # few distinct lengths: few prepared statements
            chunk += chunk[-1:] * (size - len(chunk))
            yield from self.rows(sql.format(",".join("?" * size)), chunk)

    def rows_each(self, sql: str, many: Sequence[Sequence[Any]]) -> Iterator[list[Row]]:
        for values in many:
            yield self.rows(sql, values)

    def present(self, table: str, column: str, values: Collection[int]) -> set[int]:
        asked = f"SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM {table} WHERE {column} = value)"
        return {row[0] for row in self.rows(asked, (json.dumps(list(values)),))}

    def do(self, sql: str, values: Sequence[Any] = ()) -> int:
        with self._converted_errors():
            return self._connections.current().execute(sql, values).rowcount

    def do_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._converted_errors():
            self._connections.current().executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.do("BEGIN IMMEDIATE")
        try:
            yield
            self.do("COMMIT")
            if self._wal_is_long():
                self._start_checkpoint()
                self._truncate_wal()
        except BaseException:
            connection = self._connections.current()
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _start_checkpoint(self) -> None:
        """Start a checkpoint in the background; `_truncate_wal` writes the remaining pages."""
        now = time.monotonic()
        if now - self._last_checkpoint < CHECKPOINT_INTERVAL_SECONDS or (
            self._checkpointer and self._checkpointer.is_alive()
        ):
            return
        self._last_checkpoint = now
        self._checkpointer = threading.Thread(target=self._checkpoint, name=CHECKPOINT_THREAD, daemon=True)
        self._checkpointer.start()

    def _checkpoint(self) -> None:
        with contextlib.suppress(sqlite3.Error), closing(self._connect()) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def _truncate_wal(self) -> None:
        """Truncate a long WAL, which SQLite never does under constant reads and writes. A blocking reader makes it give
        up; the next attempt follows some seconds later."""
        now = time.monotonic()
        if now - self._last_truncate < TRUNCATE_INTERVAL_SECONDS:
            return
        self._last_truncate = now
        connection = self._connections.current()
        connection.execute(f"PRAGMA busy_timeout = {TRUNCATE_TIMEOUT_MS}")
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            return
        finally:
            connection.execute(f"PRAGMA busy_timeout = {int(1000 * self._lock_timeout)}")

    def _wal_is_long(self) -> bool:
        try:
            return Path(f"{self._path}-wal").stat().st_size > CHECKPOINT_WAL_BYTES
        except OSError:
            return False

    def has_table(self, name: str) -> bool:
        return self.one("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)) is not None

    def create(self, statement: str) -> None:
        self.do(statement)

    def damage(self) -> Iterator[str]:
        for (message,) in self.rows("PRAGMA quick_check(5)"):
            if message != "ok":
                yield f"the database file is damaged: {message}"

    def save(self, target: Path) -> None:
        with (
            self._converted_errors(),
            closing(self._connect()) as source,
            closing(sqlite3.connect(target, isolation_level=None)) as copy,
        ):
            source.execute("BEGIN")  # a snapshot: without it, every commit would restart the copy
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(copy, pages=BACKUP_STEP_PAGES)

    def close(self) -> None:
        if self._checkpointer:
            self._checkpointer.join()
        self._connections.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=self._lock_timeout, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        try:
            _use_wal(connection, self._lock_timeout)
            connection.execute(f"PRAGMA synchronous = {'FULL' if self._durable else 'NORMAL'}")
            connection.execute("PRAGMA cache_size = -32768")
            connection.execute(f"PRAGMA wal_autocheckpoint = {AUTOCHECKPOINT_PAGES}")
            connection.execute("PRAGMA mmap_size = 4294967296")  # read pages from the page cache
        except sqlite3.DatabaseError:
            connection.close()
            raise
        return connection

    @contextmanager
    def _converted_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise _converted(error, self._path) from error


def _converted(error: sqlite3.DatabaseError, path: Path) -> OpenseerError:
    text = str(error)
    if "locked" in text or "busy" in text:
        return Locked(f"{path.name} is locked by another process.")
    if "full" in text:
        return DiskFull(f"The disk of {path} is full.")
    if "not a database" in text or "malformed" in text:
        return NotALibrary(f"{path} is no openseer library: {text}.")
    return StoreUnavailable(f"{path} does not answer: {text}.")


def _use_wal(connection: sqlite3.Connection, timeout: float) -> None:
    """Enable WAL mode, retrying: SQLite does not wait here when several processes open a new file at once."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
