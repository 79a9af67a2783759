"""Names of people: told from other words, and split into given and family name."""

import pytest

from openseer.extract.authors import names_in
from openseer.extract.names import is_name, split_name, strip_titles
from openseer.extract.people import take_people


@pytest.mark.parametrize(
    ("printed", "given", "family"),
    [
        ("Ada Lovelace", "Ada", "Lovelace"),
        ("Ludwig van Beethoven", "Ludwig", "van Beethoven"),
        ("Bray FJ", "FJ", "Bray"),
        ("Lovelace, Ada", "Ada", "Lovelace"),
        ("Beethoven, Ludwig van", "Ludwig", "van Beethoven"),
        ("Martin Luther King Jr.", "Martin Luther", "King"),
        ("Prof. Dr. Emmy Noether", "Emmy", "Noether"),
        ("Aristotle", "", "Aristotle"),
    ],
)
def test_a_name_is_split(printed, given, family):
    name = split_name(printed)
    assert (name.given, name.family) == (given, family)


@pytest.mark.parametrize(
    "text", ["Ada Lovelace", "J. R. R. Tolkien", "María de la Cruz-Pérez", "Çiğdem Yıldız", "Анна Ахматова"]
)
def test_a_name_is_recognised(text):
    assert is_name(text)


@pytest.mark.parametrize(
    "text", ["Department of Physics", "Ada", "a small town", "New York", "Open Access", "", "Figure 3"]
)
def test_other_words_are_no_name(text):
    assert not is_name(text)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ada Lovelace, Grace M. Hopper and Emmy Noether", ["Ada Lovelace", "Grace M. Hopper", "Emmy Noether"]),
        ("Ada Lovelace1,2 · Yimian Ma3*", ["Ada Lovelace", "Yimian Ma"]),
        ("Lovelace, Ada; Hopper, Grace", ["Lovelace, Ada", "Hopper, Grace"]),
        ("A.Lovelace & G.M.Hopper", ["A. Lovelace", "G.M. Hopper"]),
        ("Ada Lovelace, PhD, Grace Hopper, MSc", ["Ada Lovelace", "Grace Hopper"]),
        ("Ada Lovelace ada@example.org", ["Ada Lovelace"]),
        ("Institute of Things, 12 Long Street, Smalltown", []),
        ("", []),
    ],
)
def test_the_names_of_a_line_are_found(line, names):
    assert names_in(line) == names


def test_degrees_are_taken_off():
    assert strip_titles("Dr. Ada Lovelace, MSc, PhD") == "Ada Lovelace"


@pytest.mark.parametrize(
    ("entry", "families", "rest"),
    [
        ("Smith, J. and A. B. Jones (1999) On things", ["Smith", "Jones"], "(1999)"),
        ("Smith JA, van Dyke B. On things", ["Smith", "van Dyke"], "On things"),
        ("Ivan P. Fellegi and Alan B. Sunter. On things", ["Fellegi", "Sunter"], "On things"),
        ("Cohen, William W. ; Bell, Timothy: On things", ["Cohen", "Bell"], "On things"),
        ("J. Smith, P. R. Okonkwo, On things", ["Smith", "Okonkwo"], "On things"),
        ("Giles C. L., Lawrence S. On things", ["Giles", "Lawrence"], "On things"),
        ("Smith, J., et al. On things", ["Smith"], "On things"),
        ("On things and their use", [], "On things and their use"),
    ],
)
def test_the_people_of_an_entry_are_taken(entry, families, rest):
    people, end = take_people(entry)
    assert [person.family for person in people] == families
    assert entry[end:].lstrip(" .,:").startswith(rest)
