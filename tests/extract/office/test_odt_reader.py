"""ODT: roles by styles, numbers of lists and headings; nothing is lost."""

from __future__ import annotations

import re

import pytest

from openseer.core.errors import Encrypted
from openseer.extract.structured.document import Role
from tests.extract.office.made_documents import ODF, odt

STYLES = """
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Heading_20_2"/>
<style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<text:list-style style:name="L1">
<text:list-level-style-number text:level="1" style:num-suffix="." style:num-format="1"/>
<text:list-level-style-bullet text:level="2" text:bullet-char="-"/></text:list-style>
"""
FULL = """
<text:tracked-changes><text:changed-region><text:deletion><text:p>LOSTdeleted</text:p></text:deletion></text:changed-region>
</text:tracked-changes>
<text:p>KEEPtext<text:s text:c="3"/><text:change text:change-id="a"/>KEEPchanged<text:tab/>KEEPtab
<text:note text:note-class="footnote"><text:note-citation>9</text:note-citation>
<text:note-body><text:p>KEEPnote</text:p>
</text:note-body></text:note>
<office:annotation><dc:creator>Ada</dc:creator><text:p>KEEPcomment</text:p></office:annotation>
<draw:g><draw:frame><draw:text-box><text:p>KEEPbox</text:p></draw:text-box></draw:frame></draw:g>
<draw:custom-shape><text:p>KEEPshape</text:p></draw:custom-shape>
<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame><text:page-number>KEEPfield</text:page-number>
<text:hidden-text text:is-hidden="true">LOSThidden</text:hidden-text></text:p>
KEEPloose
<text:section><text:p>KEEPsection</text:p></text:section>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>KEEPcell</text:p></table:table-cell>
<table:table-cell table:number-columns-repeated="200"/></table:table-row></table:table-header-rows></table:table>
"""


def test_styles_give_roles_and_lists_their_numbers(read_bytes):
    found = read_bytes(
        odt(
            '<text:p text:style-name="Title">On tides</text:p><text:p text:style-name="Author">Ada King</text:p>'
            '<text:h text:style-name="P1" text:outline-level="2">Boats</text:h>'
            '<text:list text:style-name="L1"><text:list-item><text:p>one</text:p>'
            "<text:list><text:list-item><text:p>in</text:p>"
            "</text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>"
            '<text:p>x<text:span text:style-name="T1">2</text:span></text:p>',
            STYLES,
        )
    )
    assert found.stated.title == "On tides"
    assert found.stated.authors[0].family == "King"
    assert [(one.role, one.text, one.level) for one in found.blocks[2:]] == [
        (Role.HEADING, "Boats", 2), (Role.ITEM, "1. one", 1), (Role.ITEM, "• in", 2), (Role.ITEM, "2. two", 1),
        (Role.PARAGRAPH, "x²", 1),
    ]  # fmt: skip


def test_every_word_comes_out_once_and_no_hidden_one(read_bytes):
    formula = f"<math:math {ODF}><math:mfrac><math:mi>KEEPa</math:mi><math:mi>KEEPb</math:mi></math:mfrac></math:math>"
    page = "<style:header><text:p>KEEPheader</text:p></style:header>"
    master = f"<office:master-styles>{page}{page}</office:master-styles>"
    styles = f"<office:document-styles {ODF}>{master}</office:document-styles>"
    found = read_bytes(odt(FULL, others={"Object 1/content.xml": formula, "styles.xml": styles}))
    text = " ".join(one.text or " ".join(map(" ".join, one.rows)) for one in found.blocks)
    expected = "text changed tab note comment box shape a b field loose section cell header"
    assert sorted(re.findall(r"KEEP[a-z]+|LOST\w+", text)) == sorted(f"KEEP{word}" for word in expected.split())
    assert "KEEPa/KEEPb" in text


def test_encrypted_documents_say_so(read_bytes):
    with pytest.raises(Encrypted):
        read_bytes(odt("<text:p/>", others={"META-INF/manifest.xml": "<m><f><encryption-data/></f></m>"}))
