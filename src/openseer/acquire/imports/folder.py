"""Files and folders on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from openseer.errors import Unreadable
from openseer.records.resource import Resource

Trouble = Callable[[str, str], None]
"""Called with a path and what is wrong with it."""


def check(paths: Iterable[Path]) -> None:
    """Refuse what somebody named that is not there or may not be read, before anything is begun."""
    for path in paths:
        if not path.exists():
            raise Unreadable(f"There is no file or folder {path}.", "Check the spelling.")
        if not os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
            raise Unreadable(f"{path} may not be read.", "Check its permissions, or run as somebody who may.")


def files_in(paths: Iterable[Path], trouble: Trouble) -> Iterator[str]:
    """Every regular file named or below a named folder, in a fixed order; hidden ones only when named.

    What vanishes or refuses meanwhile is trouble, not an error."""
    for path in paths:
        if path.is_dir():
            yield from _below(path, trouble)
        else:
            yield str(path)


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
    where = Path(os.path.abspath(path))  # noqa: PTH100 - takes "a/../b" apart, but leaves links as they are
    return Resource(url=where.as_uri(), fetched_at=where.stat().st_mtime)
