"""Segmentation of bibliographies by numbers, labels, indent or gaps."""

import pytest

from openseer.extract.layout.lines import Line
from openseer.extract.layout.reference_sections import reference_sections
from openseer.extract.pdf.page_model import Font
from openseer.extract.references.segment import split_entries

PLAIN, BOLD = Font("Serif"), Font("Serif-Bold", bold=True)


def lines(*rows, size=9.0):
    """Rows of (text, indent, distance from the row above)."""
    found, base = [], 100.0
    for text, indent, step in rows:
        base += step
        found.append(Line(text, 1, 50.0 + indent, 300.0, base, size, PLAIN, ()))
    return found


NUMBERED = lines(
    ("1. Name A, First title,", 0, 11),
    ("1. end of it, 1999.", 0, 11),
    ("2. Name B, Second title, 2000.", 0, 11),
    ("3. Name C, Third title, 2001.", 0, 11),
)
BRACKETS = lines(
    ("[1] Name A, First title,", 0, 11),
    ("goes on, 1999.", 12, 11),
    ("[2] Name B, Second, 2000.", 0, 11),
    ("[3] Name C, Third, 2001.", 0, 11),
)
LABELS = lines(
    ("[Nam99] Name A. First title.", 0, 11), ("It goes on, 1999.", 0, 11), ("[Nam00] Name B. Second, 2000.", 0, 11)
)
HANGING = lines(
    ("Name, A. (1999). First title", 0, 11),
    ("goes on. Journal.", 12, 11),
    ("El-Name, B. (2000). Second title", 0, 11),
    ("goes on. Journal.", 12, 11),
    ("Name, C. (2001). Third.", 0, 11),
)
GAPS = lines(
    ("Name, A. (1999). First title", 0, 11),
    ("goes on. Journal.", 0, 11),
    ("Name, B. (2000). Second title", 0, 16),
    ("goes on. Journal.", 0, 11),
    ("Name, C. (2001). Third.", 0, 16),
    ("Journal.", 0, 11),
)


@pytest.mark.parametrize(
    ("section", "count"), [(NUMBERED, 3), (BRACKETS, 3), (LABELS, 2), (HANGING, 3), (GAPS, 3), ([], 0)], ids="nblhge"
)
def test_entries_are_cut(section, count):
    assert len(split_entries(section)) == count


def test_an_entry_contains_all_its_lines():
    assert split_entries(HANGING)[0] == "Name, A. (1999). First title goes on. Journal."


def test_the_section_ends_at_the_next_heading():
    heading = Line("References", 1, 50.0, 100.0, 90.0, 12.0, BOLD, ())
    appendix = Line("Appendix A", 1, 50.0, 100.0, 400.0, 12.0, BOLD, ())
    after = Line("Proof of the lemma in 1999.", 1, 50.0, 300.0, 420.0, 9.0, PLAIN, ())
    (section,) = reference_sections([heading, *BRACKETS, appendix, after])
    assert section == BRACKETS


def test_a_box_inside_the_list_is_skipped():
    body = [Line(f"Text of the body, line {n}.", 1, 50.0, 300.0, 20.0 + n, 11.0, PLAIN, ()) for n in range(5)]
    heading = Line("References", 1, 50.0, 100.0, 90.0, 12.0, BOLD, ())
    box = [
        Line("Supplementary Material", 1, 50.0, 100.0, 400.0, 12.0, BOLD, ()),
        Line("Found online.", 1, 50.0, 300.0, 420.0, 11.0, PLAIN, ()),
    ]
    rest = lines(("[4] Name D, Fourth, 2002.", 0, 11))
    (section,) = reference_sections([*body, heading, *BRACKETS, *box, *rest])
    assert section == [*BRACKETS, *rest]
