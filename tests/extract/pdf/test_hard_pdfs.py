"""Corrupt, encrypted, looping and unusual PDFs in real worker processes."""

from __future__ import annotations

import json
import time

import orjson
import pytest

from openseer.core.errors import FAILURES, OUTCOMES
from openseer.core.processes.worker_pool import Limits, WorkerPool
from openseer.ingest.worker_jobs import encode_path, extract_file

GOOD = frozenset(OUTCOMES) - frozenset(FAILURES)
ALLOWED = {
    "opens": GOOD,
    "corrupt": GOOD | {"corrupt"},
    "loop": GOOD | {"corrupt", "timeout", "memory"},
    "bomb": GOOD | {"corrupt", "timeout", "memory"},
    "password": {"encrypted"},
    "no-text": {"no_text"},
    "not-a-pdf": {"unsupported_type", "ingested", "too_short", "not_academic"},
}
"""What the corpus expects of a file -> the outcomes that keep to it."""
LIMITS = Limits(seconds=4, memory_mb=600)


@pytest.fixture(scope="module")
def hard(corpus):
    """The lines of the index about hard PDFs, by id."""
    lines = (corpus / "index.jsonl").read_text(encoding="utf-8").splitlines()
    found = {record["id"]: record for record in map(json.loads, lines) if record["file"].startswith("hard-pdfs/")}
    if not found:
        pytest.skip(f"no hard PDFs in {corpus}")
    return found


@pytest.fixture(scope="module")
def answers(corpus, hard):
    """What two reading processes said of each, and how long all took."""
    order = {"min_words": 100, "max_bytes": 200_000_000, "evidence": True, "formats": []}
    jobs = [(name, {"path": encode_path(corpus / record["file"]), **order}) for name, record in hard.items()]
    start = time.monotonic()
    with WorkerPool[str](extract_file, 2, LIMITS) as crew:
        found = {answer.key: answer for answer in crew.run((name, orjson.dumps(job)) for name, job in jobs) if answer}
    print(f"{len(found)} files in {time.monotonic() - start:.1f} s")
    return found


def outcome_of(answer):
    error = orjson.loads(answer.parts[0])["error"] if answer.parts else {"code": answer.failure}
    return error["code"] if error else "ingested"


def test_every_outcome_is_one_that_may_be(hard, answers):
    outcomes = {name: outcome_of(answer) for name, answer in answers.items()}
    assert outcomes.keys() == hard.keys()
    wrong = {
        name: (hard[name]["expect"], outcome, answers[name].detail)
        for name, outcome in outcomes.items()
        if outcome not in ALLOWED[hard[name]["expect"]]
    }
    assert wrong == {}


def test_no_file_takes_longer_than_it_may(answers):
    slow = {name: answer.seconds for name, answer in answers.items() if answer.seconds > LIMITS.seconds + 1}
    assert slow == {}


def test_unreadable_files_raise_errors_with_hints(answers):
    records = [orjson.loads(answer.parts[0]) for answer in answers.values() if answer.parts]
    errors = [record["error"] for record in records if record["error"]]
    assert len(errors) > 20
    assert all(error["message"] and error["hint"] for error in errors)
    assert all(record["pages"] >= 1 for record in records if not record["error"])
