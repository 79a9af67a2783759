"""PostScript by Ghostscript: text, limits, hostile programs, and a machine without it."""

from __future__ import annotations

import time

import pytest

from openseer.core.errors import Corrupt, Timeout, UnsupportedType
from openseer.core.processes.external_program import GHOSTSCRIPT
from openseer.extract.postscript import postscript_reader
from openseer.extract.postscript.postscript_reader import FONT, _without_unicode, read

needs_ghostscript = pytest.mark.skipif(not GHOSTSCRIPT.path, reason=f"no Ghostscript: {GHOSTSCRIPT.install_hint}")
HELLO = (
    b"%!PS-Adobe-3.0\n/Times-Roman findfont 12 scalefont setfont 72 700 moveto (The tides of the sea) show showpage\n"
)


@pytest.fixture
def file(tmp_path):
    def write(data):
        (tmp_path / "a.ps").write_bytes(data)
        return tmp_path / "a.ps"

    return write


@needs_ghostscript
def test_the_words_of_a_page_are_read(file):
    pages = read(file(HELLO))
    assert [word.text for page in pages.pages for word in page.words] == ["The", "tides", "of", "the", "sea"]
    assert pages.info == {}, "no date of the conversion"


@needs_ghostscript
def test_a_program_that_never_ends_is_stopped(file, monkeypatch):
    monkeypatch.setattr(postscript_reader, "SECONDS", 1.0)
    started = time.monotonic()
    with pytest.raises(Timeout):
        read(file(b"%!PS\n{} loop\n"))
    assert time.monotonic() - started < 20


@needs_ghostscript
def test_files_of_the_machine_are_neither_read_nor_written(file, tmp_path):
    (tmp_path / "secret").write_text("secret")
    target = tmp_path / "written"
    for program in (
        f"({tmp_path}/secret) (r) file 100 string readstring pop show showpage",
        f"({target}) (w) file (x) writestring showpage",
        f"(%pipe%touch {target}) (w) file showpage",
    ):
        with pytest.raises(Corrupt):
            read(file(b"%!PS\n/Times-Roman findfont 12 scalefont setfont 72 72 moveto\n" + program.encode()))
    assert not target.exists()


@needs_ghostscript
@pytest.mark.parametrize("data", [b"%!PS\n garbage (", b"%!PS\n1 0 div\n", HELLO[:30] + b" undefinedname"])
def test_a_file_with_errors_and_no_words_is_corrupt(file, data):
    with pytest.raises(Corrupt, match="Ghostscript"):
        read(file(data))


@needs_ghostscript
@pytest.mark.parametrize("data", [b"%!PS\n", b"%!PS\nquit\n", b"%!PS\nshowpage\n"])
def test_an_empty_program_has_no_words(file, data):
    assert not any(page.words for page in read(file(data)).pages)


def test_only_bitmap_fonts_lose_their_table_of_letters():
    start, end = b"7 0 obj\n<</ToUnicode 9 0 R/Type/Font\n/Encoding 1 0 R", b">>\nendobj\n"
    bitmap = start + b"/CharProcs <</BI 42 0 R\n/B8 41 0 R>>/Widths[ 27 0]\n/Subtype/Type3" + end
    outline = start + b"/Subtype/Type1" + end
    cut = FONT.sub(_without_unicode, outline + bitmap + outline)
    assert len(cut) == len(outline + bitmap + outline), "offsets stay"
    assert cut.count(b"/ToUnicode") == 2
    assert cut.startswith(outline)
    assert cut.endswith(outline)


def test_without_ghostscript_the_hint_names_the_package(file, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UnsupportedType) as caught:
        read(file(HELLO))
    assert caught.value.code == "unsupported_type"
    assert "apt-get install --no-install-recommends ghostscript" in caught.value.hint
