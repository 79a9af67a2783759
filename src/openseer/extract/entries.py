"""One entry of a bibliography becomes fields: a trained model labels its words, rules take the pieces apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from openseer.extract.names import split_name
from openseer.extract.people import take_people
from openseer.extract.tagging import tag
from openseer.records.extraction import Name, Reference

DOI = re.compile(r"(?:doi:?\s*|https?://(?:dx\.)?doi\.org/\s*)*\b(10\.\d{4,9}/[^\s\"<>“”]+)", re.I)
URL = re.compile(r"((?:https?|ftp)://[^\s<>\"]+|www\.[^\s<>\"]+)", re.I)
ARXIV = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf)/|\s*(?:preprint|e-prints?)?,?\s*(?:arxiv)?\s*:?\s*(?:abs/)?)\s*(\d{4}\.\d{4,5}|"
    r"[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?",
    re.I,
)
LABEL = re.compile(
    r"^\s*(?:\[[^\]\n]{1,24}\]|\(\d{1,3}\)|\d{1,3}\s*[.)\]](?!\d)|\d{1,3}(?=\s*[^\W\d_a-z])|[•●▪*–-](?=\s))\s*"
)
YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
ACCESSED = re.compile(r"(?:accessed|retrieved|visited|abgerufen|zugriff|viewed|consult|stand)\W", re.I)
DASH = re.compile(r"\s?[-–—−‐]+\s?")
EDGES = " \t.,;:()[]\"“”„«»'‘’`*"
AND = re.compile(r"\s*(?:[;、；]|,?\s(?:and|und|et|y|e|и|&)\s|\s&\s?)\s*")
OTHERS = re.compile(r"[,;]?\s*\b(?:et\.? ?al|u\. ?a|and others|и др|等)\.?$", re.I)

TYPES = (
    ("thesis", re.compile(r"thesis|dissertation|habilitation|diplomarbeit|\bdiss\b|автореф", re.I)),
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
    flat = LABEL.sub("", " ".join(text.split()))
    pieces = list(_pieces(flat))
    doi, arxiv, url = _identifiers(flat)
    title, venue = _first(pieces, "title"), _container(pieces)
    if not title and venue:  # a book is a container of nothing
        title, venue = venue, ""
    return Reference(
        raw=text.strip(),
        type=_type(flat, pieces, bool(arxiv), bool(url)),
        title=title,
        authors=_people(pieces, "author"),
        editors=_people(pieces, "editor"),
        venue=venue,
        year=_year(flat, pieces),
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


def _pieces(text: str) -> Iterator[Piece]:
    """Runs of one label; a run that only punctuation interrupts goes on."""
    tagged = [(token, label) for token, label in tag(text) if label != "none"]
    for label, group in groupby(tagged, key=lambda one: one[1]):
        tokens = [token for token, _ in group]
        starts = [
            at for at in range(1, len(tokens)) if not _goes_on(text[tokens[at - 1].end : tokens[at].start], label)
        ]
        for first, last in zip([0, *starts], [*starts, len(tokens)], strict=True):
            start, end = tokens[first].start, tokens[last - 1].end
            yield Piece(label, text[start:end], start)


def _goes_on(between: str, label: str) -> bool:
    """Whether a gap inside a label is just punctuation."""
    if label in ("author", "editor"):
        return len(between) < 12
    return len(between.strip(" .,:;-–—\"“”'‘’()")) == 0 and (label in ("title", "container") or len(between) < 3)


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


def _container(pieces: list[Piece]) -> str:
    venue = _first(pieces, "container")
    return re.sub(r"^(?:in|dans|in:|//)[:\s]+(?=\S)", "", venue, flags=re.I)


def _people(pieces: list[Piece], label: str) -> tuple[Name, ...]:
    return tuple(name for piece in pieces if piece.label == label for name in people_in(piece.text))


def people_in(text: str) -> list[Name]:
    """The names in a list of authors; what fits no form of a name is an institution.

    >>> [name.family for name in people_in("Smith, J., A. B. Jones and World Health Organization")]
    ['Smith', 'Jones', 'World Health Organization']
    """
    rest, names = OTHERS.sub("", text.strip(" ,;:")), list[Name]()
    while rest and len(names) < 400:
        found, at = take_people(rest)
        names += found
        rest = rest[at:].strip(" ,;:.&/()-–")
        rest = re.sub(r"^(?:and|und|et|y|e|и|eds?|hrsg|hg)\b\.?\s*", "", rest)
        if not found and rest:
            one, *others = AND.split(rest, maxsplit=1)
            if one.strip(EDGES):
                names.append(_whole(one.strip(" ,;:")))
            rest = others[0] if others else ""
    return [name for name in names if any(c.isalpha() for c in name.family)]


def _whole(text: str) -> Name:
    """A name that no form fits: "Family, Given", or the name of an institution."""
    if text.count(",") == 1 and len(text.split()) <= 4:
        return split_name(text)
    return Name(text, "", text)


def _identifiers(text: str) -> tuple[str, str, str]:
    """DOI, arXiv id and address, by their form."""
    doi, arxiv, url = DOI.search(text), ARXIV.search(text), URL.search(text)
    return (
        doi[1].rstrip(".,;)]}").lower() if doi else "",
        arxiv[1] if arxiv else "",
        url[1].rstrip(".,;)") if url and "doi.org/" not in url[1] else "",
    )


def _year(text: str, pieces: list[Piece]) -> int | None:
    """The year of a piece called date; else the last in the entry that is neither address nor access date.

    "[1922] 1980" is a new edition: the year in square brackets counts only when there is no other."""
    dates = []
    for piece in pieces:
        before = text[max(0, piece.start - 14) : piece.start]
        if piece.label == "date" and not ACCESSED.search(before) and (found := YEAR.findall(piece.text)):
            dates.append((before.endswith("["), int(found[-1])))
    if dates:
        return min(dates, key=lambda date: date[0])[1]
    titles = [piece.text for piece in pieces if piece.label in ("title", "pages", "container")]
    rest = URL.sub(" ", text)
    for title in titles:
        rest = rest.replace(title, " ")
    years = YEAR.findall(ACCESSED.split(rest)[0]) or YEAR.findall(rest)
    return int(years[-1]) if years else None


def _pages(pieces: list[Piece]) -> str:
    return DASH.sub("-", _first(pieces, "pages"))


def _type(text: str, pieces: list[Piece], arxiv: bool, url: bool) -> str:
    labels = {piece.label for piece in pieces}
    outside = " ".join(piece.text for piece in pieces if piece.label not in ("title", "author", "editor"))
    for kind, pattern in TYPES:
        if pattern.search(outside):
            return kind
    if arxiv or re.search(r"\barxiv\b|preprint", outside, re.I):
        return "preprint"
    if "container" in labels and "title" in labels:
        if "editor" in labels or re.search(r"[.,;?]\s+in:\s", text, re.I):
            return "chapter"
        return "chapter" if "publisher" in labels and not {"volume", "issue"} & labels else "article"
    if "publisher" in labels or "location" in labels:
        return "book"
    return "web" if url else "other"
