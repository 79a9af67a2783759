"""Paragraphs across columns, notes, captions and tables."""

import pytest

import openseer
from openseer.core.model.extraction import Extraction
from openseer.extract.body.body import body_lines, sections_of
from openseer.extract.body.section_types import section_type_of
from openseer.extract.context import PaperContext
from openseer.extract.layout.lines import join_lines
from openseer.extract.layout.paragraphs import BodyLayout, paragraphs, running_text_mask
from openseer.extract.pdf.page_model import HYPHEN
from tests.extract.made_pages import BOLD, PROSE, Set, lines_and_page_model, prose

FULL = "These words fill the whole line from its left edge up to its right edge, as lines do"


def texts(*pages):
    lines, _ = lines_and_page_model(*pages)
    setting = BodyLayout(lines)
    kept = [line for line, wanted in zip(lines, running_text_mask(lines, setting), strict=True) if wanted]
    return [join_lines(part) for part in paragraphs(kept, setting)]


def test_an_indented_line_opens_a_paragraph_and_a_short_one_ends_it():
    found = texts(
        [
            Set(FULL, 100),
            Set("and end here.", 112),
            Set(FULL, 124),
            Set(FULL + " again.", 136),
            Set("Indented " + FULL, 148, x=88),
            Set(FULL, 160),
        ]
    )
    assert [text.split()[-1] for text in found] == ["here.", "again.", "do"]


def test_a_paragraph_continues_over_the_page_and_a_footnote():
    note = Set("1 A note that says where more can be found on this.", 760, 8.0)
    (found,) = texts([*prose(100, 5), note], prose(80, 4))
    assert "note" not in found.replace("of note", "")
    assert found == " ".join([PROSE] * 9)


def test_a_caption_and_a_table_do_not_cut_a_sentence():
    caption = [Set("Figure 2: What was found in the field.", 170, 9.0), Set("The second line says more.", 181, 9.0)]
    rows = [Set(f"plot {number}        {number}.5        {number}.75", 210 + 12 * number, 9.0) for number in range(4)]
    table = [
        Set(text, row.y, 9.0, x)
        for row in rows
        for text, x in zip(row.text.split("        "), (72, 200, 300), strict=True)
    ]
    (found,) = texts([*prose(100, 4), *caption, *table, *[line._replace(y=line.y + 200) for line in prose(100, 4)]])
    assert found == " ".join([PROSE] * 8)


def test_a_divided_word_never_ends_a_paragraph():
    lines, _ = lines_and_page_model([Set(FULL + ".", 100), Set("Short end.", 112)])
    setting = BodyLayout(lines)
    divided = [lines[0]._replace(text="This is divi" + HYPHEN), lines[1]]
    assert len(list(paragraphs(divided, setting))) == 1


def test_a_table_of_contents_is_no_text():
    entries = [
        Set(f"{number} The part of that name . . . . . . . {number}3", 100 + 14 * number) for number in range(1, 6)
    ]
    lines, page_model = lines_and_page_model(
        [Set("Contents", 80, 12), *entries, Set("6 Another part 77", 190)], prose(100, 8)
    )
    body = body_lines(PaperContext(page_model, lines), Extraction())
    assert {line.page for line in body if line.text != "Contents"} == {2}


def test_lone_words_below_each_other_are_cells():
    cells = [Set(text, 200 + 30 * at) for at, text in enumerate(["Male", "Female", "Total", "Over 41", "Under 41"])]
    assert texts([*prose(100, 4), *cells]) == [" ".join([PROSE] * 4)]


def test_text_before_the_first_heading_is_a_section_and_addresses_are_not():
    lines, _ = lines_and_page_model(
        [Set("University of Nowhere", 60, 8.0), *prose(100, 6), Set("1 Methods", 200, 12.0, font=BOLD), *prose(220, 6)]
    )
    first, second = sections_of(lines)
    assert (first.heading, second.heading, second.type) == ("", "1 Methods", "methods")
    assert first.text == " ".join([PROSE] * 6)


def test_paragraphs_of_a_sample_have_span_page_and_language(sample_papers):
    found = openseer.extract(sample_papers / "warc-shelf.pdf")
    paragraphs = [(section, one) for section in found.sections for one in section.paragraphs]
    assert len(paragraphs) > 8
    for section, one in paragraphs:
        start, end = one.at
        text = section.text[start:end]
        assert text
        assert text == " ".join(text.split())
        assert one.page >= section.page
        assert one.language in ("en", "")
    assert all(
        section.text == "\n\n".join(section.text[slice(*one.at)] for one in section.paragraphs)
        for section in found.sections
    )


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("1 Introduction", "introduction"),
        ("II. RELATED WORK", "related work"),
        ("Materials and Methods", "methods"),
        ("3.2 Experimental setup", "methods"),
        ("4 Results and discussion", "results"),
        ("Fazit", "conclusion"),
        ("Data and methods", "methods"),
        ("A Appendix: proofs", "appendix"),
        ("Authors’ contributions", "contributions"),
        ("Data availability statement", "availability"),
        ("Competing interests", "interests"),
        ("Литература", "references"),
        ("The life of bees", ""),
        ("", ""),
    ],
)
def test_a_heading_determines_the_section_type(heading, kind):
    assert section_type_of(heading) == kind
