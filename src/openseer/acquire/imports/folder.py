"""Files and folders on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from openseer.errors import Unreadable
from openseer.records.resource import Resource

Trouble = Callable[[str, str], None]
"""Called with a path and what is wrong with it."""


def files_in(paths: Iterable[Path], trouble: Trouble) -> Iterator[str]:
    """Every regular file named or below a named folder, in a fixed order; hidden ones only when named.

    A path given by the caller that is not there is an error; one that vanishes or refuses below it is trouble."""
    for path in paths:
        if path.is_dir():
            if not os.access(path, os.R_OK | os.X_OK):
                raise Unreadable(f"The folder {path} may not be read.")
            yield from _below(path, trouble)
        elif path.is_file():
            yield str(path)
        else:
            raise Unreadable(f"There is no file or folder {path}.", "Check the spelling.")


def _below(folder: Path, trouble: Trouble) -> Iterator[str]:
    def refused(error: OSError) -> None:
        trouble(str(error.filename), error.strerror or "cannot be read")

    for where, folders, files in os.walk(folder, onerror=refused):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.join(where, name)  # noqa: PTH118 - a Path object for each of a million files costs too much
            if not name.startswith(".") and os.path.isfile(path):  # noqa: PTH113
                yield path


def resource_of(path: str) -> Resource:
    """A local file as a resource: its file: URL and the time it was written."""
    where = Path(path).absolute()
    return Resource(url=where.as_uri(), fetched_at=where.stat().st_mtime)
