"""Files and folders on this machine."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from openseer.core.errors import Unreadable
from openseer.core.model.resource import Resource

Trouble = Callable[[str, str], None]
"""Called with a path and what is wrong with it."""


def check(paths: Iterable[Path]) -> None:
    """Refuse what somebody named that is not there or may not be read, before anything is begun."""
    for path in paths:
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise Unreadable(
                f"There is no file or folder {printable(path)}: {reason}.", "Check the spelling."
            ) from None
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise Unreadable(f"{printable(path)} is neither a file nor a folder.", "Name a file or a folder.")
        if not os.access(path, os.R_OK | (os.X_OK if stat.S_ISDIR(mode) else 0)):
            hint = "Check its permissions, or run as somebody who may."
            raise Unreadable(f"{printable(path)} may not be read.", hint)


def printable(path: str | Path) -> str:
    """A path as it may be printed and stored: a file may have any bytes in its name."""
    return os.fsencode(path).decode("utf-8", "replace")


def files_in(paths: Iterable[Path], trouble: Trouble, leave_out: Path | None = None) -> Iterator[str]:
    """Every regular file named or below a named folder, in a fixed order; hidden ones only when named.

    What vanishes or refuses meanwhile is trouble, not an error. `leave_out` is the library's own folder."""
    for path in paths:
        if path.is_dir():
            yield from _below(path, trouble, leave_out)
        else:
            yield str(path)


def _below(folder: Path, trouble: Trouble, leave_out: Path | None) -> Iterator[str]:
    def refused(error: OSError) -> None:
        trouble(str(error.filename), error.strerror or "cannot be read")

    for where, folders, files in os.walk(folder, onerror=refused):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if leave_out is not None:
            folders[:] = [name for name in folders if not _same(Path(where, name), leave_out)]
        for name in sorted(files):
            path = os.path.join(where, name)  # noqa: PTH118 - a Path object for each of a million files costs too much
            if not name.startswith(".") and os.path.isfile(path):  # noqa: PTH113
                yield path


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def resource_of(path: str) -> Resource:
    """A local file as a resource: its file: URL and the time it was written."""
    where = Path(os.path.abspath(path))  # noqa: PTH100 - takes "a/../b" apart, but leaves links as they are
    return Resource(url=where.as_uri(), fetched_at=where.stat().st_mtime)
