"""The contract of the queue: a task is read by one process at a time, tried again, given up, and belongs to jobs."""

from __future__ import annotations

import pytest

from openseer.core.errors import NotFound
from openseer.core.model.task import LOW_PRIORITY, JobState, RetryPolicy, TaskState
from openseer.core.processes.process_id import current_process, is_dead
from openseer.storage.protocols.records import ExtractionFacts
from openseer.storage.sql.reader import SqlRecords
from tests.builders import Paper, ingest_papers

ONE, TWO = Paper("Syntactic clustering of the web", "Broder"), Paper("The anatomy of a search engine", "Brin")
ELSEWHERE, ANOTHER = "some.other.machine:17:99", "a.third.machine:18:99"


class Time:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Time()


@pytest.fixture(params=["sqlite", "postgresql"])
def records(request, tmp_path, clock):
    place = tmp_path / "library.db" if request.param == "sqlite" else request.getfixturevalue("address")
    opened = SqlRecords(place, lock_timeout=20, clock=clock)
    yield opened
    opened.close()


def seen(records, paper, job=""):
    with records.writing() as writer:
        return writer.register(paper.resource, paper.facts, 1, job=job)


def hold(records, paper, holder, seconds=60.0):
    task = seen(records, paper).task
    with records.writing() as writer:
        return bool(writer.lease([task], holder, seconds))


def test_what_one_process_holds_another_gets_when_the_lease_has_ended(records, clock):
    assert hold(records, ONE, ELSEWHERE)
    assert hold(records, ONE, ELSEWHERE), "its own again"
    assert not hold(records, ONE, ANOTHER)
    clock.now += 50
    with records.writing() as writer:
        writer.renew(ELSEWHERE, 60)
    clock.now += 50
    assert not hold(records, ONE, ANOTHER)
    clock.now += 50
    assert hold(records, ONE, ANOTHER)


def test_a_process_of_this_machine_that_died_lets_go_at_once(records):
    host, pid, began = current_process().split(":")
    assert not is_dead(current_process())
    assert is_dead(f"{host}:{pid}:{int(began) - 1}"), "another process had this number before"
    assert not is_dead(ELSEWHERE), "nobody knows"
    assert hold(records, ONE, f"{host}:{pid}:{int(began) - 1}")
    assert hold(records, ONE, ELSEWHERE)


def test_what_is_released_waits_again(records):
    assert hold(records, ONE, ELSEWHERE)
    with records.writing() as writer:
        writer.release(ELSEWHERE)
    assert hold(records, ONE, ANOTHER)


def test_the_first_lane_comes_first(records):
    tasks = [seen(records, paper).task for paper in (ONE, TWO)]
    with records.writing() as writer:
        writer.deprioritise(tasks[0], LOW_PRIORITY)
        assert [one.sha1 for one in writer.lease_due(1, ELSEWHERE, 60, 1)] == [TWO.sha1]
        assert [one.sha1 for one in writer.lease_due(1, ELSEWHERE, 60, 5)] == [ONE.sha1]
        assert writer.lease_due(1, ANOTHER, 60, 5) == []


def test_the_queue_hands_out_what_a_dead_process_held(records, clock):
    assert hold(records, ONE, ELSEWHERE)
    clock.now += 100
    with records.writing() as writer:
        assert [one.sha1 for one in writer.lease_due(1, ANOTHER, 60, 5)] == [ONE.sha1]


def fail(records, paper, outcome="timeout"):
    with records.writing() as writer:
        writer.acknowledge(
            paper.sha1, outcome, "a test", ExtractionFacts(generation=1, retry_policy=RetryPolicy(3, 60.0))
        )


def test_what_fails_is_tried_again_later_and_then_given_up(records, clock):
    seen(records, ONE)
    for pause in (60, 240):
        fail(records, ONE)
        assert records.outcomes() == {"timeout": 1}, "told at once"
        assert seen(records, ONE).known, "not before its time"
        clock.now += pause - 1
        assert seen(records, ONE).known
        clock.now += 2
        assert not seen(records, ONE).known
    fail(records, ONE)
    clock.now += 10**6
    ticket = seen(records, ONE)
    assert (ticket.known, ticket.task.state, ticket.task.attempts) == (True, TaskState.QUARANTINED, 3)
    with records.writing() as writer:
        assert writer.lease_due(1, ELSEWHERE, 60, 5) == []
        assert writer.reopen(["timeout"]) == 1
    assert not seen(records, ONE).known


def test_the_same_bytes_are_corrupt_for_ever(records, clock):
    seen(records, ONE)
    fail(records, ONE, "corrupt")
    clock.now += 10**6
    assert seen(records, ONE).task.state is TaskState.DONE


def test_a_job_counts_its_documents(records):
    with records.writing() as writer:
        job = writer.open_job("ingest papers")
    seen(records, ONE, job)
    seen(records, TWO, job)
    ingest_papers(records, [ONE])
    assert records.job(job).counts == {"ingested": 1, "waiting": 1}
    assert [one.what for one in records.jobs(10)] == ["ingest papers"]
    for _ in range(3):
        fail(records, TWO)
    assert records.job(job).counts == {"ingested": 1, "quarantined": 1}
    with records.writing() as writer:
        assert writer.retry_job(job) == 1
        assert [one.sha1 for one in writer.lease_due(1, ELSEWHERE, 60, 5)] == [TWO.sha1]


def test_a_cancelled_job_leaves_the_queue_until_somebody_asks_again(records):
    with records.writing() as writer:
        job = writer.open_job("ingest papers")
    seen(records, ONE, job)
    with records.writing() as writer:
        writer.set_job(job, JobState.CANCELLED)
        assert writer.lease_due(1, ELSEWHERE, 60, 5) == []
    assert records.job_state(job) is JobState.CANCELLED
    assert (records.job(job).state, records.job(job).counts) == (JobState.CANCELLED, {"cancelled": 1})
    assert not seen(records, ONE).known
    assert records.job(job).counts == {"waiting": 1}


def test_a_job_that_nobody_opened_is_not_found(records):
    with pytest.raises(NotFound, match="no job j0"):
        records.job("j0")
    with pytest.raises(NotFound), records.writing() as writer:
        writer.set_job("j0", JobState.PAUSED)
    with pytest.raises(NotFound), records.writing() as writer:
        writer.retry_job("j0")
