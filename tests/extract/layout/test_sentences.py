"""Sentence segmentation, and the sentence around a marker."""

from itertools import pairwise

import pytest

from openseer.extract.layout.sentences import MAX_SENTENCE_LENGTH, Sentences, sentence_starts


def cut(text):
    starts = [*sentence_starts(text), len(text)]
    return [text[low:high].strip() for low, high in pairwise(starts)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One is here. Two is there. Three?", 3),
        ("As Smith et al. Have it, so it is.", 1),
        ("See Fig. 3 and Eq. 4 for more. Then go on.", 2),
        ("C.H. Muller and W. Tell came. They left.", 2),
        ("Vgl. Müller 1999, S. 12. Das war am 3. Mai so. Und z. B. Bern.", 3),
        ("It fell by 0.05 The rest stayed.", 1),
        ("Rates fell.[4] Others rose.5,6 None stayed.", 3),
        ("A title\nThe text. More text.", 3),
        ("Так было. Но см. рис. 3 далее.", 2),
        ("これは文です。次の文です。", 3),
    ],
)
def test_sentences_end_at_full_stops_that_end_them(text, count):
    assert len(cut(text)) == count


def quote(text, mark):
    start = text.index(mark)
    return Sentences(text).quote(start, start + len(mark))


def test_a_marker_is_quoted_with_neighbouring_sentences():
    found = quote("First it rained. Then it snowed [3]. Last came hail.", "[3]")
    assert (found.before, found.text, found.after) == ("First it rained.", "Then it snowed [3].", "Last came hail.")
    assert found.text[slice(*found.span)] == "[3]"


def test_a_marker_after_the_full_stop_belongs_to_the_previous_sentence():
    assert quote("Then it snowed. [3] Last came hail.", "[3]").text == "Then it snowed. [3]"
    assert quote("Then it snowed. [3] shows how.", "[3]").text == "[3] shows how."


def test_neighbours_end_at_a_break():
    found = quote("A heading\nThe text [1].\nAnother heading", "[1]")
    assert (found.before, found.text, found.after) == ("", "The text [1].", "")


def test_a_very_long_sentence_is_cut_around_the_marker():
    found = quote("word " * 400 + "here [7] " + "word " * 400, "[7]")
    assert len(found.text) <= MAX_SENTENCE_LENGTH
    assert found.text[slice(*found.span)] == "[7]"


def test_a_full_stop_inside_the_marker_ends_no_sentence():
    text = "So say Smith. Jones (1999) and others."
    start, end = text.index("Smith"), text.index(" and")
    assert Sentences(text).quote(start, end).text == text
