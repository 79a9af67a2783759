"""Kill -9 at any moment loses nothing acknowledged and doubles nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from openseer.operate.verify import verify
from openseer.search.context import SearchContext
from openseer.search.service import SearchRequest, search
from openseer.storage.open import open_library
from tests.builders import snapshot

QUERIES = ("", "citation", "crawling", "near duplicates", "learning", "author:lawrence", "year:1990-2005", "title:the")


def ingest(data: Path, folder: Path) -> subprocess.Popen[bytes]:
    """The command in a process group of its own, as a terminal would start it."""
    return subprocess.Popen(
        [sys.executable, "-m", "openseer", "--data", str(data), "ingest", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def answers(data: Path) -> list[tuple[int, list[tuple[str, int, int]]]]:
    """What the index answers, work ids aside."""
    with open_library(data) as library:
        context = SearchContext(library.open_index(), library.records)
        found = [search(context, SearchRequest(query, page_size=100, sort="citations")) for query in QUERIES]
    return [
        (one.total, sorted((hit.work.title, hit.work.cited, hit.work.year or 0) for hit in one.results))
        for one in found
    ]


def killed_and_finished(data: Path, folder: Path, rounds: int, chance: random.Random, longest: float) -> list[int]:
    """Kill ingest again and again, then let it finish; how many documents were finished after each kill."""
    finished = []
    for _ in range(rounds):
        process = ingest(data, folder)
        time.sleep(chance.uniform(0.2, longest))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        finished.append(documents(data))
    process = ingest(data, folder)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors.decode()
    return finished


def documents(data: Path) -> int:
    if not (data / "library.db").exists():
        return 0
    with open_library(data) as library:
        return sum(count for outcome, count in library.records.outcomes().items() if outcome != "waiting")


def check_equal(killed: Path, whole: Path) -> None:
    with open_library(killed) as one, open_library(whole) as other:
        assert snapshot(one.records) == snapshot(other.records)
        assert verify(one) == []
    found, expected = answers(killed), answers(whole)
    assert [total for total, _ in found] == [total for total, _ in expected]
    for (total, hits), (_, wanted) in zip(found, expected, strict=True):
        if total <= 100:
            assert hits == wanted


def test_killed_a_few_times_it_is_the_same_library(sample_papers, sample_data, tmp_path):
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    finished = killed_and_finished(tmp_path / "data", sample_papers, 3, random.Random(seed), longest=2.5)
    print(f"finished after each kill: {finished}")
    assert finished == sorted(finished), "what was acknowledged stays"
    check_equal(tmp_path / "data", sample_data)


@pytest.mark.proof
def test_killed_twenty_times_on_real_papers_it_is_the_same_library(corpus, tmp_path):
    seed = random.randrange(10**6)
    started = time.monotonic()
    process = ingest(tmp_path / "whole", corpus / "papers")
    process.communicate(timeout=600)
    longest = max(2.2, (time.monotonic() - started) / 8)  # on a slow machine it has hardly begun after two seconds
    finished = killed_and_finished(tmp_path / "killed", corpus / "papers", 20, random.Random(seed), longest)
    print(f"seed {seed}; finished after each kill: {finished}")
    assert finished == sorted(finished)
    assert 0 < finished[9] < 420, "the kills fell into the middle of the work"
    check_equal(tmp_path / "killed", tmp_path / "whole")
