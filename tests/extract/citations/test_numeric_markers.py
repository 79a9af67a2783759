"""Markers by number and key, ranges, and text that only resembles a marker."""

import pytest

from openseer.core.model.extraction import Reference
from openseer.extract.citations.numeric_markers import (
    bracketed_markers,
    entry_keys,
    entry_numbers,
    keyed_markers,
    parenthesised_markers,
    raised_markers,
)
from openseer.extract.layout.lines import Line
from openseer.extract.layout.text_stream import TextStream
from openseer.extract.pdf.page_model import Font, Word

PLAIN = Font("Serif")
TWENTY = {number: number - 1 for number in range(1, 21)}


def running(text):
    """Text with ^marks^ set small and above the line."""
    words, x = [], 50.0
    for at, piece in enumerate(text.split("^")):
        for word in piece.split(" "):
            if word:
                small = at % 2 == 1
                words.append(Word(word, x, x + 20, 96.0 if small else 100.0, 6.0 if small else 10.0, PLAIN, small))
                x += 25
    plain = text.replace("^", "")
    found = TextStream(10.0)
    found.add(Line(plain, 1, 50.0, x, 100.0, 10.0, PLAIN, tuple(words)), "")
    return found.close()


def found(kind, text, numbers=TWENTY):
    one = running(text)
    return [(one.text[mark.start : mark.end], [entry + 1 for entry in mark.entries]) for mark in kind([one], numbers)]


@pytest.mark.parametrize(
    ("text", "printed", "entries"),
    [
        ("as shown [3, 5-7] before", "[3, 5-7]", [3, 5, 6, 7]),
        ("as shown [3]–[5] before", "[3]–[5]", [3, 4, 5]),
        ("shrubs[4].", "[4]", [4]),
        ("see [12, Theorem 3] for it", "[12, Theorem 3]", [12]),
        ("others [see 3, 4] too", "[see 3, 4]", [3, 4]),
        ("a dash called e [1e6].", "[1e6]", [1, 2, 3, 4, 5, 6]),
    ],
)
def test_numbers_in_brackets(text, printed, entries):
    assert found(bracketed_markers, text) == [(printed, entries)]


@pytest.mark.parametrize(
    "text",
    [
        "x in [0, 1]",
        "x ∈ [1, 2] holds",
        "a[1] = 3",
        "benzo[3]pyrene",
        "95% CI [1, 3]",
        "in 1999 [99]",
        "[7-3]",
        "[1, r]",
    ],
)
def test_brackets_that_are_no_markers(text):
    assert found(bracketed_markers, text) == []


def test_numbers_in_parentheses():
    text = "was shown (1) by Smith et al. (2), in 5 of 20 (3) and by Eq. (4), namely (5) these; (6) those"
    assert [entries for _, entries in found(parenthesised_markers, text)] == [[1], [2], [3], [5]]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("the text.^3,5-7^ The next", [("3,5-7", [3, 5, 6, 7])]),
        ("as known^1^ and long^2 3^ ago", [("1", [1]), ("2 3", [2, 3])]),
        ("a field of 5 m^2^ or 10^3^ or Ca^2^+ or R^2^ here", []),
        ("^1^Department of Tests", []),
    ],
)
def test_raised_numbers(text, marks):
    assert found(raised_markers, text) == marks


def test_raised_figures_of_the_font_count_in_citation_order():
    text = "So it began.1 Then came more,2 and Covid19 too, and the rest.3 The end of Route66 as it was."
    assert [printed for printed, _ in found(raised_markers, text, {1: 0, 2: 1, 3: 2, 19: 3})] == ["1", "2", "3"]


def references(*raws):
    return [Reference(raw) for raw in raws]


def test_numbers_are_read_where_they_are_printed():
    assert entry_numbers(references("[1] Name A", "[2] Name B", "[4] Name C")) == ({1: 0, 2: 1, 4: 2}, True)
    assert entry_numbers(references("1Name A", "3Name B")) == ({1: 0, 3: 1}, True)
    assert entry_numbers(references("Name A", "Name B")) == ({1: 0, 2: 1}, False)


def test_an_entry_that_lost_its_number_takes_its_turn():
    assert entry_numbers(references("1. Name A", "Name B", "3. Name C")) == ({1: 0, 2: 1, 3: 2}, True)


def test_keys():
    keys = entry_keys(references("[LG99] Lawrence", "[Law99a] Lawrence", "[Smith 2001] Smith"))
    text = "as in [LG99, Law99a], and in [Smith 2001]; not in [XY01]"
    assert [entries for _, entries in found(keyed_markers, text, keys)] == [[1, 2], [3]]
    assert entry_keys(references("[1] Name A", "[2] Name B")) == {}
