"""TEI is valid and readable by clients of GROBID."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from lxml import etree

from openseer.core.errors import Rejected
from openseer.core.model.extraction import Author, Context, Extraction, Name, Paragraph, Reference, Section
from openseer.extract.output.tei import tei
from openseer.extract.reader import read
from tests.extract.odd_extractions import ODD, SECTIONS
from tests.extract.schemas import parsed, tei_all

HERE = Path("paper.pdf")
NS = {"t": "http://www.tei-c.org/ns/1.0"}
ID = "{http://www.w3.org/XML/1998/namespace}id"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def spaced(text: str) -> str:
    return " ".join(text.split())


def faults(schema, tree) -> list[str]:
    return [] if schema.validate(tree) else [f"{error.line}: {error.message}" for error in schema.error_log]


@pytest.fixture(scope="module")
def documents(sample_extractions) -> dict[str, etree._Element]:
    return {name: parsed(tei(found, Path(name))) for name, found in {**sample_extractions, **ODD}.items()}


@pytest.fixture(scope="module")
def schema(documents) -> etree.RelaxNG:
    return tei_all({etree.QName(one).localname for tree in documents.values() for one in tree.iter()})


def test_every_document_is_valid_tei(documents, schema):
    assert len(documents) > 60
    assert {name: wrong for name, tree in documents.items() if (wrong := faults(schema, tree))} == {}


def test_the_schema_rejects_invalid_tei(schema):
    good = tei(ODD["no references"], HERE)
    for old, new in ((b"<imprint>", b"<p/><imprint>"), (b' level="a"', b' stage="a"'), (b"<body>", b"<body><q/>")):
        assert old in good
        assert faults(schema, parsed(good.replace(old, new, 1)))


@pytest.mark.proof
def test_papers_of_the_corpus_are_valid_against_the_whole_schema(corpus, documents):
    schema = tei_all()
    wrong = {name for name, tree in documents.items() if not schema.validate(tree)}
    for path in sorted((corpus / "papers").glob("*.pdf")):
        try:
            tree = parsed(tei(read(path), path))
        except Rejected:
            continue
        if not schema.validate(tree):
            wrong.add(path.name)
    assert wrong == set()


def persons(parent: ElementTree.Element, path: str) -> list[str]:
    return [spaced(" ".join(one.itertext())) for one in parent.findall(f"{path}/t:persName", NS)]


def test_a_reader_of_grobids_files_finds_the_record(sample_extractions):
    """Paths as clients of GROBID use them."""
    for name, found in sample_extractions.items():
        top = ElementTree.fromstring(tei(found, HERE))
        header = top.find("t:teiHeader", NS)
        assert header is not None
        assert (header.findtext('.//t:titleStmt/t:title[@type="main"]', "", NS)) == found.title, name
        assert persons(header, ".//t:sourceDesc//t:author") == [spaced(author.name) for author in found.authors]
        assert header.findtext('.//t:idno[@type="DOI"]', "", NS) == found.doi
        assert spaced(" ".join(one.text or "" for one in top.findall(".//t:abstract/t:p", NS))) == spaced(
            found.abstract
        )
        application = header.find(".//t:appInfo/t:application", NS)
        assert application is not None
        assert {"ident", "version", "when"} <= set(application.attrib)
        entries = top.findall(".//t:back//t:listBibl/t:biblStruct", NS)
        assert [one.get(ID) for one in entries] == [f"b{number}" for number in range(len(found.references))]
        for entry, one in zip(entries, found.references, strict=True):
            assert entry.findtext('.//t:note[@type="raw_reference"]', "", NS) == one.raw.strip()
            assert entry.findtext('.//t:title[@type="main"]', "", NS) == one.title
            assert len(entry.findall(".//t:author", NS)) == len(one.authors)
            date = entry.find('.//t:date[@type="published"]', NS)
            assert (date.get("when") if date is not None else None) == (str(one.year) if one.year else None)


def test_markers_in_the_text_link_to_their_entries(sample_extractions):
    contexts = linked = 0
    for found in sample_extractions.values():
        top = ElementTree.fromstring(tei(found, HERE))
        for mark in top.findall(".//t:body//t:ref[@type='bibr']", NS):
            entry = found.references[int(mark.get("target", "")[2:])]
            assert any((mark.text or "") in context.printed for context in entry.contexts)
            linked += 1
        contexts += sum(len(one.contexts) for one in found.references)
    assert contexts > 400
    assert 0.97 * contexts <= linked <= contexts


def test_the_text_of_the_body_is_that_of_the_record(sample_extractions):
    for found in sample_extractions.values():
        if any(section.type in ("abstract", "acknowledgments") for section in found.sections):
            continue
        body = ElementTree.fromstring(tei(found, HERE)).find(".//t:body", NS)
        assert body is not None
        written = ["".join(one.itertext()) for one in body.findall(".//t:p", NS)]
        texts = [section.text for section in found.sections if section.type != "references" and section.text.strip()]
        assert [spaced(text) for text in written] == [spaced(part) for text in texts for part in text.split("\n\n")]


@pytest.fixture
def paper() -> Extraction:
    text = "Ships need lights [1-3].\n\nSchiffe brauchen Licht."
    context = Context("Ships need lights [1-3].", printed="[1-3]", at=(18, 23), section="2.1 Lights")
    book = Reference(
        "[1] A book", "book", "Lights", (Name("Ada King", "Ada", "King"),), venue="Series", contexts=(context,)
    )
    return Extraction(
        language="en",
        authors=(Author("Ada B. C. King", "Ada B. C.", "King", "", ("Dept. of Light, University of Ely", "Ely Labs")),),
        sections=(Section("2.1 Lights", 2, "", 1, text, (Paragraph((0, 24), 1, "en"), Paragraph((26, 49), 1, "de"))),),
        references=(
            book,
            Reference(
                "[2]",
                "article",
                "T",
                venue="J",
                volume="7",
                pages="S1–S9",
                url="http://a.example/ü",
                contexts=(context,),
            ),
            Reference("[3]", "other", "T", url="see there", contexts=(context,)),
        ),
        funders=({"name": "Ely Fund", "grants": ["G-1"]},),
        acknowledgments="Thanks.",
    )


def test_a_section_has_its_number_apart_and_paragraphs_their_languages(paper):
    top = ElementTree.fromstring(tei(paper, HERE))
    head = top.find(".//t:body/t:div/t:head", NS)
    assert head is not None
    assert (head.get("n"), head.text, head.get("rend")) == ("2.1", "Lights", "level2")
    assert [one.get(LANG) for one in top.findall(".//t:body//t:p", NS)] == [None, "de"]


@pytest.mark.parametrize(
    ("heading", "number", "words"),
    [
        ("3. Results", "3", "Results"),
        ("2.1.4 Data", "2.1.4", "Data"),
        ("IV. Proofs", "IV", "Proofs"),
        ("A.1 Tables", "A.1", "Tables"),
        ("B. More", "B", "More"),
        ("A Study of Lights", None, "A Study of Lights"),
        ("I think", None, "I think"),
        ("3D models", None, "3D models"),
        ("1984", None, "1984"),
    ],
)
def test_only_a_number_is_removed_from_a_heading(heading, number, words):
    head = ElementTree.fromstring(tei(Extraction(sections=(Section(heading),)), HERE)).find(".//t:body//t:head", NS)
    assert head is not None
    assert (head.get("n"), head.text) == (number, words)


def test_a_range_links_to_each_of_its_entries(paper):
    marks = ElementTree.fromstring(tei(paper, HERE)).findall(".//t:body//t:ref", NS)
    assert [(one.get("target"), one.text) for one in marks] == [("#b0", "[1-"), ("#b1", None), ("#b2", "3]")]


def test_entries_are_in_the_places_for_their_types(paper):
    book, article, other = ElementTree.fromstring(tei(paper, HERE)).findall(".//t:listBibl/t:biblStruct", NS)
    assert book.findtext('t:monogr/t:title[@level="m"]', "", NS) == "Lights"
    assert book.findtext('t:series/t:title[@level="s"]', "", NS) == "Series"
    assert article.findtext('t:monogr/t:title[@level="j"]', "", NS) == "J"
    pages = article.find('.//t:biblScope[@unit="page"]', NS)
    link = article.find("t:ptr", NS)
    assert pages is not None
    assert link is not None
    assert (pages.get("from"), pages.get("to")) == ("S1", "S9")
    assert link.get("target") == "http://a.example/%C3%BC"
    assert other.findtext('t:note[@type="url"]', "", NS) == "see there"


def test_authors_have_names_in_parts_and_institutions(paper):
    top = ElementTree.fromstring(tei(paper, HERE))
    author = top.find(".//t:sourceDesc//t:author", NS)
    assert author is not None
    assert author.findtext('t:persName/t:forename[@type="first"]', "", NS) == "Ada"
    assert author.findtext('t:persName/t:forename[@type="middle"]', "", NS) == "B. C."
    names = [(one.get("type"), one.text) for one in author.findall("t:affiliation[1]/t:orgName", NS)]
    assert names == [("department", "Dept. of Light"), ("institution", "University of Ely")]
    assert author.findtext("t:affiliation[2]/t:note", "", NS) == "Ely Labs"


def test_thanks_and_grants_stand_at_the_back(paper):
    top = ElementTree.fromstring(tei(paper, HERE))
    thanks = top.find('.//t:back/t:div[@type="acknowledgement"]', NS)
    assert thanks is not None
    assert "".join(thanks.itertext()).strip() == "Thanks."
    funder = top.find(".//t:titleStmt/t:funder", NS)
    assert funder is not None
    granted = top.find(f".//t:org[@{ID}='{funder.get('ref', '')[1:]}']", NS)
    assert granted is not None
    assert granted.findtext("t:idno", "", NS) == "G-1"


def test_every_section_has_its_place():
    top = ElementTree.fromstring(tei(Extraction(sections=SECTIONS), HERE))
    assert len(top.findall(".//t:body/t:div", NS)) == 500
    assert len(top.findall(".//t:body/t:div/t:p", NS)) == 1000


def test_the_same_extraction_gives_the_same_bytes(paper):
    assert tei(paper, HERE) == tei(paper, Path("elsewhere.pdf"))
