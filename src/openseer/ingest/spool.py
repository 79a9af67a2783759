"""The spool folder of a library: temporary files of runs and uploads, deleted after a killed process."""

from __future__ import annotations

import contextlib
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from openseer.core.processes.process_id import current_process, is_dead

STALE_SECONDS = 86_400.0
"""Age of other entries that a killed process left and that are deleted."""
PAGE_IMAGES = "crops"
"""Folder in the spool that the page images own."""
RUN = "run-"
"""Prefix of folders that name their process, so that they are deleted as soon as that is dead."""


@contextmanager
def run_folder(spool: Path) -> Iterator[Path]:
    """A folder for the temporary files of this process; those of dead processes are deleted."""
    sweep(spool)
    folder = spool / f"{RUN}{current_process()}:{uuid.uuid4().hex}"
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(spool: Path) -> None:
    """Delete files and folders that a killed process left in the spool."""
    for entry in spool.iterdir() if spool.is_dir() else ():
        with contextlib.suppress(OSError):  # another process may be deleting it
            if not _is_stale(entry):
                continue
            if entry.is_dir():
                shutil.rmtree(entry)
            else:
                entry.unlink()


def _is_stale(entry: Path) -> bool:
    if entry.name.startswith(RUN):
        return is_dead(entry.name.removeprefix(RUN).rpartition(":")[0])
    return entry.name != PAGE_IMAGES and time.time() - entry.stat().st_mtime > STALE_SECONDS
