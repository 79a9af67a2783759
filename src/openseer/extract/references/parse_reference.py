"""One entry of a bibliography becomes fields: a trained model labels its words, rules take the pieces apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile, zip_longest

from openseer.core.model.extraction import Name, Reference
from openseer.core.text.person_names import names_organisation, split_name
from openseer.extract.references.author_list import EDITORS, take_people
from openseer.extract.references.cjk_names import KANA, cjk_people, is_cjk
from openseer.extract.references.tagger import BETWEEN, tag

DOI = re.compile(r"(?:doi:?\s*|https?://(?:dx\.)?doi\.org/\s*)*\b(10\.\d{4,9}/(?: ?(?=\w))[^\s\"<>“”]+)", re.I)
BROKEN = re.compile(r"(?<=[._/-]) (?!(?:1[89]|20)\d\d\W*$)(\w[^\s\"<>“”]*)$")
"""The rest of a DOI that a line cut after a mark, where it ends the entry; a year does not count as one."""
URL = re.compile(r"((?:https?|ftp)://[^\s<>\"]+|www\.[^\s<>\"]+)", re.I)
ARXIV = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf)/|\s*(?:preprint|e-prints?)?,?\s*(?:arxiv)?\s*:?\s*(?:abs/)?)\s*(\d{4}\.\d{4,5}|"
    r"[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?",
    re.I,
)
LABEL = re.compile(
    r"^\s*(?:\[[^\]\n]{1,24}\]|\(\d{1,3}\)|\d{1,3}\s*[.)\]](?!\d)|\d{1,3}(?=\s*[^\W\d_a-z])|[•●▪*–-](?=\s))\s*"
)
SEE = re.compile(r"^(?:vgl\.|siehe(?: auch)?|see(?: also)?|cf\.|s\. auch)\s+(?=[^\W\d_a-z])", re.I)
SHORT = re.compile(
    r"(?P<who>[^()]{3,200}?)\s*\((?:\d{4}[a-z]?|n\.\s?d\.)\)[.:,]?\s*(?P<what>(?!https?:|www|doi|;)[^.]{0,150}?)"
    r"\.?\s*(?:\[[^\]]{1,30}\]\.?\s*)?(?P<where>(?:https?:|www|doi).*)?"
)
WITHIN = re.compile(r"^(?:(?:in|dans|//)[:\s]+(?=\S)|(?-i:in)(?=[A-Z][a-z]))", re.I)
TITLE_IN = re.compile(r"[.?!][”’\"]?\s+In:?\s+(?=[^\W\d_a-z])")
TAGS = re.compile(r"</?(?:italic|bold|i|b|em|sup|sub)>", re.I)
YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
RARE = 1850
"""Of several numbers after a title one below this is hardly the year."""
BARE = re.compile(r"(?<![\d.])\d{4}\.\d{4,5}(?!\d)|\bpp?\.\s?\d+\s?[-–—−‐]+\s?\d+")
"""An arXiv id that does not say so, or pages that do."""
PAGES = re.compile(r"\d+(?:\s?[-–—−‐]+\s?\d+)?")
ACCESSED = re.compile(r"(?:accessed|retrieved|visited|abgerufen|zugriff|viewed|consult|stand)\W", re.I)
DASH = re.compile(r"\s?[-–—−‐]+\s?")
EDGES = " \t.,;:()[]\"“”„«»'‘’`*/，．。、：；（）［］【】「」『』《》〈〉"
AND = re.compile(r"\s*(?:[;、；]|,?\s(?:[Aa]nd|und|et|y|e|и|u\.|with|&)\s|\s&\s?)\s*")
SLIPPED = re.compile(r" +(?=[.,;])|(?<=[^\W\d_]{2}[,;])(?=[^\W\d_])")
"""A space before a mark and none after it: loose type."""
JOINT = re.compile(r"^(?:and|und|et|y|e|и|eds?|hrsg|hg|with|u)\b\.?\s*", re.I)
HONOUR = re.compile(r"\b(?:Dr|Prof|Mr|Mrs|Ms)\.\s+(?=[A-Z])")
ROLE = re.compile(r"\((?:[^()]*\b(?:directors?|producers?|writers?|eds?|hrsg|hg)\b[^()]*)\)\.?", re.I)
OTHERS = re.compile(r"[,;]?\s*\b(?:et\.? ?al|u\. ?a|and others|и др|等)\.?$", re.I)
NOBODY = re.compile(r"(?:(?:a|e|et|eds|and|und|&)\.? )?(?:[Oo]thers|OTHERS|al)\.?|u\. ?a\.?")
"""What is left of "and others" where names were taken apart."""

TYPES = (
    (
        "thesis",
        re.compile(
            r"thesis|dissertation|habilitation|diplomarbeit|\bdiss\b|автореф|\bдис\. |\[D\]|学位论文|學位論文|博士論文|"
            r"修士論文|학위논문",
            re.I,
        ),
    ),
    ("report", re.compile(r"\b(?:technical|tech\.?) rep|working paper|\breport\b|discussion paper|whitepaper", re.I)),
    ("inproceedings", re.compile(r"\bproc\b|proceedings|conference|symposium|workshop|\btagung\b|конференци", re.I)),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Words side by side that carry one label."""

    label: str
    text: str
    start: int


