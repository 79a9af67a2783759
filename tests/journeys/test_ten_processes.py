"""Ten processes take overlapping copies of the same works into one library: it is the library of a serial run."""

from __future__ import annotations

import multiprocessing
import random
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from openseer.storage.sql.reader import SqlRecords
from tests.builders import Paper, ingest_papers, snapshot

PROCESSES = 10
WORDS = (
    "harbour",
    "library",
    "engine",
    "citation",
    "shelf",
    "graph",
    "crawler",
    "margin",
    "ledger",
    "archive",
    "river",
)


def papers_of(seed: int) -> list[Paper]:
    """Some forty files of twenty works, misspelled now and then, that cite each other and works that nobody has."""
    chance = random.Random(seed)
    works = [(" ".join(chance.sample(WORDS, 5)).capitalize(), f"Author{letter}") for letter in "abcdefghijklmnopqrst"]
    cited = [*works, *((title + "s", author) for title, author in works[:5]), ("A work nobody has at all", "Nemo")]
    return [
        Paper(title, author, cites=tuple(chance.sample(cited, chance.randint(0, 6))), copy=copy)
        for title, author in works
        for copy in range(chance.randint(1, 3))
    ]


def take_in_shuffled(place: Path | str, seed: int, mine: int, start: Barrier) -> None:
    """One of the processes: most of the papers, in an order and in batches of its own."""
    chance = random.Random(seed * 1000 + mine)
    papers = papers_of(seed)
    chosen = chance.sample(papers, len(papers) if mine < 2 else 2 * len(papers) // 3)
    records = SqlRecords(place, lock_timeout=120)
    start.wait(60)
    while chosen:
        size = chance.randint(1, 5)
        ingest_papers(records, chosen[:size])
        chosen = chosen[size:]
    records.close()


def check_one_round(place: Path | str, folder: Path, seed: int) -> None:
    """Ten processes at once, then the same serially."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.journeys.test_ten_processes"])
    start = context.Barrier(PROCESSES)
    work = [context.Process(target=take_in_shuffled, args=(place, seed, mine, start)) for mine in range(PROCESSES)]
    for process in work:
        process.start()
    for process in work:
        process.join(300)
        assert process.exitcode == 0
    records, serial = SqlRecords(place), SqlRecords(folder / f"serial{seed}.db")
    for paper in papers_of(seed):
        ingest_papers(serial, [paper])
    assert snapshot(records) == snapshot(serial), f"seed {seed}"
    assert list(records.inconsistencies()) == []
    records.close()
    serial.close()


def test_one_round_on_sqlite(tmp_path):
    check_one_round(tmp_path / "library.db", tmp_path, random.randrange(10**6))


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(50))
def test_fifty_rounds_on_sqlite(tmp_path, seed):
    check_one_round(tmp_path / "library.db", tmp_path, seed)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(50))
def test_fifty_rounds_on_postgresql(tmp_path, address, seed):
    check_one_round(address, tmp_path, seed)
