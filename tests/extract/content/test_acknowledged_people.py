"""People named in acknowledgments."""

import pytest

from openseer.extract.content.acknowledged_people import acknowledged_people


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Thanks to Anna van der Berg, J. R. Lee and Dr. Zork Qux.", ["Anna van der Berg", "J. R. Lee", "Zork Qux"]),
        ("We thank Zork Qux, Anna Lee and Yaz Flip for tests.", ["Zork Qux", "Anna Lee", "Yaz Flip"]),
        ("We are grateful to the National Science Foundation and Cancer Council Victoria.", []),
        ("Supported by grant 12. We thank Maria Costa (University of Northport) for plants.", ["Maria Costa"]),
        ("Wir danken Peter Müller und dem Institut für Schiffe.", ["Peter Müller"]),
        ("Peter Miller wrote the text.", []),
        ("", []),
    ],
)  # fmt: skip
def test_people_are_named_behind_thanks(text, names):
    assert list(acknowledged_people(text)) == names
