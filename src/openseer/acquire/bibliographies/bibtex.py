"""BibTeX and BibLaTeX: entries, @string, concatenation, crossref. What is broken costs its own entry only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from openseer.acquire.bibliographies.decode_text import Lines
from openseer.acquire.bibliographies.latex import plain, plain_address
from openseer.acquire.bibliographies.normalize_fields import MAX_RECORD, Raw, finished
from openseer.acquire.bibliographies.parse_names import Person, person
from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord

DEPTH = 50
"""Braces inside braces; nobody writes so many."""
PIECES = 1000
"""Parts of one value joined by "#"."""

START = re.compile(r"@[ \t]*([A-Za-z]+)\s*([{(])")
KEY = re.compile(r"\s*([^\s,={}\"#%]*)\s*(,|(?=[})]))")
NAME = re.compile(r"[\s,]*([^\s,={}()\"#%]+)\s*=\s*")
WORD = re.compile(r"[^\s,={}()\"#%]+")
INSIDE = re.compile(r"[{}]|^[ \t]*@[A-Za-z]+[ \t]*[{(][^\s,={}()\"]*[ \t]*,", re.MULTILINE)
QUOTED = re.compile(INSIDE.pattern + r'|\\"(?=[A-Za-z{\\])|"', re.MULTILINE)
BLANK = re.compile(r"(?:\s|%[^\n]*(?=\n))*")

MONTHS = {
    name.lower(): name for name in ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
}
TYPES = {
    "article": "article",
    "inproceedings": "inproceedings",
    "conference": "inproceedings",
    "proceedings": "book",
    "mvproceedings": "book",
    "book": "book",
    "mvbook": "book",
    "collection": "book",
    "booklet": "book",
    "manual": "book",
    "reference": "book",
    "incollection": "chapter",
    "inbook": "chapter",
    "bookinbook": "chapter",
    "suppbook": "chapter",
    "inreference": "chapter",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "thesis": "thesis",
    "techreport": "report",
    "report": "report",
    "unpublished": "preprint",
    "online": "web",
    "electronic": "web",
    "www": "web",
}
VENUES = ("journal", "journaltitle", "booktitle", "maintitle", "school", "institution", "organization", "howpublished")
INHERITED = {"title": "booktitle", "subtitle": "booksubtitle"}
"""What a parent calls itself is where its children stand."""
NOT_INHERITED = frozenset(
    {"crossref", "xref", "doi", "url", "abstract", "keywords", "author", "pages", "eprint", "note"}
)


class Broken(Exception):
    """An entry that cannot be taken apart."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as written: names in lower case, values without their outermost braces."""

    line: int
    kind: str
    key: str
    fields: dict[str, str] = field(default_factory=dict)


def read(text: str) -> Iterator[BibliographyRecord | RejectedRecord]:
    """Every record of a file, and what is wrong with the others."""
    found = list(_Reader(text).entries())
    entries = [one for one in found if isinstance(one, Entry)]
    named = {_parent(one) for one in entries}
    parents = {one.key.lower(): one for one in reversed(entries) if one.key.lower() in named}  # of two, the first
    del entries
    found.reverse()
    while found:  # what was given away is not held any longer: lists are long
        one = found.pop()
        yield one if isinstance(one, RejectedRecord) else finished(_raw(one, _inherit(one, parents)))


