"""Weights found from questions with answers."""

from __future__ import annotations

import numpy as np
import pytest

from openseer.search.ranking.tune import fit, quality, training_set


def questions(telling, count=30, seed=1):
    """The right answer is the one of most points in one column; the others are noise."""
    dice = np.random.default_rng(seed)
    for number in range(count):
        rows = dice.normal(size=(8 + number % 3, 3))
        right = (np.arange(len(rows)) == rows[:, telling].argmax()) * 1.0
        yield rows, right, right


def test_the_score_is_that_of_the_first_ten():
    rows = np.array([[3.0], [2.0], [1.0]])
    task = training_set([(rows, np.array([0.0, 3.0, 1.0]), np.array([3.0, 1.0]))])
    by_hand = (7 / np.log2(3) + 1 / np.log2(4)) / (7 + 1 / np.log2(3))
    assert task.ndcg(np.ones(1)) == pytest.approx([by_hand])


def test_shorter_lists_are_filled_up_with_what_never_comes_up():
    short = (-np.ones((1, 1)), np.ones(1), np.ones(1))
    long = (np.arange(12.0)[:, None], np.arange(12) == 11.0, np.ones(1))
    assert training_set([short, long]).ndcg(np.ones(1)).tolist() == [1, 1]


def test_what_tells_gets_weight_and_what_is_fixed_stays():
    tasks = {"one": training_set(list(questions(1))), "other": training_set(list(questions(1, seed=2)))}
    worth = {"one": 1.0, "other": 0.5}
    start = np.array([1.0, 0.0, 0.3])
    found = fit(tasks, worth, start, [1])
    assert found[0] == 1
    assert found[2] == 0.3
    assert found[1] > 1
    assert quality(tasks, worth, found) > quality(tasks, worth, start)
    assert fit(tasks, worth, start, [0, 1, 2])[2] < 0.3


def test_a_part_of_a_task_is_scored_alone():
    task = training_set(list(questions(0)))
    chosen = np.arange(30) < 5
    assert task.subset(chosen).ndcg(np.ones(3)).tolist() == task.ndcg(np.ones(3))[chosen].tolist()
