"""Location of markers in the text of their sections."""

from __future__ import annotations

import pytest

from openseer.core.model.extraction import Context, Extraction, Paragraph, Reference, Section
from openseer.extract.citations.linked_paragraphs import LinkedText, body_sections, linked_paragraphs, split_marker


def citing(text: str, mark: str, heading: str = "H", place: int = -1) -> Context:
    start = text.index(mark) if place < 0 else place
    return Context(text, printed=mark, at=(start, start + len(mark)), section=heading)


def marked(sections: list[Section], *references: Reference) -> list[list[list[tuple[str, tuple[int, ...]]]]]:
    """Of each paragraph, the pieces that cite."""
    return [
        [[(piece.text, piece.entries) for piece in passage.pieces if piece.entries] for passage in passages]
        for passages in linked_paragraphs(sections, references)
    ]


@pytest.mark.parametrize(
    ("mark", "entries", "wanted"),
    [
        ("[4]", (3,), [("[4]", (3,))]),
        ("[9, 1]", (0, 8), [("[9,", (8,)), (" ", ()), ("1]", (0,))]),
        ("10–12", (9, 10, 11), [("10–", (9, 10)), ("12", (11,))]),
        ("[2, 2, 3]", (1, 2), [("[2, 2,", (1,)), (" ", ()), ("3]", (2,))]),
        ("Steele et al. 1998a, b", (44, 45), [("Steele et al. 1998a, b", (44, 45))]),
        ("[LG99]", (4,), [("[LG99]", (4,))]),
    ],
)
def test_each_entry_of_a_marker_has_its_own_number(mark, entries, wanted):
    assert [*split_marker(mark, entries)] == [LinkedText(*one) for one in wanted]
    assert "".join(piece.text for piece in split_marker(mark, entries)) == mark


def test_nothing_of_the_text_is_lost():
    text = "One [1], two [2].\n\nThree [1].\n \nFour."
    sections = [Section("H", text=text)]
    one = Reference("a", contexts=(citing("One [1], two [2].", "[1]"), citing("Three [1].", "[1]")))
    two = Reference("b", contexts=(citing("One [1], two [2].", "[2]"),))
    passages = linked_paragraphs(sections, (one, two))[0]
    written = ["".join(piece.text for piece in passage.pieces) for passage in passages]
    assert written == ["One [1], two [2].", "Three [1].", "Four."]
    assert marked(sections, one, two) == [[[("[1]", (0,)), ("[2]", (1,))], [("[1]", (0,))], []]]


def test_repeated_words_are_two_markers():
    text = "So it is [1]. So it is [1]."
    contexts = (
        Context("So it is [1].", at=(9, 12), section="H", page=1),
        Context("So it is [1].", at=(9, 12), section="H", page=2),
    )
    assert marked([Section("H", text=text)], Reference("a", contexts=contexts)) == [[[("[1]", (0,)), ("[1]", (0,))]]]


def test_a_short_marker_is_searched_in_its_own_section_only():
    sections = [Section("A", text="[1] is here."), Section("B", text="And [1] is there.")]
    assert marked(sections, Reference("a", contexts=(citing("[1].", "[1]", "C"),))) == [[[]], [[]]]
    assert marked(sections, Reference("a", contexts=(citing("[1] is there", "[1]", "B"),))) == [[[]], [[("[1]", (0,))]]]


def test_a_telling_sentence_is_found_under_another_heading():
    sections = [Section("A", text="Long known from ancient maps [1] is this."), Section("B", text="No.")]
    wanted = citing("Long known from ancient maps [1] is this.", "[1]", "B")
    assert marked(sections, Reference("a", contexts=(wanted,))) == [[[("[1]", (0,))]], [[]]]


def test_overlapping_and_missing_markers_are_skipped():
    text = "Known from King (1999a, b) and others."
    contexts = (
        citing(text, "King (1999a, b)"),
        citing(text, "1999a"),
        citing("Not in the text [7] at all.", "[7]"),
        Context("x"),
    )
    assert marked([Section("H", text=text)], Reference("a", contexts=contexts)) == [[[("King (1999a, b)", (0,))]]]


def test_paragraphs_are_those_of_the_record():
    section = Section("H", text="One. Two.", paragraphs=(Paragraph((0, 4), 1, "en"), Paragraph((5, 9), 2, "de")))
    assert [(passage.pieces, passage.language) for passage in linked_paragraphs([section], ())[0]] == [
        ([LinkedText("One.")], "en"),
        ([LinkedText("Two.")], "de"),
    ]


def test_abstract_and_references_are_no_body_sections():
    sections = tuple(Section(kind, 1, kind) for kind in ("abstract", "methods", "acknowledgments", "references"))
    assert [one.heading for one in body_sections(Extraction(sections=sections))] == ["methods", "acknowledgments"]
    assert [one.heading for one in body_sections(Extraction(sections=sections, acknowledgments="Thanks."))] == [
        "methods"
    ]
