"""What stands around the names of the authors: affiliations, by mark, by place or by name, and ORCID iDs."""

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

MARK = re.compile(r"\d{1,2}|[a-z](?![a-z])|[*†‡§¶∗#⋆]")
LONE = re.compile(r"(?:\d{1,2}|[a-z]|[*†‡§¶∗#⋆]{1,2})[.)]?")
NOT_A_PLACE = re.compile(
    r"^\W*(?:e-?mails?\b|corresponding|correspondence|\*?to whom|these authors|equal|contributed|received|accepted|"
    r"reçu|eingegangen|recibido|recebido|"
    r"published|doi\b|https?:|orcid|tel\b|fax\b|phone|present address|submitted|edited|reviewed|citation|"
    r"copyright|©|how to cite|proceedings|appearing in|jmlr)",
    re.I,
)
DATE = re.compile(r"\W*(?:\d{1,2}\.? )?(?:[^\W\d_]{3,10}\.? )?(?:1[89]|20)\d\d\W*")
"""A line that holds a date and nothing else."""
DETAILS = re.compile(r"\W*(?:full list of )?author (?:details|information|affiliations)\b.{0,20}", re.I)
DEGREE = re.compile(r"Ph\.?D|M\.?Sc|B\.?Sc|M\.?[DASB]|Dr|Prof|[A-Z]{2,5}")
EDGES = re.compile(r"^[\s,;:.–—-]+|(?:[\s,;:–—-]|\be-?mails?\b)+$", re.I)
"""What is left around a place when the address is taken out."""
TITLE_PAGE = 25
"""A first page with fewer lines is that of a thesis or report: the institution may stand anywhere on it."""
LONGEST, WRAPPED = 400, 55
"""Letters of a place; a longer line goes on in the next without a comma."""


class Place(NamedTuple):
    """An affiliation with the mark in front of it."""

    mark: str
    text: str
    line: Line
    """The first line it stands in."""


class Where(NamedTuple):
    """The places of one author, and how sure we are."""

    places: tuple[str, ...]
    sure: float


NOWHERE = Where((), 0.0)
MARKED, NAMED, IN_BLOCK, BELOW, ONLY = 1.0, 0.95, 0.9, 0.8, 0.6
STARS = frozenset("*†‡§¶∗#⋆")


def affiliations(
    people: Sequence[tuple[str, Line]], zone: Sequence[Line], author_lines: Sequence[Line], lines: Sequence[Line]
) -> list[tuple[str, ...]]:
    """The affiliations of each (name, line), from that part of the document which serves most of them.

    Between the names and the text, else in notes of the first page or under "Author details", else where it is names
    that stand beside a place."""
    best: list[Where] = [NOWHERE] * len(people)
    if not people:
        return []
    for places in groups_of(zone, author_lines, lines):
        found = [affiliations_of(name, line, places, author_lines) for name, line in people]
        best = max(best, found, key=_served)
    best = max(best, _in_blocks(people, zone, author_lines), key=_served)
    if _served(best) < 0.7 * len(people):
        found = [Where(places, NAMED) for places in affiliations_by_name([name for name, _ in people], lines)]
        best = max(best, found, key=_served)
    return [where.places for where in best]


def _in_blocks(people: Sequence[tuple[str, Line]], zone: Sequence[Line], author_lines: Sequence[Line]) -> list[Where]:
    """Where names stand side by side: what is set below each of them, cut at the white between the blocks."""
    found = [NOWHERE] * len(people)
    rows: dict[float, list[int]] = {}
    for number, (_, line) in enumerate(people):
        rows.setdefault(line.base, []).append(number)
    taken = set(map(id, author_lines))
    for base, numbers in rows.items():
        spans = [_span(*people[number]) for number in numbers]
        if len(numbers) < 2 or not all(_apart(one, two) for one, two in pairwise(spans)):
            continue
        end = min((other for other in rows if other > base + 1), default=float("inf"))
        below = [line for line in zone if base + 1 < line.base < end and id(line) not in taken]
        middles = [(left + right) / 2 for left, right in spans]
        for number, parts in zip(numbers, _columns_below(below, middles), strict=True):
            places = [place.text for place in _cut(parts) if not _is_prose(place.text)]
            found[number] = Where(tuple(places[:2]), IN_BLOCK if places else 0.0)
    return found


