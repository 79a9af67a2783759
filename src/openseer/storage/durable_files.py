"""Durable, atomic writes of small files."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from openseer.core.errors import DiskFull, StoreUnavailable


def write_atomically(target: Path, data: bytes) -> None:
    """Write a small file atomically: after a crash it has either the new or the old content."""
    temporary = target.with_name(f"{target.name}.new")
    try:
        with temporary.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(target)
        fsync_folder(target.parent)
    except OSError as error:
        raise as_storage_error(error, target.parent) from error


def fsync_file(path: Path) -> None:
    """Flush a file to disk."""
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())


def fsync_folder(folder: Path) -> None:
    """Flush the directory entries of a folder to disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def as_storage_error(error: OSError, root: Path) -> DiskFull | StoreUnavailable:
    """Convert an operating system error during writing."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(f"The disk of {root} is full.")
    return StoreUnavailable(f"Cannot write to {root}: {error.strerror}.")
