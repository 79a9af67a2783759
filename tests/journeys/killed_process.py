"""A process that takes papers in, or follows them into the index, and kills itself at a chosen place.

python -m tests.journeys.killed_process DATA FOLDER statement 40     before the 40th statement inside transactions
python -m tests.journeys.killed_process DATA FOLDER commit 3         when the 3rd transaction is about to commit
python -m tests.journeys.killed_process DATA FOLDER committed 3      when it just has
python -m tests.journeys.killed_process DATA - index 2 0.004         some seconds into the 2nd commit of the index
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any
from unittest import mock

from openseer.catalog.indexing.synchronizer import synchronize
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import open_library
from openseer.storage.sql.engine.sqlite import SqliteDatabase
from openseer.storage.tantivy.index import TantivyWriter


def die() -> None:
    os.killpg(os.getpgid(0), signal.SIGKILL)


def die_in_records(where: str, number: int) -> None:
    """Count what the one writer does, and end there."""
    count = itertools.count(1)
    plain_do, plain_many = SqliteDatabase.do, SqliteDatabase.do_many

    def counted(self: SqliteDatabase, sql: str) -> bool:
        inside = self._connections.current().in_transaction
        return {"statement": inside and sql != "COMMIT"}.get(where, sql == "COMMIT") and next(count) == number

    def do(self: SqliteDatabase, sql: str, values: Any = ()) -> int:
        mine = counted(self, sql)
        if mine and where != "committed":
            die()
        done = plain_do(self, sql, values)
        if mine:
            die()
        return done

    def do_many(self: SqliteDatabase, sql: str, rows: Any) -> None:
        if counted(self, sql):
            die()
        plain_many(self, sql, rows)

    mock.patch.object(SqliteDatabase, "do", do).start()
    mock.patch.object(SqliteDatabase, "do_many", do_many).start()


def die_in_index(number: int, seconds: float) -> None:
    """End while a commit is being written."""
    count = itertools.count(1)
    plain = TantivyWriter.commit

    def commit(self: TantivyWriter, checkpoint: Any) -> None:
        if next(count) == number:
            threading.Timer(seconds, die).start()
        plain(self, checkpoint)

    mock.patch.object(TantivyWriter, "commit", commit).start()


def main(data: str, folder: str, where: str, number: str, seconds: str = "0") -> None:
    with open_library(Path(data), create=True) as library:
        if where == "index":
            die_in_index(int(number), float(seconds))
            synchronize(library, lambda pause: pause > 0)
            return
        die_in_records(where, int(number))
        Coordinator(library, 2).run([Path(folder)])


if __name__ == "__main__":
    main(*sys.argv[1:])
