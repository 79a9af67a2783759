"""How alike two strings are."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openseer.evaluation import string_similarity as module
from openseer.evaluation.metrics import numeric_fields
from openseer.evaluation.string_similarity import (
    contained,
    distance,
    letters,
    letters_of_latex,
    overlapping,
    similarity,
    similarity_at_least,
    word_set_similarity,
)

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
    assert 0 <= similarity(one, two) == similarity(two, one) <= 1
    assert (similarity(one, two) == 1) == (one == two)


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


def common(one, two):
    """The longest common subsequence by the book."""
    row = [0] * (len(two) + 1)
    for a in one:
        before = 0
        for j, b in enumerate(two, 1):
            before, row[j] = row[j], before + 1 if a == b else max(row[j], row[j - 1])
    return row[-1]


@given(SHORT.filter(bool), SHORT, st.sampled_from([0.0, 0.5, 0.8, 0.95]))
def test_no_window_is_passed_over(part, whole, least):
    size = len(part)
    windows = [whole[max(0, end - size) : end] for end in range(1, len(whole) + size)] if whole else []
    best = max((2 * common(part, one) / (size + len(one)) for one in windows), default=0.0)
    assert contained(part, whole, least) == pytest.approx(best if best >= least else 0.0)


@given(SHORT, SHORT)
def test_either_string_may_be_the_longer(one, two):
    assert overlapping(one, two) == overlapping(two, one)


@given(SHORT, SHORT, st.sampled_from([0.5, 0.8, 0.9]))
def test_pieces_rule_out_only_what_is_unlike(one, two, least):
    spared = similarity_at_least(least, one, two)
    assert spared == similarity(one, two) or (spared == 0.0 and similarity(one, two) < least)


def test_words_in_another_order_and_more_of_them_are_the_same_words():
    assert word_set_similarity("babbage 1832 economy", "economy babbage c knight london 1832") == 1.0
    assert 0.4 < word_set_similarity("babbage 1832 economy", "economy lovelace 1843 notes") < 0.85
    assert word_set_similarity("babbage", "lovelace") < 0.6


def test_only_letters_and_digits_count():
    assert letters("Straße Nº 5: ﬁne—Łódź") == "strasseno5finelodz"
    assert letters_of_latex(r"The $\mathcal{H}_2$ \emph{norm} of \LaTeX") == "theh2normoflatex"


@pytest.mark.parametrize("documented", [module, numeric_fields])
def test_the_examples_in_the_text_are_true(documented):
    found = doctest.testmod(documented)
    assert (found.failed, found.attempted > 1) == (0, True)
