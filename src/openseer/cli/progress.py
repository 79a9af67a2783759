"""Progress of a run: a bar on a terminal, a line now and then where standard error is a file or a pipe."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import plural, print_counts, print_json, stderr
from openseer.ingest.progress import Progress as Run
from openseer.ingest.progress import Trouble

MAX_PROBLEMS = 20
"""Problems that are printed; `openseer documents` lists all."""
LINE_SECONDS, LINE_FILES = 30.0, 100
"""A line is printed after so many seconds or files."""
POLL_SECONDS = 0.2
SLOW_WRITE_SECONDS = 5.0
"""From so many seconds on a write probably waits for another process."""
SHOWN_NAME = 40
"""Characters of a file name beside the bar."""


class Display(Protocol):
    """Shows the state of a run."""

    def extracting(self, run: Run) -> None:
        """Show the counts."""

    def indexing(self, changes: int) -> None:
        """Show how many changes are not searchable yet."""


def run_with_progress(index_process: IndexProcess, progress: Run, work: Callable[[], Run]) -> Run:
    """Run the work and show its progress, then wait until its result is searchable."""
    with _display() as display:
        with _polled(lambda: display.extracting(progress)):
            run = work()
        index_process.wait(display.indexing)
    return run


@contextmanager
def _display() -> Iterator[Display]:
    if not stderr.is_terminal:
        yield _Lines()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=stderr, transient=True) as bar:
        yield _Bar(bar, bar.add_task("looking for files", total=None, note=""))


@contextmanager
def _polled(action: Callable[[], None]) -> Iterator[None]:
    """Call an action again and again in a thread."""
    stop = threading.Event()

    def poll() -> None:
        while not stop.wait(POLL_SECONDS):
            action()

    thread = threading.Thread(target=poll, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


class _Bar:
    """A bar over the files that this run has to read."""

    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar, self._task = bar, task

    def extracting(self, run: Run) -> None:
        if run.total:
            total, done = run.total - run.finished_before, run.read
            note = f"{_speed(run)}  {waiting(run) or _name(run.current)}"
            self._bar.update(self._task, description="extracting", total=total, completed=done, note=note)

    def indexing(self, changes: int) -> None:
        self._bar.update(self._task, description="indexing", note=f"{changes:,} changes left")


class _Lines:
    """A line every thirty seconds or hundred files."""

    def __init__(self) -> None:
        self._printed_at, self._printed_files = time.monotonic(), 0

    def extracting(self, run: Run) -> None:
        now = time.monotonic()
        if now - self._printed_at < LINE_SECONDS and run.done - self._printed_files < LINE_FILES:
            return
        self._printed_at, self._printed_files = now, run.done
        parts = (f"{run.done:,} of {plural(run.total, 'file')}", _speed(run), counts_line(run), waiting(run))
        stderr.print(", ".join(filter(None, parts)), markup=False)

    def indexing(self, changes: int) -> None:
        now = time.monotonic()
        if now - self._printed_at >= LINE_SECONDS:
            self._printed_at = now
            stderr.print(f"indexing, {changes:,} changes left")


def _speed(run: Run) -> str:
    return f"{run.read / run.seconds:.1f}/s" if run.read else ""


def _name(path: str) -> str:
    name = path.rpartition("/")[2]
    return name if len(name) <= SHOWN_NAME else f"{name[: SHOWN_NAME - 1]}…"


def waiting(run: Run) -> str:
    """What a write waits for; "" unless it takes long."""
    since = run.writing_since
    seconds = time.monotonic() - since if since else 0.0
    return f"waiting {seconds:.0f} s to write: another process may be writing" if seconds > SLOW_WRITE_SECONDS else ""


def counts_line(run: Run) -> str:
    """Numbers of the commonest outcomes."""
    return ", ".join(f"{count:,} {outcome.replace('_', ' ')}" for outcome, count in run.counts.most_common(4))


def report(run: Run, as_json: bool) -> None:
    """Print problems and the numbers of outcomes, or all of it as JSON."""
    if as_json:
        seconds = round(run.seconds, 2)
        files = [_trouble(one) for one in run.troubles]
        print_json({"counts": dict(run.counts), "files": run.total, "seconds": seconds, "not_ingested": files})
        return
    problems = [one for one in run.troubles if one.outcome != "unsupported_type"]
    for one in problems[:MAX_PROBLEMS]:
        before = "rejected before: " if one.before else ""
        stderr.print(f"  {one.path}: {before}{one.outcome}: {one.reason}", markup=False)
    for reason in sorted({one.reason for one in run.troubles if "which is not installed" in one.reason}):
        stderr.print(f"  {reason}", markup=False)
    if len(problems) > MAX_PROBLEMS:
        stderr.print(f"  ... and {len(problems) - MAX_PROBLEMS:,} more; `openseer documents --rejected` lists all")
    print_counts(dict(run.counts.most_common()))
    speed = f", {run.read / run.seconds:.1f} documents/s" if run.read else ""
    click.echo(f"{plural(run.done, 'file')} in {run.seconds:.1f} s{speed}", err=True)


def _trouble(one: Trouble) -> dict[str, str | bool]:
    return {"path": one.path, "outcome": one.outcome, "reason": one.reason, "rejected_before": one.before}
