"""Hostile and damaged documents end in our errors, within seconds."""

from __future__ import annotations

import contextlib
import random
import zipfile
from collections import Counter
from io import BytesIO

import pytest

from openseer.core.errors import Corrupt, OpenseerError, UnsupportedType
from openseer.core.model.file_head import FileHead
from openseer.extract.formats import reader_of
from openseer.extract.office import docx_reader, pptx_reader
from openseer.extract.structured.page_layout import typeset
from tests.extract.office.made_documents import doc, docx, odt, paragraph, ppt, pptx, shape, zipped

DOCUMENTS = {
    "docx": docx(paragraph("On tides", "Title") + paragraph("The sea rises. " * 20)),
    "odt": odt(
        '<text:p text:style-name="Title">On tides</text:p>'
        "<text:list><text:list-item><text:p>x</text:p></text:list-item></text:list>"
    ),
    "pptx": pptx(shape("On tides", "title"), shape("Boats", "body"), notes={0: "slowly"}),
    "doc": doc("The sea rises.\nTwice a day.\n" * 20, "A note.\n"),
    "ppt": ppt(("On tides", "a"), ("Boats", "b")),
}


def test_a_ratio_bomb_is_refused(read_bytes):
    with pytest.raises(Corrupt, match="unpacks to"):
        read_bytes(docx("<w:p>" + " " * 20_000_000 + "</w:p>"))


def test_too_many_parts_are_refused(read_bytes):
    with pytest.raises(Corrupt, match="parts"):
        read_bytes(zipped({"word/document.xml": "<a/>"} | {f"word/{number}": "" for number in range(20_001)}))


def test_entities_are_not_resolved_and_depth_is_harmless(read_bytes, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    start = f'<!DOCTYPE a [<!ENTITY x SYSTEM "file://{secret}">]>'
    data = odt("<text:p>before</text:p>")
    stream = BytesIO(data)
    with zipfile.ZipFile(stream) as archive:
        content = archive.read("content.xml").decode()
    content = start + content.replace("before", "before &x; after")
    found = read_bytes(_with(data, "content.xml", content))
    assert "SECRET" not in " ".join(one.text for one in found.blocks)
    deep = "<w:sdt>" * 5000 + paragraph("deep") + "</w:sdt>" * 5000
    with contextlib.suppress(OpenseerError):
        read_bytes(docx(paragraph("first") + deep))


def outcome(read_bytes, data):
    """ "read", or the code of our error; every other exception fails the test."""
    try:
        typeset(read_bytes(data))
    except OpenseerError as error:
        return error.code
    return "read"


def _with(data, name, content):
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    return zipped({**parts, name: content})


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_damaged_documents_end_in_our_errors(read_bytes, kind):
    rng, whole = random.Random(5), DOCUMENTS[kind]
    outcomes = Counter[str]()
    for number in range(60):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 5, 40))):
            data[rng.randrange(30, len(data))] = rng.randrange(256)
        outcomes[outcome(read_bytes, bytes(data[: rng.randrange(40, len(data))] if number % 4 == 0 else data))] += 1
    assert outcomes.total() == 60
    assert outcomes.keys() <= {"read", "corrupt", "encrypted", "no_text", "unsupported_type"}


@pytest.mark.parametrize("kind", ["docx", "odt", "pptx"])
def test_damaged_xml_ends_in_our_errors(read_bytes, kind):
    rng, outcomes = random.Random(7), Counter[str]()
    with zipfile.ZipFile(BytesIO(DOCUMENTS[kind])) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    for _ in range(60):
        damaged = dict(parts)
        name = rng.choice([one for one in parts if one != "mimetype"])
        data = bytearray(parts[name])
        for _ in range(rng.choice((1, 5, 40))):
            data[rng.randrange(len(data))] = rng.choice(b"<>/\"'= x\0&")
        damaged[name] = bytes(data)
        outcomes[outcome(read_bytes, zipped(damaged))] += 1
    assert outcomes.total() == 60
    assert outcomes["read"] > 0, "small damage is survived"
    assert outcomes.keys() <= {"read", "corrupt", "no_text", "unsupported_type"}


def test_an_archive_of_documents_is_no_document():
    start = zipped({"paper.txt": "x", "word/document.xml": "y"})
    head = FileHead(start[:4096], "", frozenset({b"word/document.xml", b"ppt/presentation.xml"}))
    assert not docx_reader.recognises(head)
    assert not pptx_reader.recognises(head)


def test_a_presentation_with_an_embedded_document_is_a_presentation():
    head = FileHead(pptx(shape("x"))[:4096], "", frozenset({b"word/document.xml", b"ppt/presentation.xml"}))
    assert reader_of(head) is pptx_reader


def test_spreadsheets_of_opendocument_are_unsupported(read_bytes):
    data = odt("x")
    with zipfile.ZipFile(BytesIO(data)) as archive:
        content = archive.read("content.xml").decode().replace("office:text>", "office:spreadsheet>")
    with pytest.raises(UnsupportedType):
        read_bytes(_with(data, "content.xml", content))
