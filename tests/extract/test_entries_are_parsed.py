"""One printed reference becomes fields, whatever the style."""

import pytest

from openseer.extract.entries import parse_reference, volume_and_issue

STYLES = {
    "IEEE": '[7] A. Lovelace and G. M. Hopper, "Weaving numbers with cards," J. Engines, vol. 12, no. 3, pp. 45-67, 1999.',
    "APA": "Lovelace, A., & Hopper, G. M. (1999). Weaving numbers with cards. Journal of Engines, 12(3), 45–67.",
    "Springer": "7. Lovelace, A., Hopper, G.M.: Weaving numbers with cards. J. Engines 12(3), 45–67 (1999)",
    "Vancouver": "7. Lovelace A, Hopper GM. Weaving numbers with cards. J Engines. 1999;12(3):45-67.",
    "ACM": "Ada Lovelace and Grace M. Hopper. 1999. Weaving numbers with cards. Journal of Engines 12, 3 (1999), 45–67.",
    "German": "Lovelace, Ada ; Hopper, Grace M.: Weaving numbers with cards. In: Journal of Engines 12 (1999), Nr. 3, S. 45–67.",
    "Russian": "Lovelace A., Hopper G. M. Weaving numbers with cards // Journal of Engines. 1999. Т. 12, № 3. С. 45–67.",
}


@pytest.mark.parametrize("style", STYLES)
def test_every_style_gives_title_authors_year_and_pages(style):
    found = parse_reference(STYLES[style])
    assert found.title == "Weaving numbers with cards"
    assert [person.family for person in found.authors] == ["Lovelace", "Hopper"]
    assert (found.year, found.pages) == (1999, "45-67")
    assert found.raw == STYLES[style]


@pytest.mark.parametrize(
    ("entry", "field", "value"),
    [
        ("Noether, E. (2001). Rings. Math. Ann. https://doi.org/10.1234/ABC.5", "doi", "10.1234/abc.5"),
        ("E. Noether. Rings of things. arXiv preprint arXiv:2101.01234v2, 2021.", "arxiv", "2101.01234"),
        (
            "Noether, E. Rings of things. 2001. http://example.org/rings. Accessed 3 May 2019.",
            "url",
            "http://example.org/rings",
        ),
        ("Noether, E. Rings of things. 2001. http://example.org/rings. Accessed 3 May 2019.", "year", 2001),
        ("E. Noether. Rings of things. PhD thesis, University of Erlangen, 1907.", "type", "thesis"),
        (
            "E. Noether. Rings of things. In Proceedings of the 3rd Meeting on Rings, pages 1-9, 1921.",
            "type",
            "inproceedings",
        ),
        ("E. Noether. Rings of things. Springer, Berlin, 1921.", "publisher", "Springer"),
        (
            "Noether, E. (1921). Which ring? A guide for the lost. Annals of Rings, 3, 1-9.",
            "title",
            "Which ring? A guide for the lost",
        ),
        ("World Health Organization. Rings and health. Geneva, 1999.", "title", "Rings and health"),
        ("Иванова А. Б., Петров В. Г. Кольца и поля // Журнал алгебры. 2003. Т. 5. С. 1–9.", "year", 2003),
    ],
)
def test_a_field_is_found(entry, field, value):
    assert getattr(parse_reference(entry), field) == value


@pytest.mark.parametrize("entry", ["", " ", "?", "[1]", "1999", "10.1234/x", "A" * 5000, "(((((" * 200, "a, b, " * 800])
def test_nonsense_is_no_error(entry):
    assert parse_reference(entry).raw == entry.strip()


@pytest.mark.parametrize(
    ("printed", "volume", "issue"),
    [
        ("27(3), 1-4", "27", "3"),
        ("vol. 7, no. 2", "7", "2"),
        ("Bd. 4, Nr. 1", "4", "1"),
        ("12:34-56", "12", ""),
        ("nothing", "", ""),
    ],
)
def test_volume_and_issue_are_told_apart(printed, volume, issue):
    assert volume_and_issue(printed) == (volume, issue)
