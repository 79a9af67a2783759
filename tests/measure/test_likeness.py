"""How alike two strings are."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openseer.measure import likeness as module
from openseer.measure import numbers
from openseer.measure.likeness import contained, distance, letters, likeness, untexed

SHORT = st.text("abcd", max_size=40)


def plainly(one, two):
    """Levenshtein's distance by the book."""
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(two, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@given(SHORT.filter(bool), SHORT)
def test_the_distance_is_the_one_of_the_book(one, two):
    assert distance(one, two) == plainly(one, two)


@given(SHORT, SHORT)
def test_likeness_is_a_share_and_does_not_care_for_order(one, two):
    assert 0 <= likeness(one, two) == likeness(two, one) <= 1
    assert (likeness(one, two) == 1) == (one == two)


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        ("acitationindexforscience", "garfieldeacitationindexforsciencescience1955", 1.0, 1.0),
        ("acitatlonindexforscience", "garfieldeacitationindexforsciencescience1955", 0.9, 0.99),
        ("somethingelsealtogether", "garfieldeacitationindexforsciencescience1955", 0.0, 0.5),
    ],
)
def test_a_title_is_found_in_a_printed_string(part, whole, low, high):
    assert low <= contained(part, whole) <= high


def test_only_letters_and_digits_count():
    assert letters("Straße Nº 5: ﬁne—Łódź") == "strasseno5finelodz"
    assert untexed(r"The $\mathcal{H}_2$ \emph{norm} of \LaTeX") == "theh2normoflatex"


@pytest.mark.parametrize("documented", [module, numbers])
def test_the_examples_in_the_text_are_true(documented):
    found = doctest.testmod(documented)
    assert (found.failed, found.attempted > 1) == (0, True)
