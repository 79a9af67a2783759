"""Names: which part is the family name, and what is no name at all."""

import pytest

from openseer.core.text.person_names import is_name, split_name, strip_titles


@pytest.mark.parametrize(
    ("printed", "given", "family"),
    [
        ("Ada Lovelace", "Ada", "Lovelace"),
        ("Ludwig van Beethoven", "Ludwig", "van Beethoven"),
        ("Lovelace, Ada", "Ada", "Lovelace"),
        ("Beethoven, L. van", "L.", "van Beethoven"),
        ("Bray FJ", "FJ", "Bray"),
        ("de la Cruz MP", "MP", "de la Cruz"),
        ("J. R. R. Tolkien", "J. R. R.", "Tolkien"),
        ("Martin Luther King Jr.", "Martin Luther", "King"),
        ("King, Martin Luther, Jr.", "Martin Luther", "King"),
        ("Prof. Dr. Erika Mustermann", "Erika", "Mustermann"),
        ("MS Kim", "MS", "Kim"),
        ("DR Bergey", "DR", "Bergey"),
        ("Dr Erika Mustermann", "Erika", "Mustermann"),
        ("Иван Петров", "Иван", "Петров"),
        ("Plato", "", "Plato"),
        ("R Core Team", "", "R Core Team"),
        ("Team, R Core", "", "R Core Team"),
        ("Wolfram Research, Inc.", "", "Wolfram Research Inc."),
        ("Inc Wolfram Research", "", "Wolfram Research Inc"),
        ("Statistisches Bundesamt", "", "Statistisches Bundesamt"),
        ("Ministerio de la Presidencia", "", "Ministerio de la Presidencia"),
        ("Executable Books Community", "", "Executable Books Community"),
        ("Young Community", "Young", "Community"),
        ("Group, R. C.", "R. C.", "Group"),
        ("William H. Press", "William H.", "Press"),
        ("Team", "", "Team"),
    ],
)
def test_given_and_family_are_told_apart(printed, given, family):
    name = split_name(printed)
    assert (name.given, name.family) == (given, family)


def test_the_whole_name_stands_in_natural_order():
    assert split_name("Lovelace, Ada").name == "Ada Lovelace"
    assert split_name("Bray FJ").name == "FJ Bray"


@pytest.mark.parametrize(
    "text", ["Ada Lovelace", "María de la Cruz-Pérez", "J. O’Neil", "K. Vijay-Shanker", "Xian’en Li"]
)
def test_names_are_recognised(text):
    assert is_name(text)


@pytest.mark.parametrize(
    "text",
    ["Department of Physics", "Abstract", "the quick brown fox", "ada@example.org", "New York", "Room 42 B", "A B"],
)
def test_other_text_is_no_name(text):
    assert not is_name(text)


def test_degrees_are_taken_off():
    assert strip_titles("Ada Lovelace, PhD") == "Ada Lovelace"
    assert strip_titles("Dr. Ada Lovelace, MD") == "Ada Lovelace"
