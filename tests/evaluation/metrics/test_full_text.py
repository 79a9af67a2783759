"""Scores of deep reading: what is right counts, each fault costs its own figures, what is optional costs nothing."""

from __future__ import annotations

import copy
import doctest
from typing import Any

import pytest

from openseer.evaluation import alignment
from openseer.evaluation.alignment import align
from openseer.evaluation.metrics import full_text as module
from openseer.evaluation.metrics.contexts import match_to_gold
from openseer.evaluation.metrics.full_text import FULL_TEXT_SCORES, score_full_text, unnumbered
from openseer.evaluation.precision_recall import Tally

ONE = "The engine was described by Menabrea [1] in some detail, and Babbage [2] had written of economy before."
TWO = "Nobody has built it so far, for want of money and of wheels that are cut alike [2]."
GOLD: dict[str, Any] = {
    "sections": [
        {"heading": "Introduction", "level": 1},
        {"heading": "The mill and the store", "level": 1},
        {"heading": "Cards of operation", "level": 2},
        {"heading": "A note for the curious", "level": 1, "optional": True},
    ],
    "references": [
        {"title": "Sketch of the analytical engine invented by Babbage", "year": "1842", "authors": ["L. F. Menabrea"]},
        {"title": "On the economy of machinery and manufactures", "year": "1832", "authors": ["C. Babbage"]},
    ],
    "mentions": [
        {"ref": 0, "text": ONE, "at": [37, 40]},
        {"ref": 1, "text": ONE, "at": [70, 73]},
        {"ref": 1, "text": TWO, "at": [79, 82]},
        {"ref": 0, "text": "Menabrea [1] has the table, which is the fourth.", "at": [9, 12], "optional": True},
    ],
    "acknowledgments": "We thank the weavers of Lyon for the loan of their cards.",
    "keywords": ["analytical engine", "punched cards"],
    "authors": [
        {"name": "Ada Lovelace", "affiliations": ["Ockham Park, Surrey, England"], "email": "ada@ockham.example"},
        {"name": "Charles Babbage", "affiliations": ["Dorset Street, London"], "email": None},
    ],
    "funders": [{"name": "Board of Longitude"}, {"name": "Royal Astronomical Society"}],
}  # fmt: skip


def perfect() -> dict[str, Any]:
    """What a faultless reader would say."""
    contexts = [[{"text": one["text"]} for one in GOLD["mentions"] if one["ref"] == ref] for ref in (0, 1)]
    return {
        "sections": [
            {"heading": "1. Introduction", "level": 1},
            {"heading": "2. The Mill and the Store", "level": 1},
            {"heading": "2.1 Cards of Operation", "level": 2},
            {"heading": "A note for the curious", "level": 3},
            {"heading": "Acknowledgements", "level": 1},
        ],
        "references": [{**entry, "contexts": found} for entry, found in zip(GOLD["references"], contexts, strict=True)],
        "acknowledgments": "Acknowledgements. We thank the weavers of Lyon for the loan of their cards.",
        "keywords": ["Analytical Engine", "punched cards"],
        "authors": [
            {"name": one["name"], "affiliation": one["affiliations"][0], "email": one["email"] or ""}
            for one in GOLD["authors"]
        ],
        "funders": [{"name": "the Board of Longitude"}, {"name": "Royal Astronomical Society (RAS)"}],
    }


def scores(found: dict[str, Any], gold: dict[str, Any] = GOLD) -> dict[str, float]:
    tally = Tally()
    score_full_text(gold, found, tally)
    return {name: score for name, score in tally.scores().items() if name in FULL_TEXT_SCORES}


def test_a_perfect_reading_and_none_at_all():
    assert scores(perfect()) == dict.fromkeys(FULL_TEXT_SCORES, 100.0)
    links = {"headings.level", "mentions.link"}  # shares of what was met
    assert scores({}) == dict.fromkeys(set(FULL_TEXT_SCORES) - links, 0.0)


def flat(found):
    for section in found["sections"]:
        section["level"] = 1


def noisy(found):
    found["sections"] += [{"heading": f"Nothing of the kind {n}", "level": 1} for n in range(3)]


def without_a_heading(found):
    del found["sections"][2]


def without_a_context(found):
    del found["references"][1]["contexts"][1]


def at_the_wrong_entry(found):
    one, two = found["references"]
    one["contexts"], two["contexts"] = [{"text": TWO}], [{"text": ONE}]


def whole_paper(found):
    for entry in found["references"]:
        entry["contexts"] = [{"text": f"{ONE} {TWO} " * 8}]


def with_everybody_everywhere(found):
    every = "; ".join(one["affiliation"] for one in found["authors"])
    for one in found["authors"]:
        one["affiliation"] = every


