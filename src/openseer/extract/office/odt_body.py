"""Walk through the text of an ODT: paragraphs, lists, notes, text boxes, equations and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from lxml import etree

from openseer.extract.office.equations import mathml_text
from openseer.extract.office.numbering import ListCounter
from openseer.extract.office.odt_styles import OdtFormatting, OdtStyles
from openseer.extract.office.package import attribute, child, local_name
from openseer.extract.office.paragraphs import BREAK, Paragraph, paragraph_text
from openseer.extract.structured.document import Role
from openseer.extract.structured.superscripts import raised

MAX_DEPTH = 200
MAX_REPEATED = 50
MAX_CELL_CHARACTERS = 1500
"""A cell with more text lays out a page; its paragraphs are text."""
SKIPPED = frozenset({
    "tracked-changes", "forms", "sequence-decls", "variable-decls", "user-field-decls", "title", "desc", "rt",
    "index-title-template", "table-of-content-source", "bibliography-source", "illustration-index-source", "ruby-text",
    "alphabetical-index-source", "user-index-source", "table-index-source", "object-index-source",
    "dde-connection-decls",
    "note-citation", "event-listeners", "glue-point", "shapes", "scripts", "soft-page-break", "covered-table-cell",
})  # fmt: skip
"""Elements without text of the document; deletions are in `tracked-changes`."""
LOOSE = frozenset({"span", "a", "s", "tab", "line-break", "note", "annotation"})
"""Elements of paragraphs."""
SHAPES = frozenset({
    "text-box", "custom-shape", "rect", "ellipse", "polygon", "polyline", "path", "line", "caption", "circle",
})  # fmt: skip
HIDDEN = frozenset({"hidden-text", "hidden-paragraph"})
ROWS = frozenset({"table-rows", "table-header-rows", "table-row-group"})


@dataclass(slots=True)
class _Inline:
    parts: list[str] = field(default_factory=list)
    bold: int = 0
    """Bold characters."""
    whole: int = 0
    attached: list[Paragraph] = field(default_factory=list)
    """Notes and text boxes, which follow the paragraph."""


class OdtWalker:
    """Reads paragraphs in order."""

    def __init__(self, styles: OdtStyles, formula: Callable[[str], str]) -> None:
        self._styles = styles
        self._formula = formula
        """Text of an embedded equation, by its address."""
        self._lists: dict[str, ListCounter] = {}
        """Counters of lists that may be continued, by style."""
        self.links: list[str] = []

    def paragraphs(self, container: etree._Element, depth: int = 0) -> Iterator[Paragraph]:
        """Paragraphs and tables of an element; text outside of paragraphs, which some programs write, is one too."""
        if depth > MAX_DEPTH:
            return
        formatting, loose = self._styles.of(""), _Inline()
        self._add(container.text, formatting, loose)
        for element in container:
            if local_name(element) in LOOSE:
                self._inline_child(element, formatting, loose, depth)
            else:
                yield from _loose_paragraph(loose)
                loose = _Inline()
                yield from self._block(element, depth)
            self._add(element.tail, formatting, loose)
        yield from _loose_paragraph(loose)

    def _block(self, element: etree._Element, depth: int) -> Iterator[Paragraph]:
        name = local_name(element)
        if name in ("p", "h"):
            yield from self._paragraph(element)
        elif name == "list":
            yield from self._list(element, depth)
        elif name == "table":
            yield from self._table(element, depth)
        elif name and name not in SKIPPED and not (name == "section" and attribute(element, "display") == "none"):
            yield from self.paragraphs(element, depth + 1)

    def _paragraph(self, element: etree._Element) -> Iterator[Paragraph]:
        formatting = self._styles.of(attribute(element, "style-name"))
        inline = _Inline()
        self._inline(element, formatting, inline, 0)
        text = paragraph_text(inline.parts)
        if text and not formatting.hidden:
            is_heading = local_name(element) == "h"
            outline = attribute(element, "outline-level", "1")
            level = int(outline) if outline.isdigit() else 1
            is_numbered = is_heading and attribute(element, "is-list-header") != "true"
            yield Paragraph(
                text,
                style=formatting.name,
                level=level if is_heading else 0,
                bold=inline.bold > 0.9 * max(1, inline.whole),
                centred=formatting.centred,
                size=formatting.size,
                marker=self._styles.outline.next_marker(level - 1)
                if is_numbered and self._styles.outline.levels
                else "",
                starts_page=formatting.starts_page,
            )
        yield from inline.attached

    def _inline(self, element: etree._Element, formatting: OdtFormatting, inline: _Inline, depth: int) -> None:
        self._add(element.text, formatting, inline)
        for one in element if depth < MAX_DEPTH else ():
            self._inline_child(one, formatting, inline, depth)
            self._add(one.tail, formatting, inline)

    def _inline_child(self, one: etree._Element, formatting: OdtFormatting, inline: _Inline, depth: int) -> None:
        name = local_name(one)
        if name == "span":
            self._inline(one, self._spanned(one, formatting), inline, depth + 1)
        elif name in ("s", "tab", "line-break"):
            inline.parts.append(BREAK if name == "line-break" else " ")
        elif name in ("note", "annotation"):
            inline.attached += self._note(one, name, depth)
        elif name in SHAPES:
            inline.attached += self.paragraphs(one, depth + 1)
        elif name in ("p", "h"):
            inline.attached += self._paragraph(one)
        elif name == "object":
            inline.parts.append(f" {self._equation(one)} ")
        elif name == "a":
            self.links += [href for href in [attribute(one, "href")] if href.startswith(("http://", "https://"))]
            self._inline(one, formatting, inline, depth + 1)
        elif name and name not in SKIPPED and not (name in HIDDEN and attribute(one, "is-hidden") == "true"):
            self._inline(one, formatting, inline, depth + 1)

    def _spanned(self, span: etree._Element, formatting: OdtFormatting) -> OdtFormatting:
        name = attribute(span, "style-name")
        stated, bold = self._styles.of(name, "text"), self._styles.is_bold(name)
        return replace(
            formatting,
            raised=formatting.raised or stated.raised,
            hidden=formatting.hidden or stated.hidden,
            bold=formatting.bold if bold is None else bold,
        )

    def _add(self, text: str | None, formatting: OdtFormatting, inline: _Inline) -> None:
        if text and not formatting.hidden:
            inline.parts.append(raised(text) if formatting.raised else text)
            count = len(text.strip())
            inline.whole += count
            inline.bold += count if formatting.bold else 0

    def _note(self, element: etree._Element, name: str, depth: int) -> Iterator[Paragraph]:
        """Paragraphs of a footnote, an endnote or a comment."""
        creator = child(element, "creator")
        label = f"Comment by {creator.text or ''}:" if name == "annotation" and creator is not None else ""
        container = child(element, "note-body") if name == "note" else element
        for at, one in enumerate(self.paragraphs(container, depth + 1) if container is not None else ()):
            yield one if one.rows else replace(one, role=Role.NOTE, marker=label if not at else "", level=0)

    def _equation(self, element: etree._Element) -> str:
        inner = child(element, "math")
        return mathml_text(inner) if inner is not None else self._formula(attribute(element, "href"))

    def _list(
        self, element: etree._Element, depth: int, level: int = 0, counter: ListCounter | None = None
    ) -> Iterator[Paragraph]:
        if depth > MAX_DEPTH:
            return
        style = attribute(element, "style-name")
        if counter is None or (style and level == 0):
            continues = attribute(element, "continue-numbering") == "true" or attribute(element, "continue-list")
            counter = self._lists.get(style) if continues else None
            counter = counter or self._styles.list_counter(style)
            self._lists[style] = counter
        for item in element:
            is_header = local_name(item) == "list-header"
            is_first = not is_header
            for one in item if local_name(item) in ("list-item", "list-header") else ():
                if local_name(one) == "list":
                    yield from self._list(one, depth + 1, level + 1, counter)
                    continue
                for found in self._item_part(one, depth):
                    is_marked = is_first and not found.rows and found.role is None
                    marker = counter.next_marker(level) if is_marked and not found.marker else found.marker
                    is_first = is_first and not is_marked
                    yield replace(found, marker=marker, depth=level + 1)

    def _item_part(self, one: etree._Element, depth: int) -> Iterator[Paragraph]:
        """Paragraphs of one element of a list item."""
        if local_name(one) in ("p", "h"):
            return self._paragraph(one)
        return self._table(one, depth) if local_name(one) == "table" else self.paragraphs(one, depth + 1)

    def _table(self, table: etree._Element, depth: int) -> Iterator[Paragraph]:
        rows: list[tuple[str, ...]] = []
        paragraphs: list[Paragraph] = []
        for row in _rows(table):
            cells: list[str] = []
            for cell in row:
                if local_name(cell) == "table-cell":
                    found = list(self.paragraphs(cell, depth + 1))
                    paragraphs += found
                    repeated = attribute(cell, "number-columns-repeated", "1")
                    count = min(int(repeated) if repeated.isdigit() else 1, MAX_REPEATED)
                    cells += [" ".join(map(_cell_text, found))] * (count if found else min(count, 1))
            rows.append(tuple(cells))
        widest = max((len(cell) for row in rows for cell in row), default=0)
        if widest > MAX_CELL_CHARACTERS or max(map(len, rows), default=0) < 2:
            yield from paragraphs
        elif any(any(row) for row in rows):
            yield Paragraph(rows=tuple(rows))
            yield from (one for one in paragraphs if one.role is Role.NOTE)


def _loose_paragraph(loose: _Inline) -> list[Paragraph]:
    text = paragraph_text(loose.parts)
    return [Paragraph(text), *loose.attached] if text else loose.attached


def _cell_text(one: Paragraph) -> str:
    if one.role is Role.NOTE:
        return ""
    return " ".join(filter(None, map(" ".join, one.rows))) if one.rows else one.printed


def _rows(element: etree._Element, depth: int = 0) -> Iterator[etree._Element]:
    for one in element:
        name = local_name(one)
        if name == "table-row":
            yield one
        elif name in ROWS and depth < MAX_DEPTH:
            yield from _rows(one, depth + 1)
