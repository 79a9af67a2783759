"""Affiliations of the authors, by marker, position or name, and their ORCID iDs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from openseer.core.text.person_names import names_institution
from openseer.extract.header.affiliations_by_name import affiliations_by_name
from openseer.extract.header.emails import ADDRESSES
from openseer.extract.layout.language import STOP_WORDS
from openseer.extract.layout.lines import LONE_ACCENTS, Line, body_size, join_lines, join_words
from openseer.extract.pdf.page_model import HYPHEN, Link, Word, clean

MARKER = re.compile(r"\d{1,2}|[a-z](?![a-z])|[*†‡§¶∗#⋆]")
LONE_MARKER = re.compile(r"(?:\d{1,2}|[a-z]|[*†‡§¶∗#⋆]{1,2})[.)]?")
NOT_AN_AFFILIATION = re.compile(
    r"^\W*(?:e-?mails?\b|corresponding|correspondence|\*?to whom|these authors|equal|contributed|received|accepted|"
    r"reçu|eingegangen|recibido|recebido|"
    r"published|doi\b|https?:|orcid|tel\b|fax\b|phone|present address|submitted|edited|reviewed|citation|"
    r"copyright|©|how to cite|proceedings|appearing in|jmlr)",
    re.I,
)
DATE_LINE = re.compile(r"\W*(?:\d{1,2}\.? )?(?:[^\W\d_]{3,10}\.? )?(?:1[89]|20)\d\d\W*")
"""A line with a date only."""
DETAILS = re.compile(r"\W*(?:full list of )?author (?:details|information|affiliations)\b.{0,20}", re.I)
DEGREE = re.compile(r"Ph\.?D|M\.?Sc|B\.?Sc|M\.?[DASB]|Dr|Prof|[A-Z]{2,5}")
AFFILIATION_EDGES = re.compile(r"^[\s,;:.–—-]+|(?:[\s,;:–—-]|\be-?mails?\b)+$", re.I)
"""Remains around an affiliation after its e-mail address is removed."""
MAX_TITLE_PAGE_LINES = 25
"""A first page with fewer lines is the title page of a thesis or report, with the institution anywhere."""
MAX_LENGTH, MIN_WRAPPED_LENGTH = 400, 55
"""Letters; a longer line continues in the next without a comma."""


class Affiliation(NamedTuple):
    """An affiliation with its marker."""

    marker: str
    text: str
    line: Line
    """Its first line."""


class AuthorAffiliations(NamedTuple):
    """The affiliations of one author, with a confidence."""

    affiliations: tuple[str, ...]
    confidence: float


NO_AFFILIATIONS = AuthorAffiliations((), 0.0)
MARKED, NAMED, IN_BLOCK, BELOW, ONLY = 1.0, 0.95, 0.9, 0.8, 0.6
STARS = frozenset("*†‡§¶∗#⋆")


def author_affiliations(
    people: Sequence[tuple[str, Line]], zone: Sequence[Line], author_lines: Sequence[Line], lines: Sequence[Line]
) -> list[tuple[str, ...]]:
    """Affiliations of each (name, line), from the part of the document that serves most authors.

    The parts are, in order: between names and text, notes of the first page or "Author details", names beside an
    affiliation."""
    best: list[AuthorAffiliations] = [NO_AFFILIATIONS] * len(people)
    if not people:
        return []
    for candidates in affiliation_groups(zone, author_lines, lines):
        assigned = [affiliations_of(name, line, candidates, author_lines) for name, line in people]
        best = max(best, assigned, key=_total_score)
    best = max(best, _in_blocks(people, zone, author_lines), key=_total_score)
    if _total_score(best) < 0.7 * len(people):
        assigned = [
            AuthorAffiliations(candidates, NAMED)
            for candidates in affiliations_by_name([name for name, _ in people], lines)
        ]
        best = max(best, assigned, key=_total_score)
    return [assignment.affiliations for assignment in best]


def _in_blocks(
    people: Sequence[tuple[str, Line]], zone: Sequence[Line], author_lines: Sequence[Line]
) -> list[AuthorAffiliations]:
    """Affiliations of names set side by side: the blocks below each name."""
    assigned = [NO_AFFILIATIONS] * len(people)
    rows: dict[float, list[int]] = {}
    for number, (_, line) in enumerate(people):
        rows.setdefault(line.base, []).append(number)
    author_line_ids = set(map(id, author_lines))
    for base, numbers in rows.items():
        spans = [_name_span(*people[number]) for number in numbers]
        if len(numbers) < 2 or not all(_has_column_gap(one, two) for one, two in pairwise(spans)):
            continue
        end = min((other for other in rows if other > base + 1), default=float("inf"))
        below = [line for line in zone if base + 1 < line.base < end and id(line) not in author_line_ids]
        middles = [(left + right) / 2 for left, right in spans]
        for number, block_lines in zip(numbers, _columns_below(below, middles), strict=True):
            texts = [
                affiliation.text for affiliation in _split_affiliations(block_lines) if not _is_prose(affiliation.text)
            ]
            assigned[number] = AuthorAffiliations(tuple(texts[:2]), IN_BLOCK if texts else 0.0)
    return assigned


def _has_column_gap(one: tuple[float, float], two: tuple[float, float]) -> bool:
    """True if the gap between two names is wider than a word space."""
    return two[0] - one[1] > 12


def _name_span(name: str, line: Line) -> tuple[float, float]:
    """Left and right edge of a name in its line."""
    letters, seen, start = _letters(name), "", line.x0
    for word in line.words:
        word_letters = _letters(word.text)
        if not letters.startswith(_letters(seen) + word_letters):
            seen = ""
        if not seen:
            start = word.x0
        seen += word.text
        if word_letters and _letters(seen) == letters:
            return start, word.x1
    return line.x0, line.x1


def _columns_below(lines: Sequence[Line], middles: Sequence[float]) -> list[list[Line]]:
    """Line parts below each name, split at wide spaces; empty if a line spans two names."""
    columns: list[list[Line]] = [[] for _ in middles]
    for line in lines:
        if NOT_AN_AFFILIATION.match(line.text) or DATE_LINE.fullmatch(line.text):
            continue
        for words in _split_wide(line):
            middle = (words[0].x0 + words[-1].x1) / 2
            if sum(words[0].x0 < one < words[-1].x1 for one in middles) > 1:
                return [[] for _ in middles]
            nearest = min(range(len(middles)), key=lambda at: abs(middles[at] - middle))
            piece = line._replace(text=join_words(words), words=tuple(words), x0=words[0].x0, x1=words[-1].x1)
            columns[nearest].append(piece)
    return columns


def _split_wide(line: Line) -> list[list[Word]]:
    pieces = [[line.words[0]]]
    for one, two in pairwise(line.words):
        if two.x0 - one.x1 > 0.8 * line.size:
            pieces.append([])
        pieces[-1].append(two)
    return pieces


def _total_score(assigned: Sequence[AuthorAffiliations]) -> float:
    """Number of authors with an affiliation, weighted by confidence."""
    return sum(
        max(map(_text_score, assignment.affiliations), default=0.0) * assignment.confidence for assignment in assigned
    )


def _text_score(text: str) -> float:
    return 1.0 if _is_affiliation(text) else 0.7


def affiliation_groups(
    zone: Sequence[Line], author_lines: Sequence[Line], lines: Sequence[Line]
) -> Iterator[list[Affiliation]]:
    """Candidate affiliations of each part of the document, the likeliest part first."""
    author_line_ids = set(map(id, author_lines))
    left_edge = min((line.x0 for line in author_lines), default=0.0)
    # without text beside the column
    near_names = [line for line in zone if id(line) not in author_line_ids and line.x1 > left_edge]
    yield _split_affiliations(split_columns(near_names))
    first_page = [line for line in lines if line.page == lines[0].page and id(line) not in author_line_ids]
    for group in (_marked_notes(first_page), _author_details(lines), _unmarked_notes(first_page)):
        yield [
            affiliation
            for affiliation in _split_affiliations(group)
            if _is_affiliation(affiliation.text) or (affiliation.marker and not _is_prose(affiliation.text))
        ]
    if len(first_page) < MAX_TITLE_PAGE_LINES:
        yield [affiliation for affiliation in _split_affiliations(first_page) if _is_affiliation(affiliation.text)]


def split_columns(lines: Sequence[Line]) -> list[Line]:
    """The lines, split where a second column begins beside the addresses; its lines come last."""
    edges = Counter(round(line.x0) for line in lines)
    edges.update(round(word.x0) for line in lines for word in _words_after_gaps(line))
    main_edge = edges.most_common(1)[0][0] if edges else 0
    main: list[Line] = []
    second_column: list[Line] = []
    for line in lines:
        column_start = next(
            (word for word in _words_after_gaps(line) if edges[round(word.x0)] > 2 and word.x0 > main_edge + 100), None
        )
        if column_start is None:
            (second_column if edges[round(line.x0)] > 2 and line.x0 > main_edge + 100 else main).append(line)
            continue
        at = line.words.index(column_start)
        for words, part in ((line.words[:at], main), (line.words[at:], second_column)):
            text = join_words(words)
            part.append(line._replace(text=text, words=words, x0=words[0].x0, x1=words[-1].x1))
    return [*main, *second_column]


def _words_after_gaps(line: Line) -> list[Word]:
    """Words after more than a word space."""
    return [two for one, two in pairwise(line.words) if two.x0 - one.x1 > 0.6 * line.size]


def _is_affiliation(text: str) -> bool:
    """True if the text names an institution and is no prose."""
    return names_institution(text) and not _is_prose(text)


def _is_prose(text: str) -> bool:
    """True if many words other than stop words are in lower case, unlike in an address."""
    words = re.findall(r"[^\W\d_]+", text)
    lower_case_words = sum(word[0].islower() and word not in STOP_WORDS for word in words)
    return (lower_case_words > 0.35 * len(words) and len(words) > 6) or len(text) >= MAX_LENGTH


def _author_details(lines: Sequence[Line]) -> list[Line]:
    """The lines below "Author details" at the end of the document."""
    start = next((number for number, line in enumerate(lines) if line.page > 1 and DETAILS.fullmatch(line.text)), None)
    if start is None:
        return []
    label, selected = lines[start], list[Line]()
    for line in (line for line in lines[start + 1 : start + 80] if not line.margin):
        if line.style == label.style or (selected and abs(line.size - selected[0].size) > 0.5):
            break
        selected.append(line)
    return selected


def _marked_notes(lines: Sequence[Line]) -> list[Line]:
    """Lines that begin with a marker and name an institution."""
    selected: list[Line] = []
    for line in sorted(lines, key=lambda line: (line.page, line.order)):
        opens = bool(LONE_MARKER.match(line.words[0].text)) and names_institution(line.text)
        follows = selected and line.page == selected[-1].page and 0 < line.base - selected[-1].base < 1.6 * line.size
        if opens or (follows and abs(line.size - selected[-1].size) < 0.5):
            selected.append(line)
    return selected


def _unmarked_notes(lines: Sequence[Line]) -> list[Line]:
    """Notes in small type with an address only, as for authors of one institution."""
    size = body_size(lines)
    selected: list[Line] = []
    run: list[Line] = []
    for line in [*lines, None]:
        if line and (not run or (_same_setting(line, run[-1]) and 0 < line.base - run[-1].base < 1.5 * line.size)):
            run.append(line)
            continue
        text = join_lines(run)
        if (
            run[0].size < 0.95 * size
            and len(text) < 250
            and _is_affiliation(text)
            and not NOT_AN_AFFILIATION.match(text)
        ):
            selected += run
        run = [line] if line else []
    return selected


def _same_setting(one: Line, two: Line) -> bool:
    return one.column == two.column and abs(one.size - two.size) < 0.5


def _with_markers(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with a lone raised marker put before the line it belongs to."""
    marker_line: Line | None = None
    for line in lines:
        if marker_line and 0 <= line.base - marker_line.base < 0.9 * line.size and line.x0 - marker_line.x1 < line.size:
            word = marker_line.words[0]._replace(size=0.5 * line.size)
            line = line._replace(words=(word, *line.words), text=f"{marker_line.text} {line.text}")
        marker_line = line if len(line.words) == 1 and LONE_MARKER.fullmatch(line.text) else None
        if marker_line is None:
            yield line


