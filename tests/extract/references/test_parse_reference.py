"""Parsing of references in common styles."""

import pytest

from openseer.extract.references.parse_reference import parse_people, parse_reference

ENTRIES = [
    (
        "[3] A. Turing and C. Shannon, “On the cost of counting,” J. Things, vol. 7, no. 2, pp. 11–19, 1999.",
        {"title": "On the cost of counting", "family": "Turing", "year": 1999, "volume": "7", "pages": "11-19"},
    ),
    (
        "Turing, A. M., & Shannon, C. (1999). On the cost of counting. Journal of Things, 7(2), 11–19.",
        {"title": "On the cost of counting", "family": "Turing", "year": 1999, "volume": "7", "issue": "2"},
    ),
    (
        "4. Turing AM, Shannon C. On the cost of counting. J Things. 1999;7(2):11-9.",
        {"title": "On the cost of counting", "family": "Turing", "year": 1999, "volume": "7"},
    ),
    (
        "Turing, A., Shannon, C.: On the cost of counting. In: Hopper, G. (ed.) Counting. LNCS, vol. 12 (1999)",
        {"title": "On the cost of counting", "family": "Turing", "year": 1999, "type": "chapter"},
    ),
    (
        "Alan Turing and Claude Shannon. 1999. On the cost of counting. In Proceedings of Counting, pages 1–9.",
        {"title": "On the cost of counting", "family": "Turing", "year": 1999, "type": "inproceedings"},
    ),
    (
        "Mustermann, E. (2004). Der lange Weg. Eine Studie über Wege. In W. Muster (Hrsg.), Weg (S. 10-20). Ulm: Au.",
        {"title": "Der lange Weg. Eine Studie über Wege", "family": "Mustermann", "year": 2004, "pages": "10-20"},
    ),
    (
        "Weber, M. ([1922] 1980). Von Dingen und Leuten. Tübingen: Mohr.",
        {"title": "Von Dingen und Leuten", "family": "Weber", "year": 1980},
    ),
    (
        "Иванов И. И., Петров П. П. О стоимости счёта // Журнал вещей. 1999. Т. 7. С. 11-19.",
        {"title": "О стоимости счёта", "family": "Иванов", "year": 1999, "pages": "11-19"},
    ),
    (
        "Noether, E. 2002. The Idea of Order, New Haven, CT, Yale University Press.",
        {"title": "The Idea of Order", "family": "Noether", "year": 2002},
    ),
]


@pytest.mark.parametrize(("printed", "wanted"), ENTRIES)
def test_fields_of_an_entry(printed, wanted):
    found = parse_reference(printed)
    values = {name: getattr(found, name) for name in wanted if name != "family"}
    values["family"] = found.authors[0].family
    assert values == wanted


def test_the_raw_entry_is_unchanged():
    assert (
        parse_reference("  [1] A. Name, A title of some length, 2001. ").raw
        == "[1] A. Name, A title of some length, 2001."
    )


@pytest.mark.parametrize(
    ("printed", "field", "value"),
    [
        ("Name, A. (2001). A title. J. doi:10.1000/ABC.12.", "doi", "10.1000/abc.12"),
        ("Name, A. (2001). A title. https://doi.org/10.1000/abc", "doi", "10.1000/abc"),
        ("Name, A. (2021). A title. arXiv preprint arXiv:2101.00001v2.", "arxiv", "2101.00001"),
        ("Name, A. (2001). A title. http://example.org/x. Accessed 3 May 2009.", "url", "http://example.org/x"),
        ("Name, A. (2001). A title. http://example.org/x. Accessed 3 May 2009.", "year", 2001),
        ("Name, A. (2001). A long title. PhD thesis, University of Things.", "type", "thesis"),
    ],
)
def test_identifiers_and_types(printed, field, value):
    assert getattr(parse_reference(printed), field) == value


@pytest.mark.parametrize(
    ("printed", "volume", "issue", "pages"),
    [
        ("Turing A. On counting things. J Things. 1999;27(3):11-9.", "27", "3", "11-9"),
        ("Turing, A. (1999). On counting things. Journal of Things, 27, 11–19.", "27", "", "11-19"),
        ("A. Turing. On counting things. Journal of Things, vol. 27, no. 3, pp. 11-19, 1999.", "27", "3", "11-19"),
        ("Muster, E. (1999): Vom Zählen der Dinge. Zeitschrift für Dinge, Jg. 27, H. 3, S. 11-19.", "27", "3", "11-19"),
    ],
)
def test_volume_issue_and_pages_are_separated(printed, volume, issue, pages):
    found = parse_reference(printed)
    assert (found.volume, found.issue, found.pages) == (volume, issue, pages)


