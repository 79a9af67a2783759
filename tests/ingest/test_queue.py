"""The queue at work: lanes, watched folders, jobs that are paused and cancelled, documents that are tried again."""

from __future__ import annotations

import shutil
import threading
import time

import pytest

import openseer.ingest.batch_writer
from openseer.core.model.task import JobState
from openseer.core.settings import Settings
from openseer.extract.reader import version
from openseer.ingest.coordinator import Coordinator
from openseer.ingest.sources import inspect
from openseer.storage.open import open_library


@pytest.fixture
def library(tmp_path):
    with open_library(tmp_path / "data", create=True) as opened:
        yield opened


def with_settings(library, **ingest):
    return open_library(library.data, settings=Settings.model_validate({"ingest": ingest, "workers": {"count": 1}}))


def until(condition, seconds=60.0):
    """Wait for something that must come."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def test_long_documents_come_last(library, few_papers):
    order = []
    real = openseer.ingest.batch_writer.acknowledge

    def noting(writer, one, retry_policy):
        order.append((one.job.path.rsplit("/", 1)[1], one.job.task.priority))
        real(writer, one, retry_policy)

    with with_settings(library, low_priority_pages=1, batch=1) as strict, pytest.MonkeyPatch.context() as patch:
        patch.setattr(openseer.ingest.batch_writer, "acknowledge", noting)
        counts = Coordinator(strict).run([few_papers]).counts
    assert counts["ingested"] == 4
    lanes = [lane for _, lane in order]
    assert lanes == sorted(lanes)
    assert set(lanes) == {0, 1}, "some have more than one page, some have not"


def test_a_watched_folder_takes_in_what_comes(library, few_papers, tmp_path):
    folder, stop = tmp_path / "inbox", threading.Event()
    folder.mkdir()
    shutil.copy(few_papers / "paper-rank.pdf", folder)
    ingest = Coordinator(library, workers=1)
    watcher = threading.Thread(target=ingest.watch, args=([folder], stop.is_set))
    watcher.start()
    try:
        until(lambda: library.records.outcomes().get("ingested") == 1)
        shutil.copy(few_papers / "near-duplicates.pdf", folder / "again.pdf")
        until(lambda: library.records.outcomes().get("ingested") == 2)
    finally:
        stop.set()
        watcher.join(60)
    assert not watcher.is_alive()
    assert library.records.job(ingest.job).state is JobState.ENDED
    assert ingest.progress.counts == {"ingested": 2}


def test_a_paused_job_waits_and_a_cancelled_one_ends(library, few_papers, monkeypatch):
    ingest = Coordinator(library, workers=1)
    taken = threading.Thread(target=ingest.run, args=([few_papers],))

    def set_job(state):
        with library.records.writing() as writer:
            writer.set_job(ingest.job, state)

    real = ingest._request

    def slow(errand):
        time.sleep(1.2)
        return real(errand)

    monkeypatch.setattr(ingest, "_request", slow)
    taken.start()
    until(lambda: ingest.job)
    set_job(JobState.PAUSED)
    until(lambda: not ingest._in_flight)
    done = ingest.progress.done
    time.sleep(2.5)
    assert ingest.progress.done <= done + 1
    set_job(JobState.CANCELLED)
    taken.join(60)
    assert not taken.is_alive()
    counts = library.records.job(ingest.job).counts
    assert counts["cancelled"] >= 1
    assert Coordinator(library).run([few_papers]).counts.total() == 5, "somebody asks again"
    assert library.records.outcomes()["ingested"] == 4


def test_what_crashed_is_tried_again_by_the_worker_and_then_left_alone(library, few_papers):
    with with_settings(library, attempts=2, retry_after=0.0) as impatient:
        ingest = Coordinator(impatient, work=crash)
        assert ingest.run([few_papers / "paper-rank.pdf"]).counts == {"crashed": 1}
        assert Coordinator(impatient, work=crash).work(lambda: False, once=True).counts == {"crashed": 1}
        assert Coordinator(impatient).work(lambda: False, once=True).counts == {}, "in quarantine"
        assert impatient.records.job(ingest.job).counts == {"quarantined": 1}
        with impatient.records.writing() as writer:
            assert writer.retry_job(ingest.job) == 1
        assert Coordinator(impatient).work(lambda: False, once=True).counts == {"ingested": 1}


def crash(job):
    """A reader that never comes back."""
    raise RuntimeError("a poison document")


def test_what_another_process_holds_is_waited_for(library, few_papers):
    paper = few_papers / "paper-rank.pdf"
    found = inspect(str(paper))
    assert found
    with library.records.writing() as writer:
        ticket = writer.register(found.resource, found.facts, version())
        writer.lease([ticket.task], "elsewhere:1:1", 2.0)
    started = time.monotonic()
    assert Coordinator(library).run([paper]).counts == {"ingested": 1}
    assert time.monotonic() - started > 1.0
