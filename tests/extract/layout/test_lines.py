"""Reading order of two columns that begin low on a page."""

from tests.extract.made_pages import PROSE, Set, lines_and_page_model

HALF = "words of one column of a page"


def test_columns_below_a_long_abstract():
    abstract = [Set(PROSE + " and so on", 80.0 + 12 * at) for at in range(40)]
    left = [Set(f"left {HALF} {at}", 600.0 + 12 * at, x=72.0) for at in range(12)]
    right = [Set(f"right {HALF} {at}", 600.0 + 12 * at, x=310.0) for at in range(12)]
    beside = [one for pair in zip(left, right, strict=True) for one in pair]
    lines, _ = lines_and_page_model([*abstract, *beside])
    sides = [line.text.split()[0] for line in lines if HALF in line.text]
    assert sides == ["left"] * 12 + ["right"] * 12


def test_rows_of_a_table_low_on_a_page_stay_rows():
    text = [Set(PROSE + " and so on", 80.0 + 12 * at) for at in range(40)]
    rows = [Set(word, 600.0 + 12 * at, x=x) for at in range(12) for word, x in (("oak and elm", 72.0), ("12.5", 310.0))]
    lines, _ = lines_and_page_model([*text, *rows])
    assert sum(line.text == "oak and elm 12.5" for line in lines) == 12