def _split_affiliations(lines: Sequence[Line]) -> list[Affiliation]:
    """The lines split at markers; without markers a line that names an institution opens a new affiliation."""
    result: list[Affiliation] = []
    last: Line | None = None
    for line in _with_markers(lines):
        if NOT_AN_AFFILIATION.match(line.text) or DATE_LINE.fullmatch(line.text):
            last = None
            continue
        is_close = last is not None and line.page == last.page and 0 <= line.base - last.base < 1.9 * line.size
        for marker, text in _marked_parts(line, result):
            text = ADDRESSES.sub("", clean(text)).lstrip(" ,;").rstrip(" ;")
            if marker or not result or not is_close or _opens_affiliation(result[-1], text):
                result.append(Affiliation(marker, text, line))
            else:
                wrapped = last is not None and (len(last.text) > MIN_WRAPPED_LENGTH or "," in last.text.strip(" ,"))
                result[-1] = result[-1]._replace(text=_join_parts(result[-1].text, text, wrapped)[:MAX_LENGTH])
            is_close = True
        last = line
    trimmed = [affiliation._replace(text=AFFILIATION_EDGES.sub("", affiliation.text)) for affiliation in result]
    return [affiliation for affiliation in trimmed if sum(map(str.isalpha, affiliation.text)) > 3]