def parse_reference(text: str) -> Reference:
    """One printed reference, understood."""
    flat = " ".join(text.split())
    if "<" in flat:
        flat = TAGS.sub("", flat)
    flat = SEE.sub("", LABEL.sub("", flat))
    pieces = _taken_out(_of_one_entry(_one_list(list(_pieces(flat)), flat)), flat)
    doi, arxiv, url = _identifiers(flat)
    japanese = bool(KANA.search(flat))
    title, venue = _title_and_venue(pieces)
    authors = _people(pieces, "author", japanese)
    if not title and not venue and (named := _named_by_year(flat)):
        title, authors = named[1], authors if named[0] else ()
    return Reference(
        raw=text.strip(),
        type=_type(flat, pieces, bool(arxiv), bool(url)),
        title=title,
        authors=authors or _bodies(pieces),
        editors=_people(pieces, "editor", japanese),
        venue=venue,
        year=_year(flat, pieces, arxiv),
        volume=_first(pieces, "volume"),
        issue=_first(pieces, "issue"),
        pages=_pages(pieces),
        publisher=_first(pieces, "publisher"),
        institution=_first(pieces, "institution"),
        location=_first(pieces, "location"),
        note=_first(pieces, "note"),
        doi=doi,
        url=url,
        arxiv=arxiv,
    )


def _one_list(pieces: list[Piece], text: str) -> list[Piece]:
    """Names at the head that are called authors and editors by turns are one list: of editors when it says so."""
    head = list(takewhile(lambda piece: piece.label in ("author", "editor"), pieces))
    if len({piece.label for piece in head}) < 2:
        return pieces
    end = head[-1].start + len(head[-1].text)
    label = "editor" if EDITORS.search(text, head[0].start, end + 12) else "author"
    return [Piece(label, text[head[0].start : end], head[0].start), *pieces[len(head) :]]


def _of_one_entry(pieces: list[Piece]) -> list[Piece]:
    """Without what follows when names and a title begin anew: two entries in one text."""
    titled = named = False
    for at, piece in enumerate(pieces):
        if piece.label == "author" and titled and named and any(more.label == "title" for more in pieces[at:]):
            return pieces[:at]
        titled, named = titled or piece.label == "title", named or piece.label == "author"
    return pieces


def _pieces(text: str) -> Iterator[Piece]:
    """Runs of one label; a run that only punctuation interrupts goes on."""
    tagged = [(token, label) for token, label in tag(text) if not label.startswith(BETWEEN)]
    for label, group in groupby(tagged, key=lambda one: one[1]):
        tokens = [token for token, _ in group]
        gaps = ((at, text[one[2] : two[1]]) for at, (one, two) in enumerate(pairwise(tokens), 1))
        starts = [at for at, between in gaps if between not in ("", " ") and not _goes_on(between, label)]
        for first, last in zip([0, *starts], [*starts, len(tokens)], strict=True):
            start, end = tokens[first].start, tokens[last - 1].end
            yield Piece(label, text[start:end], start)


def _goes_on(between: str, label: str) -> bool:
    """Whether a gap inside a label is just punctuation."""
    if label in ("author", "editor"):
        return len(between) < 12
    return len(between.strip(" .,:;-–—\"“”'‘’()")) == 0 and (label in ("title", "journal", "book") or len(between) < 3)


def _first(pieces: list[Piece], label: str) -> str:
    """The first piece with a label; of a title the longest of the first two."""
    found = [_trimmed(piece.text) for piece in pieces if piece.label == label]
    if label == "title" and len(found) > 1 and len(found[0]) < 6:
        return found[1]
    return next((text for text in found if text), "")


