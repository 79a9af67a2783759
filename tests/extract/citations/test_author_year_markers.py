"""Author-year markers and the references they cite."""

import pytest

from openseer.core.model.extraction import Name, Reference
from openseer.extract.citations.author_year_markers import SHORT_YEAR, AuthorYearMarkers, normalise_name
from openseer.extract.layout.lines import Line
from openseer.extract.layout.text_stream import TextStream
from openseer.extract.pdf.page_model import Font


def entry(raw, year, *families):
    return Reference(raw, authors=tuple(Name(family, family=family) for family in families), year=year)


ENTRIES = [
    entry("Lawrence, S., & Giles, C. L. (1999). Title.", 1999, "Lawrence", "Giles"),
    entry("Lawrence, S. (2001a). Title.", 2001, "Lawrence"),
    entry("Lawrence, S. (2001b). Title.", 2001, "Lawrence"),
    entry("Müller, H. (1999). Titel.", 1999, "Müller"),
    entry("Smith, J., Doe, A., & Roe, B. (2004). Title.", 2004, "Smith", "Doe", "Roe"),
    entry("Smith, J. (2004). Another.", 2004, "Smith"),
    entry("van der Hoek, A., & Gonzales-Vigil, E. (2012). Title.", 2012, "van der Hoek", "Gonzales-Vigil"),
    entry("World Health Organization. (2005). Report.", 2005),
    entry("Doe, A. (n.d.). Title.", None, "Doe"),
    entry("Martin F. Porter. An algorithm. 1980.", 1980, "Martin"),
    entry("pandas. (2020). The program.", 2020),
]


def found(text, **options):
    one = TextStream(10.0)
    one.add(Line(text, 1, 50.0, 500.0, 100.0, 10.0, Font("Serif"), ()), "")
    one.close()
    return [
        (text[mark.start : mark.end], list(mark.entries))
        for mark in AuthorYearMarkers(ENTRIES).markers([one], **options)
    ]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("known (Lawrence & Giles, 1999; 2001a)", [("Lawrence & Giles, 1999", [0]), ("2001a", [1])]),
        ("Lawrence and Giles (1999) say", [("Lawrence and Giles (1999)", [0])]),
        ("(Lawrence, 2001a,b)", [("Lawrence, 2001a,b", [1, 2])]),
        ("(Lawrence 2001a, 2001b)", [("Lawrence 2001a", [1]), ("2001b", [2])]),
        ("vgl. Müller 1999: 12", [("Müller 1999: 12", [3])]),
        ("so Mueller (1999, S. 12f.) dazu", [("Mueller (1999, S. 12f.)", [3])]),
        ("Smith et al., 2004", [("Smith et al., 2004", [4])]),
        ("as Smith (2004) has it", [("Smith (2004)", [5])]),
        ("(cf. Smith, 2004; see also van der Hoek and Gonzales‐Vigil, 2012)", [("Smith, 2004", [5]), ("", [6])]),
        ("(World Health Organization, 2005) and (WHO, 2005)", [("", [7]), ("WHO, 2005", [7])]),
        ("Doe (n.d.) and Porter's (1980) way", [("Doe (n.d.)", [8]), ("Porter's (1980)", [9])]),
        ("so van der Hoek (2012); die Studie von Smith (2004)", [("van der Hoek (2012)", [6]), ("Smith (2004)", [5])]),
        ("with it (pandas, 2020).", [("pandas, 2020", [10])]),
        ("(Mandel: 2003) but (Müller: 1999)", [("Müller: 1999", [3])]),
    ],
)
def test_names_and_years(text, marks):
    got = found(text)
    assert [entries for _, entries in got] == [entries for _, entries in marks]
    assert [printed for (printed, _), (want, _) in zip(got, marks, strict=True) if want] == [w for w, _ in marks if w]


@pytest.mark.parametrize(
    "text", ["in 1999 it rained", "Lawrence came in May 1999", "Smith (2005)", "1999–2004", "Jones, 2004", "page 2004"]
)
def test_a_year_alone_or_another_year_cites_nothing(text):
    assert found(text) == []


def test_names_without_a_year_in_parentheses():
    assert found("known (Lawrence and Giles; Smith et al.)") == [("Lawrence and Giles", [0]), ("Smith et al.", [4])]
    assert found("(Lawrence)") == [("Lawrence", [1])]


def test_short_years():
    assert found("[Lawrence, et al, 99, 01]", years=SHORT_YEAR) == [("Lawrence, et al, 99", [0]), ("01", [1])]


def test_one_name_however_it_is_spelt():
    assert normalise_name("Müller") == normalise_name("Mueller") == normalise_name("MÜLLER’s")
    assert normalise_name("Kobassa") == normalise_name("Kobasa")
