"""DOCX: roles by styles, else by typography; nothing is lost."""

from __future__ import annotations

import re

from openseer.extract.structured.document import Role
from tests.extract.office.made_documents import docx, paragraph

STYLES = """
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Au"><w:name w:val="Author"/></w:style>
<w:style w:type="paragraph" w:styleId="Ab"><w:name w:val="Abstract"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/>
<w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/><w:basedOn w:val="berschrift1"/>
<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Lit"><w:name w:val="Bibliography"/></w:style>
<w:style w:type="paragraph" w:styleId="B"><w:name w:val="Caption"/></w:style>
"""
NUMBERING = """
<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="upperRoman"/>
<w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
</w:abstractNum>
<w:num w:numId="7"><w:abstractNumId w:val="0"/></w:num>
"""
PROSE = "The sea rises and falls twice a day, and nobody in the harbour asks why it does so. " * 4


def blocks(found):
    return [(one.role, one.text) for one in found.blocks]


def test_styles_give_roles_in_every_language_of_word(read_bytes):
    found = read_bytes(
        docx(
            paragraph("On tides", "Titel") + paragraph("Ada King", "Au") + paragraph("Bob Lee¹*", "Au")
            + paragraph("We watch.", "Ab") + paragraph("Method", "berschrift1") + paragraph("Boats", "berschrift2")
            + paragraph(PROSE) + paragraph("Figure 1. A boat.", "B")
            + paragraph("King, A. (1999). Tides. Sea, 1, 2-3.", "Lit"),
            styles=STYLES,
        )
    )  # fmt: skip
    assert found.stated.title == "On tides"
    assert [one.family for one in found.stated.authors] == ["King", "Lee"]
    assert found.stated.abstract == "We watch."
    roles = [role for role, _ in blocks(found)]
    assert roles == [
        Role.TITLE, Role.AUTHORS, Role.AUTHORS, Role.PARAGRAPH, Role.HEADING, Role.HEADING, Role.PARAGRAPH,
        Role.CAPTION, Role.REFERENCE,
    ]  # fmt: skip
    assert [one.level for one in found.blocks if one.role is Role.HEADING] == [1, 2]


def test_without_styles_typography_tells_title_authors_and_headings(read_bytes):
    centred = '<w:jc w:val="center"/>'
    found = read_bytes(
        docx(
            paragraph("On the tides of the sea", run='<w:b/><w:sz w:val="32"/>', properties=centred)
            + paragraph("Ada King, Bob Lee", properties=centred)
            + paragraph("Department of Seas, University of Harbour", properties=centred)
            + paragraph("Abstract") + paragraph(PROSE) + paragraph("2.1 Boats", run="<w:b/>") + paragraph(PROSE)
        )
    )  # fmt: skip
    assert [one.role for one in found.blocks] == [
        Role.TITLE, Role.AUTHORS, Role.AFFILIATION, Role.PARAGRAPH, Role.PARAGRAPH, Role.HEADING, Role.PARAGRAPH,
    ]  # fmt: skip
    assert [(one.text, one.level) for one in found.blocks if one.role is Role.HEADING] == [("2.1 Boats", 2)]


def test_a_title_of_the_properties_counts_if_the_text_has_it(read_bytes):
    def core(title):
        return f'<cp:c xmlns:cp="cp" xmlns:dc="dc"><dc:title>{title}</dc:title></cp:c>'

    body = paragraph("Journal of Seas") + paragraph("On the tides") + paragraph(PROSE)
    assert (Role.TITLE, "On the tides") in blocks(read_bytes(docx(body, core=core("On The Tides"))))
    for title in ("Microsoft Word - tides.doc", "Other words entirely"):
        assert not any(role is Role.TITLE for role, _ in blocks(read_bytes(docx(body, core=core(title)))))


def test_lists_have_their_numbers(read_bytes):
    def item(text, level):
        properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="7"/></w:numPr>'
        return paragraph(text, properties=properties)

    found = read_bytes(docx(item("one", 0) + item("two", 1) + item("three", 1) + item("four", 0), numbering=NUMBERING))
    assert [one.text for one in found.blocks] == ["III. one", "III.a) two", "III.b) three", "IV. four"]
    assert [one.level for one in found.blocks] == [1, 2, 2, 1]


