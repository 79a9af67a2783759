"""The labels of citation strings of several sources in one convention: punctuation at the edges is nobody's."""

from __future__ import annotations

import re
from typing import Any

from openseer.extract.references.token_features import Token, tokens_of

SAME = {"booktitle": "book"}
AFTER = {"author": "author", "editor": "author", "title": "title", "journal": "journal", "book": "book"}
NUMBERS = ("volume", "issue", "pages", "date")
EDITED = re.compile(r"\b(?:eds?|hrsg|hg|hrg|editors?|herausgegeben|edited|orgs?|coord)\b", re.I)
ROMAN = re.compile(r"[IVXLC]+|[ivxlc]+")
EDGE = frozenset(",.;:()[]\"“”„'‘’«»-–—/ ")
JOINING = frozenset((",", ";", ".", "and", "und", "et", "&", "y", "e", "и", "u", "/", "(", ")"))
NUMBER = re.compile(r"[A-Za-z]?\d+(?:\s?[-–—−]\s?[A-Za-z]?\d+)?[A-Za-z]?")


def labels_of(record: dict[str, Any]) -> tuple[list[Token], list[str]]:
    """The tokens of a string and one label for each."""
    raw, tokens = record["raw"], tokens_of(record["raw"])
    labels = ["none"] * len(tokens)
    for start, end, label in _spans(record):
        inside = [at for at, token in enumerate(tokens) if token.start >= start and token.end <= end]
        for at in _trimmed(inside, tokens, label):
            labels[at] = label
    _bridge(tokens, labels, "author")
    _bridge(tokens, labels, "editor")
    _bridge_numbers(tokens, labels)
    assert all(raw[token.start : token.end] == token.text for token in tokens)
    return tokens, _remembering(labels)


def _remembering(labels: list[str]) -> list[str]:
    """What belongs to no field is named after the one before it, so that the chain does not forget it."""
    found, last = [], ""
    for label in labels:
        last = AFTER.get(label, "") if label != "none" else last
        found.append(label if label != "none" else f"-{last}")
    return found


def _named(record: dict[str, Any]) -> dict[str, str]:
    """Sources differ in what they call the book or journal: an entry without a title is a book of its own, and
    where the two are not told apart the numbers and the editors do it."""
    labels = {label for _, _, label in record["spans"]}
    if "title" not in labels and not labels & {"journal"}:
        return {**SAME, "container": "title", "booktitle": "title"}
    if record["source"].startswith("excite"):
        numbered = labels & {"volume", "issue"} and not labels & {"publisher"}
        return {**SAME, "container": "journal" if numbered and "editor" not in labels else "book"}
    return {**SAME, "container": "book"}


def _spans(record: dict[str, Any]) -> list[tuple[int, int, str]]:
    found, named = [], _named(record)
    known = {label for _, _, label in record["spans"]} & {"issue", "pages"}
    for start, end, label in record["spans"]:
        label = named.get(label, label)
        text = record["raw"][start:end]
        if label == "editor" and record["source"].startswith("excite") and _is_author(record, start, end):
            label = "author"
        if record["source"].startswith("excite") and label == "note" and _is_place(text):
            label = "location"
        if label == "volume" and (parts := _taken_apart(start, text, known)):
            found += parts
        else:
            found.append((start, end, label))
    return found


def _is_author(record: dict[str, Any], start: int, end: int) -> bool:
    """A body at the head of an entry without "ed." (EXCITE calls it editor, the others author)."""
    labels = [(at, label) for at, _, label in record["spans"]]
    ahead = any(at < start and label not in ("label", "editor") for at, label in labels)
    alone = all(label != "author" for _, label in labels)
    return alone and not ahead and not EDITED.search(record["raw"][start : end + 60].split("(1")[0].split("(2")[0])


def _is_place(text: str) -> bool:
    words = re.findall(r"\w+", text)
    return 0 < len(words) <= 4 and all(word[0].isupper() for word in words)


