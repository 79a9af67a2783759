"""One entry of a bibliography becomes fields: identifiers first, then authors, year, title; the rest is the venue."""

from __future__ import annotations

import re
from dataclasses import dataclass

from openseer.extract.people import EDITORS, take_people
from openseer.records.extraction import Name, Reference

DOI = re.compile(r"(?:doi:?\s*|https?://(?:dx\.)?doi\.org/\s*)*\b(10\.\d{4,9}/[^\s\"<>“”]+)", re.I)
URL = re.compile(
    r"(?:<|\b(?:URL|Available (?:at|from|online)|Retrieved from|Verfügbar unter|online)?:?\s*)?((?:https?|"
    r"ftp)://[^\s<>\"]+|www\.[^\s<>\"]+)>?",
    re.I,
)
ACCESSED = re.compile(
    r"[(\[]?\b(?:last |zuletzt )?(?:accessed|retrieved|visited|abgerufen|accesso|aufgerufen|consult[ée]|access|"
    r"viewed|zugriff|eingesehen|Stand:)\b[^()\[\]]{0,40}?\d{4}(?:[-–./] ?\d{1,2}){0,2}[)\].]*",
    re.I,
)
ARXIV = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf)/|\s*(?:preprint|e-prints?)?,?\s*(?:arxiv)?\s*:?\s*(?:abs/)?)\s*(\d{4}\.\d{4,5}|"
    r"[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?",
    re.I,
)
LABEL = re.compile(
    r"^\s*(?:\[[^\]\n]{1,24}\]|\(\d{1,3}\)|\d{1,3}\s*[.)\]](?!\d)|\d{1,3}(?=\s*[^\W\d_a-z])|[•●▪*–-](?=\s))\s*"
)
YEAR = r"(?:1[5-9]\d\d|20\d\d)"
EARLY_YEAR = re.compile(
    rf"[\s,.]*[(\[]+{YEAR}[\])]+ ?({YEAR})[a-z]?[)\]]*[.,:]?\s*|"
    rf"[\s,.]*[(\[]?\b({YEAR})\s?[a-z]?(?:[/–-]\d{{2,4}})?\b(?:, [^()]{{1,30}})?[)\]][.,:]?\s*|"
    rf"[\s,.]*\b({YEAR})[a-z]?\s?(?:[.,:;]|(?= [A-Z“\"]))\s*|[\s,.]*[(\[](?:in press|forthcoming|n\.? ?d\.?|"
    rf"submitted|o\. ?J\.)[)\]][.,:]?\s*",
    re.I,
)
YEARS = re.compile(rf"(?<![\d–-])({YEAR})(?=[a-z]?\b)(?![–-]\d|\d)")
QUOTED = re.compile(
    r"[“\"„«]\s*(.{8,}?)\s*[,.]?[”\"“»](?=[\s,.;:(]|$)|‘([^’]{8,}(?:’[a-z][^’]*)*)[,.]?’(?=[\s,.;:(]|$)|"
    r"``(.{8,}?)[,.]?''"
)
PAGES = re.compile(
    r"(?:\bpp?\.|\bpages?|\bS\.|\bSeiten?|\bс\.|С\.|\bpágs?\.|"
    r":)\s*([A-Z]?\d+[A-Za-z]?\s?[-–—−‐]{1,2}\s?[A-Z]?\d+)|\b(e?\d+\s?[-–—−]{1,2}\s?e?\d+)\b"
)
VOLUME = re.compile(
    r"\b(?:vol(?:ume)?\.?|Bd\.?|Band|т\.|Т\.|Jg\.?)\s*(\d+)(?:[,\s]*(?:\(|no\.?|issue|Nr\.?|nr\.?|Heft|H\.|"
    r"№)\s*(\d+[-–/]?\d*)\)?)?|\b(\d{1,4})\s?\((\d+(?:[-–/]\d+)?|Suppl[^)]*|[A-Z]\w{0,10})\)|"
    r"\b(\d{1,4}),?\s(?:no\.|nr\.)\s?(\d+)|\b(\d{1,4})\s?:\s?[A-Z]?\d+|,\s(\d{1,4}),\s\d+\s?[-–]",
    re.I,
)
STOPS = re.compile(
    r"(?<![\s.(][A-Z])(?<!\bvs)(?<!\bNo)(?<!\bvol)(?<!\bvar)(?<!\bSt)(?<!\bspp)(?<!\bsp)(?<!\bet "
    r"al)(?<!\bi\.e)(?<!\be\.g)(?<!\bL)(?<!\bDr)(?<!\bcf)(?<!\bs)([.?!…])[”\"’)]?\s+(?=[^\W_a-z]|[“\"\[<]|"
    r"\((?:Eds?|Hrsg|Vol|\d))"
)
IN = re.compile(r"[.,;?!)]\s+(?:In|in|In:|in:|In Proceedings|dans|В кн\.:?)[: ]\s*(?=[A-ZÀ-Þ\d“\"„А-Я])|\s//\s")
VENUE_START = re.compile(
    r",\s+(?=(?:in\s)?(?:J\.|Journal|Proc\.|Proceedings|Trans\.|IEEE|ACM|Ann\.|Annals|Amer\.|Phys\.|Comm\.|"
    r"Commun\.|Bull\.|Math\.|Adv\.|Advances|Acta|Lecture Notes|LNCS|arXiv|PhD|Ph\.D|Technical [Rr]eport|Tech\.|"
    r"Int\.|International Journal|Internat\.|Zeitschrift|Rev\.|Invent\.|Duke|Nature|Science,|preprint|Springer|"
    r"Cambridge|Oxford|MIT Press|Elsevier|Wiley|Academic Press|Princeton|Birkhäuser|unpublished|Master|Diplom|"
    r"Nucl\.|Class\.|Lett\.|Topology|Compos|Theory Appl|Astérisque|Publ\.|Mem\.|Eur\.|Ed\.|Univ\.|"
    r"University)\b)"
)
JOURNAL_TAIL = re.compile(
    r",?\s*(?:\(?\d{4}\)?[;,]?\s*)?(?:\d{1,4}\s?\(|\d{1,4}\s?:\s?\d|vol\.|Vol\.|\bpp?\.\s?\d|\bno\.|\d+[-–]\d+|"
    + YEAR
    + r").*$"
)
PUBLISHER = re.compile(
    r"\b(?:Press|Verlag|Springer|Wiley|Elsevier|Publish\w+|Publications|Books|University of \w+ Press|Kluwer|"
    r"Routledge|Sage|Suhrkamp|Campus|Nomos|VS Verlag|Birkhäuser|Addison|McGraw|O'Reilly|Penguin)\b"
)


