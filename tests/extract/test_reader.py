"""Extraction of whole PDFs printed by the tests."""

import hashlib
import subprocess
import sys

import pytest
import typst

import openseer.extract
from openseer.core.errors import Corrupt, Empty, NoText, TooShort
from openseer.extract.layout.lines import lines_of
from openseer.extract.pdf.page_reader import read_pages
from openseer.extract.reader import extractors, read, read_header, version, version_of

WORDS = "The harvest of the small orchard was counted by two people who did not know of each other. " * 12
ENTRIES = """
+ A. Gardener and B. Farmer, "On the counting of apples," J. Orchards, vol. 3, no. 1, pp. 1--9, 1999.
+ C. Miller, "Pears in poor light," J. Orchards, vol. 4, no. 2, pp. 10--19, 2001.
+ D. Baker, "Plums and their critics," Fruit Letters, vol. 5, pp. 20--29, 2003.
"""
PAPER = f"""
#set page(width: 595pt, height: 842pt, margin: 72pt, columns: COLUMNS)
#set text(size: 10pt)
#set enum(numbering: "[1]")
#place(top + center, scope: "parent", float: true)[
  #text(size: 18pt, weight: "bold")[Counting Apples in Two Small Orchards]
  #v(6pt)
  #text(size: 12pt)[Ada King and Bob Lee]
  #v(2pt)
  Department of Fruit, University of Orchards
  #v(12pt)
]
#text(weight: "bold")[Abstract]

{WORDS[:400]}

#text(size: 12pt, weight: "bold")[1 Introduction]

{WORDS} LEFT

{WORDS} {WORDS}

#text(size: 12pt, weight: "bold")[Acknowledgments]

We thank the owners of both orchards.

#text(size: 12pt, weight: "bold")[References]
{ENTRIES}
"""


@pytest.fixture
def printed(tmp_path):
    """A function that prints Typst source and gives the path of the PDF."""

    def make(source):
        file = tmp_path / "paper.pdf"
        file.write_bytes(typst.compile(source.encode()))
        return file

    return make


@pytest.fixture(params=["1", "2"], ids=["one column", "two columns"])
def paper(request, printed):
    return printed(PAPER.replace("COLUMNS", request.param))


def test_a_paper_is_extracted(paper):
    found = read(paper)
    assert found.title == "Counting Apples in Two Small Orchards"
    assert [author.name for author in found.authors] == ["Ada King", "Bob Lee"]
    assert found.authors[0].affiliation == "Department of Fruit, University of Orchards"
    assert found.abstract.startswith("The harvest of the small orchard")
    assert "Introduction" not in found.abstract
    assert (found.language, version_of(found.versions)) == ("en", version())


def test_its_references_are_read(paper):
    found = read(paper).references
    assert [entry.title for entry in found] == [
        "On the counting of apples",
        "Pears in poor light",
        "Plums and their critics",
    ]
    assert [entry.year for entry in found] == [1999, 2001, 2003]
    assert found[0].authors[1].family == "Farmer"


def test_its_sections_are_found(paper):
    found = read(paper)
    assert {"introduction", "acknowledgments", "references"} <= {section.type for section in found.sections}
    assert found.acknowledgments == "We thank the owners of both orchards."


def test_text_and_evidence_know_their_pages(paper):
    found = read(paper)
    assert found.text.count("\f") == found.pages - 1
    (place,) = found.evidence["title"]
    assert place.page == 1
    assert place.box is not None
    assert 60 < place.box[1] < 100


def test_columns_are_read_one_after_the_other(printed):
    lines = lines_of(read_pages(printed(PAPER.replace("COLUMNS", "2"))).pages)
    first = [line.column for line in lines if line.page == 1]
    assert {0, 1} <= set(first)
    inner = [column for column in first if column >= 0]
    assert inner == sorted(inner)


def test_the_package_can_be_called(paper):
    found = openseer.extract(paper)
    assert found.file == str(paper)
    assert found.sha1 == hashlib.sha1(paper.read_bytes()).hexdigest()
    assert found.mime == "application/pdf"


def test_a_record_has_every_key(paper):
    record = read(paper).as_record()
    assert record["error"] is None
    assert "text" not in record
    assert record["references"][0]["volume"] == "3"


def test_a_blank_page_has_no_text(printed):
    with pytest.raises(NoText):
        read(printed("#v(1cm)"))


def test_symbols_are_no_text(printed):
    with pytest.raises(NoText):
        read(printed("12 34 56 78 \\#\\#\\# 99 " * 60))


def test_a_short_document_is_too_short(printed):
    with pytest.raises(TooShort) as caught:
        read(printed("These are only a handful of words in a document."))
    assert (caught.value.words, caught.value.minimum) == (10, 100)


def test_garbage_is_corrupt(tmp_path):
    file = tmp_path / "broken.pdf"
    file.write_bytes(b"%PDF-1.7\n" + b"no pdf at all \x00\xff" * 50)
    with pytest.raises(Corrupt):
        read(file)


def test_a_truncated_file_is_read_or_corrupt_but_never_a_crash(paper):
    whole = paper.read_bytes()
    for share in (0.2, 0.5, 0.9):
        paper.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises((Corrupt, NoText, TooShort)):
            read(paper, min_words=100_000)


def test_nothing_is_empty(tmp_path):
    file = tmp_path / "empty.pdf"
    file.touch()
    with pytest.raises(Empty):
        read(file)


def test_rotated_pages_are_read_as_shown(printed):
    source = "#set page(flipped: true)\n" + PAPER.replace("COLUMNS", "1").replace(
        "#set page(width: 595pt, height: 842pt, margin: 72pt, columns: 1)", ""
    )
    assert read(printed(source)).title == "Counting Apples in Two Small Orchards"


def test_the_package_can_be_called_before_and_after_it_is_loaded(sample_papers):
    script = (
        "import sys, openseer\n"
        "first = openseer.extract(sys.argv[1])\n"
        "import openseer.extract.reader\n"
        "second = openseer.extract(sys.argv[1])\n"
        "print(first.title == second.title, first.sha1 == second.sha1, first.mime)"
    )
    paper = str(sample_papers / "paper-rank.pdf")
    run = subprocess.run([sys.executable, "-c", script, paper], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True", "True", "application/pdf"]


def test_every_extractor_runs_after_those_it_needs():
    names = [one.name for one in extractors()]
    assert all(names.index(need) < names.index(one.name) for one in extractors() for need in one.needs)
    assert len(set(names)) == len(names)


def test_the_version_of_the_extraction_changes_with_any_part(monkeypatch):
    before, (_, one, other, *_) = version(), extractors()
    monkeypatch.setattr(one, "version", one.version + 1)
    raised = version()
    monkeypatch.setattr(other, "version", other.version - 1)
    assert len({before, raised, version()}) == 3, "one up and one down is another version too"


def test_the_version_does_not_depend_on_the_order_of_the_extractors():
    assert version_of({"title": 1, "authors": 2}) == version_of({"authors": 2, "title": 1})
    assert version_of({"title": 1}) != version_of({"title": 1, "plug-in": 1})
    assert 0 <= version_of({}) < 1 << 31, "a column of four bytes"


def test_a_header_alone_is_the_header_of_the_whole(sample_papers):
    file = sample_papers / "paper-rank.pdf"
    whole, alone = read(file), read_header(file)
    assert (alone.title, alone.authors, alone.abstract) == (whole.title, whole.authors, whole.abstract)
    assert alone.references == ()