def _taken_apart(offset: int, text: str, known: set[str]) -> list[tuple[int, int, str]]:
    """AnyStyle's "71(1),", "2000;355(9222):" and "70:3778–3802." hold several numbers in one span; what has a span of
    its own is not among them."""
    numbers = list(NUMBER.finditer(text))
    if len(numbers) < 2:
        return []
    found: list[tuple[int, int, str]] = []
    for at, number in enumerate(numbers):
        before = text[numbers[at - 1].end() if at else 0 : number.start()].lower()
        label = _part(before, number[0], known | {name for _, _, name in found}, more=at + 1 < len(numbers))
        found.append((offset + number.start(), offset + number.end(), label))
    return found


def _part(before: str, number: str, known: set[str], more: bool) -> str:
    """What a number in a row of numbers is, by the sign before it and what was there already."""
    pages = re.search(r"p\.?\s*$|pp\.?\s*$|s\.\s*$|pages?\s*$", before) or re.search(r"[-–—−]", number)
    if pages and "pages" not in known:
        return "pages"
    if not known - {"pages"} and more and re.fullmatch(r"(?:1[89]|20)\d\d", number):
        return "date"
    if "volume" not in known:
        return "volume"
    if ":" in before and "(" not in before and "pages" not in known:
        return "pages"
    if "issue" not in known and ("pages" in known or re.search(r"[(/]|\bn[or]?\b|issue|heft|№|suppl|\bh\b", before)):
        return "issue"
    return "date" if re.fullmatch(r"(?:1[89]|20)\d\d", number) else "pages" if "pages" not in known else "none"


def _trimmed(inside: list[int], tokens: list[Token], label: str) -> list[int]:
    """Without punctuation at the edges; numbers begin and end with one; a closing initial keeps its stop."""
    while inside and tokens[inside[0]].text in EDGE:
        inside = inside[1:]
    if label in NUMBERS:
        return _number(inside, tokens, label)
    while inside and tokens[inside[-1]].text in EDGE:
        last = tokens[inside[-1]].text
        initial = (
            last == "." and len(inside) > 1 and len(tokens[inside[-2]].text) == 1 and label in ("author", "editor")
        )
        open_before = last == ")" and any(tokens[at].text == "(" for at in inside[:-1])
        if initial or open_before:
            break
        inside = inside[:-1]
    return inside


def _number(inside: list[int], tokens: list[Token], label: str) -> list[int]:
    """From the first number to the last, with a letter that is part of it; Roman ones only where there is no other."""
    parts = [at for at in inside if tokens[at].text[0].isdigit()]
    parts = parts or [at for at in inside if ROMAN.fullmatch(tokens[at].text)]
    if not parts:
        return inside if label == "date" else []
    first, last = parts[0], parts[-1]
    if first - 1 in inside and tokens[first - 1].end == tokens[first].start and len(tokens[first - 1].text) == 1:
        first -= tokens[first - 1].text.isalpha()
    if last + 1 in inside and tokens[last + 1].start == tokens[last].end and len(tokens[last + 1].text) == 1:
        last += tokens[last + 1].text.isalpha()
    return list(range(first, last + 1))


def _bridge(tokens: list[Token], labels: list[str], wanted: str) -> None:
    """Names one by one (EXCITE) become one list: what stands between two of them belongs to it."""
    last = None
    for at, label in enumerate(labels):
        if label != wanted:
            continue
        between = range(last + 1, at) if last is not None else range(0)
        if (
            last is not None
            and len(between) <= 4
            and all(labels[k] == "none" and tokens[k].text.lower() in JOINING for k in between)
        ):
            for k in between:
                labels[k] = wanted
        last = at


def _bridge_numbers(tokens: list[Token], labels: list[str]) -> None:
    for at in range(1, len(labels) - 1):
        if labels[at] == "none" and tokens[at].text in "-–—−" and labels[at - 1] == labels[at + 1] in NUMBERS:
            labels[at] = labels[at - 1]
