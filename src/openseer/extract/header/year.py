"""Publication year: candidate years of the first page, scored by gradient-boosted trees."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from openseer.core.ml.tree_ensemble import load_ensemble
from openseer.extract.layout.lines import Line, join_texts
from openseer.extract.models.paths import model_file
from openseer.extract.pdf.page_model import PageModel

MODEL = "year.forest.gz"
YEAR = re.compile(r"(?<![\d./-])(1[89]\d\d|20\d\d)(?![\d/]|[.-]\d)")
PLAIN_YEAR = re.compile(r"(?<!\d)(?:19\d\d|20[0-4]\d)(?!\d)")
CITATION = re.compile(
    r"suggested citation|empfohlene zitierung|cite this (?:article|paper|document)|citation:|how to cite|to cite this",
    re.I,
)
CITATION_YEAR = re.compile(r"(?:et al\.?|\([^)]*[^\W\d_a-z]\w+[^)]*|[;&] ?[^\W\d_a-z]\w+),? ?\(?\d{4}$")
MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|januar|märz|mai|juni|juli|oktober|dezember|janeiro|"
    r"fevereiro|março|abril)[a-zéç]*\.?\b",
    re.I,
)
VENUE_WORDS = re.compile(
    r"\bvol(?:ume)?\b\.?|\bno\.|proceedings|journal|conference|workshop|symposium|\bpp?\.|issn|\bjmlr\b|"
    r"transactions|letters|doi|arxiv|zeitschrift|annals|"
    r"\d+ ?\(\d+\)|\d+:\d+|et al\.|association for",
    re.I,
)
COPYRIGHT = re.compile(r"©|\(c\)|copyright", re.I)
CONTEXT_PATTERNS = {
    "published": re.compile(r"publi(?:shed|cado|ée?)|veröffentlicht|available online|опубликован", re.I),
    "copyright": COPYRIGHT,
    "venue": VENUE_WORDS,
    "month": MONTH,
    "taken": re.compile(r"received|accepted|revised|submitted|eingegangen", re.I),
    "no date": re.compile(r"subject classification|grant|\bmsc\b|licen[sc]e|accessed|retrieved", re.I),
    "citation": CITATION,
    "in brackets": re.compile(r"\((?:19|20)\d\d\)"),
    "event": re.compile(r"proceedings|conference|workshop|symposium|[A-Z]{3,}[ '’-]*(?:19|20)?\d\d", re.I),
}
FEATURES = (
    *CONTEXT_PATTERNS,
    "at the edge",
    "lines",
    "heads",
    "alone",
    "length",
    "y",
    "like a citation",
    "in the cover's citation",
    "made then",
    "since made",
    "since changed",
    "since cited",
    "latest",
    "earliest",
    "printed",
    "candidates",
    "by cited alone",
)
MAX_YEAR_DIFFERENCE = 10.0


@dataclass(slots=True)
class YearCandidate:
    """A candidate year with its features."""

    year: int
    line: Line | None = None
    """The best line it is printed in."""
    features: dict[str, float] = field(default_factory=lambda: defaultdict(float))


def find_year(
    other_lines: Sequence[Line], lines: Sequence[Line], page_model: PageModel, latest_cited: int
) -> tuple[int | None, Line | None]:
    """The likeliest year and its line; `latest_cited` is the latest year in the bibliography, or 0."""
    candidates_found = year_candidates(other_lines, lines, page_model, latest_cited)
    if not candidates_found:
        return None, None
    probabilities = load_ensemble(model_file(MODEL)).predict(feature_rows(candidates_found))[:, 0]
    best = candidates_found[int(probabilities.argmax())]
    return best.year, best.line


def latest_year(reference_lines: Sequence[Line]) -> int:
    """The latest year in the lines of a bibliography, or 0; the document is hardly older."""
    return max((year for line in reference_lines for year in map(int, PLAIN_YEAR.findall(line.text))), default=0)


def feature_rows(candidates_found: Sequence[YearCandidate]) -> NDArray[np.float64]:
    """One feature row for each candidate."""
    return np.array([[one.features[name] for name in FEATURES] for one in candidates_found])


def year_candidates(
    other_lines: Sequence[Line], lines: Sequence[Line], page_model: PageModel, latest_cited: int
) -> list[YearCandidate]:
    """Every year printed on the first page, of the file, and of the latest cited work."""
    start, height = page_model.pages[0].number, page_model.pages[0].height
    created, modified = (_pdf_year(page_model.info.get(key, "")) for key in ("CreationDate", "ModDate"))
    candidates_found: dict[int, YearCandidate] = {}
    for line in other_lines:
        for year, at in _years(line):
            _add_occurrence(candidates_found.setdefault(year, YearCandidate(year)), line, at, height)
    for line in lines:
        if line.page > start and (line.margin or (line.page == start + 1 and _at_edge(line, height))):
            for year, _ in _years(line):
                candidates_found.setdefault(year, YearCandidate(year)).features["heads"] += 1
    for year in filter(None, (created, latest_cited, _cover_year(other_lines))):
        candidates_found.setdefault(year, YearCandidate(year))
    _add_comparisons(list(candidates_found.values()), (created, modified, latest_cited, _cover_year(other_lines)))
    max_year = max(created, modified, latest_cited) + 2 if created else 2100
    return [one for one in candidates_found.values() if 1850 <= one.year <= max_year]


def _years(line: Line) -> Iterator[tuple[int, re.Match[str]]]:
    if len(line.text) < 260:
        for match in YEAR.finditer(line.text):
            yield int(match.group(1)), match


def _at_edge(line: Line, height: float) -> bool:
    return line.base < 0.13 * height or line.base > 0.86 * height


def _add_occurrence(one: YearCandidate, line: Line, at: re.Match[str], height: float) -> None:
    """Add the features of one printed occurrence."""
    text, features = line.text, one.features
    context = text[max(0, at.start() - 45) : at.end() + 12]
    values = {
        name: float(bool(pattern.search(text if name in ("venue", "event") else context)))
        for name, pattern in CONTEXT_PATTERNS.items()
    }
    values["at the edge"] = float(_at_edge(line, height))
    values["alone"] = float(len(text) < 30)
    values["like a citation"] = float(bool(CITATION_YEAR.search(text[: at.end()])))
    weight = sum(values.values()) - 2 * values["like a citation"] - 2 * values["no date"]
    if one.line is None or weight > features["best"]:
        features.update(best=weight, length=float(min(len(text), 200)), y=line.base / max(1.0, height))
        one.line = line
    for name, value in values.items():
        features[name] = max(features[name], value)
    features["lines"] += 1


def _add_comparisons(candidates_found: Sequence[YearCandidate], reference_years: tuple[int, int, int, int]) -> None:
    """Add features relative to the other candidates, the dates of the file and the cited works."""
    created, modified, latest_cited, cover = reference_years
    printed = [one.year for one in candidates_found if one.line]
    for one in candidates_found:
        features = one.features
        features["in the cover's citation"] = float(one.year == cover)
        features["made then"] = float(one.year == created)
        features["since made"] = _difference(one.year, created)
        features["since changed"] = _difference(one.year, modified)
        features["since cited"] = _difference(one.year, latest_cited)
        features["latest"] = float(one.year == max(printed, default=0))
        features["earliest"] = float(one.year == min(printed, default=0))
        features["printed"] = float(one.line is not None)
        features["candidates"] = float(min(len(candidates_found), 10))
        features["by cited alone"] = float(one.line is None and one.year == latest_cited)


def _difference(year: int, other: int) -> float:
    return max(-MAX_YEAR_DIFFERENCE, min(MAX_YEAR_DIFFERENCE, float(year - other))) if other else 99.0


def _pdf_year(date: str) -> int:
    """The year of a PDF date, "D:20101231..."."""
    found = YEAR.match(date.replace("D:", "")[:4])
    return int(found.group(1)) if found else 0


def _cover_year(lines: Sequence[Line]) -> int:
    """The year in the citation printed by a cover sheet or publisher."""
    for number, line in enumerate(lines):
        if CITATION.search(line.text):
            text = join_texts(other.text for other in lines[number : number + 4])
            if found := re.search(r"\((1[89]\d\d|20\d\d)\)|[ ,.](1[89]\d\d|20\d\d)[;,:. ]", text):
                return int(found.group(1) or found.group(2))
    return 0
