"""Damaged files of every format: each gets an outcome, within its time, and no process stays behind."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import orjson
import pytest

from openseer.core.processes.worker_pool import Limits, WorkerPool
from openseer.core.settings import Extract
from openseer.ingest.results import NotIngested, decode
from openseer.ingest.worker_jobs import read_document, read_request
from tests.contracts.test_format_reader import SAMPLES

MUTANTS = 3000
LIMITS = Limits(seconds=20, memory_mb=600, confined=True)
MAX_SAMPLE = 1_000_000
"""Bytes of a file that is damaged."""


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Data with some bytes changed, or a part cut out, doubled or cut off."""
    found = bytearray(data)
    start = rng.randrange(len(found))
    end = min(len(found), start + rng.choice((1, 16, 400)))
    kind = rng.randrange(5)
    if kind == 0:
        del found[start:end]
    elif kind == 1:
        found[start:start] = found[start:end] * rng.choice((1, 3))
    elif kind == 2:
        del found[max(1, start) :]
    else:
        for _ in range(rng.choice((1, 5, 50))):
            found[rng.randrange(len(found))] = rng.randrange(256)
    return bytes(found) or b"x"


def children() -> set[str]:
    """Processes that this one started, directly or not."""
    parents: dict[str, list[str]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents.setdefault((entry / "stat").read_text().rpartition(")")[2].split()[1], []).append(entry.name)
            except OSError:
                continue
    found, waiting = set(), [str(os.getpid())]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found.update(below)
        waiting += below
    return found


@pytest.mark.proof
def test_three_thousand_damaged_files(corpus, tmp_path):
    rng = random.Random(11)
    originals = [(name, data) for name, data in SAMPLES.items() if name != "gemtext"]
    for path in sorted((corpus / "formats").rglob("*")):
        if path.is_file() and path.parent.name != "archives" and path.stat().st_size < MAX_SAMPLE:
            originals.append((path.name, path.read_bytes()))
    jobs = []
    for number in range(MUTANTS):
        name, data = originals[number % len(originals)]
        path = tmp_path / f"{number}-{name}"
        path.write_bytes(mutated(data, rng))
        jobs.append((number, read_request(path, f"{number:040x}", Extract(), 0)))
    before = children()
    outcomes: Counter[str] = Counter()
    slow = []
    with WorkerPool[int](read_document, 2, LIMITS) as pool:
        for answer in pool.run(iter(jobs)):
            if answer is None:
                continue
            decoded = decode(answer.parts) if answer.parts else None
            outcomes[answer.failure or (decoded.outcome if isinstance(decoded, NotIngested) else "read")] += 1
            if answer.seconds > LIMITS.seconds + 2:
                slow.append(jobs[answer.key])
    print(orjson.dumps(outcomes.most_common()).decode())
    assert outcomes.total() == MUTANTS
    assert slow == []
    assert outcomes["crashed"] <= 3, outcomes
    left = [one for one in children() - before if "multiprocessing" not in Path(f"/proc/{one}/cmdline").read_text()]
    assert left == [], "all but the server process that workers are forked from"
