"""Unusual extractions that every output format must support."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from openseer.core.model.extraction import (
    Author,
    Context,
    Extraction,
    Name,
    Paragraph,
    Reference,
    ScholarlyVerdict,
    Section,
)

HOSTILE = (
    'a\x00b\x0b\x1f \ud800\udfff\ufffe ]]> <script>alert("1")</script> & &amp; <!-- \' \x7f\x85\u2028 \U0001f600 %s {0}'
)
TYPES = ("article", "inproceedings", "book", "chapter", "thesis", "report", "preprint", "web", "other")


def filled(kind: str, text: str) -> Reference:
    """A reference with the text in every field."""
    strings: dict[str, Any] = {
        field.name: text for field in fields(Reference) if field.type == "str" and field.name != "type"
    }
    people = (Name(text, text, text), Name(text), Name(text, text), Name(text, "", text), Name(""))
    return replace(Reference(text), **{**strings, "type": kind}, authors=people, editors=people[:2], year=1999)


def everywhere(text: str) -> Extraction:
    """An extraction with the text wherever text can be."""
    context = Context(f"{text} [1] {text}", text, text, "[1]", (len(text) + 1, len(text) + 4), 1, None, text)
    strings: dict[str, Any] = {field.name: text for field in fields(Extraction) if field.type == "str"}
    sections = (Section("", 1, text, 1, f"{text}\n\n{text} [1] {text}"), Section(text, 2, "", 1, f"{text} [1] {text}"))
    return replace(
        Extraction(),
        **strings,
        year=2001,
        keywords=(text, "", " "),
        authors=(Author(text, text, text, text, (text, text), text, text), Author(text), Author("")),
        references=tuple(replace(filled(kind, text), contexts=(context,)) for kind in (*TYPES, text)),
        sections=sections,
        funders=({"name": text, "grants": [text]}, {"name": text, "grants": []}, {}),
        figures=({text: text, "deep": {"a b": [1, None, True]}},),
        thanked=(text,),
        warnings=(text,),
        academic=ScholarlyVerdict(True, text, 1.0, (text,), {"article": 1.0}),
    )


SECTIONS = tuple(Section(f"{number} Part", number % 9, "", 1, "One.\n\nTwo.") for number in range(500))
ODD = {
    "empty": Extraction(),
    "hostile": everywhere(HOSTILE),
    "only-control": everywhere("\x00\x01"),
    "blank": everywhere("  "),
    "no references": Extraction(title="T", authors=(Author("A B", "A", "B"),), sections=SECTIONS[:2]),
    "no authors": Extraction(title="T", references=tuple(Reference("x", kind) for kind in TYPES)),
    "no titles": Extraction(references=tuple(replace(filled(kind, "x"), title="", venue="") for kind in TYPES)),
    "500 sections": Extraction(title="T", sections=SECTIONS),
    "ever deeper": Extraction(sections=tuple(Section("H", level, "", 1, "Text.") for level in range(1, 500))),
    "only headings": Extraction(sections=(Section("1 One"), Section("2 Two", 2), Section(""))),
    "apart only": Extraction(abstract="A.", sections=(Section("References", 1, "references", 1, "[1] x"),)),
    "years": Extraction(year=10_001, references=tuple(Reference("x", year=year) for year in (-5, 0, 33, 99_999))),
    "odd addresses": Extraction(
        references=tuple(
            Reference("x", url=url)
            for url in (
                "http://a b/ü?q=100%#x#y",
                "http://[::1",
                "http://a:b/",
                "javascript:alert(1)",
                "see there",
                "//x",
            )
        )
    ),
    "odd pages": Extraction(
        page_range="e0123",
        references=tuple(Reference("x", pages=pages) for pages in ("1-2-3", "-", "7", "1 – 9", "a b - c")),
    ),
    "odd paragraphs": Extraction(
        sections=(
            Section("H", 1, "", 1, "One. Two.", (Paragraph((0, 4), 1, "en"), Paragraph((5, 900), 1, "not a tag!"))),
        )
    ),
    "odd language": Extraction(language="unknown language", sections=SECTIONS[:1]),
}
