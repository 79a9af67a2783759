"""A back-up killed at any moment leaves the earlier one whole, and the same command finishes it."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from openseer.ingest.coordinator import Coordinator
from openseer.operate.curation import delete
from openseer.operate.verify import verify
from openseer.storage.open import open_library
from tests.builders import LibrarySnapshot, snapshot

KILLS = 4


def started(data: Path, command: str, kept: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "openseer", "--data", str(data), command, str(kept)],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finished(data: Path, command: str, kept: Path) -> int:
    process = started(data, command, kept)
    _, errors = process.communicate(timeout=120)
    assert b"Traceback" not in errors
    return process.returncode


def killed_in_the_middle(data: Path, command: str, watched: Path, kept: Path, after: int) -> None:
    """Kill a command once so many new files lie where it copies them."""
    count = files_in(watched) + after
    process = started(data, command, kept)
    while process.poll() is None and files_in(watched) < count:
        time.sleep(0.001)
    with contextlib.suppress(ProcessLookupError):  # it may have been quicker
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def files_in(folder: Path) -> int:
    return sum(len(files) for _, _, files in os.walk(folder))


def state(data: Path) -> LibrarySnapshot:
    with open_library(data) as library:
        assert verify(library) == []
        return snapshot(library.records)


def test_killed_half_way_a_back_up_and_a_restore_are_repeated(data, tmp_path):
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance, kept = random.Random(seed), tmp_path / "kept"
    killed_in_the_middle(data, "backup", kept / "files", kept, chance.randrange(1, 60))
    assert not (kept / "backup.json").exists(), "it was killed before its end"
    assert finished(tmp_path / "none", "restore", kept) == 1, "what is half-made is no back-up"
    assert finished(data, "backup", kept) == 0
    first = state(data)
    with open_library(data) as library:
        papers = [one.sha1 for one in library.records.documents() if one.outcome == "ingested"]
        Coordinator(library, workers=1).re_extract(papers[:5])
        delete(library, papers[5], "a difference to be seen")
        second = snapshot(library.records)
    assert first != second
    for number in range(KILLS):
        killed_in_the_middle(data, "backup", kept, kept, 1 + number * 3 + chance.randrange(3))
        new = tmp_path / f"new{number}"
        killed_in_the_middle(new, "restore", new / "files", kept, chance.randrange(1, 60))
        if not (new / "library.db").exists():
            assert finished(new, "restore", kept) == 0
        with open_library(new) as library:
            assert snapshot(library.records) in (first, second)
    assert finished(data, "backup", kept) == 0
    assert finished(tmp_path / "last", "restore", kept) == 0
    assert state(tmp_path / "last") == second
