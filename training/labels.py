"""The labels of citation strings of several sources in one convention: punctuation at the edges is nobody's."""

from __future__ import annotations

import re
from typing import Any

from openseer.extract.tagging import Token, tokens_of

SAME = {"journal": "container", "booktitle": "container", "collaboration": "author"}
NUMBERS = ("volume", "issue", "pages", "date")
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
    _bridge_pages(tokens, labels)
    assert all(raw[token.start : token.end] == token.text for token in tokens)
    return tokens, labels


def _spans(record: dict[str, Any]) -> list[tuple[int, int, str]]:
    found = []
    for start, end, label in record["spans"]:
        label = SAME.get(label, label)
        text = record["raw"][start:end]
        if record["source"].startswith("excite") and label == "note" and _is_place(text):
            label = "location"
        if label == "volume" and (parts := _taken_apart(start, text)):
            found += parts
        else:
            found.append((start, end, label))
    return found


def _is_place(text: str) -> bool:
    words = re.findall(r"\w+", text)
    return 0 < len(words) <= 4 and all(word[0].isupper() for word in words)


def _taken_apart(offset: int, text: str) -> list[tuple[int, int, str]]:
    """AnyStyle's "71(1),", "2000;355(9222):" and "70:3778–3802." hold several numbers in one span."""
    numbers = list(NUMBER.finditer(text))
    if len(numbers) < 2:
        return []
    found: list[tuple[int, int, str]] = []
    for at, number in enumerate(numbers):
        before = text[numbers[at - 1].end() if at else 0 : number.start()].lower()
        label = _part(before, number[0], {name for _, _, name in found}, more=at + 1 < len(numbers))
        found.append((offset + number.start(), offset + number.end(), label))
    return found


def _part(before: str, number: str, known: set[str], more: bool) -> str:
    """What a number in a row of numbers is, by the sign before it and what was there already."""
    if re.search(r"p\.?\s*$|pp\.?\s*$|s\.\s*$|pages?\s*$", before) or re.search(r"[-–—−]", number):
        return "pages"
    if not known and more and re.fullmatch(r"(?:1[89]|20)\d\d", number):
        return "date"
    if "volume" not in known:
        return "volume"
    if ":" in before and "(" not in before:
        return "pages"
    if "issue" not in known and (re.search(r"[(/]|\bn[or]?\b|issue|heft|№|suppl|\bh\b", before)):
        return "issue"
    return "date" if re.fullmatch(r"(?:1[89]|20)\d\d", number) else "pages"


def _trimmed(inside: list[int], tokens: list[Token], label: str) -> list[int]:
    """Without punctuation at the edges; numbers begin and end with one; a closing initial keeps its stop."""
    while inside and tokens[inside[0]].text in EDGE:
        inside = inside[1:]
    if label in NUMBERS:
        with_digit = [at for at in inside if any(c.isdigit() for c in tokens[at].text)]
        return list(range(with_digit[0], with_digit[-1] + 1)) if with_digit else ([] if label != "date" else inside)
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


def _bridge_pages(tokens: list[Token], labels: list[str]) -> None:
    for at in range(1, len(labels) - 1):
        if labels[at] == "none" and tokens[at].text in "-–—−" and labels[at - 1] == labels[at + 1] == "pages":
            labels[at] = "pages"
