"""Small PDFs made here: what is read in them, and what is said when nothing can be read."""

import hashlib

import pytest

import openseer.extract
from openseer.errors import Corrupt, Empty, Encrypted, NoText, TooShort
from openseer.extract.reading import VERSION, read
from openseer.extract.second import read_pages_again

LOREM = "The farmer sold the horse that we saw in the field, and it was not the one which the others had asked for. "
PAPER = f"""
#set page(width: 500pt, height: 700pt, margin: 50pt, numbering: "1")
#set text(size: 10pt)
#align(center)[
  #text(size: 18pt, weight: "bold")[On the Patience of Horses in Large Fields]

  #text(size: 11pt)[Ada Lovelace#super[1], Grace M. Hopper#super[2]]

  #text(size: 9pt)[#super[1]University of Smallville, #super[2]Institute of Fields]
]
#align(center)[*Abstract*]
{LOREM * 4}

*Keywords:* horses, patience, fields

#text(size: 13pt, weight: "bold")[1 Introduction]

#columns(2)[
  {LOREM * 24}

  #text(size: 13pt, weight: "bold")[Acknowledgments]

  We thank the horses.

  #text(size: 13pt, weight: "bold")[References]

  [1] J. Smith and A. Jones. Counting sheep at night. Journal of Sleep, 12(3):45--67, 1999.

  [2] M. Weber. The temper of mules. Annals of Mules, 4:1--9, 2001.

  [3] E. Noether. Rings for every finger. Mathematics Today, 7:10--19, 2003.
]
"""


@pytest.fixture
def paper(printed):
    return printed(PAPER)


def test_the_header_is_read(paper):
    found = read(paper)
    assert found.title == "On the Patience of Horses in Large Fields"
    assert [(author.given, author.family) for author in found.authors] == [("Ada", "Lovelace"), ("Grace M.", "Hopper")]
    assert found.abstract.split() == (LOREM * 4).split()
    assert found.keywords == ("horses", "patience", "fields")
    assert found.language == "en"


def test_columns_are_read_one_after_the_other(paper):
    text = " ".join(read(paper).text.split())
    assert text.count(LOREM.strip()) >= 26


def test_the_bibliography_is_read(paper):
    found = read(paper).references
    assert [entry.title for entry in found] == [
        "Counting sheep at night",
        "The temper of mules",
        "Rings for every finger",
    ]
    assert [entry.year for entry in found] == [1999, 2001, 2003]
    assert [person.family for person in found[0].authors] == ["Smith", "Jones"]


def test_sections_and_thanks_are_read(paper):
    found = read(paper)
    assert [(one.heading, one.type) for one in found.sections][-3:] == [
        ("1 Introduction", "introduction"),
        ("Acknowledgments", "acknowledgments"),
        ("References", "references"),
    ]
    assert found.acknowledgments == "We thank the horses."


def test_evidence_tells_where_the_title_stands(paper):
    found = read(paper)
    (place,) = found.evidence["title"]
    assert place.page == 1
    assert place.box is not None
    assert 50 <= place.box[0] < place.box[2] <= 450
    assert place.box[1] < 90


def test_counts_timing_and_version_are_given(paper):
    found = read(paper)
    assert found.pages == found.text.count("\f") + 1
    assert found.words > 500
    assert set(found.timing_ms) == {"pages", "lines", "header", "references", "body"}
    assert found.versions == {"reader": VERSION}
    assert (found.file, found.sha1, found.mime) == ("", "", "")


def test_the_package_is_callable_and_names_the_file(paper):
    found = openseer.extract(paper)
    assert found.file == str(paper)
    assert found.sha1 == hashlib.sha1(paper.read_bytes()).hexdigest()
    assert found.mime == "application/pdf"


def test_every_string_can_be_stored(paper):
    found = read(paper)
    assert "\x00" not in found.text
    repr(found.as_record(evidence=True)).encode("utf-8")


def test_the_second_reader_finds_the_same_words(paper):
    again = read_pages_again(paper)
    words = [word.text for page in again.pages for word in page.words]
    assert {"Patience", "Lovelace", "Introduction", "mules."} <= set(words)


@pytest.mark.parametrize("turn", ["-90deg", "90deg", "180deg"])
def test_a_page_printed_sideways_is_read(printed, turn):
    found = read(
        printed(
            f"#set page(width: 400pt, height: 400pt)\n#rotate({turn}, reflow: true, box(width: 300pt)[{LOREM * 8}])"
        )
    )
    assert found.words == 8 * len(LOREM.split())
    assert found.text.split()[:4] == LOREM.split()[:4]


def test_a_blank_page_has_no_text(printed):
    with pytest.raises(NoText):
        read(printed("#page[]"))


def test_a_page_with_nothing_but_its_number_has_no_text(printed):
    with pytest.raises(NoText):
        read(printed("#page[347]\n#page[348]"))


def test_a_short_text_is_too_short(printed):
    with pytest.raises(TooShort) as raised:
        read(printed("Only a few words stand here."))
    assert (raised.value.words, raised.value.minimum) == (6, 100)
    assert read(printed("Only a few words stand here."), min_words=5).words == 6


@pytest.mark.parametrize("content", [b"%PDF-1.7\n" + bytes(range(256)) * 20, b"%PDF-", b"%PDF-1.4\n%%EOF"])
def test_garbage_is_corrupt(tmp_path, content):
    file = tmp_path / "garbage.pdf"
    file.write_bytes(content)
    with pytest.raises(Corrupt):
        read(file)


def test_an_empty_file_is_empty(tmp_path):
    file = tmp_path / "empty.pdf"
    file.touch()
    with pytest.raises(Empty):
        read(file)


def test_a_password_is_asked_for(paper, tmp_path):
    locked = tmp_path / "locked.pdf"
    with openseer.extract.second.pdf_oxide.PdfDocument(str(paper)) as document:
        locked.write_bytes(document.to_bytes_encrypted("secret", "owner"))
    with pytest.raises(Encrypted):
        read(locked)


def test_a_file_cut_in_half_is_read_or_refused(paper, tmp_path):
    half = tmp_path / "half.pdf"
    half.write_bytes(paper.read_bytes()[: paper.stat().st_size // 2])
    with pytest.raises((Corrupt, NoText, TooShort)):
        read(half)
