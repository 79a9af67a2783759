"""BibTeX of an extraction and of the library: no text of a paper leaves its field."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from openseer.catalog.export.registry import FORMATS
from openseer.core.model.extraction import Author, Extraction, Name, Reference
from openseer.core.model.work import IndexedWork
from openseer.extract.output.bibtex import bibtex
from openseer.extract.references.parse_reference import parse_reference

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pybtex.database import parse_string

ATTACKS = ["a},x={y", "a}}@article{evil,title={x}", r"\write18{id}", r"\input{/etc/passwd}", "}{", 'a" b', "100% {"]
FIELDS = {
    "author", "editor", "title", "journal", "year", "volume", "number", "pages", "school", "publisher", "address",
    "doi", "eprint", "url", "note",
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_value_stays_in_its_field(attack):
    one = Reference(
        raw=attack, type="article", title=attack, authors=(Name(attack, attack, attack), Name(attack)), venue=attack,
        year=2001, volume=attack, issue=attack, pages=attack, publisher=attack, institution=attack, location=attack,
        note=attack, doi=attack, url=attack, arxiv=attack,
    )  # fmt: skip
    found = bibtex(_extraction(one), Path("x.pdf")).decode()
    entries = parse_string(found, "bibtex").entries
    assert len(entries) == 2, found
    for entry in entries.values():
        assert {*entry.fields, *entry.persons} <= FIELDS
        assert "\\write" not in found
        assert "\\input" not in found


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_work_is_one_entry(attack):
    work = IndexedWork(
        id="w000000000001",
        ids=(),
        title=attack,
        authors=(attack,),
        venue=attack,
        doi=attack,
        arxiv=attack,
        abstract=attack,
    )
    (entry,) = parse_string(FORMATS["bibtex"].write([work], "https://library.example"), "bibtex").entries.values()
    assert "x" not in entry.fields


def _extraction(one: Reference) -> Extraction:
    return Extraction(title=one.title, authors=(Author(one.title, one.title, one.title),), references=(one,))


@pytest.mark.parametrize(
    ("printed", "doi"),
    [
        ("doi:10.5555/a},note={pwned},x={b", "10.5555/a"),
        ("doi:10.5555/a}}@article{evil,title={x}", "10.5555/a"),
        ("doi:10.1016/S0022(83)80{21}7", "10.1016/s0022(83)80{21}7"),
    ],
)
def test_a_doi_ends_at_a_brace_without_a_pair(printed, doi):
    assert parse_reference(f"Smith, J. (2001). A title. Some Journal 3. {printed}").doi == doi