class _Reader:
    """Walks through a file once."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._lines = Lines(text)
        self._strings = dict(MONTHS)

    def entries(self) -> Iterator[Entry | RejectedRecord]:
        """What stands outside of entries is a comment."""
        while found := START.search(self._text, self._at):
            self._at = found.end()
            kind, closing = found[1].lower(), "}" if found[2] == "{" else ")"
            line = self._lines.at(found.start())
            key = KEY.match(self._text, self._at)
            try:
                if kind == "comment":
                    self._skip_comment()
                    continue
                if kind in ("string", "preamble"):
                    self._define(kind, closing)
                elif key is None:
                    raise Broken("it has no key, or no comma behind its key")
                else:
                    self._at = key.end()
                    yield Entry(line, kind, key[1], self._fields(closing))
            except Broken as error:
                self._at = max(self._at, found.end())
                yield RejectedRecord(line, key[1] if key else f"@{kind}", str(error))

    def _skip_comment(self) -> None:
        """Up to its closing brace; one without is a word like others."""
        depth = 1
        for token in re.compile(r"[{}]").finditer(self._text, self._at, self._at + MAX_RECORD):
            depth += 1 if token[0] == "{" else -1
            if depth == 0:
                self._at = token.end()
            if depth == 0 or depth > DEPTH:
                return

    def _define(self, kind: str, closing: str) -> None:
        if kind == "preamble":
            self._value()
            return
        for name, value in self._fields(closing).items():
            self._strings[name] = value

    def _fields(self, closing: str) -> dict[str, str]:
        fields: dict[str, str] = {}
        start = self._at
        while True:
            self._skip()
            if self._text.startswith(closing, self._at):
                self._at += 1
                return fields
            name = NAME.match(self._text, self._at)
            if name is None:
                raise Broken(self._what_stands_there())
            self._at = name.end()
            value = self._value()
            if self._at - start > MAX_RECORD:
                raise Broken(f"it is longer than {MAX_RECORD:,} characters")
            fields.setdefault(name[1].lower(), value)

    def _what_stands_there(self) -> str:
        rest = self._text[self._at : self._at + 30].split("\n")[0].strip()
        if not rest or START.match(rest):
            return "it is not closed"
        return f"a field was expected in line {self._lines.at(self._at)} at {rest!r}"

    def _skip(self) -> None:
        found = BLANK.match(self._text, self._at)
        self._at = found.end() if found else self._at
        if self._text.startswith(",", self._at):
            self._at += 1
            self._skip_blank()

    def _skip_blank(self) -> None:
        found = BLANK.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _value(self) -> str:
        """Pieces in braces, in quotes, of digits or of names, joined by "#"."""
        pieces: list[str] = []
        while len(pieces) < PIECES:
            self._skip_blank()
            pieces.append(self._piece())
            self._skip_blank()
            if not self._text.startswith("#", self._at):
                whole = "".join(pieces)
                if len(whole) > MAX_RECORD:
                    raise Broken(f"a value is longer than {MAX_RECORD:,} characters")
                return whole
            self._at += 1
        raise Broken(f"a value has more than {PIECES} pieces")

    def _piece(self) -> str:
        mark = self._text[self._at : self._at + 1]
        if mark in ("{", '"') and mark:
            return self._enclosed(quoted=mark == '"')
        word = WORD.match(self._text, self._at)
        if word is None:
            raise Broken(f"a value is missing in line {self._lines.at(self._at)}")
        self._at = word.end()
        return word[0] if word[0].isdigit() else self._strings.get(word[0].lower(), word[0])

    def _enclosed(self, quoted: bool) -> str:
        """Up to the brace or quote that closes; an entry that begins on a line of its own was not closed before."""
        start, depth = self._at + 1, 0
        for token in (QUOTED if quoted else INSIDE).finditer(self._text, start):
            mark = token[0]
            if mark == "{":
                depth += 1
                if depth > DEPTH:
                    raise Broken(f"more than {DEPTH} braces stand inside each other")
            elif mark == '"':
                if depth == 0:
                    self._at = token.end()
                    return self._text[start : token.start()]
            elif mark == "}":
                depth -= 1
                if depth < 0:
                    if quoted:
                        raise Broken(f"a brace closes inside the quotes of line {self._lines.at(start)}")
                    self._at = token.end()
                    return self._text[start : token.start()]
            elif "@" in mark:
                self._at = token.start()
                raise Broken(f"a {'quote' if quoted else 'brace'} in line {self._lines.at(start)} is not closed")
        line = self._lines.at(start)
        self._at = start
        raise Broken(f"a {'quote' if quoted else 'brace'} in line {line} is not closed")


def _parent(entry: Entry) -> str:
    """The key of the entry it refers to."""
    return entry.fields.get("crossref", "").strip().lower()


def _inherit(entry: Entry, parents: Mapping[str, Entry]) -> dict[str, str]:
    """The entry's own fields, and those of the one it refers to."""
    parent = parents.get(_parent(entry))
    if parent is None or parent is entry:
        return entry.fields
    given = {INHERITED.get(name, name): value for name, value in parent.fields.items() if name not in NOT_INHERITED}
    return {**given, **entry.fields}


def _raw(entry: Entry, fields: Mapping[str, str]) -> Raw:
    def text(*names: str) -> str:
        return next((plain(fields[name]) for name in names if fields.get(name, "").strip()), "")

    def address(*names: str) -> str:
        return next((plain_address(fields[name]) for name in names if fields.get(name, "").strip()), "")

    eprint = (
        address("eprint") if "arxiv" in fields.get("archiveprefix", fields.get("eprinttype", "arxiv")).lower() else ""
    )
    title, subtitle = text("title"), text("subtitle")
    return Raw(
        line=entry.line,
        name=entry.key,
        title=f"{title}: {subtitle}" if subtitle else title,
        authors=tuple(people(fields.get("author", ""))),
        date=text("year", "date", "issued"),
        venue=text(*VENUES),
        volume=text("volume"),
        issue=text("number", "issue"),
        pages=text("pages", "eid"),
        doi=address("doi"),
        arxiv=address("arxiv", "arxivid") or eprint,
        url=address("url", "link", "howpublished"),
        abstract=text("abstract"),
        type="preprint"
        if entry.kind in ("misc", "article") and eprint and not text(*VENUES)
        else TYPES.get(entry.kind, ""),
        keywords=tuple(re.split(r"\s*[;,]\s*", text("keywords", "keyword"))),
        publisher=text("publisher"),
    )


def people(value: str) -> Iterator[Person]:
    """Names with "and" between them; a name in braces is one word, as institutions are written."""
    for part in _outside_braces(value):
        name = " ".join(part.split())
        if name.startswith("{") and _closes_at_end(name):
            yield plain(name), ""
        elif found := person(plain(name)):
            yield found


def _outside_braces(value: str) -> Iterator[str]:
    """The parts between the "and"s that stand outside of braces."""
    value, depth, start = f" {value} ", 0, 0
    for token in re.finditer(r"[{}]|(?<=\s)and(?=\s)", value, re.IGNORECASE):
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth = max(0, depth - 1)
        elif depth == 0:
            yield value[start : token.start()]
            start = token.end()
    yield value[start:]


def _closes_at_end(name: str) -> bool:
    """Whether the first brace is closed by the last one, and what is inside is a phrase and no accent."""
    depth = 0
    for at, mark in enumerate(name):
        depth += (mark == "{") - (mark == "}")
        if depth == 0:
            return at == len(name) - 1 and not name.startswith("{\\")
    return False