def _opens_affiliation(last: Affiliation, text: str) -> bool:
    """True for an institution without marker after a complete affiliation without marker."""
    return not last.marker and names_institution(text) and names_institution(last.text) and _is_complete(last.text)


def _is_complete(text: str) -> bool:
    """True if it has a city or country: the last part is no institution."""
    return text.count(",") >= 2 and not text.endswith(",") and not names_institution(text.rsplit(",", 1)[-1])


def _join_parts(first: str, second: str, wrapped: bool) -> str:
    """Two lines of an affiliation, with a comma unless the first is wrapped."""
    if first.endswith(HYPHEN):
        return first.rstrip(HYPHEN) + second
    if not first or not second:
        return first or second
    ends_in_stop_word = first.rpartition(" ")[2].lower() in STOP_WORDS
    return (
        f"{first} {second}"
        if wrapped or ends_in_stop_word or first.endswith((",", "-", ";")) or second[:1].islower()
        else f"{first}, {second}"
    )


def _marked_parts(line: Line, previous: Sequence[Affiliation]) -> Iterator[tuple[str, str]]:
    """(marker, text) of each part of a line; text before the first marker has none."""
    marker, parts = "", list[str]()
    next_number = _next_marker_number(previous)
    for number, word in enumerate(line.words):
        after = line.words[number + 1] if number + 1 < len(line.words) else None
        if _is_marker(word, line, next_number) and (after is not None or word.size < 0.86 * line.size):
            if parts:
                yield marker, "".join(parts)
            marker, parts = word.text.strip(".),"), []
            next_number = str(int(marker) + 1) if marker.isdecimal() else next_number
        else:
            parts.append(word.text if word.glued and parts else f" {word.text}")
    if parts or marker:
        yield marker, "".join(parts)


