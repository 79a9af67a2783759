"""Log lines are JSON with the job they belong to; counters print for Prometheus."""

from __future__ import annotations

import json
import logging
import sys

import pytest

from openseer.core.telemetry.counters import Counters
from openseer.core.telemetry.logs import JsonFormatter, job_context, log_to_file


@pytest.fixture
def logger():
    root = logging.getLogger("openseer")
    handlers, root.handlers, level = root.handlers, [], root.level
    yield logging.getLogger("openseer.test")
    for handler in root.handlers:
        handler.close()
    root.handlers, root.level = handlers, level


def test_a_line_has_its_job_and_its_fields(tmp_path, logger):
    log_to_file(tmp_path, "ingest")
    with job_context("j123"):
        logger.info("batch written", extra={"documents": 16})
    logger.info("outside")
    lines = [json.loads(line) for line in (tmp_path / "ingest.log").read_text().splitlines()]
    assert [(one["message"], one.get("job"), one.get("documents")) for one in lines] == [
        ("batch written", "j123", 16),
        ("outside", None, None),
    ]
    assert {"time", "level", "logger", "process"} <= lines[0].keys()


def test_an_error_has_its_stack_in_one_line(logger):
    try:
        raise ValueError("no\nsuch thing")
    except ValueError:
        record = logger.makeRecord("openseer.test", logging.ERROR, __file__, 1, "failed", (), sys.exc_info())
    line = JsonFormatter().format(record)
    assert "\n" not in line
    assert "ValueError" in json.loads(line)["error"]


def test_no_folder_is_made_for_a_log(tmp_path, logger):
    log_to_file(tmp_path / "no library" / "logs", "ingest")
    logger.warning("somewhere else")
    assert not (tmp_path / "no library").exists()


def test_the_last_folder_named_gets_the_lines(tmp_path, logger):
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        log_to_file(tmp_path / name, "ingest")
        logger.warning(name)
    assert len((tmp_path / "one" / "ingest.log").read_text().splitlines()) == 1
    assert json.loads((tmp_path / "other" / "ingest.log").read_text())["message"] == "other"


def test_counters_print_by_name_and_labels():
    counters = Counters()
    counters.count("documents_total", outcome="ingested")
    counters.count("documents_total", 2, outcome='say "no"')
    counters.count("batches_total")
    assert counters.value("documents_total", outcome="ingested") == 1
    assert counters.exposition().splitlines() == [
        "# TYPE batches_total counter",
        "batches_total 1",
        "# TYPE documents_total counter",
        'documents_total{outcome="ingested"} 1',
        'documents_total{outcome="say \\"no\\""} 2',
    ]
