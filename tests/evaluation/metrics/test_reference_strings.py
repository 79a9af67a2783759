"""Scores of reference strings: the labels' own words are right, each fault costs its field."""

from __future__ import annotations

import pytest

from openseer.evaluation.metrics.author_lists import compare
from openseer.evaluation.metrics.reference_strings import FIELDS, score_string, scores_of
from openseer.evaluation.precision_recall import Tally


def labelled(*pieces):
    """A string with its spans from (text, label) pieces."""
    raw, spans = "", []
    for text, label in pieces:
        if label:
            spans.append([len(raw), len(raw) + len(text), label])
        raw += text
    return {"raw": raw, "spans": spans}


ARTICLE = labelled(
    ("Hopper, G. M., & van Rossum, G. ", "author"),
    ("(1952). ", "date"),
    ("The education of a computer: a sequel. ", "title"),
    ("J. Comput. ", "journal"),
    ("2000;12(3):", "volume"),
    ("243-9. ", "pages"),
    ("Wiley. ", "publisher"),
    ("https://doi.org/10.5555/ED.1", "url"),
)
PARSED = {
    "authors": [{"given": "G. M.", "family": "Hopper"}, "van Rossum, Guido"],
    "title": "The Education of a Computer: A Sequel",
    "venue": "In: J Comput",
    "year": 1952,
    "volume": "12",
    "issue": "3",
    "pages": "243–249",
    "publisher": "Wiley",
    "doi": "10.5555/ed.1",
}


def wrong(record, parsed):
    return score_string(record, parsed, Tally())


def test_a_right_parse_scores_full():
    tally = Tally()
    assert score_string(ARTICLE, PARSED, tally) == []
    assert scores_of(tally).keys() == {name for field in (*FIELDS, "micro") for name in (field, f"{field}.soft")}
    assert set(scores_of(tally).values()) == {100.0}


@pytest.mark.parametrize(
    ("field", "damage"),
    [
        ("author", {"authors": ["G. Hopper"]}),
        ("author", {"authors": ["G. Hopper", "G. Smith"]}),
        ("title", {"title": "The education of a computer"}),
        ("container", {"venue": "Communications"}),
        ("date", {"year": 1953}),
        ("volume", {"volume": "13"}),
        ("issue", {"issue": "4"}),
        ("pages", {"pages": "243-250"}),
        ("publisher", {"publisher": "Springer"}),
        ("doi", {"doi": "10.5555/ed"}),
    ],
)
def test_a_fault_costs_its_field(field, damage):
    assert wrong(ARTICLE, PARSED | damage) == [field]
    assert wrong(ARTICLE, {**PARSED, **dict.fromkeys(damage, "")}) == [field], "and so does nothing"


def test_a_title_without_its_subtitle_is_nearly_right():
    tally = Tally()
    score_string(ARTICLE, PARSED | {"title": "The education of a computer"}, tally)
    assert (scores_of(tally)["title"], scores_of(tally)["title.soft"]) == (0, 100)


def test_a_book_has_its_name_as_title_or_as_container():
    book = labelled(("Duda, R. O.", "author"), (" ", ""), ("Pattern Classification", "booktitle"), (" 1973", "date"))
    plain = {"authors": ["R. O. Duda"], "year": 1973}
    assert wrong(book, {**plain, "title": "Pattern classification"}) == []
    assert wrong(book, {**plain, "venue": "Pattern classification"}) == []
    assert wrong(book, {**plain, "title": "Pattern recognition"}) == ["title"]


def test_what_stands_under_a_close_label_is_no_fault():
    edited = labelled(("Smith, J.", "editor"), (" ", ""), ("A title of a book", "title"), (" No. 54", "volume"))
    assert wrong(edited, {"authors": ["J. Smith"], "title": "A title of a book", "volume": "54"}) == []
    assert wrong(edited, {"authors": ["K. Miller"], "title": "A title of a book", "issue": "54"}) == ["author"]


def test_only_the_first_of_two_references_counts():
    two = labelled(("A. Bee", "author"), ("One title", "title"), ("C. Dee", "author"), ("Another title", "title"))
    assert wrong(two, {"authors": ["A. Bee"], "title": "One title"}) == []


@pytest.mark.parametrize(
    ("printed", "parsed", "right"),
    [
        (["Su Jinyuan"], ["Jinyuan Su"], True),
        (["Hwang DS, Bang MM."], ["D S Hwang", "Bang MM"], True),
        (["DURAND Jean-Pierre", "STEWART, Paul"], ["Jean-Pierre Durand", "Paul Stewart"], True),
        (["Department of Health and Human Services"], ["Department of Health and Human Services"], True),
        (["King, Jr., M. L."], [{"family": "King", "given": "M. L."}], True),
        (["A. Bee and C. Dee"], ["A. Bee"], False),
        (["A. Bee and C. Dee"], ["C. Dee", "A. Bee"], False),
    ],
)
def test_lists_of_people(printed, parsed, right):
    assert compare(printed, parsed)[0] is right
