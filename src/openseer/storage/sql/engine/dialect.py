"""What the records need of a database: the few operations that SQLite and PostgreSQL both give."""

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
    """One database, spoken to in the SQL that both keepers understand, with `?` for values.

    Reads at any time; writes only inside `transaction`. Its errors come in our words."""

    @property
    def name(self) -> str:
        """What people call it: a file or an address, without its password."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """All rows of a question."""

    def stream(self, sql: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        """Rows one by one, for answers that may be large."""

    def one(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        """The first row, if any."""

    def rows_in(self, sql: str, values: Iterable[str]) -> Iterator[Row]:
        """A question with `IN ({})`, asked for any number of values."""

    def rows_each(self, sql: str, many: Sequence[Sequence[Any]]) -> Iterator[list[Row]]:
        """All rows of one question for each set of values, in their order; a server is not waited for each time."""

    def present(self, table: str, column: str, values: Collection[int]) -> set[int]:
        """Which of these numbers stand in a column."""

    def do(self, sql: str, values: Sequence[Any] = ()) -> int:
        """One statement; how many rows it touched."""

    def do_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """One statement for many rows."""

    def transaction(self) -> AbstractContextManager[None]:
        """Hold the write lock; commit at the end, or leave no trace."""

    def has_table(self, name: str) -> bool:
        """Whether there is such a table."""

    def create(self, statement: str) -> None:
        """A statement of a migration, its types in this database's words."""

    def damage(self) -> Iterator[str]:
        """What the database itself knows to be broken."""

    def save(self, target: Path) -> None:
        """Write everything, as it is at one moment, into a new SQLite file; nobody waits for it."""

    def close(self) -> None:
        """Close the connections of all threads."""


class Closable(Protocol):
    """A connection of either kind."""

    def close(self) -> None:
        """Close it; twice is once."""


C = TypeVar("C", bound=Closable)


class _Held(Generic[C]):
    """The connection of one thread; it is closed when the thread ends, since nobody else holds it."""

    def __init__(self, connection: C) -> None:
        self.connection = connection

    def __del__(self) -> None:
        self.connection.close()


class Connections(Generic[C]):
    """A connection for each thread that asks, opened on first use."""

    def __init__(self, connect: Callable[[], C]) -> None:
        self._connect = connect
        self._local = threading.local()
        self._opened: weakref.WeakSet[_Held[C]] = weakref.WeakSet()
        self._guard = threading.Lock()

    def mine(self) -> C:
        """The connection of this thread."""
        held: _Held[C] | None = getattr(self._local, "held", None)
        if held is None:
            held = self._local.held = _Held(self._connect())
            with self._guard:
                self._opened.add(held)
        return held.connection

    def drop(self) -> None:
        """Forget the connection of this thread; it gets another when it asks again."""
        self._local.held = None

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._guard:
            for held in list(self._opened):
                held.connection.close()
        self._local = threading.local()
