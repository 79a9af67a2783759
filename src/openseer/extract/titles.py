"""The title: the block of the first page that is set largest, reads like a title and stands where titles stand."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from openseer.extract.headings import ABSTRACT, INTRODUCTION, KEYWORDS, REFERENCES, is_heading
from openseer.extract.lines import Line, flow
from openseer.extract.names import AFFILIATION, is_name

Block = list[Line]

FURNITURE = re.compile(
    r"^(?:journal of|proceedings of|international journal|lecture notes|www\.|https?:|arxiv|doi\b|issn|vol(?:ume)?\b|open access|"
    r"research article|original (?:article|research|paper)|review(?: article)?$|case report|short (?:communication|report)|letter$|"
    r"technical (?:report|note)|preprint|submitted to|to appear|published|copyright|©|received|article$|working paper|discussion paper|"
    r"zeitschriftenartikel|sammelwerksbeitrag|arbeitspapier|forschungsbericht|konferenzbeitrag|monographie|diese version|empfohlene|"
    r"suggested citation|nutzungsbedingungen|terms of use|study protocol|editorial|commentary|chapter \d+$|articles?$|contents|"
    r"software|this article|bmc |plos |hindawi|elsevier|springer|frontiers in|clinical (?:study|trial)|observational study|systematic review)",
    re.I,
)

JOURNAL = re.compile(r"\bjournal\b|\bzeitschrift\b|\brevista\b", re.I)
SECTION = re.compile(r"\d{1,2}(?:\.\d+)*\.? (?:introduction|einleitung|introdução|.*\d$)|.*\.{5}|.*(?: \.){5}", re.I)


STUDY = re.compile(
    r"protocol|(?:clinical|controlled) (?:trial|study)|randomi[sz]ed|systematic review|meta-analysis|cohort|case (?:report|series)|case-control|observational|retrospective|"
    r"consort|workshop|conference|proceedings",
    re.I,
)
"""Under a title these words tell the type of the study, or where it was presented, rather than its subject."""


def title_of(lines: Sequence[Line], size: float) -> Block:
    """The lines of the title on the first page, or of the second when the first has none."""
    for page in (1, 2):
        own = [line for line in lines if line.page == page]
        blocks = _blocks(own)
        bottom = max((line.base for line in own), default=1.0)
        ranked = sorted(((_score(block, size, bottom), -at) for at, block in enumerate(blocks)), reverse=True)
        if ranked and ranked[0][0] > 0:
            return blocks[-ranked[0][1]]
    return []


def subtitle_of(lines: Sequence[Line], title: Block, size: float) -> Block:
    """A second part in smaller type right under the title, larger than the text and no line of names."""
    if not title:
        return []
    last = title[-1]
    below = [
        line for line in lines if line.page == last.page and 0 < line.base - last.base and line.column == last.column
    ]
    block = next(iter(_blocks(below)), [])
    text = flow(block)
    if not block or len(text.split()) < 3 or len(text) > 200 or block[0].base - last.base > 2.2 * last.size:
        return []
    larger = 1.08 * size < block[0].size < 0.97 * last.size
    aligned = abs(block[0].x0 - title[0].x0) < 3 or abs(_middle(block[0]) - _middle(title[0])) < 6
    small = sum(word[0].islower() for word in text.split())
    named = re.search(r"[\d@*†∗,;·]", text) or AFFILIATION.search(text) or any(map(is_name, text.split(" and ")))
    return (
        block
        if larger and aligned and small and not named and not FURNITURE.match(text) and not STUDY.search(text)
        else []
    )


def _middle(line: Line) -> float:
    return (line.x0 + line.x1) / 2


def _blocks(lines: Sequence[Line]) -> list[Block]:
    """Lines of one style that follow each other closely."""
    blocks: list[Block] = []
    for line in sorted(lines, key=lambda one: (one.base, one.x0)):
        block = next((block for block in reversed(blocks[-3:]) if _goes_on(block[-1], line)), None)
        if block is not None:
            block.append(line)
        else:
            blocks.append([line])
    return blocks


def _goes_on(last: Line, line: Line) -> bool:
    if abs(last.size - line.size) > 0.06 * last.size or last.font.bold != line.font.bold:
        return False
    gap = line.base - last.base
    if gap < 0.3 * last.size:
        return -1 < line.x0 - last.x1 < 3 * last.size
    overlap = min(last.x1, line.x1) - max(last.x0, line.x0)
    return gap < 1.9 * max(last.size, line.size) and overlap > 0 and last.font.italic == line.font.italic


def _score(block: Block, size: float, bottom: float) -> float:
    """How much a block looks like the title."""
    text = flow(block)
    letters = sum(map(str.isalpha, text))
    words = text.split()
    if letters < 4 or letters < 0.5 * len(text) or len(text) > 420 or block[0].base > 0.75 * bottom:
        return -1.0
    if any(is_heading(pattern, text) for pattern in (ABSTRACT, INTRODUCTION, REFERENCES, KEYWORDS)):
        return -1.0
    if SECTION.match(text):
        return -1.0
    score = 4 * math.log(max(block[0].size, 1) / max(size, 1)) + 2
    score += 0.8 * block[0].font.bold - 1.5 * (block[0].base / bottom)
    score += min(len(words), 8) * 0.12 - (len(words) < 3) * 1.0 - (len(words) < 2) * 2.0
    score -= (
        2.0 * bool(FURNITURE.match(text) or "®" in text or len(words) < 9 and JOURNAL.search(text))
        + 1.5 * block[0].margin
    )
    score -= 1.0 * is_name(text) + 0.8 * bool(AFFILIATION.search(text) and block[0].size < 1.15 * size)
    return score - 1.5 * (text.endswith(".") and len(words) > 25)


def plain_title(block: Block) -> str:
    """The title as one string, without marks of footnotes.

    A capital word divided over two lines comes together; a star at the end goes.
    """
    texts = []
    for line in block:
        words = [
            word
            for word in line.words
            if not (word.size < 0.8 * line.size and word.base < line.base - 0.15 * line.size)
        ]
        texts.append(line.text if len(words) == len(line.words) else _without_marks(line))
    text = flow(line for line in block) if texts == [line.text for line in block] else " ".join(texts)
    return re.sub(r"[\s*∗†‡§¶⋆1]+$", lambda mark: "1" if mark.group() == "1" else "", text).strip()


def _without_marks(line: Line) -> str:
    return re.sub(r"[*∗†‡§¶⋆]", "", line.text).strip()
