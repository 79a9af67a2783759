"""The query language: one parser, one tree, and never an error.

    crawler "focused crawling" author:chakrabarti year:1999-2004 -survey (pagerank OR hits) title:citat*

What is not grammar is a word. `understood` says in plain text how a query was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from openseer.queries import FIELDS, All, Any, Best, Everything, Node, Not, Phrase, Range, Word

LONG = 6
"""A query of more bare words than this is a description: best match, not all words must occur."""
DEEPEST = 20
"""Parentheses deeper than this are read as nothing, so that no query takes the parser down."""
LONGEST = 1000
"""Characters of a query that are read."""
MOST_WORDS = 64
"""Clauses of a query that are read."""

RANGES: dict[str, Literal["year", "cited"]] = {"year": "year", "cited": "cited", "ncites": "cited"}
TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<open>\() | (?P<close>\))
      | (?P<minus>-)(?=[\w"(])
      | (?:(?P<field>\w+):)?"(?P<phrase>[^"]*)"?
      | (?P<or>OR\b|\|\|)
      | (?P<and>AND\b|&&)
      | (?P<not>NOT\b)
      | (?:(?P<name>\w+):(?=\S))?(?P<word>[^\s()"]+)
    """,
    re.VERBOSE,
)
SPAN = re.compile(r"(?P<low>\d+)?(?P<dash>\s*(?:-|\.\.|–)\s*)?(?P<high>\d+)?")
SHA1 = re.compile(r"[0-9a-fA-F]{40}")
DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
WORK = re.compile(r"w[0-9a-hjkmnp-tv-z]{12}")


def parse(text: str) -> Node:
    """The tree of a query."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text[:LONGEST]).split())
    return _pasted(text) or _Parser(text).whole()


def understood(node: Node) -> str:
    """How a query was read, in words that parse to the same tree."""
    match node:
        case Everything():
            return "everything"
        case Word(text, field, prefix):
            return f"{field}:{text}{'*' * prefix}" if field else text + "*" * prefix
        case Phrase(text, field):
            return f'{field}:"{text}"' if field else f'"{text}"'
        case Range(field, low, high):
            return (
                f"{field}:{low}"
                if low == high
                else f"{field}:{'' if low is None else low}-{'' if high is None else high}"
            )
        case Not(inner):
            return f"-{_bracketed(inner)}"
        case All(nodes):
            return " AND ".join(map(_bracketed, nodes))
        case Any(nodes):
            return " OR ".join(map(_bracketed, nodes))
        case Best(nodes):
            return f"best match of: {' '.join(map(understood, nodes))}"


def words_in(node: Node) -> Iterator[str]:
    """The words to mark in what is found."""
    match node:
        case Word(text, field, _) | Phrase(text, field) if field not in (
            "doi",
            "sha1",
            "id",
            "type",
            "language",
            "has",
        ):
            yield from re.findall(r"\w+", text)
        case All(nodes) | Any(nodes) | Best(nodes):
            for one in nodes:
                yield from words_in(one)


def _bracketed(node: Node) -> str:
    return f"({understood(node)})" if isinstance(node, All | Any) else understood(node)


def _pasted(text: str) -> Node | None:
    """A pasted identifier is the name of a work, not words."""
    if SHA1.fullmatch(text):
        return Word(text.lower(), "sha1")
    if WORK.fullmatch(text):
        return Word(text, "id")
    doi = DOI.fullmatch(text)
    return Word(doi[1].rstrip(".,;").lower(), "doi") if doi else None


class _Parser:
    """Recursive descent over tokens; every way out leads to a node."""

    def __init__(self, text: str) -> None:
        self._tokens = [found for found in TOKEN.finditer(text) if not found["space"]][: 4 * MOST_WORDS]
        self._at = 0
        self._clauses = 0

    def whole(self) -> Node:
        parts = []
        while self._at < len(self._tokens):
            parts.append(self._either(0))
            if self._peek("close"):  # one that closes nothing
                self._at += 1
        return self._joined([part for part in parts if part is not None])

    def _either(self, depth: int) -> Node | None:
        """a b OR c d: OR binds weaker than standing side by side."""
        options = [self._together(depth)]
        while self._peek("or"):
            self._at += 1
            options.append(self._together(depth))
        real = [one for one in options if one is not None]
        return Any(tuple(real)) if len(real) > 1 else real[0] if real else None

    def _together(self, depth: int) -> Node | None:
        parts = []
        while self._at < len(self._tokens) and not self._peek("or") and not self._peek("close"):
            part = self._one(depth)
            if part is not None and self._clauses <= MOST_WORDS:
                parts.append(part)
        return self._joined(parts) if parts else None

    def _one(self, depth: int) -> Node | None:
        token = self._tokens[self._at]
        self._at += 1
        if token["and"]:
            return None
        if token["minus"] or token["not"]:
            inner = self._one(depth) if self._at < len(self._tokens) and not self._peek("close") else None
            return None if inner is None else inner.node if isinstance(inner, Not) else Not(inner)
        if token["open"]:
            inner = self._either(depth + 1) if depth < DEEPEST else None
            if self._peek("close"):
                self._at += 1
            return inner
        self._clauses += 1
        if token["phrase"] is not None:
            return _phrase(token["field"] or "", token["phrase"])
        return _word(token["name"] or "", token["word"] or "")

    def _joined(self, parts: list[Node]) -> Node:
        if not parts:
            return Everything()
        if len(parts) == 1:
            return parts[0]
        bare = [part for part in parts if isinstance(part, Word) and not part.field and not part.prefix]
        if len(bare) <= LONG:
            return All(tuple(parts))
        rest = [part for part in parts if part not in bare]
        return All((Best(tuple(bare)), *rest)) if rest else Best(tuple(bare))

    def _peek(self, kind: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at][kind] is not None


def _phrase(field: str, text: str) -> Node | None:
    name = field.lower()
    if not re.search(r"\w", text):
        return None
    if field and name not in FIELDS:
        return Phrase(f"{field} {text}")
    return Phrase(text, name)


def _word(name: str, text: str) -> Node | None:
    """`name:text`; a name that is no field is a word like any other ("Images: x", "re:search")."""
    field = name.lower()
    if field in RANGES and (span := _range(RANGES[field], text)):
        return span
    if name and field not in FIELDS:
        return _word("", f"{name} {text}") if field not in RANGES else Word(f"{name} {text}")
    if not re.search(r"\w", text):
        return None
    bare = text.rstrip("*")
    if text.endswith("*") and bare:
        return Word(bare, field, prefix=True)
    if " " in text:
        return Phrase(text, field)
    return Word(text, field)


def _range(field: Literal["year", "cited"], text: str) -> Range | None:
    """2010, 2010-2015, 2010-, -2015, >50, >=50, <3."""
    bound = re.fullmatch(r"(>=|<=|>|<)(\d{1,9})", text)
    if bound:
        number = int(bound[2])
        return {
            ">": Range(field, number + 1, None),
            ">=": Range(field, number, None),
            "<": Range(field, None, number - 1),
            "<=": Range(field, None, number),
        }[bound[1]]
    span = SPAN.fullmatch(text.replace("[", "").replace("]", ""))
    if not span or not (span["low"] or span["high"]) or len(text) > 24:
        return None
    low = int(span["low"]) if span["low"] else None
    if not span["dash"]:
        return Range(field, low, low)
    return Range(field, low, int(span["high"]) if span["high"] else None)
