"""Author names, affiliations, e-mail addresses and ORCID iDs."""

import pytest

from openseer.extract.header.affiliations import affiliation_groups, author_affiliations, markers_after, orcids_of
from openseer.extract.header.affiliations_by_name import affiliations_by_name
from openseer.extract.header.authors import NAME_BREAK, split_names
from openseer.extract.header.emails import AuthorName, addresses_in, emails_of
from openseer.extract.header.identifiers import clean_doi
from openseer.extract.pdf.page_model import Link
from tests.extract.made_pages import Set, lines_and_page_model, prose


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ada King, Bob Lee and Cy Ray", ["Ada King", "Bob Lee", "Cy Ray"]),
        (f"Ada King{NAME_BREAK} Bob Lee{NAME_BREAK}", ["Ada King", "Bob Lee"]),
        ("King, Ada; Lee, Bob", ["Ada King", "Bob Lee"]),
        ("Leistner, Alexander", ["Alexander Leistner"]),
        ("Ada King, PhD, Bob Lee, MD", ["Ada King", "Bob Lee"]),
        ("A.B.King · C.Lee", ["A.B. King", "C. Lee"]),
        ("Ada King, Department of Things, Some University", ["Ada King"]),
    ],
)
def test_names_of_a_line(line, names):
    assert split_names(line) == names


def test_addresses_in_braces_are_expanded():
    assert addresses_in("{ada, bob}@uni.edu or cy@lab.org") == ["ada@uni.edu", "bob@uni.edu", "cy@lab.org"]


ADA, BOB = AuthorName("Ada", "King"), AuthorName("Bob", "Lee")


@pytest.mark.parametrize(
    ("people", "lines", "emails"),
    [
        ([BOB, ADA], ["king@uni.edu"], ["", "king@uni.edu"]),
        ([BOB, ADA], ["one@uni.edu, two@uni.edu"], ["one@uni.edu", "two@uni.edu"]),
        ([BOB, ADA._replace(markers="1,*")], ["* Corresponding author", "x12@uni.edu"], ["", "x12@uni.edu"]),
        ([BOB, ADA], ["Correspondence: Bob Lee, Northport", "E-mail: x12@uni.edu"], ["x12@uni.edu", ""]),
        ([BOB, ADA], ["write to x12@uni.edu"], ["", ""]),
        ([BOB, ADA], ["xy@uni.edu (A.K.); yz@uni.edu (B.L.)"], ["yz@uni.edu", "xy@uni.edu"]),
        ([BOB, ADA], ["Correspondence to Ada King, ada king@uni.edu"], ["", "ada_king@uni.edu"]),
        ([AuthorName("Shan", "Lu"), BOB], ["To whom it may concern: slu@uni.edu"], ["slu@uni.edu", ""]),
        ([AuthorName("Jörg", "Köllner"), BOB], ["koellner@uni.edu, bob@uni.edu"], ["koellner@uni.edu", "bob@uni.edu"]),
        ([ADA], ["king@uni.edu and king@home.org"], ["king@uni.edu"]),
    ],
)
def test_an_address_is_assigned_to_its_owner(people, lines, emails):
    page, _ = lines_and_page_model([Set(text, 100 + 12 * number) for number, text in enumerate(lines)])
    assert emails_of(people, page) == emails


def test_an_orcid_belongs_to_the_name_before_its_link():
    lines, _ = lines_and_page_model([Set("Ada King , Bob Lee", 100, 12), Set("Cy Ray 0000-0001-2345-678X", 300)])
    king, lee = lines[0].words[1], lines[0].words[4]
    links = [
        Link((lee.x1 + 1, 92.0, lee.x1 + 9, 102.0), "https://orcid.org/0000-0002-0000-0002"),
        Link((king.x1 + 1, 92.0, king.x1 + 3, 102.0), "https://orcid.org/0000-0001-0000-0001"),
        Link((king.x1 + 1, 92.0, king.x1 + 3, 102.0), "https://example.org/0000-0009-0000-0009"),
    ]
    people = [("Ada King", lines[0]), ("Bob Lee", lines[0]), ("Cy Ray", lines[1])]
    assert orcids_of(people, links, lines) == ["0000-0001-0000-0001", "0000-0002-0000-0002", "0000-0001-2345-678X"]


def test_affiliations_are_split_at_markers_inside_a_line():
    lines, _ = lines_and_page_model(
        [
            Set("Ada King 1 , Bob Lee 2", 100, 12),
            Set("1 Department of Light, University of Northport 2 Institute of Ships,", 120),
            Set("Southport", 132),
        ]
    )
    people = [("Ada King", lines[0]), ("Bob Lee", lines[0])]
    assert author_affiliations(people, lines[1:], lines[:1], lines) == [
        ("Department of Light, University of Northport",),
        ("Institute of Ships, Southport",),
    ]


