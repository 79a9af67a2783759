"""Process ids that are unique over machines and restarts; they name the owners of leases."""

from __future__ import annotations

import os
import socket
from pathlib import Path


def current_process() -> str:
    """Id of this process: host, process number and start time."""
    return f"{socket.gethostname()}:{os.getpid()}:{_start_time(os.getpid())}"


def is_dead(process: str) -> bool:
    """True if the process is dead (same host only; of another host its lease must expire)."""
    host, _, pid = process.rpartition(":")[0].rpartition(":")
    started = process.rpartition(":")[2]
    return host == socket.gethostname() and pid.isdigit() and _start_time(int(pid)) != started


def _start_time(pid: int) -> str:
    """Start time of a process in clock ticks since boot; "" for none, or for a zombie."""
    try:
        state, *rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return ""
    return "" if state in "ZX" else rest[18]
