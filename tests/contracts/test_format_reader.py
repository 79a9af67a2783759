"""The contract of a format reader, built in or of another package: a new one is one more sample in `SAMPLES` here."""

from __future__ import annotations

import contextlib
import random

import pytest

from openseer.core.errors import OpenseerError
from openseer.core.model.file_head import FileHead, head_of
from openseer.core.processes.external_program import GHOSTSCRIPT
from openseer.extract.formats import READERS, FormatReader, marks
from openseer.extract.pdf.page_model import PageModel
from openseer.extract.structured.document import StructuredText
from openseer.extract.structured.page_layout import typeset
from tests.contracts import gemtext_reader
from tests.extract.office.made_documents import doc, docx, odt, paragraph, ppt, pptx, shape

PROSE = "The tides of the sea rise and fall twice a day, as every harbour knows. " * 30
SAMPLES = {
    "html": f"<!DOCTYPE html><html><body><h1>On tides</h1><p>{PROSE}</p></body></html>".encode(),
    "xml": f"<?xml version='1.0'?><a><title>On tides</title><p>{PROSE}</p></a>".encode(),
    "text": f"On tides\n\n{PROSE}\n".encode(),
    "postscript": b"%!PS-Adobe-3.0\n/Times-Roman findfont 12 scalefont setfont\n"
    + b"".join(
        b"72 %d moveto (The tides rise and fall twice a day, as every harbour knows.) show\n" % (740 - 20 * line)
        for line in range(30)
    )
    + b"showpage\n",
    "docx": docx(paragraph("On tides", "Title") + paragraph(PROSE)),
    "odt": odt(f'<text:p text:style-name="Title">On tides</text:p><text:p>{PROSE}</text:p>'),
    "pptx": pptx(shape("On tides", "title"), shape(PROSE, "body")),
    "rtf": f"{{\\rtf1\\ansi On tides\\par {PROSE}\\par}}".encode(),
    "doc": doc(f"On tides\n{PROSE}\n"),
    "ppt": ppt(("On tides", PROSE)),
    "gemtext": f"gemtext\n# On tides\n{PROSE}\n".encode(),
}
"""A small file of each format; that of PDF is a sample paper."""
ALL: tuple[FormatReader, ...] = (gemtext_reader, *READERS)
MUTANTS = 40


@pytest.fixture(params=ALL, ids=lambda one: one.name)
def reader(request):
    return request.param


@pytest.fixture
def sample(reader, tmp_path, sample_papers):
    if reader.suffix == "pdf":
        return sample_papers / "near-duplicates.pdf"
    if reader.name == "postscript" and not GHOSTSCRIPT.path:
        pytest.skip(f"no Ghostscript: {GHOSTSCRIPT.install_hint}")
    path = tmp_path / f"paper.{reader.suffix}"
    path.write_bytes(SAMPLES[reader.name])
    return path


def test_it_says_what_it_is(reader):
    assert reader.name.isidentifier()
    assert isinstance(reader.version, int)
    assert reader.version > 0
    assert "/" in reader.mime
    assert reader.suffix.isalnum()
    assert [one.name for one in ALL].count(reader.name) == [one.mime for one in ALL].count(reader.mime) == 1


def test_it_recognises_its_files_whatever_their_name(reader, sample):
    head = head_of(sample, marks())
    for name in ("", "paper", "paper.xyz", sample.name):
        assert reader.recognises(FileHead(head.start, name, head.marks))
        others = [
            one.name for one in ALL if one is not reader and one.recognises(FileHead(head.start, name, head.marks))
        ]
        assert set(others) <= {"text"}, "only text is asked last"


def test_it_recognises_nothing_else(reader):
    assert not reader.recognises(FileHead(b""))
    assert not reader.recognises(FileHead(b"\x89PNG\r\n\x1a\n" + bytes(100), f"paper.{reader.suffix}"))
    assert not reader.recognises(FileHead(bytes(range(256)) * 16, f"paper.{reader.suffix}"))


def test_it_returns_pages_or_text_with_all_words(reader, sample):
    content = reader.read(sample)
    assert isinstance(content, PageModel | StructuredText)
    pages = content if isinstance(content, PageModel) else typeset(content)
    words = [word.text for page in pages.pages for word in page.words]
    assert len(words) > 100
    if reader.suffix != "pdf":
        assert words.count("harbour") == 30


def test_damaged_files_end_in_our_errors(reader, sample, tmp_path):
    rng = random.Random(3)
    whole = bytearray(sample.read_bytes())
    for number in range(MUTANTS if reader.name != "postscript" else 4):
        data = bytearray(whole)
        for _ in range(1 + len(data) // 200):
            data[rng.randrange(len(data))] = rng.randrange(256)
        mutant = tmp_path / f"mutant-{number}"
        mutant.write_bytes(data[: rng.randrange(1, len(data))] if number % 2 else data)
        with contextlib.suppress(OpenseerError):
            content = reader.read(mutant)
            assert isinstance(content, PageModel) or typeset(content).pages
