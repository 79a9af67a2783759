"""Query language: a recursive-descent parser that never fails.

    "focused crawling" author:chakrabarti year:1999-2004 -survey (pagerank OR hits) title:citat* similar(^broder)

Anything that is not grammar is a word. `explain` in explain.py shows how a query was parsed.
"""

from __future__ import annotations

import re
from typing import Literal

from openseer.core.model.query import (
    FIELDS,
    OPERATORS,
    RAW_FIELDS,
    And,
    Everything,
    ExactField,
    Node,
    Not,
    Or,
    Phrase,
    Range,
    Related,
    SoftOr,
    Word,
)  # fmt: skip

MAX_REQUIRED_WORDS = 6
"""A query of more bare words than this is a description: best match, not all words must occur."""
MAX_DEPTH = 20
"""Nesting depth; deeper parentheses are ignored, so that no query exhausts the stack."""
MAX_CHARACTERS = 1000
"""Characters of a query that are parsed."""
MAX_OPERATORS = 3
"""Operators of a query that are resolved; of further ones only the inner query counts."""
MAX_CLAUSES = 64
"""Clauses of a query that are parsed."""
STOP_WORDS = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "how", "in", "into", "is", "it", "its",
        "of", "on", "or", "than", "that", "the", "their", "this", "to", "was", "were", "what", "which", "with",
    }
)  # fmt: skip
"""Bare words that are not required, unless there are no others."""
INITIALS = re.compile(r"(?:\w\.){1,3}")
"""Initials are not required either: a name may be printed in full."""
ALIASES = {
    "authors": "author", "aut": "author", "abs": "abstract", "full": "text", "body": "text", "fulltext": "text",
    "affiliation": "affil", "aff": "affil", "journal": "venue", "pub": "venue", "source": "venue",
    "keywords": "keyword", "tag": "keyword", "lang": "language", "property": "has", "site": "host", "eprint": "arxiv",
}  # fmt: skip
"""Aliases of fields, as other engines and CiteSeerX use them."""

