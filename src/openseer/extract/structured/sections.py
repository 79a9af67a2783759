"""Headings and bibliographies of structured text, where the file does not mark them."""

from __future__ import annotations

import re
from dataclasses import replace

from openseer.extract.layout.headings import ABSTRACT, ACKNOWLEDGMENTS, INTRODUCTION, KEYWORDS, REFERENCES, is_heading
from openseer.extract.structured.document import Block, Role, StructuredText

STANDARD_HEADINGS = (ABSTRACT, INTRODUCTION, ACKNOWLEDGMENTS, KEYWORDS, REFERENCES)
NUMBER = re.compile(r"[\[(]?\d{1,4}[\])]?[.:]?\s")
MIN_NUMBERED = 3
"""Numbered entries after which a paragraph without a number is none."""
MAX_ENTRY = 1500
"""Characters of an entry of a bibliography; a longer paragraph is text."""


def with_sections(document: StructuredText) -> StructuredText:
    """The document with standard headings and the entries of bibliographies marked."""
    blocks: list[Block] = []
    bibliography_level = entries = numbered = 0
    for block in document.blocks:
        found = _as_heading(block)
        if found.role is Role.HEADING:
            if bibliography_level and found.level > bibliography_level:
                pass  # a part of the bibliography
            else:
                bibliography_level = found.level if is_heading(REFERENCES, found.text) else 0
                entries = numbered = 0
        elif bibliography_level and found.role in (Role.PARAGRAPH, Role.ITEM):
            has_number = bool(NUMBER.match(found.text))
            is_numbered_list = entries >= MIN_NUMBERED and numbered > 0.9 * entries
            if has_number if is_numbered_list else len(found.text) < MAX_ENTRY:
                found = replace(found, role=Role.REFERENCE)
                entries, numbered = entries + 1, numbered + has_number
        blocks.append(found)
    return replace(document, blocks=tuple(blocks))


def _as_heading(block: Block) -> Block:
    """A paragraph that is nothing but a standard heading, as that heading."""
    if block.role is not Role.PARAGRAPH or len(block.text) > 60:
        return block
    is_standard = any(is_heading(pattern, block.text) for pattern in STANDARD_HEADINGS)
    return replace(block, role=Role.HEADING, level=1) if is_standard else block
