"""Database interface of the records, implemented for SQLite and PostgreSQL; connections per thread."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

CHUNK = 500
"""Values in one IN list, and rows fetched at once."""

Row = tuple[Any, ...]


class Database(Protocol):
    """One database, queried in the common SQL of both backends, with `?` for values.

    Reads at any time; writes only inside `transaction`. Raises errors of `core.errors` only."""

    @property
    def name(self) -> str:
        """Display name: file name, or URL without password."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """All rows of a query."""

    def stream(self, sql: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        """Rows one by one, for large results."""

    def one(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        """The first row, if any."""

    def rows_in(self, sql: str, values: Iterable[str]) -> Iterator[Row]:
        """Rows of a query with `IN ({})`, for any number of values."""

    def rows_each(self, sql: str, many: Sequence[Sequence[Any]]) -> Iterator[list[Row]]:
        """All rows of a query for each tuple of values, in order; pipelined on a server."""

    def present(self, table: str, column: str, values: Collection[int]) -> set[int]:
        """The subset of these numbers that occurs in a column."""

    def do(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Execute one statement; returns the number of affected rows."""

    def do_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute one statement for many rows."""

    def transaction(self) -> AbstractContextManager[None]:
        """Hold the write lock; commit at the end, roll back on an exception."""

    def has_table(self, name: str) -> bool:
        """True if the table exists."""

    def create(self, statement: str) -> None:
        """Execute a statement of a migration, with the column types of this backend."""

    def damage(self) -> Iterator[str]:
        """Corruption reported by the database itself."""

    def save(self, target: Path) -> None:
        """Write a consistent snapshot into a new SQLite file without blocking writers."""

    def close(self) -> None:
        """Close the connections of all threads."""


class Closable(Protocol):
    """A connection of either backend."""

    def close(self) -> None:
        """Close it; idempotent."""


C = TypeVar("C", bound=Closable)


class _ThreadConnection(Generic[C]):
    """The connection of one thread; closed when the thread ends, which holds the only reference."""

    def __init__(self, connection: C) -> None:
        self.connection = connection

    def __del__(self) -> None:
        self.connection.close()


class Connections(Generic[C]):
    """One connection for each thread, opened on first use."""

    def __init__(self, connect: Callable[[], C]) -> None:
        self._connect = connect
        self._local = threading.local()
        self._opened: weakref.WeakSet[_ThreadConnection[C]] = weakref.WeakSet()
        self._lock = threading.Lock()

    def current(self) -> C:
        """The connection of this thread."""
        held: _ThreadConnection[C] | None = getattr(self._local, "held", None)
        if held is None:
            held = self._local.held = _ThreadConnection(self._connect())
            with self._lock:
                self._opened.add(held)
        return held.connection

    def drop(self) -> None:
        """Drop the connection of this thread; the next use opens a new one."""
        self._local.held = None

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            for held in list(self._opened):
                held.connection.close()
        self._local = threading.local()
