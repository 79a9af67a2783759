"""Slides as structured text: titles, lists, tables, speaker notes, one page for each slide."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from openseer.extract.office.paragraphs import Paragraph, Properties, structure_of
from openseer.extract.structured.document import Role, StructuredText

MAX_TITLE_CHARACTERS = 200
LINE = re.compile(r"[\r\n]+")


@dataclass(frozen=True, slots=True)
class SlideText:
    """Text of one shape, its paragraphs on lines of their own; or a table."""

    text: str
    is_title: bool = False
    is_list: bool = False
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Slide:
    """Texts of one slide in order, and its speaker notes and comments."""

    texts: tuple[SlideText, ...]
    notes: tuple[str, ...] = ()


def structure_of_slides(slides: Iterable[Slide], properties: Properties) -> StructuredText:
    """The structure of a presentation; the title of the first slide is that of the document."""
    paragraphs: list[Paragraph] = []
    count = 0
    for slide in slides:
        found = _paragraphs_of(slide, is_first=not paragraphs)
        if slide.texts:
            count += 1
        paragraphs += [_on_new_page(one) if not at else one for at, one in enumerate(found)]
    structure = structure_of(paragraphs, properties)
    return StructuredText(
        structure.blocks, structure.stated, structure.links, count, structure.warnings, structure.page_breaks
    )


def _paragraphs_of(slide: Slide, is_first: bool) -> list[Paragraph]:
    """Paragraphs of a slide, its title first."""
    found: list[Paragraph] = []
    for one in sorted(slide.texts, key=lambda text: not text.is_title):
        lines = [line for line in map(_one_line, LINE.split(one.text)) if line]
        if one.rows:
            found.append(Paragraph(rows=one.rows))
        elif one.is_title and lines:
            style = "Title" if is_first and not found else ""
            size = len(lines) if len(" ".join(lines)) < MAX_TITLE_CHARACTERS else 2
            role = Role.TITLE if style else Role.HEADING
            found.append(Paragraph(" ".join(lines[:size]), style=style, role=role, level=1))
            found += map(Paragraph, lines[size:])
        else:
            found += [Paragraph(line, role=Role.ITEM if one.is_list and not is_first else None) for line in lines]
    notes = (line for note in slide.notes for line in map(_one_line, LINE.split(note)) if line)
    return found + [Paragraph(line, role=Role.NOTE) for line in notes]


def _one_line(text: str) -> str:
    return " ".join(text.replace("\0", "").split())


def _on_new_page(one: Paragraph) -> Paragraph:
    return Paragraph(one.text, one.style, one.level, role=one.role, rows=one.rows, starts_page=True)