@pytest.mark.parametrize(
    ("printed", "families"),
    [
        ("Smith, J., A. B. Jones and World Health Organization", ["Smith", "Jones", "World Health Organization"]),
        ("Bray F, Ren JS, Masuyer E", ["Bray", "Ren", "Masuyer"]),
        ("van der Berg, J.; O'Neill, M. et al.", ["van der Berg", "O'Neill"]),
        ("", []),
    ],
)
def test_people_in_a_list(printed, families):
    assert [name.family for name in parse_people(printed)] == families


@pytest.mark.parametrize(
    ("printed", "families"),
    [
        ("J. G. Alter, P.Neuer ,and A .D .Mittlerer", ["Alter", "Neuer", "Mittlerer"]),
        ("ALT, Jorge A., Megan L. NEU a Eric L. MATTE", ["ALT", "NEU", "MATTE"]),
        ("Alt, Michelle R. And Tiffany Neu", ["Alt", "Neu"]),
        ("ALT, S., J. NEU u. M. MATTE", ["ALT", "NEU", "MATTE"]),
        ("Alt, D., Neu, E. (Producers), & Mittel, F. (Director).", ["Alt", "Neu", "Mittel"]),
        ("Alt, Brian, with John Neu", ["Alt", "Neu"]),
        ("J.M. Alt – I.J.F. de Groot – J. Neu", ["Alt", "de Groot", "Neu"]),
    ],
)
def test_loose_type_and_other_joints(printed, families):
    assert [name.family for name in parse_people(printed)] == families


@pytest.mark.parametrize(
    ("printed", "people"),
    [
        ("Alt, J. B., & Team, J. D.", [("J. B.", "Alt"), ("", "J. D. Team")]),
        ("Stan Development Team", [("", "Stan Development Team")]),
        ("The MathWorks, Inc.", [("", "The MathWorks Inc")]),
        ("Alt, W., & others.", [("W.", "Alt")]),
        ("Alt, Y., Neu, J., & al, e.", [("Y.", "Alt"), ("J.", "Neu")]),
        ("ALT, Theo, Ada NEU a OTHERS", [("Theo", "ALT"), ("Ada", "NEU")]),
        ("van Hout BA, Al MJ, Neu GS", [("BA", "van Hout"), ("MJ", "Al"), ("GS", "Neu")]),
    ],
)
def test_institutions_have_no_given_name_and_et_al_is_no_name(printed, people):
    assert [(name.given, name.family) for name in parse_people(printed)] == people


def test_a_journal_alone_is_no_title():
    found = parse_reference("A. B. Muster, Phys. Rev. Lett. 12, 345 (1971).")
    assert (found.title, found.venue, found.volume, found.pages) == ("", "Phys. Rev. Lett", "12", "345")


def test_a_book_alone_is_a_title():
    found = parse_reference("R. O. Dud and P. E. Hare, Pattern Recognition, Wiley, New York, 2012.")
    assert (found.title, found.venue, found.publisher) == ("Pattern Recognition", "", "Wiley")


def test_the_book_around_a_chapter():
    found = parse_reference(
        "Muster, Eva. 2007. The question of all questions. In Lives without answers. Essays on doubt, edited by Dirk "
        "Alt. Wiesbaden: VS."
    )
    assert (found.title, found.venue) == ("The question of all questions", "Lives without answers. Essays on doubt")


def test_two_entries_in_one_text_are_read_as_the_first():
    found = parse_reference(
        "Alt, D. (2007): The great fair and its guests. Washington: Brookings. Neu, D. (2008): Global rules and their "
        "makers. London: Sage."
    )
    assert (found.title, [name.family for name in found.authors]) == ("The great fair and its guests", ["Alt"])


@pytest.mark.parametrize(
    ("printed", "title", "families"),
    [
        ("Beam Things. (2017). https://example.org/beam; Accessed on 2019-08-22.", "Beam Things", []),
        ("Alt, C. I. (2018). Conjunto. https://example.org/conjunto", "Conjunto", ["Alt"]),
        ("Alt (2007); Neu / Koch (2008)", "", ["Alt"]),
    ],
)
def test_entries_of_hardly_more_than_a_name(printed, title, families):
    found = parse_reference(printed)
    assert (found.title, [name.family for name in found.authors][:1]) == (title, families)