def _apart(one: tuple[float, float], two: tuple[float, float]) -> bool:
    """Whether there is more white between two names than between two words."""
    return two[0] - one[1] > 12


def _span(name: str, line: Line) -> tuple[float, float]:
    """From where to where a name goes in its line."""
    letters, said, start = _letters(name), "", line.x0
    for word in line.words:
        spelled = _letters(word.text)
        if not letters.startswith(_letters(said) + spelled):
            said = ""
        if not said:
            start = word.x0
        said += word.text
        if spelled and _letters(said) == letters:
            return start, word.x1
    return line.x0, line.x1


def _columns_below(lines: Sequence[Line], middles: Sequence[float]) -> list[list[Line]]:
    """The lines cut at wide spaces, each piece to the name it stands below; nothing where a line spans two."""
    columns: list[list[Line]] = [[] for _ in middles]
    for line in lines:
        if NOT_A_PLACE.match(line.text) or DATE.fullmatch(line.text):
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


def _served(found: Sequence[Where]) -> float:
    """For how many there is a place, the surer the more."""
    return sum(max(map(_worth, where.places), default=0.0) * where.sure for where in found)


def _worth(text: str) -> float:
    return 1.0 if _is_place(text) else 0.7


def groups_of(zone: Sequence[Line], author_lines: Sequence[Line], lines: Sequence[Line]) -> Iterator[list[Place]]:
    """Where affiliations may stand, the likeliest first."""
    taken = set(map(id, author_lines))
    left = min((line.x0 for line in author_lines), default=0.0)
    around = [line for line in zone if id(line) not in taken and line.x1 > left]  # not what stands beside the column
    yield _cut(cells_of(around))
    first = [line for line in lines if line.page == lines[0].page and id(line) not in taken]
    for rest in (_notes(first), _details(lines), _lone_notes(first)):
        yield [place for place in _cut(rest) if _is_place(place.text) or (place.mark and not _is_prose(place.text))]
    if len(first) < TITLE_PAGE:
        yield [place for place in _cut(first) if _is_place(place.text)]


def cells_of(lines: Sequence[Line]) -> list[Line]:
    """The lines, cut where a second column begins beside the addresses, whose lines then come last."""
    edges = Counter(round(line.x0) for line in lines)
    edges.update(round(word.x0) for line in lines for word in _wide(line))
    usual = edges.most_common(1)[0][0] if edges else 0
    main: list[Line] = []
    beside: list[Line] = []
    for line in lines:
        cut = next((word for word in _wide(line) if edges[round(word.x0)] > 2 and word.x0 > usual + 100), None)
        if cut is None:
            (beside if edges[round(line.x0)] > 2 and line.x0 > usual + 100 else main).append(line)
            continue
        at = line.words.index(cut)
        for words, part in ((line.words[:at], main), (line.words[at:], beside)):
            text = join_words(words)
            part.append(line._replace(text=text, words=words, x0=words[0].x0, x1=words[-1].x1))
    return [*main, *beside]


def _wide(line: Line) -> list[Word]:
    """Words with more than a word's space before them."""
    return [two for one, two in pairwise(line.words) if two.x0 - one.x1 > 0.6 * line.size]


def _is_place(text: str) -> bool:
    """It names an institution, and is no prose."""
    return names_institution(text) and not _is_prose(text)


def _is_prose(text: str) -> bool:
    """Most of its words but the small ones begin with a small letter, as those of an address do not."""
    words = re.findall(r"[^\W\d_]+", text)
    plain = sum(word[0].islower() and word not in STOP_WORDS for word in words)
    return (plain > 0.35 * len(words) and len(words) > 6) or len(text) >= LONGEST


def _details(lines: Sequence[Line]) -> list[Line]:
    """What stands under "Author details" at the end of the document."""
    start = next((number for number, line in enumerate(lines) if line.page > 1 and DETAILS.fullmatch(line.text)), None)
    if start is None:
        return []
    label, kept = lines[start], list[Line]()
    for line in (line for line in lines[start + 1 : start + 80] if not line.margin):
        if line.style == label.style or (kept and abs(line.size - kept[0].size) > 0.5):
            break
        kept.append(line)
    return kept


