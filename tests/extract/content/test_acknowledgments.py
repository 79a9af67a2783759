"""Location and end of the acknowledgments."""

from __future__ import annotations

import pytest

from openseer.core.model.extraction import Extraction
from openseer.extract.content.acknowledgments import extract
from openseer.extract.context import PaperContext
from openseer.extract.header.abstract import find_keywords
from tests.extract.made_pages import BOLD, Set, lines_and_page_model, prose

THANKS = "We thank the keeper of the lights for his patience and the harbour for its ships."


def found(*pages):
    lines, page_model = lines_and_page_model(*pages)
    return extract(PaperContext(page_model, lines), Extraction())["acknowledgments"]


@pytest.mark.parametrize("label", ["Acknowledgements", "ACKNOWLEDGMENTS", "6. Acknowledgment", "Danksagung"])
@pytest.mark.parametrize("after", ["References", "Author contributions", "Conflict of interest"])
def test_the_paragraph_between_two_headings(label, after):
    text = found(
        [*prose(60, 9), Set(label, 200, font=BOLD), Set(THANKS, 214), Set(after, 240, font=BOLD), *prose(260, 9)]
    )
    assert text == THANKS


def test_a_label_in_the_line_of_its_text():
    assert found([*prose(60, 9), Set(f"Acknowledgments: {THANKS}", 200), Set("References", 240, font=BOLD)]) == THANKS


def test_a_sentence_that_begins_with_the_word_is_none():
    assert found([*prose(60, 9), Set("Acknowledgements of receipt were sent to all of them at once", 200)]) == ""


def test_without_acknowledgments_the_funding_statement_is_used():
    lines = [*prose(60, 9), Set("Funding", 200, font=BOLD), Set("Paid by the town of Northport.", 214)]
    assert found(lines) == "Paid by the town of Northport."


def test_funding_acquisition_is_no_acknowledgment():
    assert found([*prose(60, 9), Set("Funding acquisition: Ada King. Methodology: Bob Lee.", 200)]) == ""


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["Keywords: lights; harbours; ships"], ("lights", "harbours", "ships")),
        (["Keywords: lights, harbours of the", "north, ships"], ("lights", "harbours of the north", "ships")),
        (["Keywords", "lights", "harbours of the north", "ships"], ("lights", "harbours of the north", "ships")),
        (["K E Y W O R D S", "lights, harbours, ships"], ("lights", "harbours", "ships")),
        (["Key words lights · ships", "Abbreviations", "HL harbour light"], ("lights", "ships")),
    ],
)
def test_keywords(lines, words):
    body, _ = lines_and_page_model([Set(text, 100 + 12 * number) for number, text in enumerate(lines)])
    assert find_keywords(body) == words
