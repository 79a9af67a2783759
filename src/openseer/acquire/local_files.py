"""Local files and folders as resources."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from openseer.core.errors import Unreadable
from openseer.core.model.resource import Resource
from openseer.core.text.printable_path import printable

ErrorCallback = Callable[[str, str], None]
"""Called with a path and an error message."""


def check_readable(paths: Iterable[Path]) -> None:
    """Raise an error for a path that does not exist or is not readable."""
    for path in paths:
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno not in (errno.ENOENT, errno.ENOTDIR):
                raise Unreadable(f"{printable(path)} cannot be read: {error.strerror}.", "") from None
            raise Unreadable(f"{printable(path)} does not exist.", "Check the spelling.") from None
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise Unreadable(f"{printable(path)} is neither a file nor a folder.", "Name a file or a folder.")
        if not os.access(path, os.R_OK | (os.X_OK if stat.S_ISDIR(mode) else 0)):
            hint = "Check its permissions, or run as a user who may read it."
            raise Unreadable(f"{printable(path)} may not be read.", hint)


def files_in(paths: Iterable[Path], on_error: ErrorCallback, excluded: Path | None = None) -> Iterator[str]:
    """All regular files named or below a named folder, in a fixed order; hidden files only if named.

    Unreadable files are reported to `on_error`. `excluded` is the folder of the library itself."""
    for path in paths:
        if path.is_dir():
            yield from _below(path, on_error, excluded)
        else:
            yield str(path)


def _below(folder: Path, on_error: ErrorCallback, excluded: Path | None) -> Iterator[str]:
    def refused(error: OSError) -> None:
        on_error(str(error.filename), error.strerror or "cannot be read")

    for parent, folders, files in os.walk(folder, onerror=refused):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if excluded is not None:
            folders[:] = [name for name in folders if not _same(Path(parent, name), excluded)]
        for name in sorted(files):
            path = os.path.join(parent, name)  # noqa: PTH118 - a Path object for each of a million files costs too much
            if not name.startswith(".") and os.path.isfile(path):  # noqa: PTH113
                yield path


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def resource_of(path: str) -> Resource:
    """A local file as a resource: its file: URL and modification time."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - takes "a/../b" apart, but leaves links as they are
    return Resource(url=absolute.as_uri(), fetched_at=absolute.stat().st_mtime)