def _notes(lines: Sequence[Line]) -> list[Line]:
    """Lines that begin with a mark and name a place."""
    kept: list[Line] = []
    for line in sorted(lines, key=lambda line: (line.page, line.order)):
        opens = bool(LONE.match(line.words[0].text)) and names_institution(line.text)
        follows = kept and line.page == kept[-1].page and 0 < line.base - kept[-1].base < 1.6 * line.size
        if opens or (follows and abs(line.size - kept[-1].size) < 0.5):
            kept.append(line)
    return kept


def _lone_notes(lines: Sequence[Line]) -> list[Line]:
    """Notes in small type that hold nothing but an address, as where all authors are of one place."""
    size = body_size(lines)
    kept: list[Line] = []
    run: list[Line] = []
    for line in [*lines, None]:
        if line and (not run or (_alike(line, run[-1]) and 0 < line.base - run[-1].base < 1.5 * line.size)):
            run.append(line)
            continue
        text = join_lines(run)
        if run[0].size < 0.95 * size and len(text) < 250 and _is_place(text) and not NOT_A_PLACE.match(text):
            kept += run
        run = [line] if line else []
    return kept


def _alike(one: Line, two: Line) -> bool:
    return one.column == two.column and abs(one.size - two.size) < 0.5


def _with_marks(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, a mark that stands alone above the first word of one put in front of it."""
    mark: Line | None = None
    for line in lines:
        if mark and 0 <= line.base - mark.base < 0.9 * line.size and line.x0 - mark.x1 < line.size:
            word = mark.words[0]._replace(size=0.5 * line.size)
            line = line._replace(words=(word, *line.words), text=f"{mark.text} {line.text}")
        mark = line if len(line.words) == 1 and LONE.fullmatch(line.text) else None
        if mark is None:
            yield line


def _cut(lines: Sequence[Line]) -> list[Place]:
    """The lines cut where a mark stands; without one a line that names an institution opens a new place."""
    places: list[Place] = []
    last: Line | None = None
    for line in _with_marks(lines):
        if NOT_A_PLACE.match(line.text) or DATE.fullmatch(line.text):
            last = None
            continue
        near = last is not None and line.page == last.page and 0 <= line.base - last.base < 1.9 * line.size
        for mark, text in _pieces(line, places):
            text = ADDRESSES.sub("", clean(text)).lstrip(" ,;").rstrip(" ;")
            if mark or not places or not near or _opens(places[-1], text):
                places.append(Place(mark, text, line))
            else:
                wrapped = last is not None and (len(last.text) > WRAPPED or "," in last.text.strip(" ,"))
                places[-1] = places[-1]._replace(text=_joined(places[-1].text, text, wrapped)[:LONGEST])
            near = True
        last = line
    tidied = [place._replace(text=EDGES.sub("", place.text)) for place in places]
    return [place for place in tidied if sum(map(str.isalpha, place.text)) > 3]


def _opens(last: Place, text: str) -> bool:
    """A line without mark after a place without mark: another institution, unless the first had none yet."""
    return not last.mark and names_institution(text) and names_institution(last.text) and _is_full(last.text)


def _is_full(text: str) -> bool:
    """It names a city or country already: the last piece is short and no institution."""
    return text.count(",") >= 2 and not text.endswith(",") and not names_institution(text.rsplit(",", 1)[-1])


def _joined(one: str, two: str, wrapped: bool) -> str:
    """Two lines of a place; a comma stands between unless a long line goes on in the next."""
    if one.endswith(HYPHEN):
        return one.rstrip(HYPHEN) + two
    if not one or not two:
        return one or two
    small = one.rpartition(" ")[2].lower() in STOP_WORDS
    return f"{one} {two}" if wrapped or small or one.endswith((",", "-", ";")) or two[:1].islower() else f"{one}, {two}"


def _pieces(line: Line, places: Sequence[Place]) -> Iterator[tuple[str, str]]:
    """(mark, text) of a line; what stands before the first mark has none."""
    mark, parts = "", list[str]()
    following = _following(places)
    for number, word in enumerate(line.words):
        after = line.words[number + 1] if number + 1 < len(line.words) else None
        if _is_mark(word, line, following) and (after is not None or word.size < 0.86 * line.size):
            if parts:
                yield mark, "".join(parts)
            mark, parts = word.text.strip(".),"), []
            following = str(int(mark) + 1) if mark.isdecimal() else following
        else:
            parts.append(word.text if word.glued and parts else f" {word.text}")
    if parts or mark:
        yield mark, "".join(parts)


def _following(places: Sequence[Place]) -> str:
    """The number that the next mark has if they are counted."""
    counted = [int(place.mark) for place in places if place.mark.isdecimal()]
    return str(counted[-1] + 1) if counted else "1"


def _is_mark(word: Word, line: Line, following: str) -> bool:
    text = word.text.strip(",")
    if not LONE.fullmatch(text):
        return False
    raised = word.size < 0.86 * line.size
    first = word is line.words[0] and (not text.isalpha() or word.size < 0.95 * line.size)
    return raised or text.strip(".)") == following or (first and not text.isdecimal())


def affiliations_of(name: str, line: Line, places: Sequence[Place], author_lines: Sequence[Line]) -> Where:
    """The places that bear the author's marks; without marks those printed below the name, or the only one there is."""
    marks = set(MARK.findall(marks_after(line, name)))
    marked = tuple(place.text for place in places if place.mark and place.mark in marks and not _is_prose(place.text))
    if marked:
        return Where(marked, MARKED)
    scale = 0.5 if marks - STARS else 1.0  # a mark that leads nowhere: the right place is elsewhere
    named = [place for place in places if _is_place(place.text)]
    if any(place.mark for place in named):
        return Where((named[0].text,), scale * ONLY) if len(named) == 1 else NOWHERE
    next_base = min((one.base for one in author_lines if one.base > line.base + 1), default=float("inf"))
    below = [
        place
        for place in named
        if line.base < place.line.base < next_base and place.line.x0 < line.x1 + 40 and place.line.x1 > line.x0 - 40
    ]
    if below:
        return Where(tuple(place.text for place in below[:2]), scale * BELOW)
    return Where((named[0].text,), scale * ONLY) if len(named) == 1 else NOWHERE


def marks_after(line: Line, name: str) -> str:
    """The marks behind a name, e.g. "1,2": raised ones, or numbers and signs; degrees may stand between."""
    whole, family = _letters(name), _letters(name.split()[-1])
    found = _marks_behind(line, whole)
    return (_marks_behind(line, family) or "") if found is None else found


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, clean(text)))


