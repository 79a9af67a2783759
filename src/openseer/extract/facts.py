"""Year, DOI, arXiv number, volume and venue of the document itself, from the edges of its first page, links and properties."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from openseer.extract.lines import Line
from openseer.extract.words import Sheets

DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"<>“”]+)", re.I)
ARXIV = re.compile(r"arxiv[:\s/.a-z]*?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.I)
YEAR = re.compile(r"(?<![\d.,/-])(19[3-9]\d|20[0-4]\d)(?![\d]|[.,-]\d)")
OTHER_OBJECT = re.compile(r"code|data|supplement|figshare|zenodo|software|archive|repositor|dryad|swh", re.I)
STRONG = re.compile(r"published|copyright|©|\(c\)|proceedings|conference|vol(?:ume)?\b|journal|\bpp?\.|workshop|icml|acl\b|erstveröff|erscheinungsjahr|citation|cite", re.I)
WEAK = re.compile(r"received|accepted|revised|submitted|subject classification|accessed|supported|grant|msc", re.I)


def doi_of(lines: Sequence[Line], sheets: Sheets) -> tuple[str, Line | None]:
    """The DOI printed on or linked from the first page, else on the last."""
    first = [line for line in lines if line.page == 1]
    scored = [(_doi_score(line, match), match.group(1), line) for line in first for match in DOI.finditer(line.text)]
    if scored:
        score, doi, line = max(scored, key=lambda item: item[0])
        if score > 0:
            return _trim(doi), line
    return _linked_doi(sheets) or _last_doi(lines), None


def _doi_score(line: Line, match: re.Match[str]) -> float:
    before = line.text[: match.start()]
    return 1 + bool(re.search(r"doi", before, re.I)) + line.margin - 3 * bool(OTHER_OBJECT.search(before)) - 0.5 * (len(before) > 60)


def _linked_doi(sheets: Sheets) -> str:
    found = Counter(
        _trim(match.group(1))
        for page in sheets.pages[:1]
        for link in page.links
        if (match := DOI.search(link.uri)) and "doi" in link.uri
    )
    return found.most_common(1)[0][0] if found else ""


def _last_doi(lines: Sequence[Line]) -> str:
    last = max((line.page for line in lines), default=0)
    for line in lines:
        if line.page == last and (found := re.match(r"\W*doi:?\s*" + DOI.pattern, line.text, re.I)):
            return _trim(found.group(1))
    return ""


def _trim(doi: str) -> str:
    doi = re.split(r"&domain=|[?&]|#", doi)[0]
    return doi.rstrip(".,;:)]}>").lower()


def arxiv_of(lines: Iterable[Line], sheets: Sheets) -> str:
    """The arXiv number the first page is stamped with."""
    for line in lines:
        if line.page == 1 and line.text.lower().startswith("arxiv") and (found := ARXIV.search(line.text)):
            return found.group(1)
    return ""


def year_of(lines: Sequence[Line], sheets: Sheets, skip: set[int]) -> tuple[int | None, Line | None]:
    """The year of publication: the one the edges of the first page speak for most."""
    created = _created(sheets.info)
    votes: Counter[int] = Counter()
    where: dict[int, Line] = {}
    for line in lines:
        if line.page > 1 or id(line) in skip:
            continue
        for match in YEAR.finditer(line.text):
            year = int(match.group())
            votes[year] += round(10 * _year_weight(line, match, created))
            where.setdefault(year, line)
    best = votes.most_common(1)
    if best and best[0][1] > 0:
        return best[0][0], where[best[0][0]]
    return created, None


def _year_weight(line: Line, match: re.Match[str], created: int | None) -> float:
    weight = 1.0 + 2 * bool(STRONG.search(line.text)) - 2 * bool(WEAK.search(line.text[: match.start()]))
    weight += 0.5 * line.margin + 0.7 * (int(match.group()) == created)
    return weight - 0.5 * (len(line.text) > 90)


def _created(info: dict[str, str]) -> int | None:
    found = re.search(r"D:((?:19|20)\d\d)", info.get("CreationDate", ""))
    return int(found.group(1)) if found else None


def volume_of(lines: Sequence[Line]) -> str:
    """The volume a head or foot of the first page names."""
    for line in lines:
        if line.page == 1 and (found := re.search(r"\bvol(?:ume)?\.?\s*(\d{1,4})\b|\bBand (\d{1,3})\b|\bJg\. (\d{1,3})", line.text, re.I)):
            return next(group for group in found.groups() if group)
    return ""


VENUE = re.compile(
    r"((?:Proceedings of|Journal of|International Journal|Transactions on|Annals of|Advances in|Zeitschrift für|Revista|IEEE Trans|Lecture Notes in)[^\d(;:]{3,120})"
)


def venue_of(lines: Sequence[Line], skip: set[int]) -> str:
    """The journal or proceedings named at the edge of the first page."""
    for line in lines:
        if line.page == 1 and id(line) not in skip and (found := VENUE.search(line.text)):
            return re.sub(r",?\s*(?:vol(?:ume)?\b.*|pages?\b.*|pp\b.*)$", "", found.group(1), flags=re.I).strip(" ,.-–|")
    return ""