def _next_marker_number(previous: Sequence[Affiliation]) -> str:
    """The next number in a numbered list of affiliations."""
    numbers = [int(affiliation.marker) for affiliation in previous if affiliation.marker.isdecimal()]
    return str(numbers[-1] + 1) if numbers else "1"


def _is_marker(word: Word, line: Line, next_number: str) -> bool:
    text = word.text.strip(",")
    if not LONE_MARKER.fullmatch(text):
        return False
    raised = word.size < 0.86 * line.size
    first = word is line.words[0] and (not text.isalpha() or word.size < 0.95 * line.size)
    return raised or text.strip(".)") == next_number or (first and not text.isdecimal())


def affiliations_of(
    name: str, line: Line, candidates: Sequence[Affiliation], author_lines: Sequence[Line]
) -> AuthorAffiliations:
    """The affiliations with the author's markers; otherwise those below the name, or the only one."""
    markers = set(MARKER.findall(markers_after(line, name)))
    by_marker = tuple(
        candidate.text
        for candidate in candidates
        if candidate.marker and candidate.marker in markers and not _is_prose(candidate.text)
    )
    if by_marker:
        return AuthorAffiliations(by_marker, MARKED)
    scale = 0.5 if markers - STARS else 1.0  # an unmatched marker: the affiliation is elsewhere
    institutions = [candidate for candidate in candidates if _is_affiliation(candidate.text)]
    if any(candidate.marker for candidate in institutions):
        return AuthorAffiliations((institutions[0].text,), scale * ONLY) if len(institutions) == 1 else NO_AFFILIATIONS
    next_base = min((one.base for one in author_lines if one.base > line.base + 1), default=float("inf"))
    below = [
        candidate
        for candidate in institutions
        if line.base < candidate.line.base < next_base
        and candidate.line.x0 < line.x1 + 40
        and candidate.line.x1 > line.x0 - 40
    ]
    if below:
        return AuthorAffiliations(tuple(candidate.text for candidate in below[:2]), scale * BELOW)
    return AuthorAffiliations((institutions[0].text,), scale * ONLY) if len(institutions) == 1 else NO_AFFILIATIONS