IN_START = re.compile(r"(?:In|in|In:|in:)\s")
AFTER_SUBTITLE = re.compile(r"(?:In|in)[ :]|[^.\d]{4,80}[, ]\d|[^\W\d_a-z][\w/ .&-]{2,40}: [^\W\d_a-z]")
PLACE_TAIL = re.compile(
    r", [^\W\d_a-z][\w.]+(?:[ -](?:[^\W\d_a-z][\w.]*|and|am|de|&)){0,3}(?:, [A-Z]{2})?, [^\W\d_a-z][\w.'’]+(?: "
    r"(?:[^\W\d_a-z][\w.'’]*|of|and|&)){0,5}\s*$"
)
NUMBER_TAIL = re.compile(rf",? \(?\d{{1,4}}\)?(?: ?\(\d+(?:-\d+)?\))?,? \(?{YEAR}\)?[ ,:]*(?:\d+[-–]\d+|No\.? ?\d+)?$")
INSTITUTION = re.compile(
    r"((?:\w+[ ,/-]+){0,8}(?:Organi[sz]ation|Ministry|Ministério|Agency|Commission|Association|Council|Nations|"
    r"Committee|Foundation|Bundesamt|Ministerium|Bank)"
    r"(?: (?:of|for|on|and|the|da|de|für|[A-Z]\w+)){0,6})[.:]\s+(?=[^\W\d_a-z])"
)


@dataclass(slots=True)
class _Parts:
    """What is known of an entry while it is read."""

    rest: str
    doi: str = ""
    url: str = ""
    arxiv: str = ""


def parse_reference(text: str) -> Reference:
    """One printed reference, understood as far as rules go."""
    parts = _identifiers(LABEL.sub("", " ".join(text.split())))
    people, at = take_people(parts.rest)
    authors, editors, at = _roles(people, parts.rest, at)
    authors, year, title, tail = _head(authors, parts.rest, at)
    if not title and len(authors) == 1 and not authors[0].given:  # a web page named by its owner alone
        title, authors = authors[0].name, ()
    year = year or _late_year(tail) or _late_year(parts.rest[at:])
    venue = _venue(tail)
    volume, issue = volume_and_issue(tail)
    return Reference(
        raw=text.strip(),
        type=_type(parts, tail, title, venue),
        title=title,
        authors=authors,
        editors=editors,
        venue=venue,
        year=year,
        volume=volume,
        issue=issue,
        pages=_pages(tail),
        publisher=_publisher(tail),
        doi=parts.doi,
        url=parts.url,
        arxiv=parts.arxiv,
    )