def with_people_exchanged(found):
    one, two = found["authors"]
    one["name"], two["name"] = two["name"], one["name"]


FAULTS: list[tuple[Any, dict[str, float | None]]] = [
    (flat, {"headings.level": 200 / 3}),
    (noisy, {"headings": 200 / 3, "headings.p": 50.0}),
    (without_a_heading, {"headings": 80.0, "headings.r": 200 / 3}),
    (without_a_context, {"mentions": 80.0, "mentions.r": 200 / 3}),
    (at_the_wrong_entry, {"mentions": 40.0, "mentions.p": 50.0, "mentions.r": 100 / 3, "mentions.link": 50.0}),
    (whole_paper, {"mentions": 0.0, "mentions.p": 0.0, "mentions.r": 0.0, "mentions.link": None}),
    (with_everybody_everywhere, {"affil.p": 50.0}),
    (with_people_exchanged, {"affil.r": 0.0, "affil.p": 0.0, "email": 0.0}),
    (lambda found: found.update(acknowledgments="We thank nobody."), {"ack": 0.0}),
    (lambda found: found.update(keywords=["punched cards", "looms"]), {"keywords": 50.0}),
    (lambda found: found["funders"].pop(), {"funders": 50.0}),
]  # fmt: skip


@pytest.mark.parametrize(("damage", "lowered"), FAULTS)
def test_a_fault_costs_its_own_figures_and_no_other(damage, lowered):
    found = copy.deepcopy(perfect())
    damage(found)
    expected: dict[str, Any] = {**dict.fromkeys(FULL_TEXT_SCORES, 100.0), **lowered}
    assert scores(found) == pytest.approx({name: score for name, score in expected.items() if score is not None})


def test_what_gold_does_not_know_is_not_scored():
    unknown = dict.fromkeys(GOLD, None)
    assert scores(perfect(), {**unknown, "authors": [{"name": "Ada Lovelace", "affiliations": None}]}) == {}


def test_several_texts_of_one_sentence_count_once():
    found = perfect()
    found["references"][0]["contexts"] *= 3
    assert scores(found) == dict.fromkeys(FULL_TEXT_SCORES, 100.0)


def test_a_window_round_the_mark_is_enough_and_a_few_words_are_not():
    found = perfect()
    found["references"][0]["contexts"] = [{"text": ONE[:75]}]
    assert scores(found)["mentions"] == 100.0
    found["references"][0]["contexts"] = [{"text": "Menabrea [1]"}]
    assert scores(found)["mentions.r"] == pytest.approx(200 / 3)


def test_an_entry_whose_fields_were_misread_is_known_by_its_string():
    raw = "Menabrea, L.F.: Sketch of the analytical engine invented by Babbage. Geneva, 1842"
    untitled = {"raw": "Babbage C. 1832 Economy Knight London", "year": "1832", "authors": ["C. Babbage"]}
    found = [{"title": "", "raw": "C. Babbage, Economy, London: Knight, 1832"}, {"title": "Geneva", "raw": raw}]
    assert match_to_gold([GOLD["references"][0], untitled], found) == {1: 0, 0: 1}
    found[0]["raw"] = found[0]["raw"].replace("1832", "1833")
    assert match_to_gold([GOLD["references"][0], untitled], found) == {1: 0}


def test_an_affiliation_that_is_nearly_an_own_one_is_not_held_against_a_person():
    near = [
        {"name": "Ada Lovelace", "affiliations": ["School of Engines, Ockham"]},
        {"name": "Mary Somerville", "affiliations": ["School of Engines"]},
    ]
    found = {"authors": [{"name": one["name"], "affiliation": one["affiliations"][0]} for one in near]}
    assert scores(found, {"authors": near}) == {"affil.r": 100.0, "affil.p": 100.0}


@pytest.mark.parametrize(
    ("heading", "without"),
    [
        ("IV. Results", "results"),
        ("A. Numbers", "numbers"),
        ("A letter", "aletter"),
        ("2 Data", "data"),
        ("1984", "1984"),
        ("Section 3: Data", "data"),
        ("Vitamin C", "vitaminc"),
    ],
)
def test_headings_lose_their_numbers(heading, without):
    assert unnumbered(heading) == without


def test_equal_ones_are_paired_by_their_place():
    same = ["results", "methods", "results"]
    assert sorted(align(same, same, lambda one, two: float(one == two), 0.85)) == [(0, 0), (1, 1), (2, 2)]


@pytest.mark.parametrize("documented", [module, alignment])
def test_the_examples_in_the_text_are_true(documented):
    found = doctest.testmod(documented)
    assert (found.failed, found.attempted) == (0, 1)
