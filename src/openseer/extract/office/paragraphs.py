"""Paragraphs of word processors with their formatting, and their roles: by style names, else by typography."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from openseer.core.errors import NoText
from openseer.core.text.person_names import is_name, names_institution
from openseer.extract.layout.headings import ABSTRACT, INTRODUCTION, KEYWORDS, REFERENCES, is_heading
from openseer.extract.structured.author_lines import authors_in, names_in
from openseer.extract.structured.document import Block, Role, StatedFields, StructuredText
from openseer.extract.structured.superscripts import with_superscripts

MAX_HEADING_WORDS, MAX_HEADING_CHARACTERS = 14, 120
MAX_TITLE_CHARACTERS, MAX_AUTHORS_CHARACTERS = 400, 600
MAX_FRONT_PARAGRAPHS, MAX_TITLE_PLACE = 100, 25
"""Paragraphs of the front matter, and those among which the title is looked for."""
ABSTRACT_CHARACTERS = range(300, 4000)
"""Length of an abstract without a heading."""
LARGER = 1.15
"""Size of a title, relative to the text."""
SECTION_NUMBER = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-H])[.)]?\s+(?=\S)")
BREAK = "\x0b"
"""A line break inside a paragraph."""
DIVISION = re.compile(r"\x0b(?:[^\S\x0b]*\x0b)+")
BULLET = re.compile(r"[•◦▪‣●○■·]\s")
UNTRUSTED_TITLE = re.compile(
    r"microsoft|powerpoint|untitled|\bdocument\s*\d*$|\.(?:docx?|rtf|odt|pptx?|tex|wpd)\b|^(?:slide|folie|title|titel)\b",
    re.I,
)
PAGE_NUMBER = re.compile(r"(?:page|seite|p\.)?\s*[-–—]?\s*\d*\s*(?:(?:of|von|/)\s*\d*)?\s*[-–—]?", re.I)
STYLE_ROLES: tuple[tuple[re.Pattern[str], Role], ...] = tuple(
    (re.compile(pattern), role)
    for pattern, role in (
        (
            r"(?:els|mdpi\d*|acm|ieee)?(?:paper|article|document|main)?title(?:document|paper|1)?|titel|titre",
            Role.TITLE,
        ),
        (r"(?:els|mdpi\d*)?(?:paper)?authors?(?:names?|list|1)?|autoren|byline|auteurs?", Role.AUTHORS),
        (
            r"(?:els|mdpi\d*)?(?:affiliations?|affil|address|institut(?:e|ion)s?|authoraddress|authorinfo)\d?",
            Role.AFFILIATION,
        ),
        (
            r"(?:els|mdpi\d*)?(?:bibliograph(?:y|ie)|references?(?:item|list|text|entry)?|bibentry|bibitem|bibliography1"
            r"|literatur(?:eintrag|verzeichnis)?|endnotebibliography|acmref)\d*",
            Role.REFERENCE,
        ),
        (
            r"(?:els|mdpi\d*)?(?:image|table|figure|tab|fig|picture)?(?:caption|legend|legende|beschriftung)\w{0,6}|tablehead|"
            r"illustration|abbildung",
            Role.CAPTION,
        ),
        (r"(?:footnote|endnote|annotation|comment)(?:text|block)?|notes", Role.NOTE),
        (r"sourcecode|preformatted(?:text)?|htmlpreformatted|verbatim|code|plaintextcode|listing", Role.LINES),
    )
)
"""Names of styles in small letters without blanks and punctuation."""
HEADING_STYLE = re.compile(
    r"(?:els|mdpi\d*)?(?:heading|head|überschrift|titre|título|заголовок|section)(?:unnumbered|num)?(\d)?(?:unnumbered|numbered)?"
)
HEADING_TITLES = re.compile(
    r"(?:abstract|abs|ref(?:erences?)?|ack(?:nowledge?ments?)?|toc|bibliography)(?:title|head(?:ing)?)"
)
ABSTRACT_STYLE = re.compile(r"(?:els|mdpi\d*)?abstract(?:text|body|first)?|zusammenfassung|résumé")
KEYWORDS_STYLE = re.compile(r"(?:els|mdpi\d*)?keywords?(?:text)?")
SUBTITLE_STYLE = re.compile(r"subtitle\d?|untertitel|soustitre")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or a table, as the file has it."""

    text: str = ""
    style: str = ""
    """Name of its style."""
    level: int = 0
    """Level of the heading that the file states; 0 for text."""
    bold: bool = False
    centred: bool = False
    size: float = 0.0
    """Size of the type in points; 0 if unknown."""
    marker: str = ""
    """Printed number or bullet of a list item."""
    depth: int = 1
    """Nesting of a list item."""
    role: Role | None = None
    """The role, where the file states it by other means than styles."""
    rows: tuple[tuple[str, ...], ...] = ()
    starts_page: bool = False

    @property
    def style_key(self) -> str:
        """Name of the style in small letters, without blanks and punctuation."""
        return re.sub(r"[\W_]+", "", self.style.lower())

    @property
    def printed(self) -> str:
        """Text with its number."""
        return f"{self.marker} {self.text}" if self.marker else self.text


