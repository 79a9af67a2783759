"""PostgreSQL backend (a database, or one schema of it): connections, transactions and error conversion."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from threading import local
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import Int8BinaryDumper
from psycopg.types.string import StrDumperUnknown

from openseer.core.errors import (
    BadSetting,
    DiskFull,
    Locked,
    Misconfigured,
    NotALibrary,
    OpenseerError,
    StoreUnavailable,
)
from openseer.core.settings import without_password
from openseer.storage.sql.engine.dialect import CHUNK, Connections, Row
from openseer.storage.sql.engine.transfer import copy_rows

Connection = psycopg.Connection[Row]
Cursor = psycopg.Cursor[Row]

CONNECT_TIMEOUT_SECONDS = "10"
"""Seconds to wait for the server, unless the URL sets `connect_timeout`."""
STATEMENT_TIMEOUT_SECONDS = 600
"""Statement timeout, so that none runs forever."""
IDLE_TIMEOUT_SECONDS = 300
"""Idle timeout of a transaction, after which the server releases its write lock."""
BEGIN = (
    "BEGIN ISOLATION LEVEL READ COMMITTED;"  # each statement sees what was committed before it, not before the lock
    " SELECT pg_advisory_xact_lock(hashtext('openseer'), hashtext(current_schema()));"
    " SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off"
)
"""Takes the lock before the first read. Writers query by key only: without table statistics (in a young library) the
planner would choose full scans."""
SESSION = (
    "SET lock_timeout = {lock}; SET statement_timeout = {statement}; SET idle_in_transaction_session_timeout = {idle};"
    " SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;"
    " SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)
PLAIN_INSERT = re.compile(r"INSERT INTO (\w+) VALUES \((?:\?, )*\?\)")
"""Inserts without conflict clause; they use COPY, twice as fast."""
TYPES = {"BLOB": "BYTEA", "TEXT": 'TEXT COLLATE "C"', "WITHOUT ROWID": ""}
"""Types in migrations -> PostgreSQL types; text is compared bytewise, as in SQLite."""


class _Text(StrDumperUnknown):
    """Text without NUL characters, which PostgreSQL cannot store and papers may contain."""

    def dump(self, obj: str) -> Any:
        return super().dump(obj.replace("\0", ""))


class PostgresDatabase:
    """A PostgreSQL database with one connection per thread, reopened after a server restart; an advisory lock
    serialises the writers."""

    def __init__(self, address: str, lock_timeout: float) -> None:
        self._name = without_password(address)
        self._lock_timeout = lock_timeout
        self._parameters = _parameters(address)
        self._connections = Connections(self._connect)
        self._local = local()

    @property
    def name(self) -> str:
        return self._name

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with self._converted_errors():
            return self._execute(sql, values).fetchall()

    def stream(self, sql: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        if self._writing:
            yield from self.rows(sql, values)
            return
        # a separate connection without open transaction: the caller may write in between, and take long
        with (
            self._converted_errors(),
            closing(self._connect()) as connection,
            connection.cursor("stream", withhold=True) as cursor,
        ):
            cursor.itersize = CHUNK
            yield from cursor.execute(to_psycopg(sql), values)

    def one(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        with self._converted_errors():
            return self._execute(sql, values).fetchone()

    def rows_in(self, sql: str, values: Iterable[str]) -> Iterator[Row]:
        wanted = list(values)
        if wanted:
            yield from self.rows(sql.replace("IN ({})", "= ANY(?)"), (wanted,))

    def rows_each(self, sql: str, many: Sequence[Sequence[Any]]) -> Iterator[list[Row]]:
        if not many:
            return
        with self._converted_errors(), self._connection().cursor() as cursor:
            cursor.executemany(to_psycopg(sql), many, returning=True)
            for _ in many:
                yield cursor.fetchall()
                cursor.nextset()

    def present(self, table: str, column: str, values: Collection[int]) -> set[int]:
        exists = f"(SELECT 1 FROM {table} WHERE {column} = one LIMIT 1) = 1"
        query = f"SELECT one FROM unnest(?::bigint[]) AS one WHERE {exists}"
        return {row[0] for row in self.rows(query, (list(values),))}

    def do(self, sql: str, values: Sequence[Any] = ()) -> int:
        with self._converted_errors():
            return self._execute(sql, values).rowcount

    def do_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        values = list(rows)
        if not values:
            return
        with self._converted_errors(), self._connection().cursor() as cursor:
            if plain := PLAIN_INSERT.fullmatch(sql):
                with cursor.copy(f"COPY {plain[1]} FROM STDIN".encode()) as copy:
                    for row in values:
                        copy.write_row(row)
            else:
                cursor.executemany(to_psycopg(sql), values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self._writing:
            raise StoreUnavailable(f"{self._name} does not answer: a transaction was begun within another.")
        try:
            with self._converted_errors():
                self._execute(BEGIN, (), prepare=False)  # two statements cannot be prepared as one
            self._local.writing = self._connections.current()
            yield
            self._commit()
        except BaseException:
            with suppress(psycopg.Error):  # a lost connection ends the transaction
                self._connections.current().rollback()
            raise
        finally:
            self._local.writing = None

    def has_table(self, name: str) -> bool:
        query = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?"
        return self.one(query, (name,)) is not None

    def create(self, statement: str) -> None:
        self.do("SET LOCAL statement_timeout = 0")
        self.do(re.sub(r"\b(?:BLOB|TEXT|WITHOUT ROWID)\b", lambda word: TYPES[word[0]], statement))

    def damage(self) -> Iterator[str]:
        row = self.one("SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()")
        if row and row[0]:
            yield f"the server found {row[0]} damaged pages in the database"

    def save(self, target: Path) -> None:
        with self._converted_errors(), closing(self._connect()) as connection:
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            copy_rows(target, lambda query: _streamed(connection, query))

    def close(self) -> None:
        self._connections.close()

    @property
    def _writing(self) -> Connection | None:
        """The connection of the open transaction of this thread."""
        writing: Connection | None = getattr(self._local, "writing", None)
        return writing

    def _connection(self) -> Connection:
        if self._writing:
            return self._writing
        if self._connections.current().closed:
            self._connections.drop()
        return self._connections.current()

    def _execute(self, sql: str, values: Sequence[Any], prepare: bool | None = None) -> Cursor:
        """Execute a statement; retry on a new connection if the old one was lost outside a transaction."""
        connection = self._connection()
        try:
            return connection.execute(to_psycopg(sql), values, prepare=prepare)
        except psycopg.OperationalError:
            if self._writing or not connection.closed:
                raise
        return self._connection().execute(to_psycopg(sql), values, prepare=prepare)

    def _commit(self) -> None:
        with self._converted_errors():
            ended = self._execute("COMMIT", ()).statusmessage
        if ended != "COMMIT":  # a statement failed before, and the caller ignored its error
            raise StoreUnavailable(f"{self._name} did not commit: it answered {ended}.")

    def _connect(self) -> Connection:
        connection: Connection = psycopg.connect(autocommit=True, **self._parameters)
        try:
            encoding = connection.info.parameter_status("server_encoding")
            if encoding != "UTF8":
                raise Misconfigured(
                    f"The database of {self._name} stores text as {encoding}; UTF8 is needed.",
                    "Create another: `createdb --encoding UTF8 --template template0 NAME`.",
                )
            connection.adapters.register_dumper(str, _Text)
            connection.adapters.register_dumper(int, Int8BinaryDumper)  # one type, one plan
            lock = max(1, int(self._lock_timeout * 1000))
            connection.execute(
                SESSION.format(
                    lock=lock, statement=STATEMENT_TIMEOUT_SECONDS * 1000 + lock, idle=IDLE_TIMEOUT_SECONDS * 1000
                ).encode()
            )
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _converted_errors(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise _converted(error, self._name) from error


def _streamed(connection: Connection, query: str) -> Iterator[Row]:
    """Stream the rows of a query inside a transaction."""
    with connection.cursor("table") as cursor:
        cursor.itersize = CHUNK
        yield from cursor.execute(to_psycopg(query))


@lru_cache(maxsize=1000)
def to_psycopg(sql: str) -> bytes:
    """Convert `?` placeholders to `%s` of psycopg, and double other per cent signs."""
    return re.sub(r"'[^']*'|\?|%", _to_psycopg, sql).encode()


def _to_psycopg(found: re.Match[str]) -> str:
    return "%s" if found[0] == "?" else found[0].replace("%", "%%")


def _parameters(address: str) -> dict[str, Any]:
    try:
        given = conninfo_to_dict(address)
    except psycopg.ProgrammingError:  # its message may contain the password
        message = "`records.url` is no URL of a PostgreSQL database."
        raise BadSetting(message, "Write postgresql://user@host:5432/database; %40 for @ in a password.") from None
    defaults = {
        "connect_timeout": CONNECT_TIMEOUT_SECONDS,
        "fallback_application_name": "openseer",
        "client_encoding": "utf8",
    }
    return {**defaults, **given}


def _converted(error: psycopg.Error, name: str) -> OpenseerError:
    text = " ".join(str(error).split()).rstrip(".")
    match error.sqlstate:
        case "55P03":  # lock_not_available
            return Locked(f"{name} is locked by another process.")
        case "53100":  # disk_full
            return DiskFull(f"The disk of {name} is full.")
        case "42P01" | "42703":  # undefined_table, undefined_column
            return NotALibrary(f"{name} is no openseer library: {text}.")
        case "42501" | "3F000":  # insufficient_privilege, invalid_schema_name
            hint = "Let the user own the database: `ALTER DATABASE name OWNER TO user`, and check `search_path`."
            return Misconfigured(f"{name} cannot be used: {text}.", hint)
    hint = f"Is the server running, does the database exist, and may this user connect? Try `psql '{name}'`."
    return StoreUnavailable(f"{name} does not answer: {text}.", hint)
