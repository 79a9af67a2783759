"""Workers: one that hangs, grows, dies or raises costs its own document and nothing else."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from openseer.core.processes.worker_pool import MAX_JOBS, Limits, WorkerPool

LIMITS = Limits(seconds=1.5, memory_mb=200)


def misbehave(job: bytes) -> Sequence[bytes]:
    """Does what the job says."""
    match job.split():
        case [b"hang"]:
            time.sleep(60)
        case [b"grow"]:
            heap = []
            while True:
                heap.append(bytearray(b"x" * (10 << 20)))
        case [b"grab"]:
            return [bytes(1 << 40)[:1]]
        case [b"die"]:
            os.kill(os.getpid(), signal.SIGSEGV)
        case [b"raise"]:
            raise ValueError("no such page")
        case [b"pid"]:
            return [str(os.getpid()).encode()]
        case [b"large"]:
            return [b"x" * (8 << 20), b"y"]
        case [b"print"]:
            print("words on the terminal")
    return [job.upper()]


def answers(jobs, size=2, limits=LIMITS):
    with WorkerPool[int](misbehave, size, limits) as crew:
        return {one.key: one for one in crew.run(enumerate(jobs)) if one}


@pytest.mark.parametrize(
    ("job", "failure"),
    [(b"hang", "timeout"), (b"grow", "memory"), (b"grab", "memory"), (b"die", "crashed"), (b"raise", "crashed")],
)
def test_a_bad_job_fails_alone(job, failure):
    found = answers([b"a", job, b"b", b"c"])
    assert found[1].failure == failure
    assert found[1].detail
    assert [found[n].parts for n in (0, 2, 3)] == [(b"A",), (b"B",), (b"C",)]


def test_an_error_says_what_happened():
    assert answers([b"raise"])[0].detail == "ValueError: no such page"


def test_large_answers_come_whole():
    assert [len(frame) for frame in answers([b"large"])[0].parts] == [8 << 20, 1]


def test_a_worker_does_not_write_on_the_terminal(capfd):
    assert answers([b"print"])[0].parts == (b"PRINT",)
    assert capfd.readouterr() == ("", "")


def test_workers_live_long_but_not_for_ever():
    found = answers([b"pid"] * (MAX_JOBS + 5), size=1)
    pids = {one.parts[0] for one in found.values()}
    assert len(pids) == 2


def test_no_worker_outlives_its_crew():
    with WorkerPool[int](misbehave, 2, LIMITS) as crew:
        pids = [int(one.parts[0]) for one in crew.run(enumerate([b"pid"] * 4)) if one]
    assert not [pid for pid in pids if alive(pid)]


def test_a_crew_left_in_the_middle_of_a_run_ends_its_workers():
    with WorkerPool[int](misbehave, 2, Limits(30, 200)) as crew:
        running = crew.run(enumerate([b"pid", b"hang", b"hang"]))
        first = next(one for one in running if one)
        assert alive(int(first.parts[0]))
    assert not alive(int(first.parts[0]))


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_the_caller_is_called_back_while_all_are_busy():
    with WorkerPool[int](misbehave, 1, LIMITS) as crew:
        ticks = [one for one in crew.run([(0, b"hang")]) if one is None]
    assert len(ticks) >= 5
