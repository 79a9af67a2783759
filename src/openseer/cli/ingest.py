"""`openseer ingest PATH...`: add files and folders to the library."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from openseer.acquire.local_files import check_readable
from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import plural, print_counts, print_json, stderr
from openseer.core.errors import BadRequest
from openseer.ingest.coordinator import Coordinator
from openseer.ingest.progress import Progress as Run
from openseer.storage.open import open_library

MAX_PROBLEMS = 20
"""Problems that are printed; the library has a row for each."""


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True)
@click.option("--workers", type=click.IntRange(1, 256), help="Number of worker processes; default: one per core.")
@click.option("--retry-failed", is_flag=True, help="Retry documents that failed or exceeded a limit.")
@click.option("--watch", is_flag=True, help="Keep running and ingest new files in the folders, until Ctrl-C.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@click.pass_obj
def command(
    data: Path, paths: tuple[str, ...], workers: int | None, retry_failed: bool, watch: bool, as_json: bool
) -> None:
    """Add files and folders to the library ("-": paths from stdin). Run it again to continue after an interruption."""
    sources = _paths_of(paths)
    check_readable(sources)
    with open_library(data, create=True) as library, IndexProcess(library) as index_process:
        coordinator = Coordinator(library, workers or 0)
        if retry_failed:
            stderr.print(f"{plural(coordinator.retry_failed(), 'document')} queued again")
        if watch:
            stop = stop_on_signals()
            stderr.print("watching (press Ctrl-C to stop)")
            run = run_with_progress(
                index_process, lambda on_progress: coordinator.watch(sources, stop.is_set, on_progress)
            )
        else:
            run = run_with_progress(index_process, lambda on_progress: coordinator.run(sources, on_progress))
    report(run, as_json)


def stop_on_signals() -> threading.Event:
    """An event set by Ctrl-C or SIGTERM; a run then finishes its current documents and ends."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def run_with_progress(index_process: IndexProcess, work: Callable[[Callable[[Run], None]], Run]) -> Run:
    """Run the work with a progress bar, then wait until its result is searchable."""
    with progress_bar() as bar:
        task = bar.add_task("extracting", total=None, note="")
        run = work(lambda progress: _update_bar(bar, task, progress))
        bar.update(task, description="indexing", note="")
        index_process.wait(lambda behind: bar.update(task, note=f"{behind:,} changes left"))
    return run


def _paths_of(paths: tuple[str, ...]) -> list[Path]:
    if "-" not in paths:
        return [Path(path) for path in paths]
    if len(paths) > 1:
        raise BadRequest('"-" cannot be combined with paths: the list on stdin names all files.')
    return [Path(line.rstrip("\n")) for line in sys.stdin if line.strip()]


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Progress bar on stderr that disappears at the end."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=stderr, transient=True) as bar:
        yield bar


def _update_bar(bar: Progress, task: TaskID, run: Run) -> None:
    speed = run.read / run.seconds if run.seconds else 0.0
    counts = " ".join(f"{count} {outcome}" for outcome, count in run.counts.most_common(4))
    bar.update(task, total=run.total, completed=run.done, note=f"{speed:.1f}/s  {counts}")


def report(run: Run, as_json: bool) -> None:
    """Print problems and the numbers of outcomes, or the numbers as JSON."""
    if as_json:
        print_json({"counts": dict(run.counts), "files": run.total, "seconds": round(run.seconds, 2)})
        return
    problems = [problem for problem in run.troubles if "unsupported_type" not in problem[1]]
    for path, what in problems[:MAX_PROBLEMS]:
        stderr.print(f"  {path}: {what}", markup=False)
    if len(problems) > MAX_PROBLEMS:
        stderr.print(f"  ... and {len(problems) - MAX_PROBLEMS} more")
    print_counts(dict(run.counts.most_common()))
    speed = f", {run.read / run.seconds:.1f} documents/s" if run.read else ""
    stderr.print(f"{plural(run.done, 'file')} in {run.seconds:.1f} s{speed}")
