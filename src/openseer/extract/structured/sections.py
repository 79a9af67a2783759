"""Headings and bibliographies of structured text, where the file does not mark them."""

from __future__ import annotations

import re
from dataclasses import replace

from openseer.extract.layout.headings import ABSTRACT, ACKNOWLEDGMENTS, INTRODUCTION, KEYWORDS, REFERENCES, is_heading
from openseer.extract.layout.lines import join_texts
from openseer.extract.pdf.page_model import HYPHEN
from openseer.extract.structured.document import Block, Role, StructuredText

STANDARD_HEADINGS = (ABSTRACT, INTRODUCTION, ACKNOWLEDGMENTS, KEYWORDS, REFERENCES)
LABEL = re.compile(r"\s{0,12}(?:\[[\w+.-]{1,12}\]|\(?\d{1,3}[.)])\s")
"""The number or key of an entry."""
NUMBER = re.compile(r"[\[(]?\d{1,4}[\])]?[.:]?\s")
DIVIDED = re.compile(r"[a-zäöüß]-$")
MIN_ENTRIES = 3
"""Entries after which a form is taken for that of all: a number before each, blank lines between them."""
MAX_TITLE_WORDS = 30
MAX_ENTRY = 1500
"""Characters of an entry of a bibliography; a longer paragraph is text."""


def with_sections(document: StructuredText) -> StructuredText:
    """The document with standard headings and the entries of bibliographies marked."""
    blocks: list[Block] = []
    bibliography_level = entries = numbered = 0
    breaks = set(document.page_breaks)
    new_breaks: list[int] = []
    for at, block in enumerate(document.blocks):
        if at in breaks:
            new_breaks.append(len(blocks))
        found = _as_heading(block)
        if found.role is Role.HEADING:
            is_part_of_bibliography = bibliography_level and found.level > bibliography_level
            if not is_part_of_bibliography:
                bibliography_level = found.level if is_heading(REFERENCES, found.text) else 0
                entries = numbered = 0
        elif bibliography_level and found.role in (Role.PARAGRAPH, Role.ITEM):
            has_number = bool(NUMBER.match(found.text))
            is_numbered_list = entries >= MIN_ENTRIES and numbered > 0.9 * entries
            if has_number if is_numbered_list else len(found.text) < MAX_ENTRY:
                found = replace(found, role=Role.REFERENCE)
                entries, numbered = entries + 1, numbered + has_number
        elif bibliography_level and found.role is Role.LINES:
            blocks += _entries_of(found)
            continue
        blocks.append(found)
    return replace(document, blocks=tuple(_with_title(blocks)), page_breaks=tuple(new_breaks))


def _with_title(blocks: list[Block]) -> list[Block]:
    """The blocks with the first paragraph as title, if it is short and no other block is one."""
    first = next((at for at, block in enumerate(blocks) if block.text.strip()), 0)
    if not blocks or any(block.role is Role.TITLE for block in blocks) or blocks[first].role is not Role.PARAGRAPH:
        return blocks
    text = blocks[first].text.strip()
    if 1 < len(text.split()) <= MAX_TITLE_WORDS and text[-1] not in ".,;:":
        blocks[first] = replace(blocks[first], role=Role.TITLE)
    return blocks


def _entries_of(block: Block) -> list[Block]:
    """The entries in the lines of a bibliography: numbered, separated by blank lines, or indented but for the first
    line; the block itself if none of that shows."""
    lines = block.text.split("\n")
    if sum(bool(LABEL.match(line)) for line in lines) >= MIN_ENTRIES:
        starts = [bool(LABEL.match(line)) for line in lines]
    elif sum(not line.strip() for line in lines) >= MIN_ENTRIES - 1:
        starts = [not above.strip() for above in ("", *lines[:-1])]
    else:
        indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
        if not indents or min(indents) == max(indents) or indents.count(min(indents)) < MIN_ENTRIES:
            return [block]
        starts = [bool(line.strip()) and len(line) - len(line.lstrip()) == min(indents) for line in lines]
    entries: list[list[str]] = []
    for line, is_start in zip(lines, starts, strict=True):
        if line.strip() and (is_start or not entries):
            entries.append([])
        if line.strip():
            entries[-1].append(line.strip())
    return [Block(Role.REFERENCE, join_texts(_hyphenated(entry))) for entry in entries]


def _hyphenated(lines: list[str]) -> list[str]:
    """Lines with the mark of the page model where a word is divided at the end."""
    return [line[:-1] + HYPHEN if DIVIDED.search(line) else line for line in lines]


def _as_heading(block: Block) -> Block:
    """A paragraph that is nothing but a standard heading, as that heading."""
    if block.role is not Role.PARAGRAPH or len(block.text) > 60:
        return block
    is_standard = any(is_heading(pattern, block.text) for pattern in STANDARD_HEADINGS)
    return replace(block, role=Role.HEADING, level=1) if is_standard else block
