"""DOC and PPT: text of all stories and slides, structure by styles, outcomes of files that cannot be read."""

from __future__ import annotations

import struct

import pytest

from openseer.core.errors import Corrupt, Encrypted, NoText, UnsupportedType
from openseer.core.model.file_head import head_of
from openseer.extract.formats import marks, reader_of
from openseer.extract.ole import ppt_reader
from openseer.extract.structured.document import Role
from tests.extract.office.made_documents import doc, ole, ppt


@pytest.fixture
def read_bytes(tmp_path):
    def read(data):
        path = tmp_path / "document"
        path.write_bytes(data)
        reader = reader_of(head_of(path, marks()))
        assert reader is not None
        return reader.read(path)

    return read


def test_text_of_a_doc_comes_from_its_pieces_without_field_codes(read_bytes):
    found = read_bytes(doc("The “sea”\x0brises\x1f again\n\x13HYPERLINK x\x14link\x15 end\nα\x02β\n", "A café note.\n"))
    assert [one.text for one in found.blocks] == ["The “sea” rises again", "link end", "αβ", "A café note."]
    assert found.blocks[-1].role is Role.NOTE


def test_encrypted_and_foreign_containers_say_so(read_bytes):
    with pytest.raises(Encrypted):
        read_bytes(doc("x" * 500, flags=0x0300))
    with pytest.raises(Encrypted):
        read_bytes(ppt(("a", "b"), token=0xF3D1C4DF))
    with pytest.raises(Encrypted):
        read_bytes(ole({"EncryptedPackage": b"x", "EncryptionInfo": b"y"}))
    with pytest.raises(Corrupt):
        read_bytes(ole({"WordDocument": bytes(100)}))
    with pytest.raises(NoText):
        read_bytes(ppt())


def test_slides_have_titles_and_lists(read_bytes):
    found = read_bytes(ppt(("On tides", "by Ada"), ("Boats", "one\rtwo")))
    assert [(one.role, one.text) for one in found.blocks] == [
        (Role.TITLE, "On tides"), (Role.PARAGRAPH, "by Ada"), (Role.HEADING, "Boats"), (Role.ITEM, "one"),
        (Role.ITEM, "two"),
    ]  # fmt: skip
    assert (found.pages, found.page_breaks) == (2, (2,))


def test_old_presentations_of_a_macintosh_are_read(read_bytes):
    def text(kind, words):
        raw = words.encode("mac-roman")
        return b"\x64\0" + bytes([kind]) + bytes(5) + b"\x01" + struct.pack(">I", len(raw)) + raw

    stream = text(0, "On tides") + text(20, "one\rtwo") + text(30, "“note”") + text(0, "Boats") + bytes(40)
    found = read_bytes(ole({"PP40": stream}))
    assert [one.text for one in found.blocks] == ["On tides", "one", "two", "“note”", "Boats"]


def test_other_old_presentations_are_unsupported(read_bytes):
    with pytest.raises(UnsupportedType) as error:
        read_bytes(ole({"PP40": bytes(5000)}))
    assert "Save it in a newer format" in error.value.hint


OUTCOMES: dict[str, int | type[Exception] | None] = {
    "doc/doc.doc": 105, "doc/fake-doc-emphasized-text.doc": 20, "doc/lorem-ipsum.doc": 650,
    "doc/obama_veterans.doc": 4200,
    "doc/testException1.doc": 1072, "doc/testWORD.doc": 112, "doc/testWORD6.doc": 9, "doc/testWORD_embedded_pdf.doc": 7,
    "doc/testWORD_multi_authors.doc": NoText, "doc/testWORD_protected_passtika.doc": Encrypted,
    "doc/testWordPerfect_42.doc": None, "ppt/document.ppt": 48, "ppt/ecdl_paris.ppt": 500, "ppt/ppt.ppt": 80,
    "ppt/testPPT.ppt": 11, "ppt/testPPT_EmbeddedPDF.ppt": NoText, "ppt/testPPT_various.ppt": 90,
    "rtf/obama_hopes.rtf": 391, "rtf/rtf.rtf": 100, "rtf/testRTF.rtf": 3, "rtf/testRTFCorruptListOverride.rtf": 70,
    "rtf/testRTFEmbeddedFiles.rtf": NoText, "rtf/testRTFJapanese.rtf": 20, "rtf/testRTFVarious.rtf": 90,
    "rtf/testRTFWindowsCodepage1250.rtf": 6, "other/testWORD.docx": 112, "other/test_recursive_embedded.docx": 1,
    "other/testPPT.pptx": 40, "other/testOpenOffice2.odt": 13, "other/testEPUB.epub": None, "other/testDJVU.djvu": None,
    "other/testWordPerfect.wpd": None, "other/testMHTMLFirefox.mhtml": None,
}  # fmt: skip
"""File of the corpus -> least number of words, or the error; None: no reader takes it."""


@pytest.mark.parametrize("name", OUTCOMES)
def test_each_file_of_the_corpus_has_its_outcome(corpus, name, read_bytes):
    path, expected = corpus / "formats" / name, OUTCOMES[name]
    if expected is None:
        assert reader_of(head_of(path, marks())) is None
    elif isinstance(expected, int):
        found = read_bytes(path.read_bytes())
        assert sum(len(f"{one.text} {' '.join(map(' '.join, one.rows))}".split()) for one in found.blocks) >= expected
    else:
        with pytest.raises(expected):
            read_bytes(path.read_bytes())


def test_a_real_doc_has_title_headings_and_table_by_its_styles(corpus, read_bytes):
    found = read_bytes((corpus / "formats/doc/testWORD.doc").read_bytes())
    assert found.stated.title == "Sample Word Document Title"
    headings = [(one.text, one.level) for one in found.blocks if one.role is Role.HEADING]
    assert headings == [("Main Heading", 1), ("Heading Level 1", 1), ("Heading Level 2", 2), ("Heading Level 3", 3)]
    assert [len(one.rows) for one in found.blocks if one.rows] == [3]


def test_readers_recognise_by_content_alone(corpus):
    assert ppt_reader.recognises(head_of(corpus / "formats/ppt/testPPT.ppt", marks(), "paper.doc"))
