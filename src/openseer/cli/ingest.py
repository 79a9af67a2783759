"""`openseer ingest PATH...`: add files and folders to the library."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path

import click

from openseer.acquire.local_files import check_readable, files_in
from openseer.catalog.indexing.process import IndexProcess
from openseer.cli.output import plural, stderr
from openseer.cli.progress import report, run_with_progress
from openseer.core.errors import BadRequest, OpenseerError, Unreadable
from openseer.core.text.printable_path import printable
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import open_library


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True)
@click.option("--workers", type=click.IntRange(1, 256), help="Number of worker processes; default: one per core.")
@click.option("--retry-failed", is_flag=True, help="Retry documents that failed or exceeded a limit.")
@click.option("--watch", is_flag=True, help="Keep running and ingest new files in the folders, until Ctrl-C.")
@click.option("--json", "as_json", is_flag=True, help="Print counts and files that were not ingested as JSON.")
@click.pass_obj
def command(
    data: Path, paths: tuple[str, ...], workers: int | None, retry_failed: bool, watch: bool, as_json: bool
) -> None:
    """Add files and folders to the library ("-": paths from stdin). Run it again to continue after an interruption."""
    sources, unreadable = _readable(_paths_of(paths))
    if unreadable and not sources:
        raise unreadable[0] if len(unreadable) == 1 else _all_unreadable(unreadable)
    for error in unreadable:
        stderr.print(f"  {error} {error.hint}", markup=False)
    with open_library(data, create=True) as library, IndexProcess(library) as index_process:
        coordinator = Coordinator(library, workers or 0)
        if retry_failed:
            stderr.print(f"{plural(coordinator.retry_failed(), 'document')} queued again")
        if watch:
            stop = stop_on_signals()
            stderr.print("watching (press Ctrl-C to stop)")
            run = run_with_progress(
                index_process, coordinator.progress, lambda: coordinator.watch(sources, stop.is_set)
            )
        else:
            run = run_with_progress(index_process, coordinator.progress, lambda: coordinator.run(sources))
        _note_empty_folders(sources, data, watch)
    report(run, as_json)
    if unreadable:
        named = len(unreadable) + len(sources)
        raise Unreadable(f"{len(unreadable)} of {plural(named, 'path')} could not be read.", "")


def stop_on_signals() -> threading.Event:
    """An event set by Ctrl-C or SIGTERM; a run then finishes its current documents and ends."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def _paths_of(paths: tuple[str, ...]) -> list[Path]:
    if "-" not in paths:
        return [Path(path) for path in paths]
    if len(paths) > 1:
        raise BadRequest('"-" cannot be combined with paths: the list on stdin names all files.')
    return [Path(line.rstrip("\n")) for line in sys.stdin if line.strip()]


def _readable(paths: list[Path]) -> tuple[list[Path], list[OpenseerError]]:
    """The paths that can be read, and the errors of the others."""
    readable, errors = [], []
    for path in paths:
        try:
            check_readable([path])
            readable.append(path)
        except OpenseerError as error:
            errors.append(error)
    return readable, errors


def _all_unreadable(errors: list[OpenseerError]) -> Unreadable:
    return Unreadable(" ".join(map(str, errors)), errors[0].hint)


def _note_empty_folders(paths: list[Path], data: Path, watch: bool) -> None:
    """Say which folders have no files."""
    for path in paths if not watch else ():
        if path.is_dir() and not any(True for _ in files_in([path], lambda *_: None, excluded=data)):
            stderr.print(f"  no files found in {printable(path)}", markup=False)
