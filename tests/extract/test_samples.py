"""Extraction of our own papers compared with their source."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher

import pytest

from openseer.core.model.extraction import Extraction
from openseer.evaluation.samples import gold, make, names
from openseer.extract.reader import read

READABLE = [name for name in names() if gold(name)["academic"] and gold(name)["kind"] != "scan"]


def plain(text: str) -> str:
    """Letters and digits only, without accents."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKD", text).lower())


def alike(one: str, two: str) -> bool:
    one, two = plain(one), plain(two)
    return one == two or (bool(one and two) and SequenceMatcher(None, one, two, autojunk=False).ratio() >= 0.8)


@pytest.fixture(scope="module")
def extractions(tmp_path_factory) -> dict[str, Extraction]:
    into = tmp_path_factory.mktemp("samples")
    make(into)
    return {name: read(into / f"{name}.pdf") for name in READABLE}


def share(right: Iterable[bool]) -> float:
    results = list(right)
    return sum(results) / len(results)


def found_references(extraction, wanted) -> int:
    left = [entry.title for entry in extraction.references]
    hits = 0
    for entry in wanted:
        match = next((title for title in left if alike(title, entry["title"])), None)
        if match is not None:
            left.remove(match)
            hits += 1
    return hits


def test_titles_are_right(extractions):
    assert share(plain(found.title) == plain(gold(name)["title"]) for name, found in extractions.items()) >= 0.95


def test_author_lists_are_right(extractions):
    right = (
        [plain(author.name) for author in found.authors] == [plain(author) for author in gold(name)["authors"]]
        for name, found in extractions.items()
    )
    assert share(right) >= 0.92


def test_abstracts_are_right(extractions):
    assert share(alike(found.abstract, gold(name)["abstract"]) for name, found in extractions.items()) >= 0.92


def test_years_are_right(extractions):
    assert share(found.year == gold(name)["year"] for name, found in extractions.items()) >= 0.92


def test_languages_are_right(extractions):
    assert share(found.language == gold(name)["language"] for name, found in extractions.items()) >= 0.95


def test_references_are_found(extractions):
    wanted = {name: gold(name)["references"] for name in extractions}
    hits = sum(found_references(found, wanted[name]) for name, found in extractions.items())
    total = sum(map(len, wanted.values())) + sum(len(found.references) for found in extractions.values())
    assert 2 * hits / total >= 0.94


def test_the_last_word_of_a_paragraph_is_no_heading(sample_papers):
    found = read(sample_papers / "paper-rank.pdf")
    assert "cited one another’s\nbibliography." in found.text, "the sample has the trap"
    assert len(found.references) == len(gold("paper-rank")["references"])
