"""A bibliography is found among the lines, and cut into its entries by number, label, indent, gap or look."""

import pytest

from openseer.extract.lines import Line, join
from openseer.extract.references import cut_entries, reference_sections, references_of
from openseer.extract.words import Font, Link, Page

ROMAN, BOLD = Font("Roman"), Font("Roman-Bold", bold=True)


def lines(texts, size=9.0, indents=None, gaps=None):
    """Printed lines of one column, ten points apart."""
    base, made = 100.0, []
    for at, text in enumerate(texts):
        base += 10 + (gaps[at] if gaps else 0)
        x0 = 50 + (indents[at] if indents else 0)
        made.append(Line(text, 1, x0, x0 + 200, base, size, ROMAN, ()))
    return made


def heading(text="References"):
    return Line(text, 1, 50, 120, 95, 11, BOLD, ())


ENTRIES = [
    "Smith, J. (1999). On things that are",
    "long. Journal of Things, 1, 2-3.",
    "Weber, M. (2001). On other",
    "things. Things Today, 4, 5-6.",
]


@pytest.mark.parametrize(
    ("texts", "extra"),
    [
        (["[1] J. Smith. Things. 1999.", "[2] M. Weber. More", "things. 2001.", "[3] A. Jones. All. 2003."], {}),
        (["1. Smith J. Things. 1999.", "2. Weber M. More", "things. 2001.", "3. Jones A. All. 2003."], {}),
        (
            [
                "[Smi99] J. Smith. Things. 1999.",
                "[Web01] M. Weber. More",
                "things. 2001.",
                "[Jon03] A. Jones. All. 2003.",
            ],
            {},
        ),
        (
            ["Smith, J. Things. 1999.", "Weber, M. More", "things. 2001.", "Jones, A. All. 2003."],
            {"indents": [0, 0, 12, 0]},
        ),
        (
            ["Smith, J. Things. 1999.", "Weber, M. More", "things. 2001.", "Jones, A. All. 2003."],
            {"gaps": [0, 5, 0, 5]},
        ),
    ],
    ids=["brackets", "numbers", "labels", "hanging", "gaps"],
)
def test_entries_are_cut(texts, extra):
    cut = cut_entries(lines(texts, **extra))
    assert len(cut) == 3
    assert cut[1].endswith("More things. 2001.")


def test_a_number_inside_an_entry_starts_no_entry():
    texts = [
        "[1] J. Smith. Things. 1999.",
        "[2] M. Weber. More of",
        "[1999] and so on. 2001.",
        "[3] A. Jones. All. 2003.",
    ]
    assert len(cut_entries(lines(texts))) == 3


def test_the_section_ends_at_the_appendix():
    after = Line("Appendix A", 1, 50, 120, 300, 11, BOLD, ())
    body = [heading(), *lines(ENTRIES, indents=[0, 12, 0, 12]), after, *lines(["Some proof of 1999."] * 5, size=10.0)]
    (section,) = reference_sections(body)
    assert [line.text for line in section] == ENTRIES


def test_a_heading_without_years_below_is_no_bibliography():
    assert reference_sections([heading(), *lines(["Nothing but words"] * 20)]) == []


def test_a_linked_doi_is_taken_from_the_link():
    body = [
        heading(),
        *lines(
            [
                "[1] J. Smith. Things that are long. 1999.",
                "[2] M. Weber. More things. 2001.",
                "[3] A. Jones. All. 2003.",
            ]
        ),
    ]
    page = Page(1, 600, 800, (), (Link((60, 110, 90, 121), "https://doi.org/10.1234/XY"),))
    assert [found.doi for found in references_of(body, [page])] == ["", "10.1234/xy", ""]


def test_words_divided_at_line_ends_come_together():
    assert join(["a divi\x02", "ded word", "and an out-", "of-date one"]) == "a divided word and an out- of-date one"
