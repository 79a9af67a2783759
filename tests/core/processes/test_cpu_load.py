"""What can wait waits while other programs are at work, but not for ever."""

from __future__ import annotations

import os

import pytest

from openseer.core.processes.cpu_load import LONG_PAUSE, PAUSE, IdleDetector, _spent

CORES = os.cpu_count() or 1


def test_others_are_at_work_when_they_take_much_and_at_rest_when_they_do_not():
    told = iter([(0.0, 0.0), (2.0 * CORES, 1.0 * CORES), (2.1 * CORES, 1.0 * CORES), (5.0 * CORES, 1.1 * CORES)])
    others = IdleDetector(lambda: next(told))
    assert others.is_busy(now=0.0)
    assert others.is_busy(now=0.1), "too short a while to tell anything new"
    assert not others.is_busy(now=0.2)


@pytest.mark.parametrize(("share", "pause"), [(0.5, PAUSE), (1.0, LONG_PAUSE)])
def test_what_waits_is_done_at_last(share, pause):
    told = iter((2.0 * CORES * at, 2.0 * CORES * at * share) for at in range(10))
    others = IdleDetector(lambda: next(told))
    others._let = 0.0
    assert others.is_busy(now=pause - 1)
    assert not others.is_busy(now=pause + 1)
    assert others.is_busy(now=pause + 2)


def test_the_processor_of_this_machine_is_seen():
    total, theirs = _spent()
    assert total > theirs
