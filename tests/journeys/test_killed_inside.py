"""Killed inside a transaction, at its end, or inside an index commit: nothing acknowledged is lost, nothing doubled."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from openseer.storage.open import open_library
from tests.journeys.test_killed import check_equal, documents, ingest

ROOT = Path(__file__).parents[2]


def dying(data: Path, folder: Path | str, *where: str) -> int:
    """How the process ended: -9 when it was killed where it should be, 0 when it came to its end before."""
    command = [sys.executable, "-m", "tests.journeys.killed_process", str(data), str(folder), *where]
    here = os.pathsep.join([str(ROOT / "src"), str(ROOT)])  # this tree, not an installed one
    found = {**os.environ, "PYTHONPATH": here}
    ended = subprocess.run(command, env=found, capture_output=True, start_new_session=True, timeout=300, check=False)
    assert ended.returncode in (0, -signal.SIGKILL), ended.stderr.decode()
    return ended.returncode


def whole(folder: Path, data: Path) -> Path:
    process = ingest(data, folder)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors.decode()
    return data


def rounds(data: Path, folder: Path, chance: random.Random, count: int) -> int:
    """Die at one place after another; how often that happened."""
    killed, finished = 0, 0
    for turn in range(count):
        where = ("statement", "commit", "committed")[turn % 3]
        number = chance.randint(1, 60 + 10 * turn) if where == "statement" else chance.randint(1, 2)
        killed += dying(data, folder, where, str(number)) != 0
        now = documents(data)
        assert now >= finished, "what was acknowledged stays"
        finished = now
        seconds = f"{chance.uniform(0, 0.05):.4f}"
        killed += dying(data, "-", "index", "1", seconds) != 0
        with open_library(data) as library:
            library.open_index().checkpoint()
    return killed


def test_killed_inside_transactions_and_index_commits_it_is_the_same_library(few_papers, tmp_path):
    seed = random.randrange(10**6)
    expected = whole(few_papers, tmp_path / "whole")
    killed = rounds(tmp_path / "data", few_papers, random.Random(seed), 3)
    print(f"seed {seed}; killed {killed} times")
    assert killed, "the first place is reached in any case"
    check_equal(whole(few_papers, tmp_path / "data"), expected)


@pytest.mark.proof
def test_killed_inside_a_hundred_times_it_is_the_same_library(sample_papers, tmp_path):
    seed = random.randrange(10**6)
    expected = whole(sample_papers, tmp_path / "whole")
    killed = rounds(tmp_path / "data", sample_papers, random.Random(seed), 50)
    print(f"seed {seed}; killed {killed} times")
    assert killed > 10
    check_equal(whole(sample_papers, tmp_path / "data"), expected)
