"""Walk through a part of a DOCX: paragraphs with text, equations, notes, text boxes and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from lxml import etree

from openseer.extract.office.docx_styles import BODY_TEXT_LEVEL, Formatting, Numbering, Styles, formatting_of
from openseer.extract.office.equations import omml_text
from openseer.extract.office.package import Relationship, attribute, child, local_name, relationship_id
from openseer.extract.office.paragraphs import BREAK, Paragraph, paragraph_text
from openseer.extract.structured.document import Role
from openseer.extract.structured.superscripts import raised

MAX_DEPTH = 200
MAX_CELL_CHARACTERS = 1500
"""A cell with more text lays out a page; its paragraphs are text."""
SKIPPED = frozenset({
    "del", "moveFrom", "delText", "instrText", "delInstrText", "pPr", "rPr", "sectPr", "tblPr", "tblGrid", "sdtPr",
    "sdtEndPr", "proofErr", "docPr", "cNvPr", "rt", "footnoteRef", "endnoteRef", "annotationRef", "fldData",
})  # fmt: skip
"""Elements without text of the document; deletions too."""
CHARACTERS = {"tab": " ", "ptab": " ", "cr": BREAK, "noBreakHyphen": "-"}
"""Elements that are characters."""
REFERENCES = {"footnoteReference": "footnotes", "endnoteReference": "endnotes", "commentReference": "comments"}
SYMBOLS = str.maketrans(
    "abgdezhqiklmnxoprstufcywABGDEZHQIKLMNXOPRSTUFCYW\xb1\xb4\xa3\xb3\xb9\xbb\xa5\xb7\xae\xce",
    "αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ±×≤≥≠≈∞•→∈",
)
"""Characters of the font Symbol."""


@dataclass(slots=True)
class _Inline:
    """Text of the paragraph being read, and what hangs on it."""

    parts: list[str] = field(default_factory=list)
    weights: dict[tuple[bool, float], int] = field(default_factory=dict)
    """Characters by weight and size."""
    attached: list[Paragraph] = field(default_factory=list)
    """Notes and text boxes, which follow the paragraph."""
    starts_page: bool = False


@dataclass(slots=True)
class DocxParts:
    """What the walk through a part needs from the package."""

    styles: Styles
    numbering: Numbering
    note: Callable[[str, str], list[Paragraph]]
    """Paragraphs of a note, by kind and id."""
    relationships: dict[str, Relationship]
    drawing_text: Callable[[str], str]
    """Text of the part of a diagram or chart."""
    links: list[str] = field(default_factory=list)


class DocxWalker:
    """Reads the paragraphs of one part in order."""

    def __init__(self, parts: DocxParts) -> None:
        self._parts = parts
        self._fields: list[bool] = []
        """For each open field whether its result has begun; its code is not text."""
        self._next_starts_page = False

    def paragraphs(self, container: etree._Element, depth: int = 0) -> Iterator[Paragraph]:
        """Paragraphs and tables of an element, without those of deleted parts."""
        if depth > MAX_DEPTH:
            return
        for element in container:
            name = local_name(element)
            if name == "p":
                yield from self._paragraph(element)
            elif name == "tbl":
                yield from self._table(element, depth)
            elif name == "AlternateContent":
                yield from self.paragraphs(_chosen(element), depth + 1)
            elif name and name not in SKIPPED:
                yield from self.paragraphs(element, depth + 1)

    def _paragraph(self, element: etree._Element) -> Iterator[Paragraph]:
        properties = child(element, "pPr")
        style_id = attribute(child(properties, "pStyle"), "val") or self._parts.styles.default_id
        style = self._parts.styles.of(style_id)
        formatting = replace(formatting_of(properties, None), bold=None).over(style)
        inline = _Inline()
        self._inline(element, formatting, inline, 0)
        text = paragraph_text(inline.parts)
        starts_page = inline.starts_page or self._next_starts_page or child(properties, "pageBreakBefore") is not None
        self._next_starts_page = child(properties, "sectPr") is not None and _ends_page(child(properties, "sectPr"))
        if text:
            yield self._as_paragraph(text, style_id, formatting, inline, starts_page)
        elif starts_page:
            self._next_starts_page = True
        yield from inline.attached

    def _as_paragraph(
        self, text: str, style_id: str, formatting: Formatting, inline: _Inline, starts_page: bool
    ) -> Paragraph:
        outline = formatting.outline
        whole = sum(inline.weights.values()) or 1
        bold = sum(count for (is_bold, _), count in inline.weights.items() if is_bold)
        size = max(inline.weights, key=lambda one: inline.weights[one], default=(False, 0.0))[1]
        level = formatting.list_level
        if level is None:
            level = self._parts.numbering.style_levels.get(style_id, 0)
        return Paragraph(
            text,
            style=formatting_name(self._parts.styles, style_id),
            level=outline + 1 if outline is not None and outline < BODY_TEXT_LEVEL else 0,
            bold=bold > 0.9 * whole,
            centred=bool(formatting.centred),
            size=size,
            marker=self._parts.numbering.marker(formatting.list_id, level) if formatting.list_id else "",
            depth=level + 1,
            starts_page=starts_page,
        )

    def _inline(self, element: etree._Element, formatting: Formatting, inline: _Inline, depth: int) -> None:
        """Collect the text below an element of a paragraph."""
        if depth > MAX_DEPTH:
            return
        for one in element:
            name = local_name(one)
            if name == "r":
                self._run(one, formatting, inline, depth)
            elif name == "hyperlink":
                self._add_link(one)
                self._inline(one, formatting, inline, depth + 1)
            elif name in ("oMath", "oMathPara"):
                inline.parts.append(f" {omml_text(one)} " if self._is_shown() else "")
            elif name == "AlternateContent":
                self._inline(_chosen(one), formatting, inline, depth + 1)
            elif name == "p":
                inline.attached += self._paragraph(one)
            elif name and name not in SKIPPED:
                self._inline(one, formatting, inline, depth + 1)

    def _add_link(self, element: etree._Element) -> None:
        target = self._parts.relationships.get(relationship_id(element))
        if target and target.is_external and target.target.startswith(("http://", "https://")):
            self._parts.links.append(target.target)

    def _run(self, run: etree._Element, formatting: Formatting, inline: _Inline, depth: int) -> None:
        properties = child(run, "rPr")
        stated = formatting
        is_raised = False
        if properties is not None:
            character_style = attribute(child(properties, "rStyle"), "val")
            own = formatting_of(None, properties).over(self._parts.styles.own(character_style))
            stated = own.over(formatting)
            is_raised = attribute(child(properties, "vertAlign"), "val") == "superscript"
        if stated.hidden and not formatting.hidden:
            return
        for one in run:
            text = self._run_text(one, stated, inline, depth)
            if text and self._is_shown():
                inline.parts.append(raised(text) if is_raised else text)
                key = (bool(stated.bold), stated.size or 0.0)
                inline.weights[key] = inline.weights.get(key, 0) + len(text.strip())

    def _run_text(self, one: etree._Element, stated: Formatting, inline: _Inline, depth: int) -> str:
        """Text of one element of a run; notes and drawings are attached to the paragraph."""
        match local_name(one):
            case "t":
                return one.text or ""
            case name if name in CHARACTERS:
                return CHARACTERS[name]
            case "br":
                inline.starts_page = inline.starts_page or (attribute(one, "type") == "page" and not inline.parts)
                return BREAK
            case "sym":
                return _symbol(attribute(one, "char"), attribute(one, "font"))
            case "fldChar":
                self._field(attribute(one, "fldCharType"))
            case "footnoteReference" | "endnoteReference" | "commentReference" as name:
                inline.attached += self._parts.note(REFERENCES[name], attribute(one, "id"))
            case "drawing" | "pict" | "object" | "AlternateContent" | "ruby":
                self._drawing(one, stated, inline, depth)
            case "lastRenderedPageBreak":
                inline.starts_page = inline.starts_page or not inline.parts
        return ""

    def _drawing(self, element: etree._Element, stated: Formatting, inline: _Inline, depth: int) -> None:
        """Text boxes, grouped shapes, diagrams and charts become paragraphs of their own; ruby text stays."""
        if depth > MAX_DEPTH:
            return
        name = local_name(element)
        if name == "AlternateContent":
            self._drawing_children(_chosen(element), stated, inline, depth)
        elif name == "ruby":
            self._inline(element, stated, inline, depth + 1)
        elif name == "txbxContent":
            state, self._fields = self._fields, []
            inline.attached += self.paragraphs(element, depth + 1)
            self._fields = state
        elif name == "textpath" and element.get("string"):
            inline.attached.append(Paragraph(element.get("string") or ""))
        elif name == "t" and element.text:
            inline.attached.append(Paragraph(element.text))
        elif name in ("relIds", "chart"):
            target = self._parts.relationships.get(relationship_id(element, "dm") or relationship_id(element))
            if target and (text := self._parts.drawing_text(target.target)):
                inline.attached.append(Paragraph(text, role=Role.CAPTION))
        else:
            self._drawing_children(element, stated, inline, depth)

    def _drawing_children(self, element: etree._Element, stated: Formatting, inline: _Inline, depth: int) -> None:
        for one in element:
            if local_name(one) and local_name(one) not in SKIPPED:
                self._drawing(one, stated, inline, depth + 1)

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _is_shown(self) -> bool:
        """False inside the code of a field."""
        return all(self._fields)

    def _table(self, table: etree._Element, depth: int) -> Iterator[Paragraph]:
        """A table as rows; one that lays out a page as its paragraphs."""
        rows: list[tuple[str, ...]] = []
        paragraphs: list[Paragraph] = []
        notes: list[Paragraph] = []
        for row in _below(table, "tr"):
            cells = [list(self.paragraphs(cell, depth + 1)) for cell in _below(row, "tc")]
            paragraphs += [one for cell in cells for one in cell]
            notes += [one for cell in cells for one in cell if one.role is Role.NOTE]
            rows.append(tuple(" ".join(map(_cell_text, cell)) for cell in cells))
        widest = max((len(cell) for row in rows for cell in row), default=0)
        if widest > MAX_CELL_CHARACTERS or max(map(len, rows), default=0) < 2:
            yield from paragraphs
        elif any(any(row) for row in rows):
            yield Paragraph(rows=tuple(rows))
            yield from notes


def _cell_text(one: Paragraph) -> str:
    if one.role is Role.NOTE:
        return ""
    return " ".join(filter(None, map(" ".join, one.rows))) if one.rows else one.printed


def formatting_name(styles: Styles, style_id: str) -> str:
    """Name of a style."""
    return styles.of(style_id).name if style_id else ""


def _below(element: etree._Element, name: str, depth: int = 0) -> Iterator[etree._Element]:
    """Rows or cells, also inside content controls and insertions."""
    for one in element:
        found = local_name(one)
        if found == name:
            if not _is_deleted_row(one):
                yield one
        elif found in ("sdt", "sdtContent", "customXml", "ins", "smartTag") and depth < MAX_DEPTH:
            yield from _below(one, name, depth + 1)


def _is_deleted_row(row: etree._Element) -> bool:
    return child(row, "trPr", "del") is not None


def _chosen(alternate: etree._Element) -> etree._Element:
    """The first alternative; both hold the same text."""
    found = child(alternate, "Choice")
    fallback = child(alternate, "Fallback")
    chosen = found if found is not None and len(found) else fallback
    return alternate if chosen is None else chosen


def _ends_page(section: etree._Element | None) -> bool:
    return attribute(child(section, "type"), "val", "nextPage") != "continuous"


def _symbol(code: str, font: str) -> str:
    try:
        character = chr(int(code, 16) & 0xFF) if code.upper().startswith("F0") else chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
    if font.lower() == "symbol":
        return character.translate(SYMBOLS)
    return "" if font.lower().startswith(("wingdings", "webdings")) else character
