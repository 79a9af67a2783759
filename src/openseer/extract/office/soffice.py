"""Conversion of old office files to PDF by LibreOffice, where it is installed."""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from openseer.core.errors import Corrupt, UnsupportedType

WRITER, IMPRESS = "libreoffice-writer-nogui", "libreoffice-impress-nogui"
TIMEOUT_SECONDS = 45
MAX_STARTS, RESTART = 3, 81
"""Exit code with which it asks for a restart."""
PR_SET_PDEATHSIG = 1
COMMANDS = ("soffice", "libreoffice")
OPTIONS = ("--headless", "--norestore", "--nolockcheck", "--nodefault", "--nologo", "--convert-to", "pdf")


def program() -> str | None:
    """Path of LibreOffice, without the script that starts it; None if it is not installed."""
    started = next((Path(found).resolve() for found in map(shutil.which, COMMANDS) if found), None)
    if started is None:
        return None
    binary = started.with_name("soffice.bin")
    return str(binary if binary.exists() else started)


@contextmanager
def converted(path: Path, suffix: str, format_name: str, package: str) -> Iterator[Path]:
    """A file as PDF; raises UnsupportedType if LibreOffice is missing, Corrupt if it cannot read the file."""
    found = program()
    if found is None:
        error = UnsupportedType(format_name)
        error.hint = f"LibreOffice reads it: apt install {package}"
        raise error
    with tempfile.TemporaryDirectory(prefix="openseer-office-") as folder:
        source = Path(folder, f"document.{suffix}")
        shutil.copyfile(path, source)
        with _one_at_a_time():
            _run(
                [found, f"-env:UserInstallation=file://{folder}/profile", *OPTIONS, "--outdir", folder, str(source)],
                folder,
            )
        result = Path(folder, "document.pdf")
        if not result.exists():  # the exit code is 0 all the same
            raise Corrupt("LibreOffice cannot read the document.")
        yield result


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """A lock among the processes of this user, since each conversion takes 200 MB."""
    lock = Path(tempfile.gettempdir(), f"openseer-office-{os.getuid()}.lock")
    with lock.open("a") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _run(command: list[str], folder: str) -> None:
    """Run LibreOffice in a session of its own, and end all its processes; a new profile makes it ask for a restart."""
    for _ in range(MAX_STARTS):
        if _run_once(command, folder) != RESTART:
            return


def _run_once(command: list[str], folder: str) -> int:
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": folder, "LANG": "C.UTF-8", "TMPDIR": folder}
    process = subprocess.Popen(
        command, env=environment, cwd=folder, start_new_session=True, preexec_fn=_die_with_parent,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        return process.wait(TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        raise Corrupt(f"LibreOffice did not end within {TIMEOUT_SECONDS} seconds.") from None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _die_with_parent() -> None:
    """End LibreOffice when the worker is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
