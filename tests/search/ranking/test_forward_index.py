"""Works packed for ranking, and unpacked many at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from openseer.search.ranking.forward_index import (
    ABSTRACT,
    AUTHORS,
    FIELD_COUNT,
    KEYWORDS,
    PRINTED,
    TITLE,
    VENUE,
    pack,
    unpack,
)
from openseer.search.terms import NAME_IDS, STEM_IDS, text_id, words_of


def numbers(text):
    return [STEM_IDS[word] for word in words_of(text) if STEM_IDS[word]]


def test_words_stand_by_place_in_order_without_small_ones_and_endings():
    packed = pack("The Finding of near-Duplicates", "Found: pages.", ["web pages"], ["Ann Ng", "B. Lüders"], "J. of IR")
    forward = unpack([pack("", "", (), (), ""), packed])
    at = {place: forward.words[(forward.field == place) & (forward.work == 1)].tolist() for place in range(FIELD_COUNT)}
    assert at[TITLE] == numbers("find near duplicate")
    assert at[ABSTRACT] == numbers("found page")
    assert at[KEYWORDS] == numbers("web page")
    assert at[AUTHORS] == [NAME_IDS["ann"], NAME_IDS["ng"], NAME_IDS["luders"]]
    assert at[VENUE] == numbers("ir")
    assert at[PRINTED] == [text_id(word) for word in ("the", "finding", "of", "near", "duplicates")]
    assert forward.lengths.tolist() == [[0] * FIELD_COUNT, [3, 2, 2, 3, 1, 5]]
    assert forward.titles[1] == text_id("the finding of near duplicates")


def test_scripts_without_spaces_are_two_signs_at_a_time():
    assert words_of("引用索引 x") == ["引用", "用索", "索引", "x"]
    assert words_of("Müller's été_1") == ["muller", "s", "ete", "1"]


def test_very_long_texts_are_cut():
    long = " ".join(f"word{number}" for number in range(70_000))
    forward = unpack([pack(long, long, [long], [long], long)])
    assert forward.lengths.tolist() == [[80, 500, 80, 80, 30, 120]]


@given(some.lists(some.tuples(some.text(), some.text(), some.lists(some.text(), max_size=2)), min_size=1, max_size=4))
def test_any_text_can_be_packed_and_lengths_fit(works):
    forward = unpack([pack(title, abstract, names, names, title) for title, abstract, names in works])
    assert forward.lengths.sum() == len(forward.words) == len(forward.work) == len(forward.field)
    assert np.bincount(forward.work, minlength=len(works)).tolist() == forward.lengths.sum(axis=1).tolist()
