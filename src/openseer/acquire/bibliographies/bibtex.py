"""BibTeX and BibLaTeX parser: entries, @string, concatenation, crossref. Broken entries are skipped with an error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from openseer.acquire.bibliographies.decode_text import LineNumbers
from openseer.acquire.bibliographies.latex import latex_to_text, latex_to_url
from openseer.acquire.bibliographies.normalize_fields import MAX_RECORD, RawRecord, build_record
from openseer.acquire.bibliographies.parse_names import Person, parse_name
from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord

MAX_BRACE_DEPTH = 50
MAX_VALUE_PIECES = 1000
"""Parts of one value joined by "#"."""

START = re.compile(r"@[ \t]*([A-Za-z]+)\s*([{(])")
KEY = re.compile(r"\s*+([^\s,={}\"#%]*+)\s*+(,|(?=[})]))")
NAME = re.compile(r"[\s,]*+([^\s,={}()\"#%]++)\s*+=\s*+")
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
INHERITED_AS = {"title": "booktitle", "subtitle": "booksubtitle"}
"""Fields of a parent entry -> names in its children."""
NOT_INHERITED = frozenset(
    {"crossref", "xref", "doi", "url", "abstract", "keywords", "author", "pages", "eprint", "note"}
)


class MalformedEntry(Exception):
    """An entry that cannot be parsed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry with field names in lower case and values without their outermost braces."""

    line: int
    kind: str
    key: str
    fields: dict[str, str] = field(default_factory=dict)


def read(text: str) -> Iterator[BibliographyRecord | RejectedRecord]:
    """All records of a file, and the errors of malformed entries."""
    found = list(_Parser(text).entries())
    entries = [one for one in found if isinstance(one, Entry)]
    parent_keys = {_crossref(one) for one in entries}
    # of entries with one key the first counts
    parents = {one.key.lower(): one for one in reversed(entries) if one.key.lower() in parent_keys}
    del entries
    found.reverse()
    while found:  # yielded entries are released, since lists are long
        one = found.pop()
        yield one if isinstance(one, RejectedRecord) else build_record(_raw_record(one, _inherit(one, parents)))


class _Parser:
    """Parses a file in one pass."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._lines = LineNumbers(text)
        self._strings = dict(MONTHS)

    def entries(self) -> Iterator[Entry | RejectedRecord]:
        """All entries; text outside of entries is a comment."""
        while found := START.search(self._text, self._at):
            self._at = found.end()
            kind, closing = found[1].lower(), "}" if found[2] == "{" else ")"
            line = self._lines.line_of(found.start())
            key = KEY.match(self._text, self._at)
            try:
                if kind == "comment":
                    self._skip_comment()
                    continue
                if kind in ("string", "preamble"):
                    self._define(kind, closing)
                elif key is None:
                    raise MalformedEntry("it has no key, or no comma behind its key")
                else:
                    self._at = key.end()
                    yield Entry(line, kind, key[1], self._fields(closing))
            except MalformedEntry as error:
                self._at = max(self._at, found.end())
                yield RejectedRecord(line, key[1] if key else f"@{kind}", str(error))

    def _skip_comment(self) -> None:
        """Skip to the closing brace; a comment without one is plain text."""
        depth = 1
        for token in re.compile(r"[{}]").finditer(self._text, self._at, self._at + MAX_RECORD):
            depth += 1 if token[0] == "{" else -1
            if depth == 0:
                self._at = token.end()
            if depth == 0 or depth > MAX_BRACE_DEPTH:
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
                raise MalformedEntry(self._field_error())
            self._at = name.end()
            value = self._value()
            if self._at - start > MAX_RECORD:
                raise MalformedEntry(f"it is longer than {MAX_RECORD:,} characters")
            fields.setdefault(name[1].lower(), value)

    def _field_error(self) -> str:
        rest = self._text[self._at : self._at + 30].split("\n")[0].strip()
        if not rest or START.match(rest):
            return "it is not closed"
        return f"a field was expected in line {self._lines.line_of(self._at)} at {rest!r}"

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
        """A value: parts in braces, quotes, digits or names, joined by "#"."""
        pieces: list[str] = []
        while len(pieces) < MAX_VALUE_PIECES:
            self._skip_blank()
            pieces.append(self._piece())
            self._skip_blank()
            if not self._text.startswith("#", self._at):
                whole = "".join(pieces)
                if len(whole) > MAX_RECORD:
                    raise MalformedEntry(f"a value is longer than {MAX_RECORD:,} characters")
                return whole
            self._at += 1
        raise MalformedEntry(f"a value has more than {MAX_VALUE_PIECES} pieces")

    def _piece(self) -> str:
        delimiter = self._text[self._at : self._at + 1]
        if delimiter in ("{", '"') and delimiter:
            return self._delimited(quoted=delimiter == '"')
        word = WORD.match(self._text, self._at)
        if word is None:
            raise MalformedEntry(f"a value is missing in line {self._lines.line_of(self._at)}")
        self._at = word.end()
        return word[0] if word[0].isdigit() else self._strings.get(word[0].lower(), word[0])

    def _delimited(self, quoted: bool) -> str:
        """Text up to the closing brace or quote; an entry on a line of its own shows that it is missing."""
        start, depth = self._at + 1, 0
        for token in (QUOTED if quoted else INSIDE).finditer(self._text, start):
            delimiter = token[0]
            if delimiter == "{":
                depth += 1
                if depth > MAX_BRACE_DEPTH:
                    raise MalformedEntry(f"more than {MAX_BRACE_DEPTH} braces stand inside each other")
            elif delimiter == '"':
                if depth == 0:
                    self._at = token.end()
                    return self._text[start : token.start()]
            elif delimiter == "}":
                depth -= 1
                if depth < 0:
                    if quoted:
                        raise MalformedEntry(f"a brace closes inside the quotes of line {self._lines.line_of(start)}")
                    self._at = token.end()
                    return self._text[start : token.start()]
            elif "@" in delimiter:
                self._at = token.start()
                raise MalformedEntry(
                    f"a {'quote' if quoted else 'brace'} in line {self._lines.line_of(start)} is not closed"
                )
        line = self._lines.line_of(start)
        self._at = start
        raise MalformedEntry(f"a {'quote' if quoted else 'brace'} in line {line} is not closed")


