"""Publication data: venue, volume, issue and pages, from a citation of the paper or from heads and feet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from openseer.core.text.person_names import is_name
from openseer.extract.header.title import NOT_A_TITLE
from openseer.extract.header.year import CITATION, MONTH
from openseer.extract.layout.lines import Line, join_lines
from openseer.extract.references.parse_reference import parse_reference


class PublicationInfo(NamedTuple):
    """Venue, volume, issue and pages, named as in an Extraction."""

    venue: str = ""
    volume: str = ""
    issue: str = ""
    page_range: str = ""


YEAR = r"(?:19|20)\d\d"
PAGES = r"(?P<pages>[A-Za-z]{0,2}\d+(?:\s?[-–—]\s?[A-Za-z]{0,2}\d+)?)"
SERIAL = re.compile(
    rf"(?P<venue>[^\W\d_a-z][^\d;|©]{{2,110}}?)[\s,.:;(]*(?:\(?{YEAR}\)?[\s,;.:]+)?(?:[Vv](?:ol(?:ume|\.)?|OL\.)\s*)?"
    rf"(?<![\d-])(?P<volume>\d{{1,4}})\b(?!\s?[-–]\s?\d)[\s,]*"
    rf"(?:\((?P<issue>[\w.–-]{{1,9}})\)|(?:[Nn]o|[Nn]r|[Ii]ss(?:ue)?|Heft)\.?\s*(?P<number>\d{{1,4}}))?[\s,]*"
    rf"(?:\({YEAR}\)[\s,]*)?(?::|,|pp?\.|[Pp]ages|S\.|Article)\s*(?:pp?\.?|[Pp]ages)?\s*{PAGES}"
)
"""A journal name with volume and pages: "Planta (2008) 228:427-438", "Molecules 2013, 18, 12-20"."""
VOLUME = re.compile(r"\bvol(?:ume|\.)?\s*(\d{1,4})\b|\bjahrgang\s*(\d{1,3})\b", re.I)
ISSUE = re.compile(r"\b(?:no|nr|issue|number|heft)\b\.?\s*(\d{1,4})\b", re.I)
PRINTED_PAGES = re.compile(r"\b(?:pp?\.|pages?|seiten?)\s*(\d+\s?[-–]\s?\d+)", re.I)
MEETING = re.compile(
    r"(?:(?:appear(?:ing|s)|published|accepted|presented|to appear)\s+(?:in|at)\s+(?:the\s+)?)?"
    r"((?:proceedings|proc\.|workshop|advances|transactions|lecture notes)\s+(?:of|in|on)\b.{4,200}?)"
    rf"(?=[,.;(]|\s+{YEAR}|\s+\d+[:(–-]|\s+pages\b|\s+volume\b|$)",
    re.I,
)
HAS_VOLUME_OR_PAGES = re.compile(r"\d\s?[:(,]\s?[A-Za-z]?\d+\s?[-–)]|\bvol|\bpp\.|pages", re.I)
"""Numbers in the typical arrangement of volume and pages."""
PERIODICAL = re.compile(
    r"\b(?:journal|zeitschrift|annals|transactions|letters|review|bulletin|archives?|revista|revue|rivista|magazine|"
    r"quarterly|studies|research|science|proceedings|acta|advances)\b",
    re.I,
)
NOISE = re.compile(
    r"https?:|www\.|@|©|copyright|licen[cs]e|received|accepted|\bissn\b|doi|et al\b|open access|address|terms of use|"
    r"department|universit",
    re.I,
)
VENUE_EDGES = " ,.;:()[]|•·–-"


def find_publication_info(
    other_lines: Sequence[Line], lines: Sequence[Line], title: str, height: float
) -> PublicationInfo:
    """The first of: a citation of this paper, a journal line, proceedings, a periodical's name."""
    from_citation = _from_citation(other_lines, title)
    if from_citation and from_citation.venue:
        return from_citation
    edges = [line for line in other_lines if _at_edge(line, height)]
    heads = [text for text, count in Counter(_running_heads(lines)).most_common(8) if count > 1]
    numbered = [line.text for line in other_lines if len(line.text) < 140 and HAS_VOLUME_OR_PAGES.search(line.text)]
    texts = [*(line.text for line in edges), *heads, *numbered]
    found = next(filter(None, map(_from_journal_line, texts)), None)
    if found:
        return found
    venue = _proceedings(other_lines) or _periodical_name([*(line.text for line in edges), *heads], title)
    return PublicationInfo(venue, *(_first(pattern, texts) for pattern in (VOLUME, ISSUE, PRINTED_PAGES)))


