"""The queue in SQL: who reads what, when again, and what belongs to which job."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from openseer.core.errors import NotFound
from openseer.core.model.task import Job, JobState, Task, TaskState
from openseer.storage.sql.engine.dialect import Database, Row

COLUMNS = "sha1, extractor, extractor_version, generation, state, attempts, error, priority, not_before"
ONE = "sha1 = ? AND extractor = ? AND extractor_version = ?"
OF_JOB = "sha1 IN (SELECT sha1 FROM job_document WHERE job = ?)"


def task_of(row: Row) -> Task:
    """A row of `COLUMNS`."""
    sha1, extractor, wanted, generation, state, *rest = row
    return Task(sha1, extractor, wanted, generation, TaskState(state), *rest)


def create_task(db: Database, sha1: str, extractor: str, wanted: int) -> Task:
    """The task of a document, made if there is none; one that was cancelled waits again, since somebody asks."""
    row = db.one(f"SELECT {COLUMNS} FROM task WHERE {ONE}", (sha1, extractor, wanted))
    if row is not None:
        task = task_of(row)
        if task.state is not TaskState.CANCELLED:
            return task
        db.do(f"UPDATE task SET state = ?, attempts = 0 WHERE {ONE}", (TaskState.WAITING, sha1, extractor, wanted))
        return replace(task, state=TaskState.WAITING, attempts=0)
    drawn = db.one("SELECT max(generation) FROM task WHERE sha1 = ?", (sha1,))
    task = Task(sha1, extractor, wanted, generation=1 + ((drawn[0] if drawn else None) or 0))
    db.do(
        "INSERT INTO task (sha1, extractor, extractor_version, generation, state, priority, attempts, not_before,"
        " lease_until, error, lease_owner) VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, '', '')",
        (sha1, extractor, wanted, task.generation, task.state),
    )
    return task


def new_generation(db: Database, task: Task) -> Task:
    """The same task as a new generation."""
    again = replace(task, generation=task.generation + 1, state=TaskState.WAITING)
    db.do(
        f"UPDATE task SET generation = ?, state = ?, not_before = 0 WHERE {ONE}",
        (again.generation, again.state, task.sha1, task.extractor, task.extractor_version),
    )
    return again


class Lease:
    """What it takes to hold tasks: a name, an end, and a way to see that another holder is no more."""

    def __init__(self, holder: str, until: float, now: float, is_gone: Callable[[str], bool]) -> None:
        self.holder, self.until, self.now = holder, until, now
        self._is_gone = is_gone
        self._known: dict[str, bool] = {"": True}

    def may_take(self, state: str, holder: str, until: float) -> bool:
        """Whether a task that stands so can be had."""
        if state != TaskState.LEASED or until < self.now or holder == self.holder:
            return state in (TaskState.WAITING, TaskState.LEASED)
        if holder not in self._known:
            self._known[holder] = self._is_gone(holder)
        return self._known[holder]


def lease_tasks(db: Database, tasks: Iterable[Task], lease: Lease) -> set[str]:
    """Take these tasks, but for those that another holds; the documents of those taken."""
    wanted = {one.sha1: one for one in tasks}
    asked = "SELECT sha1, extractor, extractor_version, state, lease_owner, lease_until FROM task WHERE sha1 IN ({})"
    taken = [
        (sha1, extractor, version)
        for sha1, extractor, version, state, holder, until in db.rows_in(asked, wanted)
        if (wanted[sha1].extractor, wanted[sha1].extractor_version) == (extractor, version)
        and lease.may_take(state, holder, until)
    ]
    update = f"UPDATE task SET state = ?, lease_owner = ?, lease_until = ? WHERE {ONE}"
    db.do_many(update, [(TaskState.LEASED, lease.holder, lease.until, *one) for one in taken])
    return {sha1 for sha1, _, _ in taken}


def lease_due(db: Database, extractor: str, wanted: int, lease: Lease, limit: int) -> list[Task]:
    """The next tasks that may be taken, the first lane before the second."""
    rows = db.rows(
        f"SELECT {COLUMNS} FROM task WHERE state = ? AND extractor = ? AND extractor_version = ? AND not_before <= ?"
        " ORDER BY priority, not_before, sha1 LIMIT ?",
        (TaskState.WAITING, extractor, wanted, lease.now, limit),
    )
    found = [task_of(row) for row in rows]
    if len(found) < limit:
        found += _abandoned(db, extractor, wanted, lease, limit - len(found))
    return found


def _abandoned(db: Database, extractor: str, wanted: int, lease: Lease, limit: int) -> list[Task]:
    rows = db.rows(
        f"SELECT lease_owner, lease_until, {COLUMNS} FROM task"
        " WHERE state = ? AND extractor = ? AND extractor_version = ? ORDER BY priority, sha1",
        (TaskState.LEASED, extractor, wanted),
    )
    left = [row for row in rows if row[0] != lease.holder and lease.may_take(TaskState.LEASED, row[0], row[1])]
    return [task_of(row[2:]) for row in left[:limit]]


def renew(db: Database, holder: str, until: float) -> None:
    """Hold what is held for longer."""
    db.do("UPDATE task SET lease_until = ? WHERE lease_owner = ? AND state = ?", (until, holder, TaskState.LEASED))


def release(db: Database, holder: str) -> None:
    """Let go of what is still held."""
    update = "UPDATE task SET state = ?, lease_owner = '' WHERE lease_owner = ? AND state = ?"
    db.do(update, (TaskState.WAITING, holder, TaskState.LEASED))


def deprioritise(db: Database, task: Task, priority: int) -> None:
    """Let a task wait in another lane."""
    update = f"UPDATE task SET state = ?, priority = ?, lease_owner = '' WHERE {ONE}"
    db.do(update, (TaskState.WAITING, priority, task.sha1, task.extractor, task.extractor_version))


def reopen(db: Database, outcomes: Collection[str]) -> int:
    """Let documents with these outcomes be read again; how many."""
    marks = ",".join("?" * len(outcomes))
    ended = (TaskState.DONE, TaskState.WAITING, TaskState.QUARANTINED)
    return db.do(
        "UPDATE task SET state = ?, attempts = 0, not_before = 0 WHERE state IN (?, ?, ?)"
        f" AND sha1 IN (SELECT sha1 FROM document WHERE outcome IN ({marks}))",
        (TaskState.WAITING, *ended, *outcomes),
    )


# -- jobs ---------------------------------------------------------------------------------------------------------


def open_job(db: Database, job: Job) -> None:
    """Note what somebody asked for."""
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
    """Let the documents of a job that failed or were cancelled be read again; how many."""
    if db.one("SELECT 1 FROM job WHERE id = ?", (job,)) is None:
        raise no_job(job)
    marks = ",".join("?" * len(outcomes))
    return db.do(
        f"UPDATE task SET state = ?, attempts = 0, not_before = 0 WHERE {OF_JOB}"
        f" AND (state IN (?, ?) OR (state IN (?, ?) AND error IN ({marks})))",
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
