"""JATS is valid, with nested sections and linked markers."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from openseer.core.errors import Rejected
from openseer.core.model.extraction import Author, Context, Extraction, Name, Reference, Section
from openseer.extract.output.jats import jats
from openseer.extract.reader import read
from tests.extract.odd_extractions import ODD
from tests.extract.schemas import jats_dtd, parsed

HERE = Path("paper.pdf")


@pytest.fixture(scope="module")
def dtd(tmp_path_factory):
    return jats_dtd(tmp_path_factory.mktemp("dtd"))


def faults(dtd, data: bytes) -> list[str]:
    return [] if dtd.validate(parsed(data)) else [error.message for error in dtd.error_log]


def test_every_document_is_valid_jats(sample_extractions, dtd):
    documents = {name: jats(found, Path(name)) for name, found in {**sample_extractions, **ODD}.items()}
    assert len(documents) > 60
    assert {name: wrong for name, data in documents.items() if (wrong := faults(dtd, data))} == {}


def test_the_dtd_rejects_invalid_jats(dtd):
    good = jats(ODD["500 sections"], HERE)
    for old, new in (
        (b"<title-group>", b"<p/><title-group>"),
        (b"<sec>", b"<sect/><sec>"),
        (b"<back", b'<back rid="x"'),
    ):
        assert old in good
        assert faults(dtd, good.replace(old, new, 1))


@pytest.mark.proof
def test_papers_of_the_corpus_are_valid(corpus, dtd):
    wrong = []
    for path in sorted((corpus / "papers").glob("*.pdf")):
        try:
            data = jats(read(path), path)
        except Rejected:
            continue
        if faults(dtd, data):
            wrong.append(path.name)
    assert wrong == []


@pytest.fixture
def paper() -> Extraction:
    context = Context("It is known [1-3].", printed="[1-3]", at=(12, 17), section="1.1 Lights")
    return Extraction(
        title="On <Lights>",
        venue="Journal of Light",
        year=2001,
        volume="7",
        page_range="12–19",
        keywords=("light",),
        authors=(
            Author("Ada King", "Ada", "King", "Ely", ("Ely", "Bath"), "ada@ely.example", "0000-0002-1825-0097"),
            Author("Bob Lee", "Bob", "Lee", "Bath", ("Bath",)),
            Author("Plato"),
        ),
        sections=(
            Section("", 1, "", 1, "Before all."),
            Section("1 Ships", 1, "", 1, "Ships."),
            Section("1.1 Lights", 2, "", 1, "It is known [1-3].\n\nMore."),
            Section("2 End", 1, "conclusion", 2, "End."),
        ),
        references=(
            Reference("[1] A. King, Lights", "book", "Lights", (Name("A. King", "A.", "King"),), contexts=(context,)),
            Reference("[2] x", "article", "T", venue="J", pages="e12", doi="10.1/x", contexts=(context,)),
            Reference("[3] nothing known", contexts=(context,)),
        ),
        funders=({"name": "Ely Fund", "grants": ["G-1", "G-2"]},),
        acknowledgments="Thanks.",
    )


@pytest.fixture
def article(paper) -> ElementTree.Element:
    return ElementTree.fromstring(jats(paper, HERE))


def texts(top: ElementTree.Element, path: str) -> list[str]:
    return ["".join(one.itertext()) for one in top.findall(path)]


def test_sections_stand_inside_each_other(article):
    assert texts(article, "body/p") == ["Before all."]
    assert texts(article, "body/sec/title") == ["1 Ships", "2 End"]
    assert texts(article, "body/sec/sec/title") == ["1.1 Lights"]
    assert texts(article, "body/sec/sec/p") == ["It is known [1-3].", "More."]


def test_markers_link_to_their_entries(article):
    marks = [(one.get("rid"), one.text) for one in article.findall("body//xref[@ref-type='bibr']")]
    assert marks == [("b1 b2", "[1-"), ("b3", "3]")]
    assert [one.get("id") for one in article.findall("back/ref-list/ref")] == ["b1", "b2", "b3"]


def test_the_front_has_authors_and_affiliations(article):
    meta = article.find("front/article-meta")
    assert meta is not None
    assert texts(article, "front/journal-meta//journal-title") == ["Journal of Light"]
    assert texts(meta, "title-group/article-title") == ["On <Lights>"]
    assert texts(meta, ".//contrib/name/surname") == ["King", "Lee", "Plato"]
    assert texts(meta, ".//contrib-id") == ["https://orcid.org/0000-0002-1825-0097"]
    assert [one.get("rid") for one in meta.findall(".//contrib/xref")] == ["aff1", "aff2", "aff2"]
    assert texts(meta, "aff") == ["Ely", "Bath"]
    assert [meta.findtext(tag) for tag in ("pub-date/year", "volume", "fpage", "lpage")] == ["2001", "7", "12", "19"]
    assert texts(meta, "funding-group/award-group/award-id") == ["G-1", "G-2"]


def test_an_entry_is_there_as_printed_and_as_understood(article):
    book, paper, unknown = article.findall("back/ref-list/ref")
    assert book.findtext("label") == "[1]"
    assert book.findtext("citation-alternatives/mixed-citation") == "[1] A. King, Lights"
    assert book.findtext(".//element-citation/source") == "Lights"
    assert paper.findtext(".//element-citation/article-title") == "T"
    assert paper.findtext(".//element-citation/page-range") == "e12"
    assert paper.findtext(".//element-citation/pub-id") == "10.1/x"
    assert unknown.find(".//element-citation") is None


def test_every_marker_of_the_samples_is_present(sample_extractions):
    contexts = linked = 0
    for found in sample_extractions.values():
        top = ElementTree.fromstring(jats(found, HERE))
        linked += sum(len(one.get("rid", "").split()) for one in top.findall("body//xref[@ref-type='bibr']"))
        contexts += sum(len(one.contexts) for one in found.references)
    assert 0.97 * contexts <= linked <= contexts


def test_the_same_extraction_gives_the_same_bytes(paper):
    assert jats(paper, HERE) == jats(paper, Path("elsewhere.pdf"))