def test_the_year_of_a_magazine_is_not_that_of_the_visit():
    found = parse_reference(
        "Alt, J. Pears: A new way to keep them. Fine Fruit Magazine 2000, 11, 50. Available online: "
        "http://www.example.org/oils.pdf (accessed on 3 October 2018)."
    )
    assert found.year == 2000


def test_a_year_at_the_end_of_a_title_is_not_that_of_the_entry():
    found = parse_reference("2. Alt L, Neu R. Number of pears sold in Spain, 2014. Span J Things. 2018;30(3):21–8.")
    assert found.year == 2018


@pytest.mark.parametrize(
    ("printed", "doi"),
    [
        ("doi:10.1000/MCSE.2006. 122", "10.1000/mcse.2006.122"),
        ("https://doi.org/10.1000/jss. v045.i03.", "10.1000/jss.v045.i03"),
        ("doi:10.1000/1234. 2004.", "10.1000/1234"),
        ("doi:10.1000/1234. Accessed in May.", "10.1000/1234"),
    ],
)
def test_a_doi_that_a_line_cut_is_whole_again(printed, doi):
    assert parse_reference(f"Name, A. (2001). A title of some kind. Journal 3, 4-5. {printed}").doi == doi


def test_a_doi_with_a_gap():
    assert parse_reference("Name, A. (2001). A title. J. doi: 10.1000/ s0123456x.").doi == "10.1000/s0123456x"


@pytest.mark.parametrize("hostile", ["", "   ", "....", "(" * 3000, "a " * 5000, "\U0001f600 1999", "1" * 9000])
def test_no_string_is_an_error_or_takes_long(hostile):
    assert parse_reference(hostile).raw == hostile.strip()


@pytest.mark.parametrize(
    "text", ["", "[1]", "((((", "1999", "a" * 3000, ", , , ; ; &" * 200, "A. " * 500, "Ab, " * 500]
)
def test_nonsense_is_survived(text):
    assert parse_reference(text).raw == text.strip()


@pytest.mark.parametrize(
    ("printed", "year"),
    [
        ("Farh, A., A Simple Explanation for the Reconstruction of Graphs, arXiv:1704.01454.", 2017),
        ("[12] Coim, A. and Wald D., Supergravity as Generalised Geometry I: Type II Theories, arXiv:1107.1733.", 2011),
        ("Kanda, T.: KMS states of weakly coupled crystals and the resolvent algebra. e-printarXiv :1601.04809", 2016),
        ("Alt, M., Generalized Complex Geometry of Things, arXiv:math/0401221", 2004),
        ("Alt, M., Topological strings and things, arXiv:hep-th/9711200", 1997),
        ("J. Green, AIP Conf. Proc. 1701, 040007 (2016), 1412.4637", 2016),
        (
            "Alex Alt and Michael Neu. Beyond drift diffusion models: Fitting a broad class of models with HDDM. "
            "Journal of Cognitive Neuroscience, 34(10):1780–1805. doi: 10.1162/jocn_a_01902.",
            None,
        ),
        (
            "A. Alt, C. Neu, and S. Mittel. Gravity, gauge theories and geometric algebra. Philosophical Transactions "
            "of the Royal Society of London. Series A, 356(1737):487–582, 1998.",
            1998,
        ),
        (
            "M. V. Berg, Quantal phase factors accompanying adiabatic changes, Proceedings of the Royal Society of "
            "London A, vol. 392, no. 1802, pp. 45-57, 1984.",
            1984,
        ),
        ("Newton, I. (1687). Philosophiæ naturalis principia mathematica. London: Streater.", 1687),
        ("Isaac Newton. Philosophiæ Naturalis Principia Mathematica. Joseph Streater, London, 1687.", 1687),
        ("Payen, A. 1838. Memoire sur la composition du tissu propre des plantes. Comptes rendus 7:1052-1056.", 1838),
        ("Hobbes (1615): Leviathan, in deutscher Übersetzung hrsg. von Hermann Klenner, Hamburg 1996.", 1615),
    ],
)
def test_ids_and_pages_are_no_years_and_old_years_are(printed, year):
    assert parse_reference(printed).year == year
