"""What differs between two texts."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openseer.core.text.diff import ADDED, CHANGED, REMOVED, SAME, differences

PARAGRAPHS = [f"Paragraph {n} speaks of matter {n * n} and of nothing else at all." for n in range(40)]


def told(old, new):
    return [(one.kind, one.count) for one in differences(old, new)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([], [], []),
        (PARAGRAPHS, PARAGRAPHS, [(SAME, 40)]),
        (["A well-\nknown  Result."], ["a wellknown result"], [(SAME, 1)]),
        ([], ["new one"], [(ADDED, 1)]),
        (["old one"], [], [(REMOVED, 1)]),
        (PARAGRAPHS[:3], [*PARAGRAPHS[:2], "Something else."], [(SAME, 2), (REMOVED, 1), (ADDED, 1)]),
        (PARAGRAPHS[:3], [PARAGRAPHS[0], "Inserted here.", *PARAGRAPHS[1:3]], [(SAME, 1), (ADDED, 1), (SAME, 2)]),
        (PARAGRAPHS[:3], [PARAGRAPHS[0], PARAGRAPHS[2]], [(SAME, 1), (REMOVED, 1), (SAME, 1)]),
        (["x", "x", "a"], ["x", "x", "x", "a"], [(SAME, 2), (ADDED, 1), (SAME, 1)]),
    ],
)
def test_paragraphs_stay_go_and_come(old, new, expected):
    assert told(old, new) == expected


def test_a_changed_paragraph_is_compared_word_by_word():
    (one,) = differences(
        ["We found that ships need lights at night."], ["We showed that all ships need lights at night."]
    )
    assert one.kind == CHANGED
    assert [(piece.kind, piece.text.strip()) for piece in one.words] == [
        (SAME, "We"), (REMOVED, "found"), (ADDED, "showed"), (SAME, "that"), (ADDED, "all"),
        (SAME, "ships need lights at night."),
    ]  # fmt: skip


TEXTS = st.lists(st.sampled_from(["alpha beta gamma", "alpha beta delta", "one two", "x", "", "- -"]), max_size=14)


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_both_texts_can_be_put_together_from_what_is_told(old, new):
    found = differences(old, new)
    assert sum(one.count for one in found if one.kind in (SAME, REMOVED, CHANGED)) == len(old)
    assert sum(one.count for one in found if one.kind in (SAME, ADDED, CHANGED)) == len(new)
    for one in found:
        if one.words:
            assert "".join(piece.text for piece in one.words if piece.kind != REMOVED) == one.new.lstrip()


@pytest.mark.parametrize("kinds", [1, 2, 50, 100_000])
def test_two_long_books_are_compared_in_no_time(kinds):
    """Five hundred pages of ten paragraphs; with few kinds of paragraphs they are what makes other methods hang."""
    chance = random.Random(7)
    books = [[f"{chance.randrange(kinds)} words and words" for _ in range(5000)] for _ in range(2)]
    started = time.process_time()
    found = differences(*books)
    assert sum(one.count for one in found if one.kind != ADDED) == 5000
    assert time.process_time() - started < 5
