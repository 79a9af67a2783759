"""Heading detection and levels."""

from __future__ import annotations

import pytest

from openseer.extract.body.heading_candidates import body_style_of, heading_candidates
from openseer.extract.body.outline import levels_of, outline_of
from openseer.extract.pdf.page_model import Font
from tests.extract.made_pages import BOLD, Set, lines_and_page_model, prose

ITALIC = Font("Serif-Italic", italic=True)


def page(*headings: tuple[str, float, Font]) -> list[Set]:
    """Headings, each with a paragraph below it."""
    lines: list[Set] = []
    y = 60.0
    for text, size, font in headings:
        lines += [Set(text, y + 20, size, font=font), *(one._replace(text=f"{one.text}.") for one in prose(y + 40, 5))]
        y += 110
    return lines


def told(*pages):
    lines, _ = lines_and_page_model(*pages)
    return [(one.level, one.text) for one in outline_of(lines)]


def test_numbered_headings_have_the_level_of_their_number():
    found = told(
        page(("1 Introduction", 14, BOLD), ("2 Methods", 14, BOLD), ("2.1 Lights", 11, BOLD), ("2.2 Ships", 11, BOLD)),
        page(("3 Results", 14, BOLD), ("4 Conclusion", 14, BOLD)),
    )
    assert found == [
        (1, "1 Introduction"),
        (1, "2 Methods"),
        (2, "2.1 Lights"),
        (2, "2.2 Ships"),
        (1, "3 Results"),
        (1, "4 Conclusion"),
    ]


def test_lighter_type_is_a_lower_level():
    found = told(
        page(("Introduction", 14, BOLD), ("Methods", 14, BOLD), ("Lights of harbours", 11, BOLD)),
        page(("Results", 14, BOLD), ("Ships of the north", 11, BOLD), ("Conclusion", 14, BOLD)),
    )
    assert [level for level, _ in found] == [1, 1, 2, 1, 2, 1]


def test_captions_and_sentences_are_no_candidates():
    lines, _ = lines_and_page_model([Set("Figure 3: The harbour at night", 100, font=BOLD), *prose(120, 30)])
    assert heading_candidates(lines, body_style_of(lines)) == []


def test_the_first_words_of_a_paragraph_may_be_a_heading():
    lines, _ = lines_and_page_model([*prose(60, 10), Set("Harbours.", 300, font=ITALIC), *prose(400, 20)])
    run_in = lines[10]
    words = (*run_in.words, *lines[0].words)
    body = [*lines[:10], run_in._replace(text=f"{run_in.text} {lines[0].text}", words=words), *lines[11:]]
    body = [body[9]._replace(text=f"{body[9].text}."), *body[10:]]
    found = heading_candidates(body, body_style_of(body))
    assert [(one.text, one.run_in) for one in found] == [("Harbours.", True)]


@pytest.mark.parametrize("count", [0, 1])
def test_little_text_has_little_outline(count):
    lines, _ = lines_and_page_model(prose(60, count))
    assert outline_of(lines) == []
    assert levels_of([]) == []