def _marks_behind(line: Line, name: str) -> str | None:
    """The marks behind the place where these letters end; None where they do not stand in the line."""
    marks: list[str] = []
    said, reached = "", False
    for word in line.words:
        raised = word.size < 0.86 * line.size or not any(map(str.isalpha, word.text))
        if reached and raised:
            marks.append(word.text)
        elif reached and (marks or not DEGREE.fullmatch(word.text.strip(" ,;.") or "MD")):
            break
        elif not reached and (not raised or word.text in LONE_ACCENTS):
            said = said[-80:] + word.text
            reached = _letters(said).endswith(name)
            if reached and (glued := re.search(r"[\d,*†‡§]*[\d*†‡§]$", word.text.rstrip(",;"))):
                return glued.group()
    return ",".join(marks) if reached else None


ORCID = re.compile(r"\b(\d{4}-\d{4}-\d{4}-\d{3}[\dX])\b")


def orcids_of(people: Sequence[tuple[str, Line]], links: Sequence[Link], page: Sequence[Line]) -> list[str]:
    """The ORCID iD of each (name, line), or "": of the link right behind the name, else as printed beside it."""
    ends = [_end_of(name, line) for name, line in people]
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
    """Where none is linked: a line that holds the number and one author's name."""
    for line in page:
        number = ORCID.search(line.text)
        owners = [at for at, (name, _) in enumerate(people) if name.split()[-1] in line.text] if number else []
        if number and len(owners) == 1 and not found[owners[0]] and number.group(1) not in found:
            found[owners[0]] = number.group(1)
    return found


def _end_of(name: str, line: Line) -> float:
    """Where a name ends in its line."""
    family = name.split()[-1]
    return next((word.x1 for word in line.words if clean(word.text).strip(",.;").startswith(family)), line.x1)