def _identifiers(text: str) -> _Parts:
    """Identifiers and access dates are cut out, so that their digits and dots mislead nobody."""
    parts = _Parts(text)
    if found := DOI.search(parts.rest):
        parts.doi = found.group(1).rstrip(".,;)]}").lower()
        parts.rest = parts.rest[: found.start()] + " " + parts.rest[found.end() :]
    if found := ARXIV.search(parts.rest):
        parts.arxiv = found.group(1)
        parts.rest = parts.rest[: found.start()] + "arXiv" + parts.rest[found.end() :]
    if found := URL.search(parts.rest):
        parts.url = found.group(1).rstrip(".,;)")
    parts.rest = URL.sub(" ", parts.rest)
    parts.rest = " ".join(ACCESSED.sub(" ", parts.rest).split())
    return parts


def _roles(people: tuple[Name, ...], text: str, at: int) -> tuple[tuple[Name, ...], tuple[Name, ...], int]:
    """Names followed by "(Eds.)" are editors; a collection has no other authors."""
    found = EDITORS.match(text, at)
    if found and people:
        return people, people, found.end()
    return people, (), at


def _head(authors: tuple[Name, ...], text: str, at: int) -> tuple[tuple[Name, ...], int | None, str, str]:
    """Authors, early year, title, and the rest behind the title."""
    year: int | None = None
    if not authors:
        authors, at = _corporate(text)
    if found := EARLY_YEAR.match(text, at):
        year, at = int(next((group for group in found.groups() if group), 0)) or None, found.end()
    rest = text[at:].lstrip(" .,:;–—-")
    quoted = QUOTED.search(rest)
    if quoted and quoted.start() < 40 and _closes(rest, quoted):
        title = next(group for group in quoted.groups() if group)
        return authors, year, title.strip(" .,"), rest[quoted.end() :]
    comma = text[:at].rstrip().endswith(",") or text[at : at + 1] == ","
    end, resume = _title_end(rest, comma)
    title = rest[:end].strip(" .,:;")
    if resume >= len(rest) - 1:
        title = _bare_title(title)
        resume = rest.find(title) + len(title)
    return authors, year, title, rest[resume:]


def _closes(rest: str, quoted: re.Match[str]) -> bool:
    """Whether the title ends with the quotation: a mark or the venue follows. A title may just begin with a quote."""
    inside, after = quoted.group().rstrip("”\"“»’' ")[-1:], rest[quoted.end() :].lstrip()
    return (
        inside in ".,"
        or not after
        or after[0] in ",.;:("
        or after.lower().startswith(("in ", "in:"))
        or (inside in "?!" and after[:1].isdigit())
    )


def _corporate(text: str) -> tuple[tuple[Name, ...], int]:
    """An institution as author: what stands before an early year in parentheses."""
    if found := INSTITUTION.match(text):
        return (Name(found.group(1), "", found.group(1)),), found.end()
    found = re.search(rf"[\s.,]*[(\[]{YEAR}[a-z]?[)\]]", text[:160])
    if not found or not found.start() or text[: found.start()].count(" ") > 12:
        return (), 0
    name = text[: found.start()].strip(" .,")
    return (Name(name, "", name),), found.start()


def _title_end(rest: str, comma: bool) -> tuple[int, int]:
    """Where the title ends and where the rest begins."""
    ends = [(len(rest), len(rest))]
    found = _last_stop(rest)
    if found and not (comma and found.group(1) == "?"):
        ends.append((found.start() + (found.group(1) in "?!"), found.end()))
    if found := IN.search(rest, 5):
        ends.append((found.start() + 1, found.start() + 1))
    if found := VENUE_START.search(rest, 8):
        ends.append((found.start(), found.end()))
    end, resume = min(ends)
    if (comma and end > 60) or end == len(rest):
        return _comma_tail(rest[:end]) or (end, resume)
    return end, resume


