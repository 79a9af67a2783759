"""Plain text: encodings, titles, headings and bibliographies by lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from openseer.extract.plain_text import text_reader, xml_reader
from openseer.extract.plain_text.encoding import decode
from openseer.extract.plain_text.text_reader import structure_of
from openseer.extract.reader import read as extract
from openseer.extract.structured.document import Role
from openseer.extract.structured.sections import with_sections

RUSSIAN = "Однажды, в студёную зимнюю пору, я из лесу вышел; был сильный мороз. "
GERMAN = "Über die Größe der Gezeiten und die Höhe der Flut in den Häfen der Nordsee. "
JAPANESE = "海の潮は一日に二回満ち引きします。これはすべての港が知っていることです。"
PROSE = "The tides of the sea rise and fall twice a day, as every harbour knows\nand as the moon decides.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((RUSSIAN * 5, one) for one in ("utf-8", "cp1251", "koi8_r", "cp866", "utf-16", "iso8859_5")),
        *((GERMAN * 5, one) for one in ("utf-8", "cp1252", "utf-16-le", "utf-32", "mac_roman", "cp437")),
        *((JAPANESE * 5, one) for one in ("shift_jis", "euc_jp", "iso2022_jp", "utf-8")),
    ],
)
def test_the_encoding_is_found(text, encoding):
    text = text.replace("ё", "е")
    assert decode(text.encode(encoding)) == text


def test_a_declared_encoding_counts_where_bytes_do_not_tell():
    assert decode("Größe".encode("cp1252"), "iso-8859-1") == "Größe"
    assert decode("Größe".encode(), "cp1251") == "Größe", "valid UTF-8 is UTF-8"
    assert "\ufffd" in decode(b"Gr\xc3\xb6\xc3\x9fe " * 50 + b"\xff"), "a damaged letter does not change the rest"


@given(some.binary(max_size=300))
def test_any_bytes_have_a_text(data):
    assert isinstance(decode(data), str)


PAPER = f"""On the tides of the sea

Ada King
University of the Sea

Abstract

We measure the tides in all harbours of the northern sea for twenty years, and show that the moon decides on
their height, whatever the wind and the weather of the season may do to the water in these places.

1. Introduction

{PROSE * 20}
As shown by Newton (1687), the moon matters.

References

Newton, I. (1687). The sea and the moon. Journal of Tides 1, 1-9.

Darwin, G. (1898). The tides and kindred phenomena. Murray, London.
"""


def test_title_and_headings_are_found_by_lines():
    blocks = structure_of(PAPER).blocks
    assert (blocks[0].role, blocks[0].text) == (Role.TITLE, "On the tides of the sea")
    assert [block.text for block in blocks if block.role is Role.HEADING] == [
        "Abstract",
        "1. Introduction",
        "References",
    ]


def test_a_paper_in_plain_text_becomes_an_extraction(tmp_path):
    (tmp_path / "paper.txt").write_text(PAPER)
    found = extract(tmp_path / "paper.txt", 50, reader=text_reader)
    assert found.title == "On the tides of the sea"
    assert [one.family for one in found.authors] == ["King"]
    assert "all harbours of the northern sea" in found.abstract
    assert [one.year for one in found.references] == [1687, 1898]


def test_markdown_headings_and_underlines_are_headings():
    blocks = structure_of("# On tides\n\nText here.\n\n## Methods\n\nMore.\n\nResults\n=======\n\nEnd.").blocks
    assert blocks[0].text == "On tides"
    assert [(block.text, block.level) for block in blocks if block.role is Role.HEADING] == [
        ("Methods", 2),
        ("Results", 1),
    ]


def test_lines_keep_their_layout_and_long_lines_are_paragraphs():
    layout = structure_of("a b\n\n    indented   code\n  x\n" * 3).blocks
    assert any("    indented   code\n  x" in block.text for block in layout if block.role is Role.LINES)
    prose = structure_of("\n\n".join(["word " * 60] * 4)).blocks
    assert [block.role for block in prose] == [Role.PARAGRAPH] * 4


def test_form_feeds_are_page_breaks():
    found = structure_of("first page\n\f" + "second page\n")
    assert found.pages == 2
    assert len(found.page_breaks) == 1


def test_xml_is_read_as_text_and_loads_nothing(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("top secret words")
    xml = f"""<?xml version="1.0"?><!DOCTYPE a [<!ENTITY s SYSTEM "{secret.as_uri()}"><!ENTITY b "{"x" * 1000}">]>
    <a><title>On tides</title><p>The <b>tides</b> &s; of the sea</p>
    <sec><title>Methods</title><p>Gauges.</p></sec></a>"""
    (tmp_path / "a.xml").write_text(xml)
    found = xml_reader.read(tmp_path / "a.xml")
    assert [(block.role, " ".join(block.text.split())) for block in found.blocks] == [
        (Role.TITLE, "On tides"), (Role.PARAGRAPH, "The tides of the sea"), (Role.HEADING, "Methods"),
        (Role.PARAGRAPH, "Gauges."),
    ]  # fmt: skip


def test_entries_below_a_bibliography_heading_are_references():
    found = with_sections(
        structure_of("Title here\n\n" + "w " * 200 + "\n\nReferences\n\n" + "Newton, I. (1687). " * 12)
    )
    assert found.blocks[-1].role in (Role.REFERENCE, Role.LINES)
