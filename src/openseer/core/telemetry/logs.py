"""Structured logging: one JSON object a line, with the job id of the code that logs.

log = logging.getLogger(__name__)
with job_context("jv3k..."):
    log.info("batch written", extra={"documents": 16})
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Any

STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}
"""Attributes every log record has; the others were given as `extra`."""
_job: ContextVar[str] = ContextVar("job", default="")


class JsonFormatter(logging.Formatter):
    """A log record as one line of JSON: time, level, logger, message, job and the extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
        }
        if job := getattr(record, "job", "") or _job.get():
            line["job"] = job
        line |= {name: value for name, value in vars(record).items() if name not in STANDARD and name != "job"}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def current_job() -> str:
    """The id of the job that this code works for, or nothing."""
    return _job.get()


@contextmanager
def job_context(job: str) -> Iterator[None]:
    """Add a job id to every line that is logged inside."""
    token = _job.set(job)
    try:
        yield
    finally:
        _job.reset(token)


def log_to_file(folder: Path, name: str, level: int = logging.INFO) -> None:
    """Append to `<folder>/<name>.log` as long as the folder exists; the file may be rotated by others."""
    handler = WatchedFileHandler(folder / f"{name}.log", encoding="utf-8", delay=True)
    handler.addFilter(lambda record: folder.is_dir())
    _add(handler, "file", level)


def log_to_stderr(level: int = logging.DEBUG) -> None:
    """Log to standard error, for `--verbose`."""
    _add(logging.StreamHandler(sys.stderr), "stderr", level)


def _add(handler: logging.Handler, target: str, level: int) -> None:
    """Add a handler, in place of an earlier one for the same target."""
    handler.setFormatter(JsonFormatter())
    handler.setLevel(level)
    handler.set_name(f"openseer {target}")
    logger = logging.getLogger("openseer")
    for other in [one for one in logger.handlers if one.get_name() == handler.get_name()]:
        logger.removeHandler(other)
        other.close()
    logger.addHandler(handler)
    logger.setLevel(min(level, logger.level or level))
