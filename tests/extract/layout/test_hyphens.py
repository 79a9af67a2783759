"""Hyphens at line ends."""

import pytest

from openseer.extract.layout.hyphens import resolve_hyphens
from openseer.extract.layout.lines import Line, join_lines
from openseer.extract.pdf.page_model import HYPHEN, Font

PLAIN = Font("Serif")


def text_of(*texts):
    lines = [Line(text, 1, 72.0, 300.0, 12.0 * n, 10.0, PLAIN, ()) for n, text in enumerate(texts)]
    return join_lines(resolve_hyphens(lines))


@pytest.mark.parametrize("mark", [HYPHEN, "-"])
@pytest.mark.parametrize(
    ("before", "after", "elsewhere", "joined"),
    [
        ("a fusion", "targeted biopsy", "fusion of targeted things", "a fusion-targeted biopsy"),
        ("a non", "inferior trial", "it was non-inferior", "a non-inferior trial"),
        ("the inter", "national law", "national and international", "the international law"),
        ("a compu", "tation of it", "nothing else", "a computation of it"),
        ("the part-of", "speech tag", "a part-of-speech tagger", "the part-of-speech tag"),
    ],
)
def test_a_divided_word_is_joined_and_a_compound_keeps_its_hyphen(mark, before, after, elsewhere, joined):
    assert text_of(before + mark, after, elsewhere).startswith(joined)


def test_the_halves_themselves_prove_nothing():
    assert text_of(f"over{HYPHEN}", "view of it") == "overview of it"


def test_a_name_with_a_hyphen_stays_one():
    assert text_of("by Ragan-", "Kelley of Berkeley") == "by Ragan-Kelley of Berkeley"
    assert text_of(f"by Ragan{HYPHEN}", "Kelley, and Ragan-Kelley again").startswith("by Ragan-Kelley")


def test_the_last_line_may_end_in_a_hyphen():
    assert text_of("an open end-") == "an open end-"
