"""Repair of ligatures encoded as other letters."""

from openseer.extract.pdf.ligature_repair import repair_ligatures
from tests.extract.made_pages import Set, lines_and_page_model

WRONG = (
    "the signiWcant diVerence of this speciWc eVect was conWrmed by diVerent and eVective means that inXuence the "
    "aVected Welds in the Wrst year as the deWnition says and reXect a diYcult classiWcation"
)


def texts(sheets):
    return " ".join(word.text for page in sheets.pages for word in page.words)


def test_wrong_ligatures_are_repaired_with_a_warning():
    sheets = repair_ligatures(lines_and_page_model([Set(WRONG, 100)])[1])
    assert "significant difference of this specific effect was confirmed" in texts(sheets)
    assert "influence the affected fields in the first year" in texts(sheets)
    assert "difficult" in texts(sheets)
    assert any("ligatures" in warning for warning in sheets.warnings)


def test_a_text_that_is_right_stays_as_it_is():
    before = lines_and_page_model([Set("LaTeX and iPhone and eXtreme programming in theWild dataVault of aXis", 100)])[
        1
    ]
    assert repair_ligatures(before) is before
