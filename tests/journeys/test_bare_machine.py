"""The README's two commands on a bare Debian, in a chroot made by `tests/bare_machine.sh`."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "bare_machine.sh"
CANNOT_RUN = 77


@pytest.mark.proof
def test_both_commands_work_on_a_bare_debian():
    run = subprocess.run([SCRIPT], cwd=SCRIPT.parents[1], capture_output=True, text=True, check=False)
    verdict = run.stdout.strip().splitlines()[-1] if run.stdout.strip() else run.stderr
    if run.returncode == CANNOT_RUN:
        pytest.skip(verdict)
    assert run.returncode == 0, run.stdout
    skipped = re.findall(r"^SKIPPED \[\d+\] \S+ (.+)$", run.stdout, re.MULTILINE)
    needed = ("compiler", "compiled", "Chromium", "playwright", "PostgreSQL", "nginx")
    assert not [reason for reason in skipped if any(word in reason for word in needed)], verdict
