"""Marks counted by hand against contexts that were read."""

import pytest

from openseer.evaluation.metrics.citation_marks import score_citation_markers
from openseer.evaluation.precision_recall import Tally

GOLD = {"pages": [1], "mentions": [[1, "[1, 2]", 1, [1, 2]], [1, "Smith (1999)", 1, [3]], [1, "Smith (1999)", 2, [3]]]}


def context(printed, page=1, y=10.0):
    return {"page": page, "printed": printed, "box": [0.0, y, 5.0, y + 5], "text": printed}


def scores(*contexts):
    """Of entries with these contexts, in the order of the list."""
    tally = Tally()
    score_citation_markers(GOLD, {"references": [{"raw": "Name", "contexts": list(some)} for some in contexts]}, tally)
    return tally.scores()


def test_all_is_found():
    both = [context("Smith, 1999", y=20.0), context("Smith (1999)", y=30.0)]
    assert scores([context("[1,2]")], [context("[1,2]")], both) == {"links": 100.0, "mentions": 100.0}


def test_what_stands_on_other_pages_does_not_count():
    assert scores([context("[1, 2]"), context("[7]", page=2)], [context("[1, 2]")])["mentions"] == pytest.approx(50.0)


def test_a_wrong_entry_is_a_wrong_link_but_a_mention():
    assert scores([context("[1, 2]")])["links"] == 0.0
    assert scores([context("Smith 1999", y=20.0)], [], [context("Smith 1999", y=30.0)])["links"] == 50.0


def test_too_many_count_against():
    assert scores([], [], [context("Smith 1999", y=float(y)) for y in (1, 2, 3, 4)])["mentions"] == pytest.approx(
        400 / 7
    )


def test_a_printed_number_is_the_number_of_the_entry():
    tally = Tally()
    found = {"references": [{"raw": "[3] Smith", "contexts": [context("Smith (1999)")]}]}
    score_citation_markers(GOLD, found, tally)
    assert tally.scores()["links"] == 100.0
