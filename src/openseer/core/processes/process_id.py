"""Who holds a task: a process on a machine. One that died lets go at once, where one can see that it died."""

from __future__ import annotations

import os
import socket
from pathlib import Path


def current_process() -> str:
    """A name that no other process ever has: machine, process, and when it began."""
    return f"{socket.gethostname()}:{os.getpid()}:{_start_time(os.getpid())}"


def is_dead(holder: str) -> bool:
    """Whether a holder surely is no more; of one on another machine nobody knows, its lease must end."""
    host, _, rest = holder.rpartition(":")[0].rpartition(":")
    began = holder.rpartition(":")[2]
    return host == socket.gethostname() and rest.isdigit() and _start_time(int(rest)) != began


def _start_time(pid: int) -> str:
    """In ticks since the machine was started; "" for no process, or one that is dead and not yet buried."""
    try:
        state, *rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return ""
    return "" if state in "ZX" else rest[18]
