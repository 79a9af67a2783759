"""PPTX: slides in order with all their text."""

from __future__ import annotations

from openseer.extract.structured.document import Role
from tests.extract.office.made_documents import pptx, shape

TABLE = (
    "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>one</a:t></a:r></a:p></a:txBody>"
    "</a:tc><a:tc><p:txBody><a:p><a:r><a:t>two</a:t></a:r></a:p></p:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic>"
    "</p:graphicFrame>"
)
EQUATION = (
    "<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody><a:p><mc:AlternateContent><mc:Choice><m:oMath><m:sSup><m:e><m:r><m:t>x</m:t>"
    "</m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></mc:Choice><mc:Fallback><a:r><a:t>lost</a:t></a:r>"
    "</mc:Fallback></mc:AlternateContent></a:p></p:txBody></p:sp>"
)


def test_groups_tables_equations_notes_and_hidden_slides_are_read(read_bytes):
    group = f"<p:grpSp><p:grpSp>{shape('deep')}</p:grpSp></p:grpSp>"
    found = read_bytes(
        pptx(
            shape("Ada King", "subTitle") + shape("On tides", "ctrTitle"),
            shape("Boats", "title") + shape("first\nsecond", "body") + group + TABLE + EQUATION + shape("7", "sldNum"),
            shape("Harbour", "ftr"),
            notes={1: "Speak slowly"},
        )
    )
    assert [(one.role, one.text or one.rows) for one in found.blocks] == [
        (Role.TITLE, "On tides"), (Role.PARAGRAPH, "Ada King"), (Role.HEADING, "Boats"), (Role.ITEM, "first"),
        (Role.ITEM, "second"), (Role.PARAGRAPH, "deep"), (Role.TABLE, (("one", "two"),)), (Role.PARAGRAPH, "x^2"),
        (Role.NOTE, "Speak slowly"), (Role.NOTE, "Harbour"),
    ]  # fmt: skip
    assert found.stated.title == "On tides"
    assert found.page_breaks[0] == 2
