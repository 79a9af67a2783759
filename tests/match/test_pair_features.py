"""What the matcher looks at, and what it makes of records in several hands."""

from __future__ import annotations

import pytest

from openseer.core.model.description import MatchFields
from openseer.match.pair_features import FEATURES, features_of, prepared
from openseer.match.pairwise import log_odds_between, passes_prefilter
from openseer.match.venue_names import JOURNAL, MEETING, REPORT, venue_of
from openseer.match.word_idf import RAREST, idf_of

TITLE = "Checkpointing harbour databases with pebbles"
LISTED = MatchFields(
    title=TITLE, authors=(("King", "Ada"), ("Lee", "Robert"), ("Moreau", "Zoé")), year=1998, venue="SIGMOD Conference"
)
FOUND = (("Moreau", "Z"), ("King", "A"), ("Lee", "R"))
PLACED = MatchFields(title=TITLE, authors=(("King", "A."), ("Lee", "B.")), year=1998, volume="12", pages="45-67")


def clue(name, one, other):
    return dict(zip(FEATURES, features_of(prepared(one), prepared(other)), strict=True))[name]


@pytest.mark.parametrize(
    ("printed", "kind", "short"),
    [
        ("Proc. Int. Conf. on Very Large Data Bases", MEETING, {"vldb"}),
        ("Very Large Data Bases", MEETING, {"vldb"}),
        ("VLDB J.", JOURNAL, {"vldb"}),
        ("ACM SIGMOD Record", JOURNAL, {"sigmod"}),
        ("International Conference on Management of Data", MEETING, {"sigmod"}),
        ("Technical Report, University of Kiel", REPORT, set()),
        ("Ships", 0, set()),
        ("", 0, set()),
    ],
)
def test_the_kind_and_the_short_name_of_a_venue(printed, kind, short):
    assert (venue_of(printed).kind, venue_of(printed).short) == (kind, short)


def test_a_common_word_tells_less_than_a_rare_one():
    assert idf_of("the") < idf_of("analysis") < idf_of("quokka") == RAREST
    assert idf_of("1998") < RAREST


@pytest.mark.parametrize(
    ("title", "other", "told_by_one", "told_by_other"),
    [
        (TITLE, TITLE, 0, 0),
        (TITLE, "Chekpointing harbourdatabases with pebbles", 0, 0),
        (TITLE, f"{TITLE} (extended abstract)", 0, 0),
        (TITLE, f"{TITLE} quokka", 0, RAREST),
        (TITLE, "Checkpointing quokka databases with pebbles", idf_of("harbour"), RAREST),
    ],
)
def test_what_only_one_title_says(title, other, told_by_one, told_by_other):
    one, two = MatchFields(title=title), MatchFields(title=other)
    assert (clue("told by one", one, two), clue("told by the other", one, two)) == (told_by_one, told_by_other)


def test_names_that_were_not_taken_apart_are_found():
    glued = MatchFields(title=TITLE, authors=(("A King, R Lee, Z Moreau", ""),))
    assert clue("names of the fewer", LISTED, glued) == 1


def test_other_initials_of_the_same_family_names_are_counted():
    others = MatchFields(title=TITLE, authors=(("King", "B."), ("Lee", "R.")))
    assert clue("other initials", LISTED, others) == 0.5
    assert clue("other initials", LISTED, MatchFields(title=TITLE)) == -1


def test_a_venue_may_tell_the_year_and_pages_may_hold_another_number():
    assert prepared(MatchFields(title=TITLE, venue="Proc. SIGMOD 1996")).year == 1996
    found = prepared(MatchFields(title=TITLE, pages="2, pp. 524-532"))
    assert (found.first_page, found.last_page) == ("524", "532")


SIDES = [
    LISTED,
    MatchFields(title="Checkpointing", authors=FOUND, venue="Very Large Data Bases"),
    MatchFields(title="Data with pebbles", authors=FOUND[:1], venue="Data bases of the very large"),
    PLACED,
]


@pytest.mark.parametrize("one", SIDES)
@pytest.mark.parametrize("other", SIDES)
def test_clues_are_the_same_in_both_directions(one, other):
    assert features_of(prepared(one), prepared(other)) == features_of(prepared(other), prepared(one))


@pytest.mark.parametrize(
    "found",
    [
        MatchFields(title=TITLE.lower(), authors=FOUND, venue="Proc. ACM SIGMOD"),
        MatchFields(title=f"{TITLE}, Proc. of", authors=FOUND, year=1998),
        MatchFields(title="Chekpointing harbour databases wth pebbles", authors=FOUND[:2], venue="SIGMOD, Seattle"),
        MatchFields(title=TITLE[:34], authors=FOUND, year=1998, venue="Intl. Conf. on Management of Data"),
        MatchFields(title=TITLE, authors=(("A King, R Lee, Z Moreau", ""),), year=1998),
    ],
)
def test_a_record_found_on_the_web_is_the_work_of_the_list(found):
    assert log_odds_between([(LISTED, found)])[0] > 0


@pytest.mark.parametrize(
    "other",
    [
        MatchFields(title=TITLE, authors=FOUND, year=2000, venue="VLDB Journal"),
        MatchFields(title="Checkpointing quokka enclosures with pebbles", authors=FOUND, year=1998, venue="SIGMOD"),
        MatchFields(title="Harbour databases", authors=(("Ito", "K"),), year=1985, venue="Ships"),
    ],
)
def test_what_only_looks_the_same_is_another_work(other):
    assert log_odds_between([(LISTED, other)])[0] < 0


def test_a_title_that_holds_all_of_another_is_asked_of():
    long = MatchFields(
        title=f"{TITLE}. In Proceedings of the fourteenth international conference on management of it all"
    )
    assert passes_prefilter(MatchFields(title="Checkpointing harbour"), long)


def test_what_stands_in_one_place_is_one_work_though_names_and_year_are_misprinted():
    other = MatchFields(
        title=TITLE.upper(), authors=(("King", "A."), ("Lec", "B.")), year=1996, volume="12", pages="45-67"
    )
    assert log_odds_between([(PLACED, other)])[0] > 0


def test_two_numbers_of_one_archive_are_two_papers():
    one = MatchFields(title="Geometric obstructions on harbours", authors=FOUND[:2], year=2019, arxiv="1912.11198")
    other = MatchFields(title=one.title, authors=one.authors, year=2019, arxiv="1912.11199v2")
    bare = MatchFields(title=one.title, authors=one.authors, year=2019)
    assert log_odds_between([(one, other)])[0] < log_odds_between([(one, bare)])[0] - 2
