"""What can wait waits while other programs are at work, but not for ever."""

from __future__ import annotations

import os

import pytest

from openseer.core.processes.cpu_load import MAX_LONG_WAIT_SECONDS, MAX_WAIT_SECONDS, IdleDetector, _cpu_seconds

CORES = os.cpu_count() or 1


def test_detector_are_at_work_when_they_take_much_and_at_rest_when_they_do_not():
    samples = iter([(0.0, 0.0), (2.0 * CORES, 1.0 * CORES), (2.1 * CORES, 1.0 * CORES), (5.0 * CORES, 1.1 * CORES)])
    detector = IdleDetector(lambda: next(samples))
    assert detector.is_busy(now=0.0)
    assert detector.is_busy(now=0.1), "too short a while to tell anything new"
    assert not detector.is_busy(now=0.2)


@pytest.mark.parametrize(("share", "pause"), [(0.5, MAX_WAIT_SECONDS), (1.0, MAX_LONG_WAIT_SECONDS)])
def test_what_waits_is_done_at_last(share, pause):
    samples = iter((2.0 * CORES * at, 2.0 * CORES * at * share) for at in range(10))
    detector = IdleDetector(lambda: next(samples))
    detector._last_turn = 0.0
    assert detector.is_busy(now=pause - 1)
    assert not detector.is_busy(now=pause + 1)
    assert detector.is_busy(now=pause + 2)


def test_the_processor_of_this_machine_is_seen():
    total, theirs = _cpu_seconds()
    assert total > theirs