BOX = (
    '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent><w:p><w:r>'
    "<w:t>KEEPbox</w:t>"
    "</w:r></w:p></w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent><w:p><w:r>"
    "<w:t>KEEPbox</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)
FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>LOSTcode</w:instrText></w:r>'
    "<w:r><w:t>LOSTcode</w:t></w:r>"
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>KEEPresult</w:t></w:r>'
    '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
)
FULL = (
    "<w:p><w:r><w:t>KEEPtext</w:t></w:r>"
    "<w:ins><w:r><w:t> KEEPinserted</w:t></w:r></w:ins><w:del><w:r><w:delText>LOSTdeleted</w:delText></w:r></w:del>"
    "<w:r><w:rPr><w:vanish/></w:rPr><w:t>LOSThidden</w:t></w:r><w:r><w:t> </w:t></w:r>"
    '<w:r><w:footnoteReference w:id="2"/><w:endnoteReference w:id="1"/><w:commentReference w:id="0"/></w:r>'
    + FIELD + BOX + '<w:r><w:drawing><dgm:relIds r:dm="d1"/></w:drawing></w:r>'
    '<w:hyperlink r:id="l1"><w:r><w:t> KEEPlink</w:t></w:r></w:hyperlink></w:p>'
    "<w:sdt><w:sdtContent><w:p><w:r><w:t>KEEPcontrol</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>KEEPcell</w:t></w:r></w:p></w:tc><w:tc><w:tbl><w:tr><w:tc><w:p><w:r><w:t>KEEPnested</w:t>"
    "</w:r></w:p></w:tc></w:tr></w:tbl><w:p/></w:tc></w:tr></w:tbl>"
    "<w:p><m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>KEEPa</m:t></m:r></m:num><m:den><m:r><m:t>KEEPb</m:t></m:r></m:den>"
    "</m:f></m:oMath></m:oMathPara></w:p>"
)  # fmt: skip


def test_every_word_comes_out_once_and_no_hidden_one(read_bytes):
    note = "<w:{0}note w:id='{1}'><w:p><w:r><w:t>{2}</w:t></w:r></w:p></w:{0}note>"
    found = read_bytes(
        docx(
            FULL,
            {"l1": ("hyperlink", "https://example.org/tides"), "d1": ("diagramData", "diagram.xml")},
            footnotes="<w:footnote w:id='0' w:type='separator'><w:p><w:r><w:t>LOSTline</w:t></w:r></w:p></w:footnote>"
            + note.format("foot", 2, "KEEPfootnote"),
            endnotes=note.format("end", 1, "KEEPendnote"),
            comments="<w:comment w:id='0' w:author='Ada'><w:p><w:r><w:t>KEEPcomment</w:t></w:r></w:p></w:comment>",
            header1="<w:p><w:r><w:t>KEEPheader</w:t></w:r></w:p>",
            header2="<w:p><w:r><w:t>KEEPheader</w:t></w:r></w:p>",
            footer1="<w:p><w:r><w:t>Page 3 of 4</w:t></w:r></w:p>",
            diagram="<a:p><a:r><a:t>KEEPdiagram</a:t></a:r></a:p>",
        )
    )
    text = " ".join(one.text or " ".join(map(" ".join, one.rows)) for one in found.blocks)
    words = re.findall(r"KEEP[a-z]+|LOST\w+|Page", text)
    expected = "text inserted result link footnote endnote comment box diagram control cell nested a b header"
    assert sorted(words) == sorted(f"KEEP{word}" for word in expected.split())
    assert "KEEPa/KEEPb" in text
    assert found.links == ("https://example.org/tides",)
    assert [one.rows for one in found.blocks if one.role is Role.TABLE] == [(("KEEPcell", "KEEPnested"),)]
    assert {one.text for one in found.blocks if one.role is Role.NOTE} >= {
        "KEEPfootnote",
        "Comment by Ada: KEEPcomment",
    }


def test_superscript_numbers_stay_apart_from_words(read_bytes):
    raised = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>1,2</w:t></w:r>'
    found = read_bytes(docx(f"<w:p><w:r><w:t>Ada King</w:t></w:r>{raised}</w:p>" + paragraph(PROSE)))
    assert found.blocks[0].text == "Ada King¹,²"


def test_two_line_breaks_divide_a_paragraph_and_one_does_not(read_bytes):
    run = "<w:r><w:t>{}</w:t></w:r>"
    body = (
        run.format("One")
        + "<w:r><w:br/></w:r>"
        + run.format("two.")
        + "<w:r><w:br/><w:br/></w:r>"
        + run.format("Three.")
    )
    assert [one.text for one in read_bytes(docx(f"<w:p>{body}</w:p>")).blocks] == ["One two.", "Three."]
