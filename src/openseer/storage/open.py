"""Factory of a library: chooses the implementation of each storage interface."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path

from openseer.core.errors import IndexBehind, LibraryExists, NoLibrary, Unreadable
from openseer.core.settings import Settings, without_password
from openseer.storage.durable_files import fsync_file, fsync_folder
from openseer.storage.files.disk import DiskFiles
from openseer.storage.protocols.files import Files
from openseer.storage.protocols.index import Checkpoint, Index
from openseer.storage.protocols.records import Records
from openseer.storage.protocols.sessions import ClickLog, ResultSnapshots
from openseer.storage.sql.click_log import SqlClickLog
from openseer.storage.sql.engine.connect import Location, has_library, open_database
from openseer.storage.sql.engine.migrate import newest
from openseer.storage.sql.engine.transfer import copy_into
from openseer.storage.sql.reader import SqlRecords
from openseer.storage.sql.result_snapshots import SqlResultSnapshots
from openseer.storage.tantivy.index import TantivyIndex, remove_index

SETTINGS_FILE = "openseer.toml"
RECORDS_FILE = "library.db"
ACCOUNTS_FILE, CACHE_FILE = "accounts.db", "cache.db"
"""In the data directory, even with records on a server; the cache may be deleted at any time."""
WEIGHTS_FILE = "ranker.json"
"""Weights learned by `openseer train-ranker`."""


@dataclass(frozen=True, slots=True)
class Library:
    """One library: data directory, settings and stores."""

    data: Path
    settings: Settings
    records: Records
    files: Files

    def open_index(self) -> Index:
        """Open the search index; separate, since ingesting papers does not need it."""
        return open_index(self.data / "index", self.settings)

    def ready_index(self) -> Index:
        """Open the index for searching; raises IndexBehind if it has not been built yet."""
        index = self.open_index()
        if index.checkpoint() == Checkpoint() and self.records.last_change():
            raise IndexBehind("The search index of this version has not been built yet.")
        return index

    def open_click_log(self) -> ClickLog:
        """Open the click log."""
        return SqlClickLog(self.data / ACCOUNTS_FILE)

    def open_result_snapshots(self) -> ResultSnapshots:
        """Open the result snapshots used for pagination."""
        return SqlResultSnapshots(self.data / CACHE_FILE)

    @property
    def ranker_weights(self) -> Path:
        """Path of the ranking weights learned from this library."""
        return self.data / WEIGHTS_FILE

    def delete_index(self) -> None:
        """Remove the files of the index."""
        remove_index(self.data / "index")

    def close(self) -> None:
        """Close the records."""
        self.records.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_index(directory: Path, settings: Settings | None = None) -> Index:
    """Open the search index in a directory; creates a missing one."""
    return TantivyIndex(directory, (settings or Settings()).index.heap_mb)


def open_files(directory: Path) -> Files:
    """Open the file store in a directory."""
    return DiskFiles(directory)


def open_records(location: Location) -> Records:
    """Open the records in a SQLite file or at the URL of a PostgreSQL database; creates missing ones."""
    return SqlRecords(location)


def load_settings(data: Path, environ: Mapping[str, str] = os.environ) -> Settings:
    """The effective settings of a data directory."""
    return Settings.load(data / SETTINGS_FILE, environ)


def open_library(data: Path | str, create: bool = False, settings: Settings | None = None) -> Library:
    """Open the library in a directory; `create` makes a missing one."""
    data = Path(data)
    settings = settings or load_settings(data)
    location: Location = settings.records.url or data / RECORDS_FILE
    try:
        if not create and not has_library(location):
            raise NoLibrary(without_password(settings.records.url) or str(data))
        if not data.exists():
            data.parent.mkdir(parents=True, exist_ok=True)
            data.mkdir(mode=0o700, exist_ok=True)  # restricted papers, words of searches
        (data / "logs").mkdir(exist_ok=True)
    except OSError as error:
        raise Unreadable(f"{data} cannot be used as data directory: {error.strerror}.") from error
    records = SqlRecords(location, settings.ingest.lock_timeout)
    return Library(data, settings, records, DiskFiles(data / "files"))


def open_saved_records(file: Path) -> AbstractContextManager[Records]:
    """Open a file written by `Records.save_to` and migrate it to the newest schema."""
    return closing(SqlRecords(file))


def schema_version() -> int:
    """The newest schema version of the records."""
    return newest()


def require_no_library(data: Path, settings: Settings) -> None:
    """Raise LibraryExists if a directory with these settings has a library."""
    if has_library(settings.records.url or data / RECORDS_FILE):
        raise LibraryExists(without_password(settings.records.url) or str(data))


def install_records(saved: Path, data: Path, settings: Settings) -> None:
    """Atomically make a saved file (newest schema, same file system) the records of a new library."""
    require_no_library(data, settings)
    if not settings.records.url:
        fsync_file(saved)
        saved.rename(data / RECORDS_FILE)
        fsync_folder(data)
        return
    with closing(open_database(settings.records.url, settings.ingest.lock_timeout)) as database:
        copy_into(saved, database)
    saved.unlink()