@dataclass(frozen=True, slots=True)
class Properties:
    """Title and authors among the properties of a file; often wrong."""

    title: str = ""
    authors: tuple[str, ...] = ()


def paragraph_text(parts: Iterable[str]) -> str:
    """Text of a paragraph on one line; two line breaks in a row stay as one, since they divide it.

    >>> paragraph_text(["Tides\\x0brise.", "\\x0b \\x0bThe sea"])
    'Tides rise.\\x0bThe sea'
    """
    text = with_superscripts("".join(parts)).replace("\xad", "")
    if BREAK not in text:
        return " ".join(text.split())
    return BREAK.join(" ".join(part.split()) for part in DIVISION.split(text) if part.strip())


def _divided(one: Paragraph) -> list[Paragraph]:
    """The parts of a paragraph between double line breaks; the first has its number."""
    first, *others = one.text.split(BREAK)
    if not others:
        return [one]
    rest = (replace(one, text=part, marker="", starts_page=False) for part in others)
    return [replace(one, text=first), *rest]


def is_page_number(text: str) -> bool:
    """True for a header or footer that has nothing but the number of the page."""
    return bool(PAGE_NUMBER.fullmatch(text.strip()))


def running_heads(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """Headers and footers as notes on a page of their own, each text once."""
    texts = (one.text or " ".join(" ".join(row) for row in one.rows) for one in paragraphs)
    kept = dict.fromkeys(text for text in texts if text.strip() and not is_page_number(text))
    return [Paragraph(text, role=Role.NOTE, starts_page=not at) for at, text in enumerate(kept)]


def structure_of(
    paragraphs: Iterable[Paragraph],
    properties: Properties = Properties(),  # noqa: B008 (frozen)
    links: Iterable[str] = (),
    warnings: Iterable[str] = (),
) -> StructuredText:
    """Blocks with roles, page breaks and the fields that styles state."""
    kept = [part for one in paragraphs for part in _divided(one) if part.text.strip() or part.rows]
    if not kept:
        raise NoText("The document has no text.")
    roled = _headings_by_typography(_front_by_typography([_by_style(one) for one in kept], properties))
    roled = _one_title(roled)
    blocks: list[Block] = []
    breaks: list[int] = []
    for one in roled:
        if one.starts_page and blocks:
            breaks.append(len(blocks))
        blocks.append(_block_of(one))
    return StructuredText(
        _joined_lines(blocks) if not breaks else tuple(blocks),
        _stated_by(roled),
        links=tuple(dict.fromkeys(links)),
        warnings=tuple(dict.fromkeys(warnings)),
        page_breaks=tuple(dict.fromkeys(breaks)),
    )


def _by_style(one: Paragraph) -> Paragraph:
    """The paragraph with the role and level that its style names."""
    if one.role is not None or one.rows:
        return one
    key = one.style_key
    if one.level:
        return replace(one, role=Role.HEADING)
    for pattern, role in STYLE_ROLES:
        if pattern.fullmatch(key):
            return replace(one, role=role)
    if HEADING_TITLES.fullmatch(key):
        return replace(one, role=Role.HEADING, level=1)
    heading = HEADING_STYLE.fullmatch(key)
    if heading and len(one.text) < 3 * MAX_HEADING_CHARACTERS:
        return replace(one, role=Role.HEADING, level=int(heading[1] or 1))
    return replace(one, role=Role.ITEM) if one.marker or BULLET.match(one.text) else one


def _one_title(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """Paragraphs in the style of titles after the first ones are headings; `Heading 1` is not moved."""
    found: list[Paragraph] = []
    is_over = has_title = False
    for one in paragraphs:
        if one.role is Role.TITLE and is_over:
            one = replace(one, role=Role.HEADING, level=1)
        elif one.role is Role.TITLE:
            has_title = True
        elif has_title:
            is_over = True
        found.append(one)
    return found


def _front_by_typography(paragraphs: list[Paragraph], properties: Properties) -> list[Paragraph]:
    """Title and authors by typography, if no style names the title."""
    if any(one.role is Role.TITLE for one in paragraphs):
        return paragraphs
    at, end = _title_span(paragraphs, properties.title)
    if at < 0:
        return paragraphs
    title = replace(
        paragraphs[at], text=" ".join(one.printed for one in paragraphs[at:end]), role=Role.TITLE, marker=""
    )
    return [*paragraphs[:at], title, *_authors_below(paragraphs[end:])]


def _title_span(paragraphs: Sequence[Paragraph], stated: str) -> tuple[int, int]:
    """First paragraph of the title and the one after it; -1 if none looks like a title."""
    front = paragraphs[: min(_front_end(paragraphs), MAX_TITLE_PLACE)]
    wanted = _letters_of(stated)
    if len(wanted) > 7 and not UNTRUSTED_TITLE.search(stated):
        for at, one in enumerate(front):
            if _letters_of(one.text) == wanted:
                return at, at + 1
    body = _body_size(paragraphs)
    candidates = [at for at, one in enumerate(front) if _may_be_title(one)]
    largest = max((front[at].size for at in candidates), default=0.0)
    by_size = [at for at in candidates if body and front[at].size == largest > LARGER * body]
    by_weight = [at for at in candidates[:4] if front[at].bold and (front[at].centred or at == candidates[0])]
    by_place = [at for at in candidates[:1] if front[at].centred]
    for found in (by_size, by_weight, by_place):
        if found:
            end = found[0] + 1
            while end in found and end - found[0] < 4:
                end += 1
            return found[0], end
    return -1, -1


def _front_end(paragraphs: Sequence[Paragraph]) -> int:
    """Number of the first paragraph that belongs to the text: a heading, or a long paragraph."""
    for at, one in enumerate(paragraphs[:MAX_FRONT_PARAGRAPHS]):
        is_start = any(is_heading(pattern, one.text) for pattern in (ABSTRACT, INTRODUCTION, KEYWORDS, REFERENCES))
        if is_start or (at and len(one.text) > MAX_AUTHORS_CHARACTERS):
            return at
    return min(len(paragraphs), MAX_FRONT_PARAGRAPHS)


def _may_be_title(one: Paragraph) -> bool:
    words = one.text.split()
    is_text = one.role in (None, Role.HEADING) and not one.marker
    return is_text and len(words) > 1 and len(one.text) < MAX_TITLE_CHARACTERS and one.text[-1:] not in ",;:"


def _authors_below(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """The paragraphs below a title, those with names and institutions marked."""
    end = _front_end(paragraphs)
    found = list(paragraphs)
    has_names = False
    for at, one in enumerate(paragraphs[:end]):
        if one.role is not None or len(one.text) > MAX_AUTHORS_CHARACTERS:
            break
        if all(map(is_name, names_in(one.text))):
            found[at], has_names = replace(one, role=Role.AUTHORS), True
        elif "@" in one.text or names_institution(one.text):
            found[at] = replace(one, role=Role.AFFILIATION)
        elif not has_names:
            break
    return found


def _headings_by_typography(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """Short bold paragraphs as headings, if the file has no styles of headings."""
    if any(one.role is Role.HEADING for one in paragraphs):
        return paragraphs
    text = [one for one in paragraphs if one.role is None]
    if sum(len(one.text) for one in text if one.bold) > 0.4 * sum(len(one.text) for one in text):
        return paragraphs  # bold is the type of the text
    start = next((at for at, one in enumerate(paragraphs) if one.role is Role.TITLE), -1) + 1
    return [
        replace(one, role=Role.HEADING, level=_level_of(one)) if at >= start and _looks_like_heading(one) else one
        for at, one in enumerate(paragraphs)
    ]


def _looks_like_heading(one: Paragraph) -> bool:
    if one.role not in (None, Role.ITEM) or not one.bold or len(one.text) > MAX_HEADING_CHARACTERS:
        return False
    has_letters = sum(map(str.isalpha, one.text)) > 3
    return has_letters and len(one.text.split()) <= MAX_HEADING_WORDS and one.text.rstrip()[-1:] not in ".,;"


def _level_of(one: Paragraph) -> int:
    """Level by the printed number.

    >>> _level_of(Paragraph("2.1 Data"))
    2
    """
    number = SECTION_NUMBER.match(one.printed)
    return min(4, 1 + number[0].strip().rstrip(".)").count(".")) if number else 1


def _body_size(paragraphs: Sequence[Paragraph]) -> float:
    """The size of most characters."""
    sizes: Counter[float] = Counter()
    for one in paragraphs:
        if one.size:
            sizes[one.size] += len(one.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _block_of(one: Paragraph) -> Block:
    if one.rows:
        return Block(Role.TABLE, rows=one.rows)
    role = one.role or Role.PARAGRAPH
    if role is Role.HEADING:
        return Block(role, one.printed, level=one.level)
    return Block(role, one.printed, level=one.depth if role is Role.ITEM else 1)


def _joined_lines(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Neighbouring lines of preformatted text as one block."""
    found: list[Block] = []
    for block in blocks:
        if block.role is Role.LINES and found and found[-1].role is Role.LINES:
            found[-1] = Block(Role.LINES, f"{found[-1].text}\n{block.text}")
        else:
            found.append(block)
    return tuple(found)


def _stated_by(paragraphs: Sequence[Paragraph]) -> StatedFields:
    """Title, authors and abstract by their styles."""
    titles = [one.text for one in paragraphs if one.role is Role.TITLE and _is_styled(one)]
    names = [one.text for one in paragraphs if one.role is Role.AUTHORS]
    abstract = [one.text for one in paragraphs if ABSTRACT_STYLE.fullmatch(one.style_key)]
    abstract = [text for text in abstract if not is_heading(ABSTRACT, text)] or _unnamed_abstract(paragraphs)
    return StatedFields(title=" ".join(titles), authors=authors_in(names), abstract=" ".join(abstract))


def _unnamed_abstract(paragraphs: Sequence[Paragraph]) -> list[str]:
    """The one long paragraph between the authors and the first heading, if nothing else is called abstract."""
    if any(is_heading(ABSTRACT, one.text.split(":")[0][:20]) for one in paragraphs):
        return []
    start = max(
        (at for at, one in enumerate(paragraphs[:MAX_FRONT_PARAGRAPHS]) if one.role is Role.AUTHORS), default=-1
    )
    end = next((at for at, one in enumerate(paragraphs) if one.role is Role.HEADING), 0)
    between = paragraphs[start + 1 : end] if start >= 0 else []
    long = [one.text for one in between if one.role is None and len(one.text) in ABSTRACT_CHARACTERS]
    return long if len(long) == 1 else []


def _is_styled(one: Paragraph) -> bool:
    return any(pattern.fullmatch(one.style_key) for pattern, role in STYLE_ROLES if role is one.role)


def _letters_of(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())
