"""Durable writes: small files and folders that survive a crash whole."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from openseer.core.errors import DiskFull, StoreUnavailable


def write_whole(target: Path, data: bytes) -> None:
    """Write a small file so that after a crash there is all of it, or what stood there before."""
    temporary = target.with_name(f"{target.name}.new")
    try:
        with temporary.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(target)
        fsync_folder(target.parent)
    except OSError as error:
        raise as_our_error(error, target.parent) from error


def fsync_file(path: Path) -> None:
    """Have a file on the disk that others wrote."""
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())


def fsync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def as_our_error(error: OSError, root: Path) -> DiskFull | StoreUnavailable:
    """What went wrong while writing, in our words."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(f"The disk of {root} is full.")
    return StoreUnavailable(f"Cannot write to {root}: {error.strerror}.")