RANGES: dict[str, Literal["year", "cited"]] = {
    "year": "year",
    "cited": "cited",
    "ncites": "cited",
    "citation_count": "cited",
    "date": "year",
}
TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<operator>OPERATORS)\(
      | (?:(?:(?i:https?://(?:dx\.)?doi\.org/|doi:))?(?P<doi>10\.\d{4,9}/(?:[^\s()"]|\([^\s()"]*\))+))
      | (?P<scope>\w+):\((?=[^)]) | (?P<open>\() | (?P<close>\))
      | (?P<minus>-)(?=[\w"(^=])
      | (?P<plus>\+)(?=[\w"(])
      | (?:(?P<same>=)?(?P<field>\w+):(?P<is>=)?)?"(?P<phrase>[^"]*)"?
      | (?P<or>OR\b|\|\|)
      | (?P<and>AND\b|&&)
      | (?P<not>NOT\b)
      | (?:(?P<whole>=)?(?P<name>\w+):(?=\S))?(?P<word>[^\s()"]+)
    """.replace("OPERATORS", "|".join(OPERATORS)),
    re.VERBOSE,
)
NUMBER_RANGE = re.compile(r"(?P<low>\d+)?(?P<dash>\s*(?:-|\.\.|–)\s*)?(?P<high>\d+)?")
BRACKETED_RANGE = re.compile(r"(\w+):[\[{]\s*(\d+|\*)\s+TO\s+(\d+|\*)\s*[\]}]")
PLAIN_CHARACTERS = dict.fromkeys(map(ord, "“”„«»"), '"') | dict.fromkeys(
    map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff")
)
"""Typographic quotation marks to plain ones; invisible characters are deleted."""
SPACED_FIELD = re.compile(r"\b(author|title|venue|year|abstract|keyword|affil|doi|arxiv): (?=[^\s:])")
"""A field with a space before its value."""
SHA1 = re.compile(r"[0-9a-fA-F]{40}")
DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
ARXIV = re.compile(
    r"(?:https?://arxiv\.org/(?:abs|pdf)/|arxiv:\s*)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?",
    re.IGNORECASE,
)
WORK_ID = re.compile(r"w[0-9a-hjkmnp-tv-z]{12}")


def parse(text: str) -> Node:
    """Parse a query into a tree."""
    text = text[:MAX_CHARACTERS].translate(PLAIN_CHARACTERS)
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    text = SPACED_FIELD.sub(r"\1:", text)
    text = BRACKETED_RANGE.sub(lambda found: f"{found[1]}:{found[2]}-{found[3]}".replace("*", ""), text)
    return _identifier(text) or _Parser(text).parse_all()


def _identifier(text: str) -> Node | None:
    """The node of a pasted identifier, None for other text."""
    if SHA1.fullmatch(text):
        return Word(text.lower(), "sha1")
    if WORK_ID.fullmatch(text):
        return Word(text, "id")
    if arxiv := ARXIV.fullmatch(text):
        return Word(arxiv[1].lower(), "arxiv")
    doi = DOI.fullmatch(text)
    return Word(doi[1].rstrip(".,;").lower(), "doi") if doi else None


class _Parser:
    """Recursive descent over tokens; any input gives a tree."""

    def __init__(self, text: str) -> None:
        self._tokens = [found for found in TOKEN.finditer(text) if not found["space"]][: 4 * MAX_CLAUSES]
        self._at = 0
        self._clauses = self._operators = 0

    def parse_all(self) -> Node:
        parts = []
        while self._at < len(self._tokens):
            parts.append(self._alternatives(0))
            if self._peek("close"):  # an unbalanced one
                self._at += 1
        return self._combined([part for part in parts if part is not None])

    def _alternatives(self, depth: int) -> Node | None:
        """Alternatives: in "a b OR c d" OR binds weaker than juxtaposition."""
        options = [self._conjunction(depth)]
        while self._peek("or"):
            self._at += 1
            options.append(self._conjunction(depth))
        distinct = list(dict.fromkeys(one for one in options if one is not None))
        return Or(tuple(distinct)) if len(distinct) > 1 else distinct[0] if distinct else None

    def _conjunction(self, depth: int) -> Node | None:
        parts = []
        while self._at < len(self._tokens) and not self._peek("or") and not self._peek("close"):
            part = self._clause(depth)
            if part is not None and self._clauses <= MAX_CLAUSES:
                parts.append(part)
        return self._combined(parts) if parts else None

    def _clause(self, depth: int) -> Node | None:
        token = self._tokens[self._at]
        self._at += 1
        if token["and"] or token["plus"]:
            return None
        if token["minus"] or token["not"]:
            inner = self._clause(depth) if self._at < len(self._tokens) and not self._peek("close") else None
            return None if inner is None else inner.node if isinstance(inner, Not) else Not(inner)
        if token["open"] or token["operator"] or token["scope"]:
            inner = self._alternatives(depth + 1) if depth < MAX_DEPTH else None
            if self._peek("close"):
                self._at += 1
            if token["scope"]:
                return _with_field(token["scope"], inner)
            self._operators += bool(token["operator"])
            costly = token["operator"] and inner and self._operators <= MAX_OPERATORS
            return Related(token["operator"], inner) if costly and inner else inner
        self._clauses += 1
        if token["phrase"] is not None:
            return _phrase(token["field"] or "", token["phrase"], bool(token["same"] or token["is"]))
        if token["doi"] is not None:
            return Word(token["doi"].rstrip(".,;").lower(), "doi")
        return _word(token["name"] or "", token["word"] or "", bool(token["whole"]))

    def _combined(self, parts: list[Node]) -> Node:
        parts = list(dict.fromkeys(parts))
        if not parts:
            return Everything()
        if len(parts) == 1:
            return parts[0]
        bare = [part for part in parts if isinstance(part, Word) and not part.field and not part.prefix]
        content_words = [
            part for part in bare if part.text.lower() not in STOP_WORDS and not INITIALS.fullmatch(part.text)
        ]
        rest = [part for part in parts if part not in bare]
        long = len(bare) > MAX_REQUIRED_WORDS
        if len(content_words) < len(bare) and (content_words or rest):
            parts, bare = [part for part in parts if part in content_words or part in rest], content_words
        if len(parts) == 1:
            return parts[0]
        if not long:
            return And(tuple(parts))
        identifiers = [part for part in rest if isinstance(part, Word) and part.field in ("doi", "arxiv")]
        bare, rest = (
            bare + identifiers,
            [part for part in rest if part not in identifiers],
        )  # identifiers of a citation may be wrong
        return And((SoftOr(tuple(bare)), *rest)) if rest else SoftOr(tuple(bare))

    def _peek(self, kind: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at][kind] is not None


def _field_name(name: str) -> str:
    lower = name.lower()
    return ALIASES.get(lower, lower)


def _with_field(name: str, node: Node | None) -> Node | None:
    """Push a field into parentheses: title:(a OR b); an unknown field name is a word beside them."""
    if _field_name(name) not in FIELDS and _field_name(name) not in RANGES:
        return And((Word(name), node)) if node else Word(name)
    match node:
        case Word(text, "", prefix):
            return _word(name, text + "*" * prefix, exact=False)
        case Phrase(text, ""):
            return _phrase(name, text, exact=False)
        case Not(inner):
            scoped = _with_field(name, inner)
            return Not(scoped) if scoped else None
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            inside = tuple(one for one in (_with_field(name, one) for one in nodes) if one)
            return type(node)(inside) if inside else None
    return node


def _phrase(name: str, text: str, exact: bool) -> Node | None:
    field = _field_name(name)
    if not re.search(r"\w", text):
        return None
    if name and field not in FIELDS:
        return Phrase(f"{name} {text}")
    if field in ("", "author") and text.startswith("^"):
        field, text = "first", text.lstrip("^ ")
    if exact and field in ("title", "venue", "author", "first"):
        return ExactField(text, field)
    return Phrase(text, field)


def _word(name: str, text: str, exact: bool) -> Node | None:
    """`field:text`; an unknown field name is part of the word ("Images: x", "re:search")."""
    if not name and not exact and (identifier := _identifier(text)):
        return identifier
    field = _field_name(name)
    if field in RANGES and (span := _range(RANGES[field], text)):
        return span
    if name and field not in FIELDS:
        return Word(f"{name}:{text}")
    if not re.search(r"\w", text):
        return None
    if field in ("title", "venue", "author", "first") and (exact or text.startswith("=")):
        return ExactField(text.lstrip("="), field)
    if field in ("", "author") and text.startswith("^"):
        field, text = "first", text[1:]
    bare = text.rstrip("*")
    if text.endswith("*") and bare and field not in RAW_FIELDS:
        return Word(bare, field, prefix=True)
    return Word(text, field)


def _range(field: Literal["year", "cited"], text: str) -> Range | None:
    """2010, 2010-2015, 2010-, -2015, >50, >=50, <3."""
    bound = re.fullmatch(r"(>=|<=|>|<)(\d{1,9})", text)
    if bound:
        number = int(bound[2])
        return {
            ">": Range(field, number + 1, None),
            ">=": Range(field, number, None),
            "<": Range(field, None, number - 1) if number else Range(field, 1, 0),
            "<=": Range(field, None, number),
        }[bound[1]]
    span = NUMBER_RANGE.fullmatch(text.replace("[", "").replace("]", ""))
    if not span or not (span["low"] or span["high"]) or len(text) > 24:
        return None
    low = int(span["low"]) if span["low"] else None
    if not span["dash"]:
        return Range(field, low, low)
    return Range(field, low, int(span["high"]) if span["high"] else None)
