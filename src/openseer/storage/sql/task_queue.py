"""Task queue and jobs in SQL: creating, leasing, retrying and cancelling tasks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from openseer.core.errors import NotFound
from openseer.core.model.task import Job, JobState, Task, TaskState
from openseer.storage.sql.engine.dialect import Database, Row

COLUMNS = "sha1, extractor, extractor_version, generation, state, attempts, error, priority, not_before"
TASK_KEY = "sha1 = ? AND extractor = ? AND extractor_version = ?"
OF_JOB = "sha1 IN (SELECT sha1 FROM job_document WHERE job = ?)"


def task_of(row: Row) -> Task:
    """The task of a row of `COLUMNS`."""
    sha1, extractor, extractor_version, generation, state, *rest = row
    return Task(sha1, extractor, extractor_version, generation, TaskState(state), *rest)


def create_task(db: Database, sha1: str, extractor: str, extractor_version: int) -> Task:
    """Get or create the task of a document; a cancelled task becomes waiting again."""
    row = db.one(f"SELECT {COLUMNS} FROM task WHERE {TASK_KEY}", (sha1, extractor, extractor_version))
    if row is not None:
        task = task_of(row)
        if task.state is not TaskState.CANCELLED:
            return task
        db.do(
            f"UPDATE task SET state = ?, attempts = 0 WHERE {TASK_KEY}",
            (TaskState.WAITING, sha1, extractor, extractor_version),
        )
        return replace(task, state=TaskState.WAITING, attempts=0)
    latest = db.one("SELECT max(generation) FROM task WHERE sha1 = ?", (sha1,))
    task = Task(sha1, extractor, extractor_version, generation=1 + ((latest[0] if latest else None) or 0))
    db.do(
        "INSERT INTO task (sha1, extractor, extractor_version, generation, state, priority, attempts, not_before,"
        " lease_until, error, lease_owner) VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, '', '')",
        (sha1, extractor, extractor_version, task.generation, task.state),
    )
    return task


def new_generation(db: Database, task: Task) -> Task:
    """Make the task wait as a new generation."""
    again = replace(task, generation=task.generation + 1, state=TaskState.WAITING)
    db.do(
        f"UPDATE task SET generation = ?, state = ?, not_before = 0 WHERE {TASK_KEY}",
        (again.generation, again.state, task.sha1, task.extractor, task.extractor_version),
    )
    return again


class Lease:
    """A lease on tasks: owner, expiry, and a check whether another owner is dead."""

    def __init__(self, owner: str, until: float, now: float, is_dead: Callable[[str], bool]) -> None:
        self.owner, self.until, self.now = owner, until, now
        self._is_dead = is_dead
        self._dead_owners: dict[str, bool] = {"": True}

    def can_lease(self, state: str, owner: str, until: float) -> bool:
        """True if a task with this state, owner and expiry can be leased."""
        if state != TaskState.LEASED or until < self.now or owner == self.owner:
            return state in (TaskState.WAITING, TaskState.LEASED)
        if owner not in self._dead_owners:
            self._dead_owners[owner] = self._is_dead(owner)
        return self._dead_owners[owner]


def lease_tasks(db: Database, tasks: Iterable[Task], lease: Lease) -> set[str]:
    """Lease these tasks except those leased by another owner; returns the SHA-1s of the leased ones."""
    wanted = {one.sha1: one for one in tasks}
    asked = "SELECT sha1, extractor, extractor_version, state, lease_owner, lease_until FROM task WHERE sha1 IN ({})"
    taken = [
        (sha1, extractor, version)
        for sha1, extractor, version, state, owner, until in db.rows_in(asked, wanted)
        if (wanted[sha1].extractor, wanted[sha1].extractor_version) == (extractor, version)
        and lease.can_lease(state, owner, until)
    ]
    update = f"UPDATE task SET state = ?, lease_owner = ?, lease_until = ? WHERE {TASK_KEY}"
    db.do_many(update, [(TaskState.LEASED, lease.owner, lease.until, *one) for one in taken])
    return {sha1 for sha1, _, _ in taken}


def lease_due(db: Database, extractor: str, extractor_version: int, lease: Lease, limit: int) -> list[Task]:
    """The next tasks that can be leased, by priority."""
    rows = db.rows(
        f"SELECT {COLUMNS} FROM task WHERE state = ? AND extractor = ? AND extractor_version = ? AND not_before <= ?"
        " ORDER BY priority, not_before, sha1 LIMIT ?",
        (TaskState.WAITING, extractor, extractor_version, lease.now, limit),
    )
    found = [task_of(row) for row in rows]
    if len(found) < limit:
        found += _abandoned(db, extractor, extractor_version, lease, limit - len(found))
    return found


def _abandoned(db: Database, extractor: str, extractor_version: int, lease: Lease, limit: int) -> list[Task]:
    rows = db.rows(
        f"SELECT lease_owner, lease_until, {COLUMNS} FROM task"
        " WHERE state = ? AND extractor = ? AND extractor_version = ? ORDER BY priority, sha1",
        (TaskState.LEASED, extractor, extractor_version),
    )
    left = [row for row in rows if row[0] != lease.owner and lease.can_lease(TaskState.LEASED, row[0], row[1])]
    return [task_of(row[2:]) for row in left[:limit]]


def renew(db: Database, owner: str, until: float) -> None:
    """Renew the leases of an owner."""
    db.do("UPDATE task SET lease_until = ? WHERE lease_owner = ? AND state = ?", (until, owner, TaskState.LEASED))


def release(db: Database, owner: str) -> None:
    """Release the leases of an owner."""
    update = "UPDATE task SET state = ?, lease_owner = '' WHERE lease_owner = ? AND state = ?"
    db.do(update, (TaskState.WAITING, owner, TaskState.LEASED))


def deprioritise(db: Database, task: Task, priority: int) -> None:
    """Make a task wait with another priority."""
    update = f"UPDATE task SET state = ?, priority = ?, lease_owner = '' WHERE {TASK_KEY}"
    db.do(update, (TaskState.WAITING, priority, task.sha1, task.extractor, task.extractor_version))


def reopen(db: Database, outcomes: Collection[str]) -> int:
    """Requeue the documents with these outcomes; returns their number."""
    placeholders = ",".join("?" * len(outcomes))
    ended = (TaskState.DONE, TaskState.WAITING, TaskState.QUARANTINED)
    return db.do(
        "UPDATE task SET state = ?, attempts = 0, not_before = 0 WHERE state IN (?, ?, ?)"
        f" AND sha1 IN (SELECT sha1 FROM document WHERE outcome IN ({placeholders}))",
        (TaskState.WAITING, *ended, *outcomes),
    )


# -- jobs ---------------------------------------------------------------------------------------------------------


def open_job(db: Database, job: Job) -> None:
    """Store a new job."""
    db.do("INSERT INTO job (id, at, what, state) VALUES (?, ?, ?, ?)", (job.id, job.at, job.what, job.state))


def set_job(db: Database, job: str, state: JobState) -> None:
    """Pause, resume, cancel or end a job; cancelling also takes its tasks out of the queue."""
    if not db.do("UPDATE job SET state = ? WHERE id = ?", (state, job)):
        raise no_job(job)
    if state is JobState.CANCELLED:
        waiting = (TaskState.WAITING, TaskState.LEASED)
        update = f"UPDATE task SET state = ?, lease_owner = '' WHERE state IN (?, ?) AND {OF_JOB}"
        db.do(update, (TaskState.CANCELLED, *waiting, job))


def retry(db: Database, job: str, outcomes: Collection[str]) -> int:
    """Requeue the failed and cancelled documents of a job; returns their number."""
    if db.one("SELECT 1 FROM job WHERE id = ?", (job,)) is None:
        raise no_job(job)
    placeholders = ",".join("?" * len(outcomes))
    return db.do(
        f"UPDATE task SET state = ?, attempts = 0, not_before = 0 WHERE {OF_JOB}"
        f" AND (state IN (?, ?) OR (state IN (?, ?) AND error IN ({placeholders})))",
        (
            TaskState.WAITING,
            job,
            TaskState.QUARANTINED,
            TaskState.CANCELLED,
            TaskState.DONE,
            TaskState.WAITING,
            *outcomes,
        ),
    )


def no_job(job: str) -> NotFound:
    """The error for an id that no job has."""
    return NotFound(f"There is no job {job}.", "`openseer jobs` lists them.")