def _trimmed(text: str) -> str:
    """Without marks at the edges; a bracket stays with its partner, and a question its mark."""
    bare = text.strip(EDGES)
    if bare.count("(") > bare.count(")"):
        bare += ")" if text[text.find(bare) + len(bare) :].startswith(")") else ""
    return bare


def _title_and_venue(pieces: list[Piece]) -> tuple[str, str]:
    """What was written, and where it stands; a book without a title of its own is one."""
    title, journal, book = (_first(pieces, label) for label in ("title", "journal", "book"))
    venue = WITHIN.sub("", journal or book)
    return (title, venue) if title or journal else (venue, "")


def _named_by_year(text: str) -> tuple[str, str] | None:
    """Who and what of an entry as short as "Body. (2018). Name. https://...": without a name, the first is no body."""
    found = SHORT.fullmatch(text)
    if not found or not (found["what"] or found["where"]):
        return None
    who, what = found["who"].strip(EDGES), found["what"].strip(EDGES)
    return (who, what) if what else ("", who)


def _taken_out(pieces: list[Piece], text: str) -> list[Piece]:
    """A title that runs on into "In Some Book" ends there, when more speaks for a book."""
    at = next((at for at, piece in enumerate(pieces) if piece.label == "title"), None)
    inside = TITLE_IN.search(pieces[at].text) if at is not None else None
    if at is None or not inside or inside.start() < 12:
        return pieces
    title, rest = pieces[at], pieces[at + 1 :]
    if not {piece.label for piece in rest} & {"book", "editor", "publisher"}:
        return pieces
    end = title.start + len(title.text)
    if rest and rest[0].label in ("book", "journal") and not text[end : rest[0].start].strip(EDGES):
        end = rest[0].start + len(rest[0].text)
        rest = rest[1:]
    start = title.start + inside.end()
    return [
        *pieces[:at],
        Piece("title", title.text[: inside.start() + 1], title.start),
        Piece("book", text[start:end], start),
        *rest,
    ]


def _people(pieces: list[Piece], label: str, japanese: bool) -> tuple[Name, ...]:
    """The names of the first list; what is called a name after the title or the book is none of them."""
    found: list[Name] = []
    for piece in pieces:
        if piece.label == label:
            eastern = is_cjk(piece.text)
            found += cjk_people(piece.text, japanese) if eastern else people_in(piece.text)
        elif found and piece.label in ("title", "journal", "book"):
            break
    return tuple(found)


def _bodies(pieces: list[Piece]) -> tuple[Name, ...]:
    """A collaboration that signs for its members, or an institution at the head of an entry without editors."""
    bodies = [piece.text for piece in pieces if piece.label == "collaboration"]
    if not bodies and pieces and pieces[0].label in ("institution", "publisher") and pieces[0].start < 3:
        bodies = [pieces[0].text] if all(piece.label != "editor" for piece in pieces) else []
    return tuple(Name(name, "", name) for text in bodies if (name := _trimmed(text)))


def people_in(text: str) -> list[Name]:
    """The names in a list of authors; what fits no form of a name is an institution.

    >>> [name.family for name in people_in("Smith, J., A. B. Jones and World Health Organization")]
    ['Smith', 'Jones', 'World Health Organization']
    """
    text = HONOUR.sub("", ROLE.sub("", text) if "(" in text else text)
    rest, names = OTHERS.sub("", _tidy(text.strip(" ,;:"))), list[Name]()
    while rest and len(names) < 400:
        found, at = take_people(rest)
        names += found
        rest = rest[at:].strip(" ,;:.&/()-–")
        rest = JOINT.sub("", rest)
        if not found and rest:
            one, *others = AND.split(rest, maxsplit=1)
            if one.strip(EDGES):
                names.append(_whole(one.strip(" ,;:")))
            rest = others[0] if others else ""
    return [
        Name(name.name, "", name.name) if name.given and names_organisation(name.name) else name
        for name in names
        if any(c.isalpha() for c in name.family) and not NOBODY.fullmatch(name.name)
    ]


def _tidy(text: str) -> str:
    """Without the spaces before marks of a badly set list, and with one behind each."""
    return SLIPPED.sub(lambda gap: "" if gap[0] else " ", text)


def _whole(text: str) -> Name:
    """A name that no form fits: "Family, Given", or the name of an institution."""
    if text.count(",") == 1 and len(text.split()) <= 4:
        return split_name(text)
    return Name(text, "", text)


