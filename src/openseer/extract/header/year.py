"""The year of publication: every year around the text is a candidate, trained trees weigh its neighbourhood."""

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
PLAIN = re.compile(r"(?<!\d)(?:19\d\d|20[0-4]\d)(?!\d)")
CITATION = re.compile(
    r"suggested citation|empfohlene zitierung|cite this (?:article|paper|document)|citation:|how to cite|to cite this",
    re.I,
)
CITING = re.compile(r"(?:et al\.?|\([^)]*[^\W\d_a-z]\w+[^)]*|[;&] ?[^\W\d_a-z]\w+),? ?\(?\d{4}$")
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
SIGNS = {
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
CLUES = (
    *SIGNS,
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
FAR = 10.0


@dataclass(slots=True)
class Candidate:
    """A year that the document may be of, and what speaks for it."""

    year: int
    line: Line | None = None
    """Where it is printed best."""
    clues: dict[str, float] = field(default_factory=lambda: defaultdict(float))


def find_year(
    around: Sequence[Line], lines: Sequence[Line], sheets: PageModel, cited: int
) -> tuple[int | None, Line | None]:
    """The likeliest year and its line; `cited` is the latest year in the bibliography, or 0."""
    found = candidates(around, lines, sheets, cited)
    if not found:
        return None, None
    shares = load_ensemble(model_file(MODEL)).predict(rows_of(found))[:, 0]
    best = found[int(shares.argmax())]
    return best.year, best.line


def latest_year(cited: Sequence[Line]) -> int:
    """The latest year in the lines of a bibliography, or 0: the document is hardly older."""
    return max((year for line in cited for year in map(int, PLAIN.findall(line.text))), default=0)


def rows_of(found: Sequence[Candidate]) -> NDArray[np.float64]:
    """One row of clues for each candidate."""
    return np.array([[one.clues[name] for name in CLUES] for one in found])


def candidates(around: Sequence[Line], lines: Sequence[Line], sheets: PageModel, cited: int) -> list[Candidate]:
    """Every year printed around the text, that of the file, and that of the latest work cited."""
    start, height = sheets.pages[0].number, sheets.pages[0].height
    made, changed = (_dated(sheets.info.get(key, "")) for key in ("CreationDate", "ModDate"))
    found: dict[int, Candidate] = {}
    for line in around:
        for year, at in _years(line):
            _note(found.setdefault(year, Candidate(year)), line, at, height)
    for line in lines:
        if line.page > start and (line.margin or (line.page == start + 1 and _at_edge(line, height))):
            for year, _ in _years(line):
                found.setdefault(year, Candidate(year)).clues["heads"] += 1
    for year in filter(None, (made, cited, _cover_year(around))):
        found.setdefault(year, Candidate(year))
    _compare(list(found.values()), (made, changed, cited, _cover_year(around)))
    latest = max(made, changed, cited) + 2 if made else 2100
    return [one for one in found.values() if 1850 <= one.year <= latest]


def _years(line: Line) -> Iterator[tuple[int, re.Match[str]]]:
    if len(line.text) < 260:
        for match in YEAR.finditer(line.text):
            yield int(match.group(1)), match


def _at_edge(line: Line, height: float) -> bool:
    return line.base < 0.13 * height or line.base > 0.86 * height


def _note(one: Candidate, line: Line, at: re.Match[str], height: float) -> None:
    """What stands around one printed year."""
    text, clues = line.text, one.clues
    near = text[max(0, at.start() - 45) : at.end() + 12]
    signs = {
        name: float(bool(sign.search(text if name in ("venue", "event") else near))) for name, sign in SIGNS.items()
    }
    signs["at the edge"] = float(_at_edge(line, height))
    signs["alone"] = float(len(text) < 30)
    signs["like a citation"] = float(bool(CITING.search(text[: at.end()])))
    weight = sum(signs.values()) - 2 * signs["like a citation"] - 2 * signs["no date"]
    if one.line is None or weight > clues["best"]:
        clues.update(best=weight, length=float(min(len(text), 200)), y=line.base / max(1.0, height))
        one.line = line
    for name, value in signs.items():
        clues[name] = max(clues[name], value)
    clues["lines"] += 1


def _compare(found: Sequence[Candidate], known: tuple[int, int, int, int]) -> None:
    """Each candidate beside the others, the dates of the file and the works cited."""
    made, changed, cited, cover = known
    printed = [one.year for one in found if one.line]
    for one in found:
        clues = one.clues
        clues["in the cover's citation"] = float(one.year == cover)
        clues["made then"] = float(one.year == made)
        clues["since made"] = _since(one.year, made)
        clues["since changed"] = _since(one.year, changed)
        clues["since cited"] = _since(one.year, cited)
        clues["latest"] = float(one.year == max(printed, default=0))
        clues["earliest"] = float(one.year == min(printed, default=0))
        clues["printed"] = float(one.line is not None)
        clues["candidates"] = float(min(len(found), 10))
        clues["by cited alone"] = float(one.line is None and one.year == cited)


def _since(year: int, other: int) -> float:
    return max(-FAR, min(FAR, float(year - other))) if other else 99.0


def _dated(date: str) -> int:
    """The year of a date in the file's own words, "D:20101231..."."""
    found = YEAR.match(date.replace("D:", "")[:4])
    return int(found.group(1)) if found else 0


def _cover_year(lines: Sequence[Line]) -> int:
    """The year in the citation that a cover sheet or a publisher prints."""
    for number, line in enumerate(lines):
        if CITATION.search(line.text):
            text = join_texts(other.text for other in lines[number : number + 4])
            if found := re.search(r"\((1[89]\d\d|20\d\d)\)|[ ,.](1[89]\d\d|20\d\d)[;,:. ]", text):
                return int(found.group(1) or found.group(2))
    return 0
