"""Text normalisation of the page model."""

import pytest

from openseer.extract.layout.lines import join_texts
from openseer.extract.pdf.page_model import clean, font_of


@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        ("C´edric", "Cédric"),
        ("fu¨r", "für"),
        ("ﬁnal oﬀer", "final offer"),
        ("na¨ıve", "naïve"),
        ("M€achler", "Mächler"),
        ("plain", "plain"),
    ],
)
def test_ligatures_and_accents(printed, meant):
    assert clean(printed) == meant


def test_divided_words_come_together():
    assert join_texts(["a divi\x02", "ded word", "", "and more"]) == "a divided word and more"


@pytest.mark.parametrize(
    ("name", "bold", "italic"),
    [
        ("ABCDEF+CMBX12", True, False),
        ("CMR10", False, False),
        ("Times-BoldItalic", True, True),
        ("CMTI10", False, True),
        ("", False, False),
    ],
)
def test_fonts_are_judged_by_name(name, bold, italic):
    font = font_of(name)
    assert (font.bold, font.italic) == (bold, italic)


def test_direction_controls_are_removed():
    assert clean("On \u202egnitirw\u202c and \u2066reading\u2069") == "On gnitirw and reading"
