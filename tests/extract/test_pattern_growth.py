"""Text made to slow patterns down: the time of each grows at most in proportion to the text."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from openseer.acquire.bibliographies import bibtex
from openseer.core.text.person_names import strip_titles
from openseer.extract.layout.toc import DOT_LEADER
from openseer.extract.pdf.ligature_repair import WORD
from openseer.extract.references.author_list import leading_names
from openseer.extract.references.parse_reference import parse_reference

SMALL_SECONDS = 0.02
"""Times below say nothing about growth."""
SIZES = (4000, 8000)
CASES: dict[str, tuple[Callable[[str], object], Callable[[int], str]]] = {
    "names with hyphens": (leading_names, lambda size: "Ab-" * (size // 3) + "!"),
    "names of many parts": (leading_names, lambda size: "Ab " * (size // 3) + "!"),
    "initials": (leading_names, lambda size: "A." * (size // 2) + "!"),
    "dots": (DOT_LEADER.search, lambda size: "." * size + "Z!"),
    "dots and blanks": (DOT_LEADER.search, lambda size: "a" + " ." * (size // 2) + "   Z!"),
    "commas before a degree": (strip_titles, lambda size: "A" + "," * size + "!"),
    "letters": (WORD.findall, lambda size: "a" * size + "!"),
    "an entry of blanks": (lambda text: list(bibtex.read(text)), lambda size: "@article{" + " " * size),
    "a field of blanks": (lambda text: list(bibtex.read(text)), lambda size: "@article{a, b" + " " * size),
}


def seconds(work: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    work(text)
    return time.thread_time() - began


@pytest.mark.parametrize("name", CASES)
def test_patterns_are_linear(name):
    work, text = CASES[name]
    first, second = (min(seconds(work, text(size)) for _ in range(2)) for size in SIZES)
    assert second < SMALL_SECONDS or second <= 3 * first


def test_a_reference_made_of_hyphens_is_parsed_at_once():
    parse_reference("Smith, J. (2001). A title.")  # loads the model
    assert seconds(parse_reference, "Ab-" * 310 + "!. Title of a work in a journal, 2001.") < 0.5


@pytest.mark.parametrize("family", ["Smith-Jones", "Smith-Jones Brown", "O’Neil-Müller", "van der Berg-Smith"])
def test_double_names_are_one_family(family):
    assert [name.family for name in leading_names(f"{family}, J. and Lee, M. (1999) Title")[0]] == [family, "Lee"]