def _from_citation(other_lines: Sequence[Line], title: str) -> PublicationInfo | None:
    """Data from "cite this article as", or from a line with the title and the following text."""
    start = title[:30].lower()
    for number, line in enumerate(other_lines):
        follows = [other for other in other_lines[number : number + 9] if other.column == line.column]
        if CITATION.search(line.text):
            text = CITATION.sub("", join_lines(follows)).strip(" :►•")
        elif start and start in line.text.lower() and re.search(YEAR, line.text):
            text = join_lines(follows[:3])
        else:
            continue
        found = parse_reference(text[:600])
        if found.venue and (found.volume or found.pages):
            return PublicationInfo(_clean_venue(found.venue), found.volume, found.issue, found.pages)
    return None


def _from_journal_line(text: str) -> PublicationInfo | None:
    found = SERIAL.match(text.strip(VENUE_EDGES))
    if not found:
        return None
    venue = _clean_venue(re.sub(r"^.*\bet al\b\.?[\s,:]*|^.*\bpublished in[\s:]*", "", found["venue"]))
    if MONTH.search(venue) or is_name(venue):
        return None
    if len(venue) < 4 or len(venue.split()) > 14 or not _is_venue_name(venue):
        return None
    return PublicationInfo(venue, found["volume"], found["issue"] or found["number"] or "", found["pages"] or "")


def _proceedings(other_lines: Sequence[Line]) -> str:
    """Proceedings named in a foot or first line, across line ends."""
    for number, line in enumerate(other_lines):
        if re.search(r"\b(?:proceedings|proc\.|lecture notes|advances) (?:of|in)\b", line.text, re.I):
            after = [line, *(other for other in other_lines[number + 1 : number + 4] if _follows(line, other))]
            if found := MEETING.search(join_lines(after)):
                return _clean_venue(found.group(1))
    return ""


def _follows(line: Line, other: Line) -> bool:
    return other.column == line.column and abs(other.size - line.size) < 0.5 and other.base - line.base < 5 * line.size


def _periodical_name(texts: Iterable[str], title: str) -> str:
    """A short line at the edge of the page that names a periodical."""
    for text in texts:
        name = _clean_venue(re.split(rf"[,;|•(]|\b{YEAR}\b|\bvol\b|\d", text, maxsplit=1, flags=re.I)[0])
        if 3 < len(name) < 90 and PERIODICAL.search(name) and _is_venue_name(name) and name[:25] not in title:
            return name
    return ""


def _is_venue_name(text: str) -> bool:
    """True for text capitalised like a periodical's name that is no rubric or notice."""
    words = [word for word in text.split() if len(word) > 3]
    return sum(word[0].isupper() for word in words) >= 0.7 * len(words) and not (
        NOISE.search(text) or NOT_A_TITLE.search(text)
    )


def _running_heads(lines: Sequence[Line]) -> Iterator[str]:
    """Running heads of the first pages, without page numbers."""
    for line in lines:
        if line.margin and 1 < line.page < 9:
            yield re.sub(r"^\W*\d+\W+|\W+\d+\W*$", "", line.text)


def _at_edge(line: Line, height: float) -> bool:
    return line.base < 0.14 * height or line.base > 0.86 * height


def _first(pattern: re.Pattern[str], texts: Iterable[str]) -> str:
    found = next(filter(None, map(pattern.search, texts)), None)
    return next(filter(None, found.groups()), "").replace(" ", "") if found else ""


def _clean_venue(venue: str) -> str:
    """The venue without introductory and trailing words.

    >>> _clean_venue("in Proceedings of the Third Workshop, pp.")
    'Proceedings of the Third Workshop'
    """
    venue = re.sub(
        r"^(?:in|to appear in|appearing in)[:\s]+(?=[A-Z])|[\s,]+(?:pp?|pages|vol(?:ume)?|no)\.?$",
        "",
        venue,
        flags=re.I,
    )
    return " ".join(venue.split()).strip(VENUE_EDGES)
