"""Words of PDFs printed by the tests."""

import re
import time

import pypdfium2 as pdfium
import pytest
import typst

from openseer.core.errors import Corrupt, Encrypted
from openseer.extract.pdf import native, page_reader
from openseer.extract.pdf.page_model import HYPHEN
from openseer.extract.pdf.page_reader import read_pages


@pytest.fixture(params=["C", "Python"], autouse=True)
def way(request, monkeypatch):
    """Each test by both ways."""
    if request.param == "C" and native.library is None:
        pytest.skip("the compiled reader is not built")
    if request.param == "Python":
        monkeypatch.setattr(native, "library", None)


@pytest.fixture
def printed(tmp_path):
    """A function that prints Typst source and gives the path of the PDF."""

    def make(source):
        file = tmp_path / "paper.pdf"
        file.write_bytes(typst.compile(f"#set page(width: 400pt, height: 300pt, margin: 20pt)\n{source}".encode()))
        return file

    return make


def page_of(file):
    (page,) = read_pages(file).pages
    return page


def test_words_have_text_place_size_and_font(printed):
    first, second = page_of(printed("#set text(size: 12pt)\nplain *bold*")).words
    assert (first.text, second.text) == ("plain", "bold")
    assert first.x0 == pytest.approx(20, abs=1)
    assert first.x1 < second.x0
    assert first.base == second.base
    assert (first.size, first.font.bold, second.font.bold) == (12, False, True)


def test_a_word_is_cut_where_its_style_changes(printed):
    first, second = page_of(printed("Name#super(typographic: false)[1]")).words
    assert (first.text, second.text, second.glued) == ("Name", "1", True)
    assert second.base < first.base


def test_mathematical_letters_are_read_as_plain_letters(printed):
    words = page_of(printed("It waits $max(w, k t)$ seconds, and then $x$ more.")).words
    text = "".join(" " * (not word.glued) + word.text for word in words).strip()
    assert re.sub(r"\s", "", text) == "Itwaitsmax(w,kt)seconds,andthenxmore."
    assert all(word.text for word in words)


def test_rotated_text_is_separated(printed):
    page = page_of(printed("upright #rotate(90deg)[a stamp]"))
    assert [word.text for word in page.words] == ["upright"]
    assert page.rotated_text == "a stamp"


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_rotated_page_is_read_as_shown(printed, degrees):
    file = printed(f"lying #rotate(-{degrees}deg)[one two]")
    with pdfium.PdfDocument(file) as document:
        document[0].set_rotation(degrees)
        document.save(turned := file.with_name("turned.pdf"))
    page = page_of(turned)
    first, second = page.words
    assert (first.text, second.text, page.rotated_text) == ("one", "two", "lying")
    assert first.x1 < second.x0
    assert first.base == pytest.approx(second.base)
    assert page.width == (400 if degrees == 180 else 300)


def test_a_divided_word_ends_in_the_hyphen_character(printed):
    words = page_of(
        printed('#set par(justify: true)\n#set text(hyphenate: true, lang: "en")\n' + "incomprehensibilities " * 40)
    ).words
    assert any(word.text.endswith(HYPHEN) for word in words)
    assert all(HYPHEN not in word.text[:-1] for word in words)


@pytest.mark.parametrize("length", [10, 300, 2000])
def test_links_are_found_however_long(printed, length):
    address = "https://example.org/" + "a" * length
    (link,) = page_of(printed(f'#link("{address}")[here]')).links
    assert link.uri == address
    assert link.box[0] == pytest.approx(20, abs=1)


def test_an_endless_address_is_no_link(printed):
    assert page_of(printed(f'#link("https://example.org/{"a" * 5000}")[here]')).links == ()


def test_a_broken_file_is_not_blamed_for_the_password_of_another(tmp_path, corpus):
    locked = [file for file in sorted((corpus / "hard-pdfs").glob("*.pdf")) if is_encrypted(file)]
    broken = corpus / "hard-pdfs" / "pdf-284-crash.pdf"
    assert locked
    for file in (locked[0], broken, locked[0]):
        with pytest.raises(Corrupt if file == broken else Encrypted):
            read_pages(file)


def is_encrypted(file):
    try:
        read_pages(file)
    except Encrypted:
        return True
    except Corrupt:
        return False
    return False


@pytest.mark.parametrize(
    "piece", ["a1", "1a", "a", "1", "Name,", "†", "é1", "中", "…", "‘a’", "x²", "λ", "a_", "_1", "*b"]
)
def test_words_with_letter_and_footnote_sign_are_inspected(piece):
    mixed = re.compile(r"[^\W\d_].*[\d*†‡§¶∗,]|[\d*†‡§¶∗,].*[^\W\d_]|[^\x00-\u024f\u0370-\u052f‐-”]")
    assert page_reader._needs_inspection(piece) == bool(mixed.search(piece))


def test_one_endless_piece_takes_no_time():
    start = time.process_time()
    assert page_reader._needs_inspection("_" + "a" * 200_000) is False
    assert time.process_time() - start < 1


def test_words_of_no_size_have_a_small_one(tmp_path):
    text = b"BT /F1 0.01 Tf 72 700 Td (Words of no size) Tj ET"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(text), text),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body = b"".join(b"%d 0 obj%s endobj\n" % (number, one) for number, one in enumerate(objects, 1))
    (tmp_path / "small.pdf").write_bytes(b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>")
    words = page_of(tmp_path / "small.pdf").words
    assert [word.text for word in words] == ["Words", "of", "no", "size"]
    assert all(word.size > 0 for word in words), "features divide by it"
