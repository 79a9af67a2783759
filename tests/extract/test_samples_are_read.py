"""Our own papers, with everything about them known: how much of it the reader finds, over the whole set."""

import re
import unicodedata
from difflib import SequenceMatcher

import pytest

from openseer import samples
from openseer.errors import NoText
from openseer.extract.reading import read


def plain(text):
    """Letters and digits only, accents dropped."""
    text = unicodedata.normalize("NFKD", text).lower()
    return "".join(letter for letter in text if letter.isalnum() and not unicodedata.combining(letter))


def person(name):
    """First letter and last word, enough to compare two spellings of one person."""
    words = [word for word in re.split(r"[\s’'-]+", name) if not re.fullmatch(r"(?i)jr\.?|iii?|iv", word)]
    return plain(words[0])[:1], plain(words[-1])


def found_again(entry, references):
    title = plain(entry["title"])
    return any(SequenceMatcher(None, title, plain(found.title), autojunk=False).ratio() >= 0.8 for found in references)


@pytest.fixture(scope="module")
def readings(tmp_path_factory):
    """(gold, extraction) of every paper with a text layer."""
    papers = {name: samples.gold(name) for name in samples.names()}
    papers = {name: gold for name, gold in papers.items() if gold["academic"] and gold["kind"] != "scan"}
    files = samples.make(tmp_path_factory.mktemp("samples"), papers)
    return [(papers[file.stem], read(file)) for file in files]


def test_titles_are_found(readings):
    right = [plain(gold["title"]) == plain(found.title) for gold, found in readings]
    assert sum(right) >= 0.9 * len(right)


def test_author_lists_are_found(readings):
    right = [[*map(person, gold["authors"])] == [person(one.name) for one in found.authors] for gold, found in readings]
    assert sum(right) >= 0.85 * len(right)


def test_abstracts_are_found(readings):
    right = [
        SequenceMatcher(None, plain(gold["abstract"]), plain(found.abstract), autojunk=False).ratio() >= 0.8
        for gold, found in readings
        if gold["abstract"]
    ]
    assert sum(right) >= 0.8 * len(right)


def test_years_are_found(readings):
    right = [str(gold["year"]) == str(found.year) for gold, found in readings]
    assert sum(right) >= 0.85 * len(right)


def test_references_are_found(readings):
    right = [found_again(entry, found.references) for gold, found in readings for entry in gold["references"]]
    assert sum(right) >= 0.8 * len(right)


def test_languages_are_told(readings):
    right = [gold["language"] == found.language for gold, found in readings]
    assert sum(right) >= 0.95 * len(right)


def test_a_scan_has_no_text(tmp_path):
    scans = [name for name in samples.names() if samples.gold(name)["kind"] == "scan"]
    for file in samples.make(tmp_path, scans):
        with pytest.raises(NoText):
            read(file)
