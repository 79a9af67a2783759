"""DOI and arXiv id of the paper itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from openseer.extract.header.year import CITATION
from openseer.extract.layout.lines import Line
from openseer.extract.pdf.page_model import Page

DOI = re.compile(r"\b10\.\d{4,9}/(?:[^\s\"<>,;{}]|\{[^\s\"<>,;{}]*\})+", re.I)
OTHER_OBJECT = re.compile(
    r"\b(?:code|data|dataset|software|archive|supplement|repository|figshare|osf\.io|regist\w+|"
    r"zenodo\.org/badge|correction|erratum)\b",
    re.I,
)
ARXIV = re.compile(r"arXiv:\s?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.I)


def find_doi(
    pages: Sequence[Page], lines: Sequence[Line], reference_line_ids: Collection[int] = ()
) -> tuple[str, Line | None]:
    """The DOI of the document, and its line if it is printed.

    `reference_line_ids` are the lines of the bibliography: a DOI there names another work, unless it is in a citation
    of this one."""
    if not pages:
        return "", None
    first_pages = _outside_references([line for line in lines if line.page <= 2], reference_line_ids)
    last_page = _outside_references(
        [line for line in lines if line.page == pages[-1].number and line.page > 2], reference_line_ids
    )
    printed = list(_weighted_dois(first_pages)) or [
        (weight, doi, line) for weight, doi, line in _weighted_dois(last_page) if weight > 3
    ]
    best = max(printed, key=lambda weighted: weighted[0], default=None)
    if best and best[0] >= 1:
        return best[1], best[2]
    linked = [doi for page in pages[:1] for doi in _linked_dois(page)]
    if linked:
        return linked[0], None
    return (best[1], best[2]) if best else ("", None)


def _outside_references(lines: Sequence[Line], reference_line_ids: Collection[int]) -> list[Line]:
    """Lines outside of the bibliography, and lines near a citation of the document itself."""
    near_citation = {
        near
        for number, line in enumerate(lines)
        if CITATION.search(line.text)
        for near in range(number - 3, number + 4)
    }
    return [line for number, line in enumerate(lines) if id(line) not in reference_line_ids or number in near_citation]


def _linked_dois(page: Page) -> Iterator[str]:
    """DOIs in the links of a page."""
    for link in page.links:
        found = DOI.search(link.uri.replace("%2F", "/"))
        if found and not OTHER_OBJECT.search(link.uri):
            yield clean_doi(re.sub(r"[&?#].*", "", found.group()))


def _weighted_dois(lines: Sequence[Line]) -> Iterator[tuple[float, str, Line]]:
    """Each printed DOI with a weight by its position and the words before it."""
    for number, line in enumerate(lines):
        text = line.text
        if "10." not in text:
            continue
        for found in DOI.finditer(text):
            before = text[: found.start()]
            weight = 3.0 if line.page == 1 else 1.0
            weight += 2.0 * bool(re.search(r"doi:?\s*(?:https?://(?:dx\.)?doi\.org/)?$|doi\.org/$", before, re.I))
            weight += 1.0 * (len(before) < 40)
            nearby = " ".join(other.text for other in lines[max(0, number - 1) : number + 1])
            weight += 3.0 * bool(number and re.fullmatch(r"\W*doi\W*", lines[number - 1].text, re.I))
            weight -= 4.0 * bool(OTHER_OBJECT.search(nearby))
            weight += 1.5 * bool(CITATION.search(nearby))
            weight -= 1.5 * (len(before) > 60)
            weight -= 0.001 * number
            yield weight, clean_doi(found.group().replace("\x02", "-")), line


def clean_doi(doi: str) -> str:
    """A DOI in lower case without trailing punctuation."""
    doi = doi.rstrip(".,;:'’”]}").lower()
    while doi.endswith(")") and doi.count(")") > doi.count("("):
        doi = doi[:-1]
    return re.sub(r"(?:/pdf|/full|/abstract)$", "", doi)


def find_arxiv(page: Page, lines: Sequence[Line]) -> str:
    """The arXiv id in the stamp along the margin or on the first page."""
    text = f"{page.rotated_text} {' '.join(line.text for line in lines if line.page == 1)[:4000]}"
    found = ARXIV.search(text)
    return found.group(1) if found else ""