def _crossref(entry: Entry) -> str:
    """The key of the parent entry."""
    return entry.fields.get("crossref", "").strip().lower()


def _inherit(entry: Entry, parents: Mapping[str, Entry]) -> dict[str, str]:
    """The entry's own fields and those inherited from its parent."""
    parent = parents.get(_crossref(entry))
    if parent is None or parent is entry:
        return entry.fields
    inherited = {
        INHERITED_AS.get(name, name): value for name, value in parent.fields.items() if name not in NOT_INHERITED
    }
    return {**inherited, **entry.fields}


def _raw_record(entry: Entry, fields: Mapping[str, str]) -> RawRecord:
    def text(*names: str) -> str:
        return next((latex_to_text(fields[name]) for name in names if fields.get(name, "").strip()), "")

    def address(*names: str) -> str:
        return next((latex_to_url(fields[name]) for name in names if fields.get(name, "").strip()), "")

    eprint = (
        address("eprint") if "arxiv" in fields.get("archiveprefix", fields.get("eprinttype", "arxiv")).lower() else ""
    )
    title, subtitle = text("title"), text("subtitle")
    return RawRecord(
        line=entry.line,
        name=entry.key,
        title=f"{title}: {subtitle}" if subtitle else title,
        authors=tuple(parse_authors(fields.get("author", ""))),
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


def parse_authors(value: str) -> Iterator[Person]:
    """Names separated by "and"; a name in braces is an institution."""
    for part in _split_at_and(value):
        name = " ".join(part.split())
        if name.startswith("{") and _closes_at_end(name):
            yield latex_to_text(name), ""
        elif found := parse_name(latex_to_text(name)):
            yield found


def _split_at_and(value: str) -> Iterator[str]:
    """The parts between "and"s outside of braces."""
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
    """True if the first brace closes at the end, and the content is a phrase instead of an accent."""
    depth = 0
    for at, mark in enumerate(name):
        depth += (mark == "{") - (mark == "}")
        if depth == 0:
            return at == len(name) - 1 and not name.startswith("{\\")
    return False