def _last_stop(rest: str) -> re.Match[str] | None:
    """The end of the title, or of a subtitle behind it: a second sentence without digits that a venue follows."""
    first = STOPS.search(rest, 8)
    second = STOPS.search(rest, first.end() + 5) if first else None
    if not first or not second:
        return first
    between, after = rest[first.end() : second.start()], rest[second.end() :]
    words = between.split()
    plain = (
        len(words) > 2
        and not re.search(r"\d|[,:]\s[A-Z]\w+$|\b(?:Press|Verlag|University|Journal)\b", between)
        and not IN_START.match(between)
    )
    lower = sum(word[:1].islower() for word in words)
    follows = AFTER_SUBTITLE.match(after) or first.group(1) == "?"
    return second if plain and lower and follows else first


def _bare_title(text: str) -> str:
    """A title without the place and publisher, or the volume and pages, that follow it after no full stop."""
    found = PLACE_TAIL.search(text) or NUMBER_TAIL.search(text) or re.search(rf" \([^()]*\b{YEAR}\)$", text)
    return text[: found.start()] if found and found.start() > 8 else text


def _comma_tail(text: str) -> tuple[int, int] | None:
    """A title set off by commas only: it ends before the piece that carries volume, pages or year."""
    number = re.search(rf",?\s*(?:\(?{YEAR}\)?|vol\.|Vol\.|\d{{1,4}}\s?\(|\d{{1,4}}:\d|\bpp\.)", text)
    if not number:
        return None
    cut = text.rfind(", ", 8, number.start())
    return (cut, cut + 2) if cut > 8 else None


def volume_and_issue(text: str) -> tuple[str, str]:
    """Volume and issue as printed.

    >>> volume_and_issue("J. Things, 27(3), 12-14")
    ('27', '3')
    """
    text = re.sub(rf"\b{YEAR}\b", "", text)
    found = VOLUME.search(text)
    if not found:
        return "", ""
    groups = found.groups()
    volume = groups[0] or groups[2] or groups[4] or groups[6] or groups[7] or ""
    issue = groups[1] or groups[3] or groups[5] or ""
    return volume, issue


def _pages(text: str) -> str:
    found = PAGES.search(re.sub(rf"\b{YEAR}\s?[-–]\s?{YEAR}\b", "", text))
    if not found:
        return ""
    return re.sub(r"\s?[-–—−‐]+\s?", "-", found.group(1) or found.group(2))


def _late_year(text: str) -> int | None:
    """The last year that is no page number; one in parentheses before any other."""
    framed = re.findall(rf"\(({YEAR})[a-z]?\)", text)
    years = framed or YEARS.findall(text)
    return int(years[-1]) if years else None


def _venue(tail: str) -> str:
    """The name of the journal or book at the start of what follows the title."""
    text = re.sub(r"^[\s.,;]*(?://\s*)?(?:(?:In|in|dans|В кн\.)\b\s*:?\s*)?", "", tail)
    people, at = take_people(text)
    if people and (found := EDITORS.match(text, at)):
        text = text[found.end() :].lstrip(" ,.:")
    text = JOURNAL_TAIL.sub("", text)
    text = re.split(r"(?<=[a-z)]{3})\.\s+(?=[A-Z])", text)[0]
    return text.strip(" .,;:(")


def _publisher(tail: str) -> str:
    for piece in re.split(r"[.,:;]\s+", tail):
        if PUBLISHER.search(piece) and len(piece) < 60:
            return piece.strip(" .,")
    return ""


TYPES = (
    ("thesis", re.compile(r"thesis|dissertation|habilitation|diplomarbeit", re.I)),
    ("report", re.compile(r"\b(?:technical|tech\.?) rep|working paper|\breport\b|discussion paper|whitepaper", re.I)),
    ("inproceedings", re.compile(r"\bproc\b|proceedings|conference|symposium|workshop|\bIn advances in neural", re.I)),
)


def _type(parts: _Parts, tail: str, title: str, venue: str) -> str:
    for kind, pattern in TYPES:
        if pattern.search(tail):
            return kind
    if parts.arxiv or re.search(r"\barxiv|preprint\b", tail, re.I):
        return "preprint"
    if re.match(r"[\s.,;]*(?:In|in)\b", tail):
        return "chapter"
    if volume_and_issue(tail)[0] or (_pages(tail) and venue):
        return "article"
    if PUBLISHER.search(tail):
        return "book"
    return "web" if parts.url else "other"
