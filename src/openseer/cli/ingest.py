"""`openseer ingest PATH...`"""

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
from openseer.cli.output import errors, plural, print_counts, print_json
from openseer.core.errors import BadRequest
from openseer.ingest.coordinator import Coordinator
from openseer.ingest.progress import Progress as Run
from openseer.storage.open import open_library

SHOWN = 20
"""Troubles told one by one; the rest is counted (and each has its row in the library)."""


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True)
@click.option("--workers", type=click.IntRange(1, 256), help="Reading processes; default: one for each core.")
@click.option("--retry-failed", is_flag=True, help="Read again what failed, or what a limit kept out.")
@click.option("--watch", is_flag=True, help="Go on and take in what comes into the folders, until Ctrl-C.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@click.pass_obj
def command(
    data: Path, paths: tuple[str, ...], workers: int | None, retry_failed: bool, watch: bool, as_json: bool
) -> None:
    """Take files and folders into the library ("-": a list of paths on stdin). Run it again to go on."""
    named = _named(paths)
    check_readable(named)
    with open_library(data, create=True) as library, IndexProcess(library) as catchup:
        ingest = Coordinator(library, workers or 0)
        if retry_failed:
            errors.print(f"{plural(ingest.retry_failed(), 'document')} will be read again")
        if watch:
            stop = stopping()
            errors.print("watching (Ctrl-C ends it)")
            run = shown(catchup, lambda tell: ingest.watch(named, stop.is_set, tell))
        else:
            run = shown(catchup, lambda tell: ingest.run(named, tell))
    report(run, as_json)


def stopping() -> threading.Event:
    """An event that Ctrl-C or SIGTERM sets, so that a run ends after what it has in hand."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def shown(catchup: IndexProcess, work: Callable[[Callable[[Run], None]], Run]) -> Run:
    """Do the work under a bar, then wait until it is searchable."""
    with bar_on_stderr() as bar:
        task = bar.add_task("reading", total=None, note="")
        run = work(lambda progress: _show(bar, task, progress))
        bar.update(task, description="indexing", note="")
        catchup.wait(lambda behind: bar.update(task, note=f"{behind:,} changes to go"))
    return run


def _named(paths: tuple[str, ...]) -> list[Path]:
    if "-" not in paths:
        return [Path(path) for path in paths]
    if len(paths) > 1:
        raise BadRequest('"-" stands alone: the list on stdin names all files.')
    return [Path(line.rstrip("\n")) for line in sys.stdin if line.strip()]


@contextmanager
def bar_on_stderr() -> Iterator[Progress]:
    """A bar that goes away when the work is done."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=errors, transient=True) as bar:
        yield bar


def _show(bar: Progress, task: TaskID, run: Run) -> None:
    speed = run.read / run.seconds if run.seconds else 0.0
    counts = " ".join(f"{count} {outcome}" for outcome, count in run.counts.most_common(4))
    bar.update(task, total=run.total, completed=run.done, note=f"{speed:.1f}/s  {counts}")


def report(run: Run, as_json: bool) -> None:
    """The table of outcomes, or the same as JSON."""
    if as_json:
        print_json({"counts": dict(run.counts), "files": run.total, "seconds": round(run.seconds, 2)})
        return
    shown = [trouble for trouble in run.troubles if "unsupported_type" not in trouble[1]]
    for path, what in shown[:SHOWN]:
        errors.print(f"  {path}: {what}", markup=False)
    if len(shown) > SHOWN:
        errors.print(f"  ... and {len(shown) - SHOWN} more")
    print_counts(dict(run.counts.most_common()))
    speed = f", {run.read / run.seconds:.1f} documents/s" if run.read else ""
    errors.print(f"{plural(run.done, 'file')} in {run.seconds:.1f} s{speed}")
