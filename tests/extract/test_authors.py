"""Names in a line of authors, and what stands around them."""

import pytest

from openseer.extract.authors import CUT, split_names
from openseer.extract.imprint import tidy
from openseer.extract.places import addresses_in, email_of


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


def test_an_address_goes_to_its_owner():
    emails = ["b.lee@uni.edu", "king@uni.edu"]
    assert email_of("King", (0, 2), emails) == "king@uni.edu"
    assert email_of("Ray", (0, 3), emails) == ""


@pytest.mark.parametrize(
    ("printed", "doi"), [("10.1000/AB.", "10.1000/ab"), ("10.1000/a(1)2)", "10.1000/a(1)2"), ("10.1/x/pdf", "10.1/x")]
)
def test_a_doi_without_its_surroundings(printed, doi):
    assert tidy(printed) == doi