def test_affiliations_in_notes_are_used_if_there_are_none_below_the_names():
    lines, _ = lines_and_page_model(
        [
            Set("Ada King 1 , Bob Lee 2", 100, 12),
            Set("A protocol for a trial", 116),
            *prose(200, 8),
            Set("1 Department of Light, University of Northport", 700, 8),
            Set("2 Institute of Ships, Southport", 710, 8),
        ]
    )
    people = [("Ada King", lines[0]), ("Bob Lee", lines[0])]
    assert author_affiliations(people, lines[1:2], lines[:1], lines) == [
        ("Department of Light, University of Northport",),
        ("Institute of Ships, Southport",),
    ]


def test_a_lone_address_at_the_foot_is_that_of_all():
    lines, _ = lines_and_page_model(
        [Set("Ada King, Bob Lee", 100, 12), *prose(200, 8), Set("Department of Light, University of Northport", 700, 8)]
    )
    people = [("Ada King", lines[0]), ("Bob Lee", lines[0])]
    assert author_affiliations(people, [], lines[:1], lines) == [("Department of Light, University of Northport",)] * 2


def test_a_lone_marker_belongs_to_the_next_line():
    lines, _ = lines_and_page_model(
        [
            Set("Ada King 1 , Bob Lee 2", 100, 12),
            Set("1", 117, 6),
            Set("University of Northport", 120, 6, 76),
            Set("2", 127, 6),
            Set("University of Southport", 130, 6, 76),
        ]
    )
    first, *_ = affiliation_groups(lines[1:], lines[:1], lines)
    assert [(place.marker, place.text) for place in first] == [
        ("1", "University of Northport"),
        ("2", "University of Southport"),
    ]


def test_blocks_side_by_side_go_to_the_names_above_them():
    lines, _ = lines_and_page_model(
        [
            Set("Ada King", 100, 12, 100),
            Set("Bob Lee", 100, 12, 300),
            Set("University of", 114, 10, 90),
            Set("Institute of Ships,", 114, 10, 280),
            Set("Northport", 126, 10, 98),
            Set("Southport", 126, 10, 300),
            Set("March 2002", 150, 10, 200),
        ]
    )
    people = [("Ada King", lines[0]), ("Bob Lee", lines[0])]
    assert lines[0].text == "Ada King Bob Lee"
    assert author_affiliations(people, lines[1:], lines[:1], lines) == [
        ("University of Northport",),
        ("Institute of Ships, Southport",),
    ]


def test_authors_are_named_behind_their_place_or_above_it():
    names = ["Ada M King", "Bob Lee", "Cy Ray"]
    behind, _ = lines_and_page_model(
        [
            Set("University of Northport, Northport", 100),
            Set("(A M King MD, C Ray PhD); Institute of", 112),
            Set("Ships, Southport (Prof B Lee MD)", 124),
        ]
    )
    assert affiliations_by_name(names, behind) == [
        ("University of Northport, Northport",),
        ("Institute of Ships, Southport",),
        ("University of Northport, Northport",),
    ]
    above, _ = lines_and_page_model(
        [
            Set("A. M. King · C. Ray", 100),
            Set("University of Northport, Northport", 112),
            Set("B. Lee", 140),
            Set("Institute of Ships, Southport", 152),
        ]
    )
    assert affiliations_by_name(names, above) == affiliations_by_name(names, behind)


@pytest.mark.parametrize(
    ("text", "name", "marks"),
    [
        ("Ada King 1,2 , Bob Lee 3", "Ada King", "1,2"),
        ("Ada King, RDH, PhD a , Bob Lee b", "Ada King", ""),
        ("Carsten Ku¨lheim 4 , Bob Lee 3", "Carsten Külheim", "4"),
        ("Ada King12, Bob Lee3", "Bob Lee", "3"),
    ],
)
def test_markers_follow_a_name(text, name, marks):
    lines, _ = lines_and_page_model([Set(text, 100, 12)])
    assert markers_after(lines[0], name).strip(",") == marks


@pytest.mark.parametrize(
    ("printed", "doi"), [("10.1000/AB.", "10.1000/ab"), ("10.1000/a(1)2)", "10.1000/a(1)2"), ("10.1/x/pdf", "10.1/x")]
)
def test_a_doi_without_its_surroundings(printed, doi):
    assert clean_doi(printed) == doi
