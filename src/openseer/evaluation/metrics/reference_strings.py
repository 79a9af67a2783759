"""Scores of parsed reference strings against labelled ones, field by field."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from openseer.evaluation.metrics import author_lists
from openseer.evaluation.metrics.numeric_fields import (
    doi_letters,
    number_of,
    page_range,
    parts_of_volume,
    year_of,
    years_in,
)
from openseer.evaluation.precision_recall import Tally
from openseer.evaluation.string_similarity import ALIKE, letters, similarity

FIELDS = ("author", "title", "container", "date", "volume", "issue", "pages", "publisher", "doi")
VENUES = ("journal", "booktitle", "container")
SUBTITLE = 0.6
"""A title that begins the other is nearly right from this share of its length."""
Labels = dict[str, list[str]]
Values = dict[str, list[Any]]


def score_string(record: dict[str, Any], parsed: dict[str, Any], tally: Tally) -> list[str]:
    """Add one reference; the fields that are wrong."""
    accepted, related = wanted_of(record)
    given = _settled(given_of(parsed), accepted, related)
    wrong = []
    for field in FIELDS:
        value = given[field]
        if accepted[field]:
            exact, soft = judge(field, accepted[field], value) if value else (False, False)
            _count(tally, field, (exact, soft, bool(value), True))
        elif value and not _excused(field, related[field], value):
            exact = False
            _count(tally, field, (False, False, True, False))
        else:
            continue
        if not exact:
            wrong.append(field)
    return wrong


def _count(tally: Tally, field: str, row: tuple[bool, bool, bool, bool]) -> None:
    exact, soft, found, wanted = map(int, row)
    for name in (field, "micro"):
        tally.f1(name, exact, found, wanted)
        tally.f1(f"{name}.soft", soft, found, wanted)


def judge(field: str, accepted: list[Any], value: Any) -> tuple[bool, bool]:
    """Whether a value is right, and whether it nearly is."""
    if field == "author":
        return author_lists.compare(accepted, value)
    if value in accepted:
        return True, True
    if field == "pages":
        return False, any(value[0] == one[0] for one in accepted if one)
    if field in ("date", "doi"):
        return False, False
    near = any(similarity(one, value) >= ALIKE for one in accepted)
    return False, near or (field == "title" and any(_begins(one, value) for one in accepted))


def _begins(one: str, two: str) -> bool:
    short, long = sorted((one, two), key=len)
    return long.startswith(short) and len(short) >= SUBTITLE * len(long)


def _excused(field: str, related: list[Any], value: Any) -> bool:
    """Found where gold has no such label, but the same words under one that is close to it."""
    if field == "author" and related and judge(field, related, value)[1]:
        return True
    return any(judge(field, [one], value)[1] for one in related if one)


def _settled(given: dict[str, Any], accepted: Values, related: Values) -> dict[str, Any]:
    """A lone number may be called volume or issue, and the name of a book title or container."""
    given = dict(given)
    for one, two in (("volume", "issue"), ("issue", "volume")):
        if accepted[one] and not accepted[two] and given[two] and not given[one]:
            given[one], given[two] = given[two], ""
    book = accepted["title"] and accepted["title"] == related["container"]
    if book and given["container"] and not given["title"]:
        given["title"], given["container"] = given["container"], ""
    return given


# -- what was parsed ----------------------------------------------------------------------------------------------


def given_of(parsed: dict[str, Any]) -> dict[str, Any]:
    """The fields of a parsed reference in the form in which they are compared."""
    venue = next((parsed[name] for name in ("venue", "container", "journal", "booktitle") if parsed.get(name)), "")
    return {
        "author": parsed.get("authors") or [],
        "title": words(parsed.get("title")),
        "container": venue_words(str(venue)),
        "date": year_of(parsed.get("year") or parsed.get("date")),
        "volume": number_of(parsed.get("volume")),
        "issue": number_of(parsed.get("issue")),
        "pages": page_range(parsed.get("pages")),
        "publisher": words(parsed.get("publisher")),
        "doi": doi_letters(parsed.get("doi")),
    }


def words(text: Any) -> str:
    """Letters, without the tags of markup."""
    return letters(re.sub(r"</?\w+>", "", str(text or "")))


def venue_words(text: str) -> str:
    """A venue without the "In:" before it."""
    return words(re.sub(r"^\W*(?:in\b|dans\b|en:|aus:)\s*:?", "", text, flags=re.I))


# -- what is wanted -----------------------------------------------------------------------------------------------


def wanted_of(record: dict[str, Any]) -> tuple[Values, Values]:
    """The accepted values of each field, and those that count neither for nor against."""
    labels = labels_of(record)
    accepted, related = defaultdict[str, list[Any]](list), defaultdict[str, list[Any]](list)
    accepted["author"] = [text for text in labels["author"] if author_lists.people(text)]
    related["author"] = [
        text for name in ("editor", "collaboration", "institution", "publisher") for text in labels[name]
    ]
    _names(record, labels, accepted, related)
    _numbers(labels, accepted, related)
    accepted["publisher"] = _known([words(text) for text in labels["publisher"]])
    if len(labels["publisher"]) > 1:
        accepted["publisher"].append(words(" ".join(labels["publisher"])))
    related["publisher"] = [words(text) for text in _of(labels, "institution", "location", "note", "author", "editor")]
    accepted["doi"] = _known(map(doi_letters, _of(labels, "identifier", "url")))
    related["doi"] = [doi_letters(text) for text in [record["raw"], *labels["note"]]]
    return accepted, related


def labels_of(record: dict[str, Any]) -> Labels:
    """Label -> its texts; of a string with two references the first."""
    order = [label for _, _, label in record["spans"]]
    second = next(
        (at for at, label in enumerate(order) if label == "author" and "title" in order[:at] and "title" in order[at:]),
        None,
    )
    labels = defaultdict[str, list[str]](list)
    for start, end, label in record["spans"][:second]:
        labels[label].append(record["raw"][start:end])
    return labels


def _of(labels: Labels, *names: str) -> list[str]:
    return [text for name in names for text in labels[name]]


def _known(values: Iterable[Any]) -> list[Any]:
    return [value for value in values if value]


def _names(record: dict[str, Any], labels: Labels, accepted: Values, related: Values) -> None:
    """Title and container; a book without a title of its own has its name as title."""
    names = [venue_words(text) for text in _of(labels, *VENUES)]
    if len(names) > 1:
        in_order = [record["raw"][start:end] for start, end, label in record["spans"] if label in VENUES]
        names.append(words(" ".join(in_order)))
    names = _known(names)
    if labels["title"]:
        accepted["title"] = _known([words(" ".join(labels["title"])), *map(words, labels["title"])])
        accepted["container"] = names
        related["container"] = [words(text) for text in _of(labels, "series", "note")]
    elif names and (labels["booktitle"] or labels["container"]):
        accepted["title"] = related["container"] = names
    else:
        accepted["container"] = names
        related["title"] = [*names, *map(words, labels["note"])]
    related["title"] = [*related["title"], *map(words, _of(labels, "note", "series"))]


def _numbers(labels: Labels, accepted: Values, related: Values) -> None:
    """Year, volume, issue and pages, which some sources print in one span."""
    accepted["date"] = [year for text in labels["date"] for year in years_in(text)]
    for text in labels["volume"]:
        _volume(text, labels, accepted, related)
    accepted["issue"] = _known([*accepted["issue"], *map(number_of, labels["issue"])])
    accepted["volume"] = _known(accepted["volume"])
    if len(labels["pages"]) > 1:  # one span for the first page, the next for the last
        accepted["pages"].append(page_range(" ".join(labels["pages"])))
    accepted["pages"] = _known([*accepted["pages"], *map(page_range, labels["pages"])])
    venues = _of(labels, "note", "title", *VENUES)
    related["date"] += [year for text in venues for year in years_in(text)]
    related["volume"] += map(number_of, _of(labels, "issue", "series", "note", "chapter"))
    related["issue"] += map(number_of, _of(labels, "note", "identifier"))
    related["pages"] += map(page_range, _of(labels, "note", "identifier", "issue"))


def _volume(text: str, labels: Labels, accepted: Values, related: Values) -> None:
    """One span of a volume; what it may hold besides is accepted where no other span has it."""
    parts = {"volume": text} if labels["issue"] else parts_of_volume(text)
    for name in ("volume", "issue"):
        if parts.get(name):
            accepted[name].append(number_of(parts[name]))
    if "volume" not in parts and parts.get("issue"):
        related["volume"].append(number_of(parts["issue"]))
    if parts.get("pages") and not labels["pages"]:
        doubtful = parts["pages"] == parts.get("issue")
        (related if doubtful else accepted)["pages"].append(page_range(parts["pages"]))
    if parts.get("year") and not accepted["date"]:
        accepted["date"].append(parts["year"])
    related["volume"] += [number_of(text), *re.findall(r"\d+", text)]
    related["issue"] += map(words, re.findall(r"[\w\-–]+", text))
    related["pages"] += map(page_range, re.findall(r"\w*\d+(?:\s*[-–—]\s*\d+)?", text))
    related["date"] += years_in(text)


def matches(record: dict[str, Any], parsed: dict[str, Any]) -> bool:
    """Whether a parsed line is about the labelled string at all."""
    return not parsed.get("raw") or similarity(words(parsed["raw"]), words(record["raw"])) >= ALIKE


def scores_of(tally: Tally) -> dict[str, float]:
    """Exact and soft F1 of every field in the usual order."""
    scores = tally.scores()
    order: Sequence[str] = [*FIELDS, "micro"]
    return {name: scores[name] for field in order for name in (field, f"{field}.soft") if name in scores}
