"""Structure that a file does not mark: the title, standard headings, entries of bibliographies."""

from __future__ import annotations

import pytest

from openseer.extract.structured.document import Block, Role, StructuredText
from openseer.extract.structured.sections import with_sections

NEWTON = "Newton, I. (1687). The sea and the moon. Journal of Tides 1, 1-9."
DARWIN = "Darwin, G. (1898). The tides and kindred phenomena. Murray, London."


def sections(*blocks):
    return with_sections(StructuredText(blocks)).blocks


def paragraph(text):
    return Block(Role.PARAGRAPH, text)


def references(*blocks):
    return [block.text for block in sections(*blocks) if block.role is Role.REFERENCE]


def test_the_first_short_paragraph_is_the_title_unless_there_is_one():
    assert sections(paragraph("Harbour gauges"), paragraph("Ada King"))[0].role is Role.TITLE
    assert sections(paragraph("It is a sentence."), paragraph("More"))[0].role is Role.PARAGRAPH
    assert sections(paragraph("Harbour gauges"), Block(Role.TITLE, "On tides"))[0].role is Role.PARAGRAPH
    assert sections(paragraph("word " * 40))[0].role is Role.PARAGRAPH


def test_a_paragraph_that_is_a_standard_heading_is_one():
    roles = [block.role for block in sections(Block(Role.TITLE, "T"), paragraph("Abstract"), paragraph("We measure."))]
    assert roles == [Role.TITLE, Role.HEADING, Role.PARAGRAPH]


def test_what_stands_below_the_heading_of_a_bibliography_is_an_entry():
    found = references(paragraph("References"), paragraph(NEWTON), paragraph(DARWIN), Block(Role.HEADING, "Appendix"),
                       paragraph("More text"))  # fmt: skip
    assert found == [NEWTON, DARWIN]


@pytest.mark.parametrize(
    "lines",
    [
        f"[1] {NEWTON}\n[2] {DARWIN}\n[3] {NEWTON}",
        f"{NEWTON}\n\n{DARWIN}\n\n{NEWTON}\n",
        "\n".join(one.replace("The ", "The\n    ", 1) for one in (NEWTON, DARWIN, NEWTON)),
        f"  1. {NEWTON[:30]}-\n     {NEWTON[30:]}\n  2. {DARWIN}\n  3. {NEWTON}",
    ],
)
def test_entries_in_lines_are_found_by_numbers_blank_lines_or_indentation(lines):
    found = references(Block(Role.HEADING, "References"), Block(Role.LINES, lines))
    assert len(found) == 3
    assert found[1].endswith(DARWIN)


def test_lines_without_any_sign_stay_lines():
    lines = Block(Role.LINES, "one line\nanother line")
    assert sections(Block(Role.HEADING, "References"), lines)[1] == lines
