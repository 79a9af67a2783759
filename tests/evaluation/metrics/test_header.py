"""Scores of papers: what is right counts, each fault costs its own field, and what gold does not know is not scored."""

from __future__ import annotations

from typing import Any

import pytest

from openseer.evaluation.metrics.header import match_entries, person_of, same_person, score_header, score_references
from openseer.evaluation.precision_recall import Tally

GOLD: dict[str, Any] = {
    "title": "Notes on the engine",
    "authors": ["Ada A. Lovelace", "Charles Babbage"],
    "abstract": "The engine weaves patterns. " * 5,
    "year": 1843,
    "doi": "10.5555/Engine.1",
    "references": [
        {"title": "On the economy of machinery", "year": "1832", "authors": ["C. Babbage"], "doi": "10.5555/x"},
        {"raw": "Menabrea, L. F. Sketch of the analytical engine. Geneva, 1842", "year": 1842},
    ],
}
FOUND: dict[str, Any] = {
    "title": "Notes on the Engine.",
    "authors": [{"name": "Ada Lovelace", "given": "Ada", "family": "Lovelace"}, {"name": "C. Babbage"}],
    "abstract": "The engine weaves patterns. " * 5,
    "year": 1843,
    "doi": "10.5555/engine.1",
    "references": [
        {"title": "Sketch of the analytical engine", "year": 1842, "raw": "...", "authors": []},
        {"title": "Economy", "doi": "10.5555/X", "year": 1832, "authors": [{"family": "Babbage"}], "raw": "..."},
    ],
}


def scores(found, gold=GOLD):
    tally = Tally()
    score_header(gold, found, tally)
    score_references(gold, found, tally)
    return tally.scores()


def test_what_is_right_counts_in_full():
    found = scores(FOUND)
    assert found.pop("authors.full") == 0, "gold has the middle initial"
    assert found.pop("refs.title") == 0, "the first entry was met by its DOI alone"
    assert set(found.values()) == {100.0}


@pytest.mark.parametrize(
    ("damage", "lower"),
    [
        ({"title": "Notes on an engine"}, {"title.exact"}),
        ({"title": ""}, {"title.exact", "title.soft"}),
        ({"authors": [{"name": "A. Lovelace"}]}, {"authors.name", "authors.list"}),
        ({"authors": FOUND["authors"][::-1]}, {"authors.list"}),
        ({"abstract": "The engine weaves."}, {"abstract.soft", "abstract.mean"}),
        ({"year": 1844}, {"year"}),
        ({"doi": ""}, {"doi"}),
        ({"references": FOUND["references"][:1]}, {"refs"}),
        ({"references": [*FOUND["references"], *FOUND["references"]]}, {"refs", "refs.count"}),
    ],
)
def test_a_fault_costs_its_own_field(damage, lower):
    before, after = scores(FOUND), scores({**FOUND, **damage})
    assert {name for name in before if after.get(name, 0) < before[name]} - {"refs.title", "refs.author1"} == lower


def test_what_gold_does_not_know_is_not_scored():
    assert scores(
        FOUND, {"title": "Notes on the engine", "authors": None, "year": None, "references": None}
    ).keys() == {
        "title.exact",
        "title.soft",
    }


def test_an_unread_document_scores_nothing():
    found = scores({})
    assert found.pop("refs.count") == 0
    assert set(found.values()) == {0.0}


@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("Ada Lovelace", ("lovelace", "a")),
        ("Lovelace, Ada", ("lovelace", "a")),
        ("Lovelace AA", ("lovelace", "a")),
        ("Jan van der Berg", ("vanderberg", "j")),
        ("John Smith Jr.", ("smith", "j")),
        ({"family": "Łukasz", "given": "Ż."}, ("lukasz", "z")),
        ("", ("", "")),
    ],
)
def test_people_by_family_and_initial(name, person):
    assert person_of(name) == person


def test_a_family_name_may_end_in_the_other():
    assert same_person(("garciamarquez", "g"), ("marquez", ""))
    assert not same_person(("li", "x"), ("oli", "x")), "too short to say"
    assert not same_person(("smith", "a"), ("smith", "b"))


def test_gold_without_title_or_string_goes_by_venue_and_year():
    gold = [{"venue": "Principia Mathematica", "year": 1910}]
    assert len(match_entries(gold, [{"title": "Principia mathematica", "year": 1910}])) == 1
    assert match_entries(gold, [{"title": "Principia mathematica", "year": 1911}]) == []
