"""Author lists at the start of references."""

import pytest

from openseer.extract.references.author_list import leading_names


@pytest.mark.parametrize(
    ("printed", "families"),
    [
        ("Smith, J., Jones, K. L., & Lee, M. (1999) Title", ["Smith", "Jones", "Lee"]),
        ("Smith J, Jones KL, Lee M. Title", ["Smith", "Jones", "Lee"]),
        ("J. Smith, K. L. Jones, and M. Lee, Title", ["Smith", "Jones", "Lee"]),
        ("John Smith, Karen Jones and Mary Lee. Title", ["Smith", "Jones", "Lee"]),
        ("van der Berg, J. and O'Neil, P. Title", ["van der Berg", "O'Neil"]),
        ("Smith, P. Jones, G. Title of it", ["Smith", "Jones"]),
        ("Smith J, et al. Title", ["Smith"]),
        ("Alter Jr, W.A., Neuer, H. Title", ["Alter", "Neuer"]),
        ("Oud CA van, Nieuw HJ de, Midden G, et al. Title", ["Oud", "Nieuw", "Midden"]),
        ("Adam S. Van Oud (1992) Title", ["Van Oud"]),
        ("Megan L. NEU et Eric L. MATTE, Title", ["NEU", "MATTE"]),
        ("The whole of it is a title", []),
    ],
)
def test_families(printed, families):
    assert [name.family for name in leading_names(printed)[0]] == families


def test_the_end_of_the_author_list_is_detected():
    text = "Smith, J. and A. B. Jones (1999) On things"
    assert text[leading_names(text)[1] :] == " (1999) On things"
