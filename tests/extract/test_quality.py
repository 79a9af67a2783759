"""The quality gate: on every fifth paper of the corpus reading stays as good as it was, give or take a paper."""

from __future__ import annotations

import json

import pytest

from openseer.errors import NoText
from openseer.extract.reading import read
from openseer.identify.normal import squeezed
from openseer.settings import Extract


@pytest.fixture(scope="module")
def readings(corpus):
    """(gold, extraction) of every fifth paper."""
    pairs = []
    for file in sorted((corpus / "papers").glob("*.json"))[::5]:
        try:
            pairs.append((json.loads(file.read_text()), read(file.with_suffix(".pdf"))))
        except NoText:
            continue
    return pairs


def share(flags):
    known = [flag for flag in flags if flag is not None]
    print(f"{sum(known)} of {len(known)}")
    return sum(known) / len(known)


def test_titles(readings):
    assert share(squeezed(gold["title"]) == squeezed(found.title) for gold, found in readings) >= 0.88


def test_families_of_authors(readings):
    def families(names):
        return {squeezed(name.split()[-1]) for name in names}

    right = wanted = given = 0
    for gold, found in readings:
        mine, theirs = families(one.name for one in found.authors), families(gold["authors"] or [])
        right, wanted, given = right + len(mine & theirs), wanted + len(theirs), given + len(mine)
    print(f"{right} right of {wanted} wanted, {given} given")
    assert 2 * right / (wanted + given) >= 0.94


def test_years_and_dois(readings):
    years = (gold["year"] == found.year if gold["year"] else None for gold, found in readings)
    dois = (gold["doi"].lower() == found.doi if gold["doi"] else None for gold, found in readings)
    assert share(years) >= 0.88
    assert share(dois) >= 0.95


def test_titles_of_references(readings):
    right = wanted = 0
    for gold, found in readings:
        mine = {squeezed(one.title) for one in found.references}
        titles = {squeezed(one["title"]) for one in gold["references"] or [] if one.get("title")}
        right, wanted = right + len(mine & titles), wanted + len(titles)
    print(f"{right} of {wanted}")
    assert right / wanted >= 0.93


def test_every_paper_is_taken_for_one(readings):
    assert [gold["id"] for gold, found in readings if found.academic.probability < Extract().min_academic] == []
