"""The task queue against a model: registrations, leases, retries, jobs and dead processes in any order."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp

from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.strategies import integers, sampled_from

from openseer.core.errors import FAILURES
from openseer.core.model.task import JobState, RetryPolicy, TaskState
from openseer.storage.protocols.records import ExtractionFacts
from openseer.storage.sql.reader import SqlRecords
from tests.builders import Paper

PAPERS = [Paper(f"Paper {number} of the queue", f"Author {number}") for number in range(4)]
OWNERS = ("here:1:1", "here:2:2")
"""Two processes on other machines: nobody can see whether they died."""
POLICY = RetryPolicy(attempts=2, pause=60.0)
LEASE_SECONDS = 100.0
VERSION = 7


class Queue(RuleBasedStateMachine):
    """Each rule is one transaction; the model says which tasks may be leased, and by whom."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp())
        self.now = 1_000_000.0
        self.records = SqlRecords(self.folder / "library.db", clock=lambda: self.now)
        self.job = ""
        self.state: dict[str, TaskState] = {}
        self.owner: dict[str, tuple[str, float]] = {}
        self.not_before: dict[str, float] = {}
        self.attempts: dict[str, int] = {}
        self.error: dict[str, str] = {}

    def teardown(self) -> None:
        self.records.close()
        shutil.rmtree(self.folder)

    def can_lease(self, sha1: str, owner: str) -> bool:
        held_by, until = self.owner.get(sha1, ("", 0.0))
        if self.state[sha1] is TaskState.LEASED:
            return until < self.now or held_by == owner
        return self.state[sha1] is TaskState.WAITING

    @rule(paper=sampled_from(PAPERS))
    def register(self, paper):
        with self.records.writing() as writer:
            if not self.job:
                self.job = writer.open_job("a test")
            registration = writer.register(paper.resource, paper.facts, VERSION, job=self.job)
        state = self.state.setdefault(paper.sha1, TaskState.WAITING)
        if state is TaskState.CANCELLED:
            state = self.state[paper.sha1] = TaskState.WAITING
            self.attempts[paper.sha1] = 0
        pausing = state is TaskState.WAITING and self.not_before.get(paper.sha1, 0.0) > self.now
        assert registration.known == (pausing or state in (TaskState.DONE, TaskState.QUARANTINED))

    @precondition(lambda self: self.state)
    @rule(owner=sampled_from(OWNERS), limit=integers(1, 4))
    def lease_due(self, owner, limit):
        with self.records.writing() as writer:
            leased = {task.sha1 for task in writer.lease_due(VERSION, owner, LEASE_SECONDS, limit)}
        due = {
            sha1
            for sha1 in self.state
            if self.can_lease(sha1, owner)
            and self.owner.get(sha1, ("", 0.0))[0] != owner
            and (self.state[sha1] is TaskState.LEASED or self.not_before.get(sha1, 0.0) <= self.now)
        }
        assert leased <= due
        assert len(leased) == min(limit, len(due)), "nothing that is due is passed over"
        self.leased(leased, owner)

    @precondition(lambda self: self.state)
    @rule(owner=sampled_from(OWNERS))
    def lease_all(self, owner):
        with self.records.writing() as writer:
            tasks = [
                writer.register(one.resource, one.facts, VERSION).task for one in self.known() if self.is_open(one)
            ]
            leased = writer.lease(tasks, owner, LEASE_SECONDS)
        assert leased == {one.sha1 for one in self.known() if self.is_open(one) and self.can_lease(one.sha1, owner)}
        self.leased(leased, owner)

    def known(self) -> list[Paper]:
        return [one for one in PAPERS if one.sha1 in self.state]

    def is_open(self, paper: Paper) -> bool:
        return self.state[paper.sha1] in (TaskState.WAITING, TaskState.LEASED)

    def leased(self, sha1s: set[str], owner: str) -> None:
        for sha1 in sha1s:
            self.state[sha1], self.owner[sha1] = TaskState.LEASED, (owner, self.now + LEASE_SECONDS)

    @precondition(lambda self: any(state is TaskState.LEASED for state in self.state.values()))
    @rule(outcome=sampled_from(["ingested", "too_short", "timeout", "crashed"]), pick=integers(0, 3))
    def acknowledge(self, outcome, pick):
        leased = sorted(sha1 for sha1, state in self.state.items() if state is TaskState.LEASED)
        sha1 = leased[pick % len(leased)]
        with self.records.writing() as writer:
            writer.acknowledge(sha1, outcome, "", ExtractionFacts(generation=1, retry_policy=POLICY))
        self.attempts[sha1] = self.attempts.get(sha1, 0) + 1
        self.error[sha1] = "" if outcome == "ingested" else outcome
        self.owner.pop(sha1, None)
        if outcome not in ("timeout", "crashed"):
            self.state[sha1] = TaskState.DONE
        elif self.attempts[sha1] >= POLICY.attempts:
            self.state[sha1] = TaskState.QUARANTINED
        else:
            self.state[sha1], self.not_before[sha1] = TaskState.WAITING, self.now + POLICY.pause

    @rule(owner=sampled_from(OWNERS))
    def renew(self, owner):
        with self.records.writing() as writer:
            writer.renew(owner, LEASE_SECONDS)
        for sha1, (held_by, _) in self.owner.items():
            if held_by == owner and self.state[sha1] is TaskState.LEASED:
                self.owner[sha1] = (owner, self.now + LEASE_SECONDS)

    @rule(owner=sampled_from(OWNERS))
    def release(self, owner):
        with self.records.writing() as writer:
            writer.release(owner)
        for sha1, (held_by, _) in list(self.owner.items()):
            if held_by == owner and self.state[sha1] is TaskState.LEASED:
                self.state[sha1] = TaskState.WAITING
                del self.owner[sha1]

    @rule(seconds=sampled_from([1.0, 61.0, 101.0]))
    def wait(self, seconds):
        self.now += seconds

    @precondition(lambda self: self.job)
    @rule()
    def cancel(self):
        with self.records.writing() as writer:
            writer.set_job(self.job, JobState.CANCELLED)
        for sha1, state in self.state.items():
            if state in (TaskState.WAITING, TaskState.LEASED):
                self.state[sha1] = TaskState.CANCELLED
                self.owner.pop(sha1, None)

    @precondition(lambda self: self.job)
    @rule()
    def retry(self):
        failed = {
            sha1
            for sha1, state in self.state.items()
            if state in (TaskState.QUARANTINED, TaskState.CANCELLED)
            or (state in (TaskState.DONE, TaskState.WAITING) and self.error.get(sha1) in FAILURES)
        }
        with self.records.writing() as writer:
            assert writer.retry_job(self.job) == len(failed)
        for sha1 in failed:
            self.state[sha1], self.attempts[sha1], self.not_before[sha1] = TaskState.WAITING, 0, 0.0

    @invariant()
    def the_queue_is_as_the_model_says(self):
        if self.job:
            assert dict(self.records.job_documents(self.job)) == self.state


TestQueue = Queue.TestCase
TestQueue.settings = settings(max_examples=40, stateful_step_count=30, deadline=None, derandomize=True)
