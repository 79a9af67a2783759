"""Conversion of old office files to PDF by LibreOffice, where it is installed."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from openseer.core.errors import UnsupportedType
from openseer.core.processes.external_program import ExternalProgram

SECONDS, MEMORY_MB = 20.0, 2000
SAVE_HINT = "Save it in a newer format: DOCX, PPTX or PDF."
STARTS = 2
"""A new profile makes it ask for another start."""
OPTIONS = ("--headless", "--norestore", "--nolockcheck", "--nodefault", "--nologo", "--convert-to")


@contextmanager
def converted(path: Path, suffix: str, program: ExternalProgram) -> Iterator[Path]:
    """A file as PDF; raises UnsupportedType without LibreOffice, or if it makes no PDF.

    Confined workers cannot run it: it wants a socket in /tmp."""
    with tempfile.TemporaryDirectory(prefix="office-") as name:
        folder = Path(name)
        source, result = folder / f"document.{suffix}", folder / "document.pdf"
        shutil.copyfile(path, source)
        arguments = (f"-env:UserInstallation=file://{folder}/profile", *OPTIONS, "pdf", source.name)
        with _one_at_a_time(program):
            for _ in range(STARTS):
                if not result.exists():
                    without_script(program).run(arguments, folder, SECONDS, MEMORY_MB)
        if not result.exists():  # it ends without an error all the same
            raise UnsupportedType(suffix, "LibreOffice does not convert the document.", SAVE_HINT)
        yield result


def without_script(program: ExternalProgram) -> ExternalProgram:
    """The program that the script starts, so that it dies with its worker."""
    binary = Path(program.path).resolve().with_name("soffice.bin")
    return replace(program, name=str(binary)) if program.path and binary.exists() else program


@contextmanager
def _one_at_a_time(program: ExternalProgram) -> Iterator[None]:
    """A lock among all processes, on the file of the program: a conversion takes 200 MB."""
    if not program.path:
        yield
        return
    with Path(program.path).open("rb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