def markers_after(line: Line, name: str) -> str:
    """The markers after a name, e.g. "1,2": raised ones, or numbers and signs; degrees may stand between."""
    full_name, family = _letters(name), _letters(name.split()[-1])
    markers = _markers_behind(line, full_name)
    return (_markers_behind(line, family) or "") if markers is None else markers


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, clean(text)))


def _markers_behind(line: Line, name: str) -> str | None:
    """The markers after the word that ends with these letters; None if the line does not contain them."""
    markers: list[str] = []
    seen, reached = "", False
    for word in line.words:
        raised = word.size < 0.86 * line.size or not any(map(str.isalpha, word.text))
        if reached and raised:
            markers.append(word.text)
        elif reached and (markers or not DEGREE.fullmatch(word.text.strip(" ,;.") or "MD")):
            break
        elif not reached and (not raised or word.text in LONE_ACCENTS):
            seen = seen[-80:] + word.text
            reached = _letters(seen).endswith(name)
            if reached and (attached := re.search(r"[\d,*†‡§]*[\d*†‡§]$", word.text.rstrip(",;"))):
                return attached.group()
    return ",".join(markers) if reached else None


ORCID = re.compile(r"\b(\d{4}-\d{4}-\d{4}-\d{3}[\dX])\b")


def orcids_of(people: Sequence[tuple[str, Line]], links: Sequence[Link], page: Sequence[Line]) -> list[str]:
    """The ORCID iD of each (name, line), or an empty string: from the link after the name, or printed beside it."""
    ends = [_name_end(name, line) for name, line in people]
    found = [""] * len(people)
    for link in links:
        number = ORCID.search(link.uri) if "orcid.org" in link.uri.lower() else None
        if number is None:
            continue
        x0, y0, _, y1 = link.box
        before = [
            at
            for at, (_, line) in enumerate(people)
            if y0 - line.size < line.base < y1 + line.size and ends[at] <= x0 + 0.5 * line.size
        ]
        owner = max(before, key=lambda at: ends[at], default=None)
        if owner is not None and not found[owner]:
            found[owner] = number.group(1)
    return _printed_orcids(people, found, page)


def _printed_orcids(people: Sequence[tuple[str, Line]], found: list[str], page: Sequence[Line]) -> list[str]:
    """ORCID iDs in lines that hold the number and the name of one author."""
    for line in page:
        number = ORCID.search(line.text)
        owners = [at for at, (name, _) in enumerate(people) if name.split()[-1] in line.text] if number else []
        if number and len(owners) == 1 and not found[owners[0]] and number.group(1) not in found:
            found[owners[0]] = number.group(1)
    return found


def _name_end(name: str, line: Line) -> float:
    """Right edge of a name in its line."""
    family = name.split()[-1]
    return next((word.x1 for word in line.words if clean(word.text).strip(",.;").startswith(family)), line.x1)
