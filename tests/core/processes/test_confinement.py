"""What a process that parses foreign files may no longer do."""

from __future__ import annotations

import errno
import os
import socket
import tempfile
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest

from openseer.core.processes.confinement import confine
from openseer.core.processes.worker_pool import Limits, WorkerPool


def attempts(job: bytes) -> list[bytes]:
    """Worker job: the outcome of each thing that a parser has no need of."""
    folder, port = orjson.loads(job)
    found = {}
    for name, attempt in {
        "write": lambda: Path(folder, "new").write_bytes(b"x"),
        "append": lambda: os.close(os.open(Path(folder, "old"), os.O_APPEND | os.O_WRONLY)),
        "truncate": lambda: os.truncate(Path(folder, "old"), 0),
        "delete": lambda: Path(folder, "old").unlink(),
        "rename": lambda: Path(folder, "old").rename(Path(folder, "other")),
        "connect": lambda: socket.create_connection(("127.0.0.1", port), 1).close(),
        "read": lambda: Path(folder, "old").read_bytes(),
        "scratch": lambda: Path(tempfile.mkdtemp(), "new").write_bytes(b"x"),
        "null": lambda: Path(os.devnull).write_bytes(b"x"),
    }.items():
        try:
            attempt()
            found[name] = "done"
        except PermissionError:
            found[name] = "denied"
    return [orjson.dumps(found)]


def write_to(job: bytes) -> list[bytes]:
    """Worker job: the outcome of writing as many bytes to each file as it is told."""
    found = []
    for path, size in orjson.loads(job):
        try:
            Path(path).write_bytes(bytes(size))
            found.append(b"done")
        except OSError as error:
            found.append(errno.errorcode[error.errno or 0].encode())
    return found


@contextmanager
def listening():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def has_landlock() -> bool:
    """Tried in a process of its own, since it cannot be undone."""
    child = os.fork()
    if not child:
        os._exit(0 if confine() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.skipif(not has_landlock(), reason="this kernel has no Landlock")
def test_a_confined_worker_changes_nothing_and_connects_to_nothing(tmp_path):
    (tmp_path / "old").write_bytes(b"old")
    with listening() as port, WorkerPool[int](attempts, 1, Limits(30, 400, confined=True)) as pool:
        job = orjson.dumps([str(tmp_path), port])
        (result,) = [one for one in pool.run([(0, job)]) if one is not None]
    found = orjson.loads(result.parts[0])
    assert {found.pop("read"), found.pop("null"), found.pop("scratch")} == {"done"}
    assert set(found.values()) == {"denied"}, found
    assert (tmp_path / "old").read_bytes() == b"old"


@pytest.mark.skipif(not has_landlock(), reason="this kernel has no Landlock")
def test_a_confined_worker_may_write_files_of_some_size_to_the_folder_of_its_limits(tmp_path):
    for name in ("its", "other"):
        (tmp_path / name).mkdir()
    limits = Limits(30, 400, confined=True, folder=str(tmp_path / "its"), max_file_bytes=1000)
    with WorkerPool[int](write_to, 1, limits) as pool:
        paths = [
            (str(tmp_path / "its" / "a"), 900),
            (str(tmp_path / "its" / "b"), 1100),
            (str(tmp_path / "other" / "c"), 1),
        ]
        (result,) = [one for one in pool.run([(0, orjson.dumps(paths))]) if one is not None]
    assert result.parts == (b"done", b"EFBIG", b"EACCES")
