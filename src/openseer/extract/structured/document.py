"""Structured text: what readers of formats without pages return. Blocks in order, and the metadata the file states."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from openseer.core.model.extraction import Author, Reference


class Role(StrEnum):
    """Role of a block in the document."""

    TITLE = "title"
    AUTHORS = "authors"
    AFFILIATION = "affiliation"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    """List item, with its printed marker."""
    REFERENCE = "reference"
    """Entry of a bibliography."""
    TABLE = "table"
    CAPTION = "caption"
    NOTE = "note"
    """Footnote, comment or speaker note."""
    LINES = "lines"
    """Lines whose layout stays: preformatted text."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text with its role."""

    role: Role
    text: str = ""
    """Plain text; line breaks count in `LINES` only."""
    level: int = 1
    """Level of a heading, from 1; nesting of an item."""
    rows: tuple[tuple[str, ...], ...] = ()
    """Cells of a table."""


@dataclass(frozen=True, slots=True)
class StatedFields:
    """Fields that the file states by its structure or metadata; empty where it does not. They precede what the
    extractors find in the text."""

    title: str = ""
    authors: tuple[Author, ...] = ()
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    year: int | None = None
    doi: str = ""
    venue: str = ""
    volume: str = ""
    issue: str = ""
    language: str = ""
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class StructuredText:
    """A document without pages."""

    blocks: tuple[Block, ...]
    stated: StatedFields = StatedFields()
    links: tuple[str, ...] = ()
    """Addresses that the document links to."""
    pages: int = 0
    """Number of pages, slides or sheets by the file; 0 if it has none."""
    warnings: tuple[str, ...] = ()
    page_breaks: tuple[int, ...] = ()
    """Numbers of the blocks that begin a new page or slide."""
