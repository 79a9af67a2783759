"""External programs that convert foreign files: optional, in a process group of their own, with limits."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from openseer.core.errors import OutOfMemory, Timeout, UnsupportedType

PR_SET_PDEATHSIG = 1
MAX_OUTPUT = 100_000
"""Bytes of the messages of a program that are kept."""


@dataclass(frozen=True, slots=True)
class ExternalProgram:
    """A program that some formats need."""

    name: str
    """Its command."""
    package: str
    """Debian package that installs it."""
    purpose: str
    """What it switches on."""

    @property
    def path(self) -> str:
        """Where it is installed; "" if it is not."""
        return shutil.which(self.name) or ""

    @property
    def install_hint(self) -> str:
        """How to install it."""
        return f"Install it: apt-get install --no-install-recommends {self.package}"

    def run(
        self, arguments: Sequence[str], folder: Path, seconds: float, memory_mb: int, environ: Mapping[str, str] = {}
    ) -> bytes:
        """Run it in a folder and return its messages; it and all its children are killed at the end of the time."""
        if not self.path:
            raise UnsupportedType.without_program(self.name, self.purpose, self.install_hint)
        process = subprocess.Popen(
            [self.path, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**_environment(folder), **environ},
            start_new_session=True,
            preexec_fn=lambda: _limit(memory_mb),
        )
        with process:
            try:
                output, _ = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                raise Timeout(f"{self.name} took longer than {seconds:.0f} seconds.") from None
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
        if process.returncode == -signal.SIGKILL or b"VMerror" in output:
            raise OutOfMemory(f"{self.name} needed more than {memory_mb} MB.")
        return output[:MAX_OUTPUT]


def _environment(folder: Path) -> dict[str, str]:
    home = str(folder)
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8"}


def _limit(memory_mb: int) -> None:
    """Limit the memory of the program, and let it die with its worker."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


GHOSTSCRIPT = ExternalProgram("gs", "ghostscript", "PostScript and EPS")
PROGRAMS = (GHOSTSCRIPT,)
"""External programs that `openseer doctor` lists."""
