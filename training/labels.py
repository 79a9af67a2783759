"""Labels of citation strings of several sources in one convention, with punctuation between fields unlabelled."""

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
CONNECTORS = frozenset((",", ";", ".", "and", "und", "et", "&", "y", "e", "и", "u", "/", "(", ")"))
NUMBER = re.compile(r"[A-Za-z]?\d+(?:\s?[-–—−]\s?[A-Za-z]?\d+)?[A-Za-z]?")


def labels_of(record: dict[str, Any]) -> tuple[list[Token], list[str]]:
    """The tokens of a string with one label each."""
    raw, tokens = record["raw"], tokens_of(record["raw"])
    labels = ["none"] * len(tokens)
    for start, end, label in _spans(record):
        inside = [at for at, token in enumerate(tokens) if token.start >= start and token.end <= end]
        for at in _trim(inside, tokens, label):
            labels[at] = label
    _bridge(tokens, labels, "author")
    _bridge(tokens, labels, "editor")
    _bridge_numbers(tokens, labels)
    assert all(raw[token.start : token.end] == token.text for token in tokens)
    return tokens, _with_gap_labels(labels)


def _with_gap_labels(labels: list[str]) -> list[str]:
    """Labels of tokens between fields, named after the preceding field as context for the sequence model."""
    found, last = [], ""
    for label in labels:
        last = AFTER.get(label, "") if label != "none" else last
        found.append(label if label != "none" else f"-{last}")
    return found


def _unified_labels(record: dict[str, Any]) -> dict[str, str]:
    """Labels in one convention: an entry without a title is a book of its own, and where book and journal are not
    distinguished, numbers and editors decide."""
    labels = {label for _, _, label in record["spans"]}
    if "title" not in labels and not labels & {"journal"}:
        return {**SAME, "container": "title", "booktitle": "title"}
    if record["source"].startswith("excite"):
        numbered = labels & {"volume", "issue"} and not labels & {"publisher"}
        return {**SAME, "container": "journal" if numbered and "editor" not in labels else "book"}
    return {**SAME, "container": "book"}


def _spans(record: dict[str, Any]) -> list[tuple[int, int, str]]:
    found, named = [], _unified_labels(record)
    known = {label for _, _, label in record["spans"]} & {"issue", "pages"}
    for start, end, label in record["spans"]:
        label = named.get(label, label)
        text = record["raw"][start:end]
        if label == "editor" and record["source"].startswith("excite") and _is_author(record, start, end):
            label = "author"
        if record["source"].startswith("excite") and label == "note" and _is_place(text):
            label = "location"
        if label == "volume" and (parts := _split_numbers(start, text, known)):
            found += parts
        else:
            found.append((start, end, label))
    return found


def _is_author(record: dict[str, Any], start: int, end: int) -> bool:
    """True for a body at the start of an entry without "ed." (an editor in EXCITE, an author elsewhere)."""
    labels = [(at, label) for at, _, label in record["spans"]]
    ahead = any(at < start and label not in ("label", "editor") for at, label in labels)
    alone = all(label != "author" for _, label in labels)
    return alone and not ahead and not EDITED.search(record["raw"][start : end + 60].split("(1")[0].split("(2")[0])


def _is_place(text: str) -> bool:
    words = re.findall(r"\w+", text)
    return 0 < len(words) <= 4 and all(word[0].isupper() for word in words)


def _split_numbers(offset: int, text: str, labelled_spans: set[str]) -> list[tuple[int, int, str]]:
    """The parts of a span with several numbers, as in AnyStyle's "71(1),", "2000;355(9222):" and "70:3778–3802.";
    labelled spans are excluded."""
    numbers = list(NUMBER.finditer(text))
    if len(numbers) < 2:
        return []
    found: list[tuple[int, int, str]] = []
    for at, number in enumerate(numbers):
        before = text[numbers[at - 1].end() if at else 0 : number.start()].lower()
        label = _number_label(
            before, number[0], labelled_spans | {name for _, _, name in found}, more=at + 1 < len(numbers)
        )
        found.append((offset + number.start(), offset + number.end(), label))
    return found


def _number_label(before: str, number: str, present: set[str], more: bool) -> str:
    """Label of a number in a row of numbers, by the sign before it and the labels so far."""
    pages = re.search(r"p\.?\s*$|pp\.?\s*$|s\.\s*$|pages?\s*$", before) or re.search(r"[-–—−]", number)
    if pages and "pages" not in present:
        return "pages"
    if not present - {"pages"} and more and re.fullmatch(r"(?:1[89]|20)\d\d", number):
        return "date"
    if "volume" not in present:
        return "volume"
    if ":" in before and "(" not in before and "pages" not in present:
        return "pages"
    if "issue" not in present and (
        "pages" in present or re.search(r"[(/]|\bn[or]?\b|issue|heft|№|suppl|\bh\b", before)
    ):
        return "issue"
    return "date" if re.fullmatch(r"(?:1[89]|20)\d\d", number) else "pages" if "pages" not in present else "none"


def _trim(inside: list[int], tokens: list[Token], label: str) -> list[int]:
    """Tokens without punctuation at the ends; numbers begin and end with a number; a closing initial keeps its full
    stop."""
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
    """From the first number to the last, with an attached letter; Roman numbers only if there is no other."""
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


def _bridge(tokens: list[Token], labels: list[str], label_to_join: str) -> None:
    """Separate names (EXCITE) joined to one list including the tokens between them."""
    last = None
    for at, label in enumerate(labels):
        if label != label_to_join:
            continue
        between = range(last + 1, at) if last is not None else range(0)
        if (
            last is not None
            and len(between) <= 4
            and all(labels[k] == "none" and tokens[k].text.lower() in CONNECTORS for k in between)
        ):
            for k in between:
                labels[k] = label_to_join
        last = at


def _bridge_numbers(tokens: list[Token], labels: list[str]) -> None:
    for at in range(1, len(labels) - 1):
        if labels[at] == "none" and tokens[at].text in "-–—−" and labels[at - 1] == labels[at + 1] in NUMBERS:
            labels[at] = labels[at - 1]
