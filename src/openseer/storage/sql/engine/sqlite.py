"""One SQLite file: connections, transactions, and its errors in our words."""

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

PAGES = 2048
"""Pages copied in one step of a back-up."""


WAL_LENGTH = 64 << 20
"""Bytes of log above which it is written into the database by a thread of its own, while others go on: keys lie
anywhere, so that a page is changed for each of them, and writing them back was a sixth of taking in papers."""
WAL_PAGES = 131_072
"""Pages of log above which whoever commits writes it back, in case that thread cannot."""
WRITING_BACK = "writing the log back"
BACK_PAUSE, WAL_PAUSE, WAL_PATIENCE = 0.5, 5.0, 200
"""Seconds between two such threads, and between two attempts to shorten the log; milliseconds it waits for readers."""


class SqliteDatabase:
    """A connection a thread, WAL, every commit on the disk before it is acknowledged (but for files that are not
    `durable`: there the last ones may be lost when the power fails)."""

    def __init__(self, path: Path, lock_timeout: float, durable: bool = True) -> None:
        self._path, self._durable = path, durable
        self._lock_wait = lock_timeout
        self._shortened = self._wrote_back = 0.0
        self._writing_back: threading.Thread | None = None
        self._connections = Connections(self._connect)

    @property
    def name(self) -> str:
        return self._path.name

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        try:
            return self._connections.mine().execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:  # not `_our_errors`: that would double the price of a short question
            raise _in_our_words(error, self._path) from error

    def stream(self, sql: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        with self._our_errors():
            cursor = self._connections.mine().execute(sql, values)
            while batch := cursor.fetchmany(CHUNK):
                yield from batch

    def one(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        with self._our_errors():
            row: Row | None = self._connections.mine().execute(sql, values).fetchone()
            return row

    def rows_in(self, sql: str, values: Iterable[str]) -> Iterator[Row]:
        wanted = list(values)
        for start in range(0, len(wanted), CHUNK):
            chunk = wanted[start : start + CHUNK]
            size = 1 << (len(chunk) - 1).bit_length()  # few lengths, so that few statements are prepared
            chunk += chunk[-1:] * (size - len(chunk))
            yield from self.rows(sql.format(",".join("?" * size)), chunk)

    def rows_each(self, sql: str, many: Sequence[Sequence[Any]]) -> Iterator[list[Row]]:
        for values in many:
            yield self.rows(sql, values)

    def present(self, table: str, column: str, values: Collection[int]) -> set[int]:
        asked = f"SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM {table} WHERE {column} = value)"
        return {row[0] for row in self.rows(asked, (json.dumps(list(values)),))}

    def do(self, sql: str, values: Sequence[Any] = ()) -> int:
        with self._our_errors():
            return self._connections.mine().execute(sql, values).rowcount

    def do_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._our_errors():
            self._connections.mine().executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.do("BEGIN IMMEDIATE")
        try:
            yield
            self.do("COMMIT")
            if self._wal_is_long():
                self._write_back()
                self._shorten_wal()
        except BaseException:
            connection = self._connections.mine()
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _write_back(self) -> None:
        """Have the log written into the database; what it holds since then `_shorten_wal` has to write."""
        now = time.monotonic()
        if now - self._wrote_back < BACK_PAUSE or (self._writing_back and self._writing_back.is_alive()):
            return
        self._wrote_back = now
        self._writing_back = threading.Thread(target=self._checkpoint, name=WRITING_BACK, daemon=True)
        self._writing_back.start()

    def _checkpoint(self) -> None:
        with contextlib.suppress(sqlite3.Error), closing(self._connect()) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def _shorten_wal(self) -> None:
        """Begin a long log anew: where somebody always reads or writes, SQLite never does so by itself. Given up at
        once when a reader holds on, and tried again some seconds later."""
        now = time.monotonic()
        if now - self._shortened < WAL_PAUSE:
            return
        self._shortened = now
        connection = self._connections.mine()
        connection.execute(f"PRAGMA busy_timeout = {WAL_PATIENCE}")
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            return
        finally:
            connection.execute(f"PRAGMA busy_timeout = {int(1000 * self._lock_wait)}")

    def _wal_is_long(self) -> bool:
        try:
            return Path(f"{self._path}-wal").stat().st_size > WAL_LENGTH
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
            self._our_errors(),
            closing(self._connect()) as source,
            closing(sqlite3.connect(target, isolation_level=None)) as copy,
        ):
            source.execute("BEGIN")  # holds the moment: without it, every commit of a writer would begin the copy anew
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(copy, pages=PAGES)

    def close(self) -> None:
        if self._writing_back:
            self._writing_back.join()
        self._connections.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=self._lock_wait, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        try:
            _use_wal(connection, self._lock_wait)
            connection.execute(f"PRAGMA synchronous = {'FULL' if self._durable else 'NORMAL'}")
            connection.execute("PRAGMA cache_size = -32768")
            connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
            connection.execute("PRAGMA mmap_size = 4294967296")  # pages are read where the system keeps them
        except sqlite3.DatabaseError:
            connection.close()
            raise
        return connection

    @contextmanager
    def _our_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise _in_our_words(error, self._path) from error


def _in_our_words(error: sqlite3.DatabaseError, path: Path) -> OpenseerError:
    text = str(error)
    if "locked" in text or "busy" in text:
        return Locked(f"{path.name} is locked by another process.")
    if "full" in text:
        return DiskFull(f"The disk of {path} is full.")
    if "not a database" in text or "malformed" in text:
        return NotALibrary(f"{path} is no openseer library: {text}.")
    return StoreUnavailable(f"{path} does not answer: {text}.")


def _use_wal(connection: sqlite3.Connection, patience: float) -> None:
    """SQLite does not wait for its lock here: when several processes open a new file at once, only one may."""
    end = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.01)
