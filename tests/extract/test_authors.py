"""Names in a line of authors, and what stands around them."""

import pytest

from openseer.extract.authors import CUT, split_names
from openseer.extract.imprint import tidy
from openseer.extract.places import addresses_in, affiliations_of, emails_of, orcids_of, places_of
from openseer.extract.words import Link
from tests.extract.setting import Set, opened


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ada King, Bob Lee and Cy Ray", ["Ada King", "Bob Lee", "Cy Ray"]),
        (f"Ada King{CUT} Bob Lee{CUT}", ["Ada King", "Bob Lee"]),
        ("King, Ada; Lee, Bob", ["Ada King", "Bob Lee"]),
        ("Leistner, Alexander", ["Alexander Leistner"]),
        ("Ada King, PhD, Bob Lee, MD", ["Ada King", "Bob Lee"]),
        ("A.B.King · C.Lee", ["A.B. King", "C. Lee"]),
        ("Ada King, Department of Things, Some University", ["Ada King"]),
    ],
)
def test_names_of_a_line(line, names):
    assert split_names(line) == names


def test_addresses_in_braces_are_taken_apart():
    assert addresses_in("{ada, bob}@uni.edu or cy@lab.org") == ["ada@uni.edu", "bob@uni.edu", "cy@lab.org"]


@pytest.mark.parametrize(
    ("people", "lines", "emails"),
    [
        ([("Lee", ""), ("King", "")], ["king@uni.edu"], ["", "king@uni.edu"]),
        ([("Lee", ""), ("King", "")], ["one@uni.edu, two@uni.edu"], ["one@uni.edu", "two@uni.edu"]),
        ([("Lee", "1"), ("King", "1,*")], ["* Corresponding author", "x12@uni.edu"], ["", "x12@uni.edu"]),
        (
            [("Lee", ""), ("King", "")],
            ["Correspondence: Bob Lee, Northport", "E-mail: x12@uni.edu"],
            ["x12@uni.edu", ""],
        ),
        ([("Lee", ""), ("King", "")], ["write to x12@uni.edu"], ["", ""]),
    ],
)
def test_an_address_goes_to_its_owner(people, lines, emails):
    page, _ = opened([Set(text, 100 + 12 * number) for number, text in enumerate(lines)])
    assert emails_of(people, page) == emails


def test_an_orcid_belongs_to_the_name_before_its_link():
    lines, _ = opened([Set("Ada King , Bob Lee", 100, 12), Set("Cy Ray 0000-0001-2345-678X", 300)])
    king, lee = lines[0].words[1], lines[0].words[4]
    links = [
        Link((lee.x1 + 1, 92.0, lee.x1 + 9, 102.0), "https://orcid.org/0000-0002-0000-0002"),
        Link((king.x1 + 1, 92.0, king.x1 + 3, 102.0), "https://orcid.org/0000-0001-0000-0001"),
        Link((king.x1 + 1, 92.0, king.x1 + 3, 102.0), "https://example.org/0000-0009-0000-0009"),
    ]
    people = [("Ada King", lines[0]), ("Bob Lee", lines[0]), ("Cy Ray", lines[1])]
    assert orcids_of(people, links, lines) == ["0000-0001-0000-0001", "0000-0002-0000-0002", "0000-0001-2345-678X"]


def test_affiliations_are_cut_at_marks_inside_a_line():
    lines, _ = opened(
        [
            Set("Ada King 1 , Bob Lee 2", 100, 12),
            Set("1 Department of Light, University of Northport 2 Institute of Ships,", 120),
            Set("Southport", 132),
        ]
    )
    places = places_of(lines[1:], lines[:1], lines)
    assert [place.text for place in places] == [
        "Department of Light, University of Northport",
        "Institute of Ships, Southport",
    ]
    assert affiliations_of("Bob Lee", lines[0], places, lines[:1]) == ("Institute of Ships, Southport",)


@pytest.mark.parametrize(
    ("printed", "doi"), [("10.1000/AB.", "10.1000/ab"), ("10.1000/a(1)2)", "10.1000/a(1)2"), ("10.1/x/pdf", "10.1/x")]
)
def test_a_doi_without_its_surroundings(printed, doi):
    assert tidy(printed) == doi
