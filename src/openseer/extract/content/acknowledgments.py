"""Extractor of the acknowledgments section."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from openseer.core.model.extraction import Extraction
from openseer.extract.context import PaperContext
from openseer.extract.layout.headings import REFERENCES, is_heading
from openseer.extract.layout.lines import Line, join_lines

name, version = "acknowledgments", 1
needs: tuple[str, ...] = ()
LABEL = re.compile(
    r"\W*(?:\d{1,2}\.?\s+|[IVX]+\.\s+)?((?:acknowledge?ments?|acknowledgments?|danksagung(?:en)?|remerciements|"
    r"agradecimientos|agradecimentos|ringraziamenti|dankwoord|благодарности|ευχαριστίες)"
    r"(?: (?:and|&) \w+(?: \w+)?)?)\s*[.:—–-]*\s*",
    re.I,
)
FUNDING = re.compile(
    r"\W*(?:\d{1,2}\.?\s+)?(funding(?: (?:statement|information|sources?|support|disclosure))?|financial support|"
    r"sources? of funding)(?! \w*acquisition)\s*[.:—–-]*\s*",
    re.I,
)
"""Not "Funding acquisition", which occurs in lists of contributions."""
OTHER_SECTION = re.compile(
    r"\W*(?:\d{1,2}\.?\s+)?(?:authors?['’]? (?:contributions?|information|details|affiliations?|notes?)|(?:conflicts?|"
    r"competing|declarations?|disclosures?|statements?)\b.{0,40}|funding\b.{0,20}|supplement\w*|supporting information|"
    r"additional (?:files?|information)|(?:data |code )?availability\b.*|abbreviations?|ethic\w*\b.{0,40}|consent\b.*|"
    r"publisher['’]s note|open access|orcid\b.*|appendi(?:x|ces)\b.*|references?|literature|received\b.*|edited by\b.*|"
    r"author details|provenance\b.*|patient and public\b.*|contributors|correspondence\b.*|reprint\b.*|"
    r"sample availability\b.*|"
    r"©.*|copyright\b.*|license\b.*|footnotes|endnotes|notes)",
    re.I,
)
MAX_LINES = 45


def extract(context: PaperContext, found: Extraction) -> dict[str, Any]:
    """The acknowledgments; without any, the funding statement."""
    lines = [line for line in context.lines if not line.margin]
    return {"acknowledgments": _section_text(lines, LABEL) or _section_text(lines, FUNDING)}


def _section_text(lines: Sequence[Line], label: re.Pattern[str]) -> str:
    """Text of the last such section; a table of contents may hold another heading."""
    for at in range(len(lines) - 1, -1, -1):
        found = label.match(lines[at].text)
        if found and (text := _text_after_label(lines, at, found)):
            return text[:4000]
    return ""


def _text_after_label(lines: Sequence[Line], at: int, found: re.Match[str]) -> str:
    line = lines[at]
    rest = line.text[found.end() :]
    if rest and not _is_run_in(line, found):
        return ""
    section_lines = [line] if rest else []
    for other in lines[at + 1 : at + MAX_LINES]:
        if _ends_section(other, line, section_lines, bool(rest)):
            break
        section_lines.append(other)
    text = join_lines(section_lines)
    return text[found.end() :].strip() if rest else text


def _is_run_in(line: Line, found: re.Match[str]) -> bool:
    """True if the label opens a paragraph: with punctuation after it, or in another type."""
    marked = found.group(0).rstrip()[-1:] in ".:—–-"
    return marked or line.words[0].font != line.words[-1].font


def _ends_section(line: Line, label: Line, section_lines: Sequence[Line], run_in: bool) -> bool:
    if is_heading(REFERENCES, line.text) or _begins_other_section(line, section_lines):
        return True
    if not section_lines:
        return False
    if abs(line.size - section_lines[0].size) > 0.1 * section_lines[0].size:
        return True
    if not run_in and line.style == label.style and label.style != section_lines[0].style:
        return True
    last = section_lines[-1]
    has_gap = line.page == last.page and line.column == last.column and line.base - last.base > 2.4 * line.size
    return has_gap and last.text.rstrip().endswith(".")


def _begins_other_section(line: Line, section_lines: Sequence[Line]) -> bool:
    """True for another heading of the back matter, alone on its line or run-in."""
    found = OTHER_SECTION.match(line.text)
    if not found:
        return False
    rest = line.text[found.end() :].strip(" .:")
    set_apart = bool(section_lines) and line.words[0].font != section_lines[0].words[-1].font
    return not rest or set_apart or line.text[found.end() :].lstrip().startswith(":")
