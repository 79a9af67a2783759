"""Header of synthetic first pages."""

from __future__ import annotations

import pytest

from openseer.extract.context import PaperContext
from openseer.extract.header.header import header_of
from openseer.extract.header.line_classifier import line_labels
from openseer.extract.header.line_features import FEATURES, features_of
from openseer.extract.pdf.page_model import Font
from tests.extract.made_pages import BOLD, Set, lines_and_page_model, prose

TITLE = Set("A Study of Harbour Lights in Northern Towns", 110, 18, font=BOLD)
NAMES = Set("Ada King, Bob Lee and Liyao Ma", 140, 12)
PLACE = Set("Department of Navigation, University of Northport", 156)
SAID = "We count the lights of forty harbours and show that they are fewer than the maps of the towns tell."


def front(*more: Set) -> list[Set]:
    lines = [TITLE, NAMES, PLACE, Set("Abstract", 190, 10, font=BOLD), *more]
    lines += [Set(SAID, 204 + 12 * number) for number in range(5)]
    return [*lines, Set("1 Introduction", 290, 12, font=BOLD), *prose(306, 30)]


def read_lines(*pages, info) -> PaperContext:
    lines, page_model = lines_and_page_model(*pages, info=info)
    return PaperContext(page_model, lines)


@pytest.fixture
def header():
    return lambda *pages, **info: header_of(read_lines(*pages, info=info))


def test_title_authors_and_abstract_of_a_plain_page(header):
    found = header(front())
    assert found.title == TITLE.text
    assert [author.name for author in found.authors] == ["Ada King", "Bob Lee", "Liyao Ma"]
    assert found.abstract.startswith("We count the lights")
    assert found.abstract.endswith("tell.")


def test_the_name_of_the_journal_in_larger_type_is_no_title(header):
    assert header([Set("Harbour", 60, 24, font=BOLD), *front()]).title == TITLE.text


def test_names_below_the_title_in_its_style_are_no_part_of_it(header):
    lines = [line._replace(size=18, font=BOLD, y=160) if line is NAMES else line for line in front()]
    found = header([line for line in lines if line is not PLACE])
    assert found.title == TITLE.text


def test_of_two_abstracts_the_one_in_the_language_of_the_text_counts(header):
    german = "Wir zählen die Lichter von vierzig Häfen und zeigen dass es weniger sind als auf den Karten der Städte."
    lines = [line for line in front() if line.y < 190]
    lines += [Set("Zusammenfassung", 190, font=BOLD), *(Set(german, 204 + 12 * n) for n in range(4))]
    lines += [Set("Abstract", 270, font=BOLD), *(Set(SAID, 284 + 12 * n) for n in range(4))]
    found = header([*lines, Set("1 Introduction", 345, 12, font=BOLD), *prose(360, 25)], prose(60, 50))
    assert found.abstract.startswith("We count the lights")


def test_an_abstract_continues_beside_notes(header):
    notes = [Set(f"Received {number} May 2001", 204 + 12 * number, 7, 440) for number in range(5)]
    found = header(front(*notes))
    assert "Received" not in found.abstract


def test_the_supervisor_of_a_thesis_is_no_author(header):
    roles = [Set("Carla Hill", 400, 12, 260), Set("Supervisor", 420, 12, 260)]
    found = header([TITLE, Set("Ada King", 200, 12, 260), *roles])
    assert [author.name for author in found.authors] == ["Ada King"]


def test_the_year_is_that_of_the_imprint(header):
    lines = [*front(), Set("Harbour Studies, Vol. 12, No. 3, 2004", 800, 8), Set("Received 3 May 2002", 812, 8)]
    assert header(lines, CreationDate="D:20040612").year == 2004


def test_a_year_after_the_file_was_made_is_not_believed(header):
    lines = [*front(), Set("Harbour Studies, Vol. 12, 2004, p. 2031", 800, 8)]
    assert header(lines, CreationDate="D:20040612").year == 2004


def test_each_line_has_all_features_and_probabilities_that_add_up():
    lines, page_model = lines_and_page_model(front())
    assert features_of(lines, lines, page_model).shape == (len(lines), len(FEATURES))
    zones = line_labels(lines, lines, page_model)
    assert all(abs(sum(zones.probabilities[id(line)]) - 1) < 1e-9 for line in lines)
    best = max(lines, key=zones.title)
    assert best.text == TITLE.text


def test_a_page_without_words_has_no_features():
    lines, page_model = lines_and_page_model([])
    assert lines == []
    assert features_of(lines, lines, page_model).shape == (0, len(FEATURES))
    assert line_labels(lines, lines, page_model).title is not None
    assert header_of(PaperContext(page_model, lines)).title == ""


def test_a_font_without_a_name_does_no_harm(header):
    assert header([line._replace(font=Font("")) for line in front()]).title == TITLE.text
