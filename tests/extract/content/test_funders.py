"""Funders with their grants, without duplicates and other institutions."""

import time

import pytest

from openseer.extract.content.funders import funders_in


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "This work was supported by the National Science Foundation (grant IIS-0812345) and by the Harbour Trust.",
            [("National Science Foundation", ["IIS-0812345"]), ("Harbour Trust", [])],
        ),
        (
            "Funding was provided by the Ministry of Ships of Northland under grant 12/2001.",
            [("Ministry of Ships of Northland", ["12/2001"])],
        ),
        ("Supported by the Harbour Trust. Ada King was supported by the Harbour Trust.", [("Harbour Trust", [])]),
        ("We thank Ada King of the University of Northport for her help.", []),
        ("The roof was supported by three beams from the old harbour.", []),
        ("", []),
    ],
)
def test_funders(text, named):
    assert [(one["name"], one["grants"]) for one in funders_in(text)] == named


def test_a_long_row_of_capitals_takes_no_time():
    text = "supported by " + "Aa Bb of the And " * 2000
    start = time.process_time()
    list(funders_in(text * 3))
    assert time.process_time() - start < 2
