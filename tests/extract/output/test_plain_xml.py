"""Plain XML follows one schema and contains the whole record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from openseer.core.model.extraction import Context, Extraction, Name, Reference
from openseer.extract.output.plain_xml import plain_xml
from tests.extract.odd_extractions import HOSTILE, ODD

HERE = Path("paper.pdf")
CITED = (
    "authors", "title", "date", "journal", "booktitle", "tech", "venue", "volume", "issue", "pages", "editor",
    "publisher", "institution", "location", "note", "doi", "url", "arxiv", "contexts", "marker", "rawString",
)  # fmt: skip
REST = (
    "figures", "tables", "algorithms", "formulas", "funders", "thanked", "keyphrases", "key_sentences", "subjects",
    "academic", "warnings", "versions",
)  # fmt: skip
SCHEMA = {
    "CSXAPIMetadata": ("file", "header", "citations", "body", "acknowledgments", *REST),
    "header": (
        "title", "authors", "abstract", "keywords", "venue", "date", "volume", "issue", "doi", "arxiv", "language",
        "pages",
    ),
    "citations": ("citationList",),
    "citationList": ("citation",),
    "citation": CITED,
    "contexts": ("context",),
    "body": ("section",),
    "section": ("heading", "p"),
    "keywords": ("keyword",),
}  # fmt: skip
"""Element -> its children, in their order. What is below REST follows the JSON."""


def faults(top: ElementTree.Element) -> list[str]:
    wrong = []
    for parent in top.iter():
        if parent.tag in SCHEMA:
            order = [SCHEMA[parent.tag].index(child.tag) if child.tag in SCHEMA[parent.tag] else -1 for child in parent]
            if -1 in order or order != sorted(order):
                wrong.append(f"{parent.tag}: {[child.tag for child in parent]}")
    return wrong


def test_every_document_keeps_to_the_schema(sample_extractions):
    for name, found in {**sample_extractions, **ODD}.items():
        top = ElementTree.fromstring(plain_xml(found, Path(name)))
        assert faults(top) == [], name
        assert [child.tag for child in top if child.tag in REST] == list(REST)


def test_it_contains_all_fields_of_the_record(sample_extractions):
    for found in sample_extractions.values():
        top = ElementTree.fromstring(plain_xml(found, HERE))
        assert top.findtext("header/title") == found.title
        assert [one.text for one in top.findall("header/authors/author/name")] == [one.name for one in found.authors]
        assert [one.text for one in top.findall("header/keywords/keyword")] == list(found.keywords)
        assert top.findtext("header/abstract", "") == found.abstract
        citations = top.findall("citations/citationList/citation")
        assert [one.findtext("rawString") for one in citations] == [one.raw for one in found.references]
        assert [one.findtext("title", "") for one in citations] == [one.title for one in found.references]
        for citation, one in zip(citations, found.references, strict=True):
            assert [context.text for context in citation.findall("contexts/context")] == [
                context.text for context in one.contexts
            ]
        assert [one.findtext("heading", "") for one in top.findall("body/section")] == [
            section.heading for section in found.sections
        ]
        assert top.findtext("academic/verdict") == str(found.academic.verdict).lower()


@pytest.mark.parametrize(
    ("one", "valid"),
    [
        (Reference("x", title="T"), "true"),
        (Reference("x", authors=(Name("A"),), year=1999), "true"),
        (Reference("x", venue="V", year=1999), "true"),
        (Reference("x", authors=(Name("A"),)), "false"),
        (Reference("x", venue="V"), "false"),
        (Reference("x", year=1999), "false"),
    ],
)
def test_a_citation_is_valid_by_the_published_rule(one, valid):
    citation = ElementTree.fromstring(plain_xml(Extraction(references=(one,)), HERE)).find(".//citation")
    assert citation is not None
    assert citation.get("valid") == valid


@pytest.mark.parametrize(
    ("kind", "tag"), [("article", "journal"), ("chapter", "booktitle"), ("report", "tech"), ("web", "venue")]
)
def test_the_venue_has_the_name_that_fits_the_type(kind, tag):
    top = ElementTree.fromstring(plain_xml(Extraction(references=(Reference("x", kind, venue="V"),)), HERE))
    assert top.findtext(f".//citation/{tag}") == "V"


def test_a_context_has_page_and_section():
    context = Context("See [3].", printed="[3]", page=4, section="2 Data")
    found = Extraction(references=(Reference("[3] A. King", contexts=(context,)),))
    citation = ElementTree.fromstring(plain_xml(found, HERE)).find(".//citation")
    assert citation is not None
    stands = citation.find("contexts/context")
    assert stands is not None
    assert stands.attrib == {"mark": "[3]", "page": "4", "section": "2 Data"}
    assert citation.findtext("marker") == "[3]"


def test_nothing_that_is_printed_becomes_an_element():
    top = ElementTree.fromstring(plain_xml(ODD["hostile"], HERE))
    assert not [one for one in top.iter() if one.tag == "script"]
    assert '<script>alert("1")</script>' in (top.findtext("header/title") or "")
    assert "\x0b" in HOSTILE
    assert "\x0b" not in "".join(top.itertext())


def test_values_of_other_extractors_are_written_too():
    found = Extraction(
        figures=({"caption": "A ship", "not a name!": 1, "box": [1, 2.5, None]},), funders=({"grants": ["a", "b"]},)
    )
    top = ElementTree.fromstring(plain_xml(found, HERE))
    assert top.findtext("figures/figure/caption") == "A ship"
    assert top.findtext("figures/figure/entry[@name='not a name!']") == "1"
    assert [one.text for one in top.findall("figures/figure/box/item")] == ["1", "2.5", None]
    assert [one.text for one in top.findall("funders/funder/grants/grant")] == ["a", "b"]


def test_times_of_reading_do_not_change_the_bytes():
    assert plain_xml(Extraction(timing_ms={"pages": 1.5}), HERE) == plain_xml(replace(Extraction(), timing_ms={}), HERE)
