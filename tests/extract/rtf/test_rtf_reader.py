"""RTF: code pages, styles, notes, tables and fields; nothing is lost."""

from __future__ import annotations

import contextlib
import re

import pytest

from openseer.core.errors import NoText
from openseer.core.model.file_head import FileHead
from openseer.extract.rtf import rtf_reader
from openseer.extract.structured.document import Role


@pytest.fixture
def read_rtf(tmp_path):
    def read(body: str, start: str = r"\ansi\ansicpg1252"):
        path = tmp_path / "document.rtf"
        path.write_bytes(("{\\rtf1" + start + "\n" + body + "}").encode("latin-1"))
        return rtf_reader.read(path)

    return read


def texts(found):
    return [one.text for one in found.blocks]


FONTS = (
    r"{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset204 Times Cyr;}{\f2\fcharset2 Symbol;}{\f3\fcharset128 Mincho;}"
    r"{\f4\fcharset2 Wingdings;}}"
)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"caf\'e9 \f1 \'e4\'e0\f0  na\u239?ve", "café да naïve"),
        (r"\uc2\u8212--x \uc0\u8212 y \uc1\u-3913\'b7", "—x —y •"),
        (r"{\f2 a\'b3b} {\f3 \'83\'5c\'95\'5c} {\f4 \'fc}", "α≥β ソ表 •"),
        (r"a\emdash b\~c\_d\-e \lquote f\rquote \{\}\\", "a—b c-de ‘f’{}\\"),
        (r"\u-10187?\u-9146?", "\U0001d446"),
        (r"x{\super 2} a{\v hidden}b{\deleted gone}c", "x² abc"),
        (r"{\field{\*\fldinst HYPERLINK http://a.b}{\fldrslt link}} {\xe{index}}end", "link end"),
        (r"{\*\unknown lost}{\pict 00ff}a\bin3 {}{b", "ab"),
        (r"{\mmath{\*\moMath{\mf{\mnum{\mr a}}{\mden{\mr b}}}}}", "a/b"),
    ],
)  # fmt: skip
def test_characters(read_rtf, body, text):
    assert texts(read_rtf(FONTS + body)) == [text]


def test_styles_give_roles_in_every_language_of_word(read_rtf):
    found = read_rtf(
        r"{\stylesheet{\s0 Normal;}{\s15 Title;}{\s1\outlinelevel0 heading 1;}{\*\cs10 Standard;}{\s7 Bibliography;}}"
        r"\pard\s15 On tides\par\pard\s1 Boats\par\pard\plain The sea.\par\pard\s7 King, A. (1999). Tides. Sea 1.\par"
    )
    assert [one.role for one in found.blocks] == [Role.TITLE, Role.HEADING, Role.PARAGRAPH, Role.REFERENCE]
    assert found.stated.title == "On tides"


def test_every_word_comes_out_once_and_no_hidden_one(read_rtf):
    found = read_rtf(
        r"{\info{\title LOSTtitle}{\author LOSTauthor}}{\header KEEPhead\par}{\footer KEEPhead\par}"
        r"KEEPtext{\footnote\pard KEEPnote}{\*\annotation KEEPcomment}\par"
        r"{\shp{\*\shpinst{\sp{\sn LOSTname}{\sv LOSTvalue}}{\shptxt KEEPbox\par}}"
        r"{\shprslt{\*\do{\dptxbxtext KEEPbox\par}}}}\par"
        r"\trowd\pard\intbl KEEPa\cell KEEPb\cell\row\trowd\pard\intbl KEEPc\cell KEEPd\cell\row\pard"
        r"{\listtext\tab 1.\tab}KEEPitem\par\page KEEPpage"
    )
    text = " ".join(one.text or " ".join(map(" ".join, one.rows)) for one in found.blocks)
    expected = ["text", "note", "comment", "box", "a", "b", "c", "d", "item", "page", "head"]
    assert sorted(re.findall(r"KEEP[a-z]+|LOST\w+", text)) == sorted(f"KEEP{word}" for word in expected)
    assert "1. KEEPitem" in texts(found)
    assert [one.rows for one in found.blocks if one.rows] == [(("KEEPa", "KEEPb"), ("KEEPc", "KEEPd"))]
    assert [one.role for one in found.blocks if one.text in ("KEEPnote", "KEEPcomment", "KEEPhead")] == 3 * [Role.NOTE]
    assert found.blocks[found.page_breaks[0]].text == "KEEPpage"


@pytest.mark.parametrize("body", ["", "}}}}", "{" * 5000, "\\" * 1001, "\\bin99999999999 x", r"\u99999999999 ?\'zz"])
def test_odd_files_are_read_or_have_no_text(read_rtf, body):
    with contextlib.suppress(NoText):
        assert read_rtf(body).blocks


def test_only_rtf_is_recognised():
    assert rtf_reader.recognises(FileHead(b"{\\rtf1\\ansi", "paper.doc"))
    assert not rtf_reader.recognises(FileHead(b"{rtf}", "paper.rtf"))
