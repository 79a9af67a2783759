"""A library whose records lie in PostgreSQL: every command on it, and several processes filling it at once."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from openseer.core.errors import NoLibrary
from openseer.storage.open import open_library
from tests.journeys.test_killed import check_equal, ingest


@pytest.fixture
def shared_data(address, tmp_path):
    """A data directory whose settings name a new database, with a password that nothing may show."""
    data = tmp_path / "data"
    data.mkdir()
    told = address.replace("openseer@", "openseer:s3cret@")
    (data / "openseer.toml").write_text(f'[records]\nurl = "{told}"\n')
    return data


def openseer(data: Path, *arguments: str | Path) -> str:
    """Run a command for real; what it printed."""
    command = [sys.executable, "-m", "openseer", "--data", str(data), *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    assert "s3cret" not in run.stdout + run.stderr
    return run.stdout


@contextlib.contextmanager
def served(data: Path) -> Iterator[str]:
    """The web site of a library, in a process of its own; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "openseer", "--data", str(data), "serve", "--port", str(port)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE)
    try:
        assert server.stderr
        assert b"is served at" in server.stderr.readline()
        yield f"http://127.0.0.1:{port}"
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=30)


def fetched(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=10) as answer:
        return json.load(answer)


def test_every_command_works_on_it(shared_data, few_papers, tmp_path, postgres):
    openseer(shared_data, "ingest", few_papers / "paper-rank.pdf")
    with served(shared_data) as site:
        counts = json.loads(openseer(shared_data, "ingest", few_papers, "--json"))["counts"]
        assert counts == {"ingested": 3, "too_short": 1, "known": 1}
        assert fetched(f"{site}/api/search?q=near+duplicates")["total_results"] >= 1
        assert fetched(f"{site}/healthz")["status"] == "ok"
        postgres.stop()
        with pytest.raises(urllib.error.HTTPError, match="503"):
            fetched(f"{site}/api/paper?id=w000000000000")
        postgres.start()
        assert fetched(f"{site}/healthz")["status"] == "ok", "it answers again by itself"
        found = json.loads(openseer(shared_data, "search", "near duplicates", "--json"))["response"][0]
        shown = json.loads(openseer(shared_data, "show", found["cluster_id"], "--json"))
        assert shown["title"] == found["title"]
        assert json.loads(openseer(shared_data, "re-extract", "--all", "--json"))["counts"] == {"ingested": 4}
    openseer(shared_data, "reindex")
    openseer(shared_data, "verify")
    assert json.loads(openseer(shared_data, "stats", "--json"))["documents"] == 4
    assert "postgresql://openseer@/library" in openseer(shared_data, "config")
    assert not (shared_data / "library.db").exists()
    beside = tmp_path / "another machine"
    beside.mkdir()
    shutil.copy(shared_data / "openseer.toml", beside)
    (beside / "files").symlink_to(shared_data / "files")
    openseer(beside, "reindex")
    there = json.loads(openseer(beside, "search", "near duplicates", "--json"))["response"][0]
    assert there["cluster_id"] == found["cluster_id"]


@pytest.mark.proof
@pytest.mark.parametrize("processes", [4, 8])
def test_many_processes_one_of_them_killed_make_the_library_that_one_makes(
    shared_data, sample_papers, sample_data, tmp_path, processes
):
    """Each takes in most of the papers; one is killed in the middle, and the others have its papers too."""
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    papers = sorted(sample_papers.glob("*.pdf"))
    shares = [set(chance.sample(papers, len(papers) * 2 // 3)) for _ in range(processes)]
    shares[1] |= set(papers) - set.union(*shares[1:])
    running = [ingest(shared_data, folder_of(tmp_path / f"papers{n}", share)) for n, share in enumerate(shares)]
    try:
        finished = wait_for(shared_data, chance.randrange(1, len(papers) // 2))
        assert running[0].poll() is None, "the kill falls into the middle of the work"
        os.killpg(running[0].pid, signal.SIGKILL)
        for process in running[1:]:
            _, errors = process.communicate(timeout=300)
            assert process.returncode == 0, errors.decode()
    finally:
        for process in running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    print(f"seed {seed}; {finished} of {len(papers)} documents were finished at the kill")
    check_equal(shared_data, sample_data)
    with open_library(shared_data) as library:
        changes = [one.sequence for one in library.records.changes_after(0, 10**6)]
        assert changes == list(range(1, len(changes) + 1))
        assert list(library.records.inconsistencies()) == []


def folder_of(folder: Path, papers: Iterable[Path]) -> Path:
    folder.mkdir()
    for paper in papers:
        (folder / paper.name).symlink_to(paper)
    return folder


def wait_for(data: Path, count: int) -> int:
    """Wait until so many documents are finished; how many there are then."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        with contextlib.suppress(NoLibrary), open_library(data) as library:
            outcomes = library.records.outcomes()
            if (finished := sum(outcomes.values()) - outcomes.get("waiting", 0)) >= count:
                return finished
        time.sleep(0.05)
    raise AssertionError("nothing was taken in")