def _identifiers(text: str) -> tuple[str, str, str]:
    """DOI, arXiv id and address, by their form."""
    doi = DOI.search(text) if "10." in text else None
    arxiv = ARXIV.search(text) if "xiv" in text.lower() else None
    url = URL.search(text) if "://" in text or "www" in text else None
    return (
        _mended(doi, text).rstrip(".,;)]}").replace(" ", "").lower() if doi else "",
        arxiv[1] if arxiv else "",
        url[1].rstrip(".,;)") if url and "doi.org/" not in url[1] else "",
    )


def _mended(doi: re.Match[str], text: str) -> str:
    rest = BROKEN.match(text, doi.end())
    return doi[1] + (rest[1] if rest else "")


def _year(text: str, pieces: list[Piece], arxiv: str) -> int | None:
    """The year of a piece called date; else the last in the entry that is neither address nor access date.

    "[1922] 1980" is a new edition: the year in square brackets counts only when there is no other. Of several the one
    before the title, in round brackets or beside volume and pages is meant, not the one that ends a title."""
    plain = _without_numbers(text, pieces)
    dates, titled = [], False
    for piece, after in zip_longest(pieces, pieces[1:]):
        before = text[max(0, piece.start - 14) : piece.start]
        within = plain[piece.start : piece.start + len(piece.text)]
        if piece.label == "date" and not ACCESSED.search(before) and (found := YEAR.findall(within)):
            year = int(found[-1])
            sure = not titled or before.endswith("(") or (after and after.label in ("volume", "issue", "pages"))
            rare = titled and year < RARE
            dates.append((3 if rare else 2 if before.endswith("[") else 0 if sure else 1, year))
        titled = titled or piece.label == "title"
    if dates:
        return min(dates, key=lambda date: date[0])[1]
    return _undated(plain, pieces, arxiv) or _of_doi(text)


def _without_numbers(text: str, pieces: list[Piece]) -> str:
    """The same, as long, without identifiers, addresses and pages, whose figures may look like years."""
    for pattern in (ARXIV, DOI, URL, BARE):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    for piece in pieces:
        if piece.label == "pages":
            found = PAGES.search(text, piece.start, piece.start + len(piece.text))
            text = text[: found.start()] + " " * len(found[0]) + text[found.end() :] if found else text
    return text


def _undated(text: str, pieces: list[Piece], arxiv: str) -> int | None:
    """The year of an entry without a date: the last outside titles, that of its arXiv id, or any."""
    rest = text
    for piece in pieces:
        if piece.label in ("title", "journal", "book"):
            rest = rest.replace(piece.text, " ")
    printed, whole, every = (YEAR.findall(one) for one in (ACCESSED.split(rest)[0], ACCESSED.split(text)[0], rest))
    years = printed or _submitted(arxiv) or whole or every
    return int(years[-1]) if years else None


def _of_doi(text: str) -> int | None:
    """The year that is a part of a DOI, as in "10.1016/j.aop.2016.12.030".

    >>> _of_doi("doi:10.1016/j.aop.2016.12.030"), _of_doi("doi:10.1103/1784.99")
    (2016, None)
    """
    doi = DOI.search(text)
    years = [int(year) for year in YEAR.findall(doi[0])] if doi else []
    return years[-1] if years and years[-1] >= RARE else None


def _submitted(arxiv: str) -> list[str]:
    """The year that an arXiv id begins with.

    >>> _submitted("1601.03882"), _submitted("hep-th/9711200"), _submitted("")
    (['2016'], ['1997'], [])
    """
    year = arxiv.rpartition("/")[2][:2]
    return [f"{'19' if year > '90' else '20'}{year}"] if year else []


def _pages(pieces: list[Piece]) -> str:
    return DASH.sub("-", _first(pieces, "pages"))


def _type(text: str, pieces: list[Piece], arxiv: bool, url: bool) -> str:
    labels = {piece.label for piece in pieces}
    outside = text
    for piece in pieces:
        if piece.label in ("title", "author", "editor"):
            outside = outside.replace(piece.text, " ", 1)
    for kind, pattern in TYPES:
        if pattern.search(outside):
            return kind
    if arxiv or re.search(r"\barxiv\b|preprint", outside, re.I):
        return "preprint"
    if labels & {"journal", "book"} and "title" in labels:
        if "editor" in labels or re.search(r"[.,;?]\s+in:\s", text, re.I):
            return "chapter"
        return "chapter" if "publisher" in labels and not {"volume", "issue"} & labels else "article"
    if "publisher" in labels or "location" in labels:
        return "book"
    return "web" if url else "other"
