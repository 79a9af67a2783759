"""What the authors say thanks for: the paragraphs under that heading, wherever it stands."""

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
"""Not "Funding acquisition", which stands in lists of who did what."""
OTHER = re.compile(
    r"\W*(?:\d{1,2}\.?\s+)?(?:authors?['’]? (?:contributions?|information|details|affiliations?|notes?)|(?:conflicts?|"
    r"competing|declarations?|disclosures?|statements?)\b.{0,40}|funding\b.{0,20}|supplement\w*|supporting information|"
    r"additional (?:files?|information)|(?:data |code )?availability\b.*|abbreviations?|ethic\w*\b.{0,40}|consent\b.*|"
    r"publisher['’]s note|open access|orcid\b.*|appendi(?:x|ces)\b.*|references?|literature|received\b.*|edited by\b.*|"
    r"author details|provenance\b.*|patient and public\b.*|contributors|correspondence\b.*|reprint\b.*|"
    r"sample availability\b.*|"
    r"©.*|copyright\b.*|license\b.*|footnotes|endnotes|notes)",
    re.I,
)
MOST = 45
"""Lines."""


def extract(opened: PaperContext, found: Extraction) -> dict[str, Any]:
    """The acknowledgments; where there are none, who paid for the work."""
    lines = [line for line in opened.lines if not line.margin]
    return {"acknowledgments": _under(lines, LABEL) or _under(lines, FUNDING)}


def _under(lines: Sequence[Line], label: re.Pattern[str]) -> str:
    """The text under the last such heading: a table of contents may hold another."""
    for at in range(len(lines) - 1, -1, -1):
        found = label.match(lines[at].text)
        if found and (text := _text(lines, at, found)):
            return text[:4000]
    return ""


def _text(lines: Sequence[Line], at: int, found: re.Match[str]) -> str:
    line = lines[at]
    rest = line.text[found.end() :]
    if rest and not _runs_in(line, found):
        return ""
    taken = [line] if rest else []
    for other in lines[at + 1 : at + MOST]:
        if _ends(other, line, taken, bool(rest)):
            break
        taken.append(other)
    text = join_lines(taken)
    return text[found.end() :].strip() if rest else text


def _runs_in(line: Line, found: re.Match[str]) -> bool:
    """Whether the label opens the paragraph: it has a mark behind it, or is set in another type."""
    marked = found.group(0).rstrip()[-1:] in ".:—–-"
    return marked or line.words[0].font != line.words[-1].font


def _ends(line: Line, label: Line, taken: Sequence[Line], run_in: bool) -> bool:
    if is_heading(REFERENCES, line.text) or _is_other(line, taken):
        return True
    if not taken:
        return False
    if abs(line.size - taken[0].size) > 0.1 * taken[0].size:
        return True
    if not run_in and line.style == label.style and label.style != taken[0].style:
        return True
    last = taken[-1]
    apart = line.page == last.page and line.column == last.column and line.base - last.base > 2.4 * line.size
    return apart and last.text.rstrip().endswith(".")


def _is_other(line: Line, taken: Sequence[Line]) -> bool:
    """Another heading of the back matter, alone on its line or at the start of one in another type."""
    found = OTHER.match(line.text)
    if not found:
        return False
    rest = line.text[found.end() :].strip(" .:")
    set_apart = bool(taken) and line.words[0].font != taken[0].words[-1].font
    return not rest or set_apart or line.text[found.end() :].lstrip().startswith(":")
