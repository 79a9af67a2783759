"""Fields by structure: bibliographies, abstracts in parts, authors, superscripts."""

from __future__ import annotations

import pytest

from openseer.core.model.extraction import Author
from openseer.extract.layout.lines import lines_of
from openseer.extract.structured.author_lines import authors_in
from openseer.extract.structured.document import Block, Role, StructuredText
from openseer.extract.structured.page_layout import typeset
from openseer.extract.structured.sections import with_sections
from openseer.extract.structured.stated_fields import stated_fields, with_stated


def text(*blocks):
    return StructuredText(
        tuple(Block(Role.HEADING, one[1:]) if one[0] == "#" else Block(Role.PARAGRAPH, one) for one in blocks)
    )


def test_a_numbered_bibliography_ends_with_its_numbers():
    entries = [f"{number}. King, A. (199{number}). On the tides. Journal of the Sea." for number in range(1, 6)]
    long = "6. " + "King, A., " * 200 + "(1999). On the tides."
    found = with_sections(text("#References", *entries, long, "We thank the harbour master for his boat in 1999."))
    assert [one.role for one in found.blocks[1:]] == 6 * [Role.REFERENCE] + [Role.PARAGRAPH]


def test_parts_of_an_abstract_are_the_abstract():
    body = (
        "#Abstract",
        "#Background",
        "The sea rises.",
        "#Methods and materials",
        "We watch.",
        "#Conclusion",
        "It does.",
    )
    after = ("#Background", "Long ago.")
    assert stated_fields(text("#Tides", *body, *after))["abstract"] == (
        "Background: The sea rises. Methods and materials: We watch. Conclusion: It does."
    )
    assert "abstract" not in stated_fields(text("#Abstract", "The sea rises.", "#Background", "Long ago."))
    assert "abstract" not in stated_fields(text("#Abstract", "#Background", "word " * 2000))


@pytest.mark.parametrize(
    ("lines", "families"),
    [
        (["Ada King¹,², Bob Lee* Correspondence: B. Lee, 1 Sea Road"], ["King", "Lee"]),
        (["Ada King", "Bob Lee E-mail: lee@example.org"], ["King", "Lee"]),
        (["Department of Seas, University of Harbour"], []),
        (["by the harbour we sat, 1999"], []),
    ],
)
def test_authors_of_lines(lines, families):
    assert [one.family for one in authors_in(lines)] == families


def test_stated_authors_keep_what_was_found_about_them():
    found = {
        "authors": (Author("Ada King", affiliation="Harbour", affiliations=("Harbour",), email="a@b.org"),),
        "title": "x",
    }
    stated = {"authors": (Author("Ada King", "Ada", "King"), Author("Bob Lee", "Bob", "Lee")), "abstract": "not asked"}
    merged = with_stated(found, stated)
    assert [one.affiliation for one in merged["authors"]] == ["Harbour", ""]
    assert merged["authors"][0].email == "a@b.org"
    assert set(merged) == {"authors", "title"}


def test_superscript_numbers_are_raised_after_words_but_not_after_units():
    page = typeset(text("It rises twice³,⁴. An area of 5 m² stays.")).pages[0]
    raised = [word.text for word in page.words if word.size < 8]
    assert raised == ["3,4"]
    assert [line.text for line in lines_of([page])] == ["It rises twice3,4. An area of 5 m² stays."]
