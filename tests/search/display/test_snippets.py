"""Snippets show the right piece, the right page, and mark the right words."""

from __future__ import annotations

import pytest

from openseer.search.display.snippets import MAX_LENGTH, TextSpan, highlight, snippet

TEXT = (
    "Introduction to nothing in particular. " * 20
    + "\f"
    + "x " * 200
    + "Polite crawlers wait between requests. "
    + "y " * 300
)


def test_the_page_is_the_one_the_words_stand_on():
    found = snippet(TEXT, ["polite", "crawler"])
    assert found is not None
    assert found.page == 2
    assert [piece.text for piece in found.spans if piece.highlighted] == ["Polite", "crawlers"]
    assert len(found.plain) <= MAX_LENGTH + 60


def test_the_window_with_most_words_wins():
    text = "crawlers alone here. " + "z " * 300 + "crawlers wait politely there."
    found = snippet(text, ["crawlers", "wait"])
    assert found is not None
    assert "wait politely" in found.plain


def test_a_snippet_does_not_cross_a_page():
    found = snippet("end of page one crawl\fcrawl begins page two", ["begins"])
    assert found is not None
    assert (found.page, found.plain) == (2, "crawl begins page two")


def test_no_word_no_snippet():
    assert snippet(TEXT, ["nowhere"]) is None
    assert snippet(TEXT, []) is None
    assert snippet("", ["a"]) is None


def test_markup_in_a_text_stays_text():
    assert highlight("a <b>crawl</b>", ["crawl"]) == (
        TextSpan("a <b>"),
        TextSpan("crawl", highlighted=True),
        TextSpan("</b>"),
    )
    assert highlight("a.b", [".", "("]) == (TextSpan("a.b"),) or all(
        isinstance(piece, TextSpan) for piece in highlight("a.b", [".", "("])
    )


def test_only_the_beginning_of_a_very_long_text_is_looked_at():
    words = [f"word{number}" for number in range(60)]
    assert snippet("nothing of it " * 100_000 + "word3", words) is None
    assert snippet("nothing of it " * 100 + "word3", words) is not None


def test_signs_of_other_scripts_move_no_place():
    text = "İstanbul – 近似重复 “ﬁrst” ✓ Größe " * 3 + "The POLITE crawler of Ærø. " + "z " * 200
    for words, marked in ((["polite", "crawler"], ["POLITE", "crawler"]), (["größe"], ["Größe"]), (["ærø"], ["Ærø"])):
        found = snippet(text, words)
        assert found is not None
        assert {piece.text for piece in found.spans if piece.highlighted} == set(marked)


def test_either_spelling_is_found_and_marked_and_counts_once():
    text = (
        "Nothing of it here. " * 20
        + "The behaviour of crowds was modelled. "
        + "Nothing here either. " * 400
        + "Behavior."
    )
    shown = snippet(text, ("behavior", "modeled"))
    assert shown is not None
    assert [piece.text for piece in shown.spans if piece.highlighted] == ["behaviour", "modelled"]


def test_a_snippet_begins_with_a_sentence_where_one_begins_nearby():
    text = "Nothing at all. " * 30 + "As J. Smith says, polite crawlers wait. " + "And so on, without end, " * 30
    shown = snippet(text, ["crawlers"])
    assert shown is not None
    assert shown.plain.startswith("As J. Smith says, polite crawlers wait.")
    assert shown.plain.endswith(" …")


def test_a_snippet_that_begins_or_ends_within_a_sentence_says_so():
    shown = snippet("and then " * 60 + "crawlers wait " + "and then " * 60, ["crawlers"])
    assert shown is not None
    assert shown.plain.startswith("… ")
    assert shown.plain.endswith(" …")


def test_prose_is_shown_rather_than_the_list_of_references():
    prose = "Words of another kind. " * 20 + "A crawler must wait. " + "Words of another kind. " * 20
    listed = "\nReferences\n[1] J. Doe. Polite crawlers of the web. [2] K. Roe. Another title.\n"
    shown = snippet(prose + listed, ["polite", "crawler"])
    assert shown is not None
    assert shown.plain.startswith("A crawler must wait.")
    only = snippet(prose.replace("crawler", "robot") + listed, ["polite", "crawler"])
    assert only is not None
    assert "Polite crawlers" in only.plain


@pytest.mark.parametrize(
    ("word", "text", "marked"),
    [
        ("gene", "general genes generate genetic Gene", ["genes", "Gene"]),
        ("car", "care for cars and cargo", ["cars"]),
        ("map", "maple maps mapping", ["maps", "mapping"]),
        ("studies", "a student studied a study", ["studied", "study"]),
        ("naïve", "naive Bayes", ["naive"]),
        ("muller", "Müller wrote", ["Müller"]),
        ("erdos", "Erdős numbers", ["Erdős"]),
        ("comput*", "Computational compute", ["Computational", "compute"]),
        ("freundschaft", "Freundschaften in Schulen", ["Freundschaften"]),
        ("colour", "color of colours", ["color", "colours"]),
    ],
)
def test_words_are_marked_that_a_search_would_find(word, text, marked):
    assert [piece.text for piece in highlight(text, [word]) if piece.highlighted] == marked
    shown = snippet(text, [word])
    assert shown is not None
    assert [piece.text for piece in shown.spans if piece.highlighted] == marked


def test_where_only_other_words_begin_so_there_is_no_snippet():
    assert snippet("general remarks on care and cargo", ["gene", "car"]) is None
