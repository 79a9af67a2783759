"""Metrics of parsed reference strings against labelled ones, field by field."""

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
from openseer.evaluation.string_similarity import SIMILAR, letters, similarity

FIELDS = ("author", "title", "container", "date", "volume", "issue", "pages", "publisher", "doi")
VENUES = ("journal", "booktitle", "container")
MIN_PREFIX_RATIO = 0.6
"""Minimum length ratio of a title that is a prefix of the other, for a soft match."""
Labels = dict[str, list[str]]
Values = dict[str, list[Any]]


def score_string(record: dict[str, Any], parsed: dict[str, Any], tally: Tally) -> list[str]:
    """Score one reference and return the wrong fields."""
    accepted, related = gold_values(record)
    parsed_fields = _resolve_ambiguities(parsed_values(parsed), accepted, related)
    wrong = []
    for field in FIELDS:
        value = parsed_fields[field]
        if accepted[field]:
            exact, soft = judge_value(field, accepted[field], value) if value else (False, False)
            _count(tally, field, (exact, soft, bool(value), True))
        elif value and not _is_related(field, related[field], value):
            exact = False
            _count(tally, field, (False, False, True, False))
        else:
            continue
        if not exact:
            wrong.append(field)
    return wrong


def _count(tally: Tally, field: str, outcome: tuple[bool, bool, bool, bool]) -> None:
    exact, soft, found, gold = map(int, outcome)
    for name in (field, "micro"):
        tally.f1(name, exact, found, gold)
        tally.f1(f"{name}.soft", soft, found, gold)


def judge_value(field: str, accepted: list[Any], value: Any) -> tuple[bool, bool]:
    """Exact and soft correctness of a value."""
    if field == "author":
        return author_lists.compare(accepted, value)
    if value in accepted:
        return True, True
    if field == "pages":
        return False, any(value[0] == one[0] for one in accepted if one)
    if field in ("date", "doi"):
        return False, False
    is_similar = any(similarity(one, value) >= SIMILAR for one in accepted)
    return False, is_similar or (field == "title" and any(_is_long_prefix(one, value) for one in accepted))


def _is_long_prefix(one: str, two: str) -> bool:
    short, long = sorted((one, two), key=len)
    return long.startswith(short) and len(short) >= MIN_PREFIX_RATIO * len(long)


def _is_related(field: str, related: list[Any], value: Any) -> bool:
    """True if gold has the value under a related label only."""
    if field == "author" and related and judge_value(field, related, value)[1]:
        return True
    return any(judge_value(field, [one], value)[1] for one in related if one)


def _resolve_ambiguities(parsed_fields: dict[str, Any], accepted: Values, related: Values) -> dict[str, Any]:
    """Resolve ambiguities: a single number may be volume or issue, the name of a book title or container."""
    parsed_fields = dict(parsed_fields)
    for one, two in (("volume", "issue"), ("issue", "volume")):
        if accepted[one] and not accepted[two] and parsed_fields[two] and not parsed_fields[one]:
            parsed_fields[one], parsed_fields[two] = parsed_fields[two], ""
    is_book = accepted["title"] and accepted["title"] == related["container"]
    if is_book and parsed_fields["container"] and not parsed_fields["title"]:
        parsed_fields["title"], parsed_fields["container"] = parsed_fields["container"], ""
    return parsed_fields


# -- parsed values ------------------------------------------------------------------------------------------------


def parsed_values(parsed: dict[str, Any]) -> dict[str, Any]:
    """Normalised fields of a parsed reference."""
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
    """Letters of a text without markup tags."""
    return letters(re.sub(r"</?\w+>", "", str(text or "")))


def venue_words(text: str) -> str:
    """Letters of a venue without a leading "In:"."""
    return words(re.sub(r"^\W*(?:in\b|dans\b|en:|aus:)\s*:?", "", text, flags=re.I))


# -- gold values -------------------------------------------------------------------------------------------------


def gold_values(record: dict[str, Any]) -> tuple[Values, Values]:
    """Accepted values of each field, and related values, which are neutral."""
    labels = labels_of(record)
    accepted, related = defaultdict[str, list[Any]](list), defaultdict[str, list[Any]](list)
    accepted["author"] = [text for text in labels["author"] if author_lists.people(text)]
    related["author"] = [
        text for name in ("editor", "collaboration", "institution", "publisher") for text in labels[name]
    ]
    _add_titles(record, labels, accepted, related)
    _add_numbers(labels, accepted, related)
    accepted["publisher"] = _non_empty([words(text) for text in labels["publisher"]])
    if len(labels["publisher"]) > 1:
        accepted["publisher"].append(words(" ".join(labels["publisher"])))
    related["publisher"] = [
        words(text) for text in _texts(labels, "institution", "location", "note", "author", "editor")
    ]
    accepted["doi"] = _non_empty(map(doi_letters, _texts(labels, "identifier", "url")))
    related["doi"] = [doi_letters(text) for text in [record["raw"], *labels["note"]]]
    return accepted, related


def labels_of(record: dict[str, Any]) -> Labels:
    """Label -> texts; only of the first reference in the string."""
    order = [label for _, _, label in record["spans"]]
    second_reference = next(
        (at for at, label in enumerate(order) if label == "author" and "title" in order[:at] and "title" in order[at:]),
        None,
    )
    labels = defaultdict[str, list[str]](list)
    for start, end, label in record["spans"][:second_reference]:
        labels[label].append(record["raw"][start:end])
    return labels


def _texts(labels: Labels, *names: str) -> list[str]:
    return [text for name in names for text in labels[name]]


def _non_empty(values: Iterable[Any]) -> list[Any]:
    return [value for value in values if value]


def _add_titles(record: dict[str, Any], labels: Labels, accepted: Values, related: Values) -> None:
    """Title and container; the name of a book without another title is its title."""
    names = [venue_words(text) for text in _texts(labels, *VENUES)]
    if len(names) > 1:
        in_order = [record["raw"][start:end] for start, end, label in record["spans"] if label in VENUES]
        names.append(words(" ".join(in_order)))
    names = _non_empty(names)
    if labels["title"]:
        accepted["title"] = _non_empty([words(" ".join(labels["title"])), *map(words, labels["title"])])
        accepted["container"] = names
        related["container"] = [words(text) for text in _texts(labels, "series", "note")]
    elif names and (labels["booktitle"] or labels["container"]):
        accepted["title"] = related["container"] = names
    else:
        accepted["container"] = names
        related["title"] = [*names, *map(words, labels["note"])]
    related["title"] = [*related["title"], *map(words, _texts(labels, "note", "series"))]


def _add_numbers(labels: Labels, accepted: Values, related: Values) -> None:
    """Year, volume, issue and pages, which may share a span."""
    accepted["date"] = [year for text in labels["date"] for year in years_in(text)]
    for text in labels["volume"]:
        _add_volume(text, labels, accepted, related)
    accepted["issue"] = _non_empty([*accepted["issue"], *map(number_of, labels["issue"])])
    accepted["volume"] = _non_empty(accepted["volume"])
    if len(labels["pages"]) > 1:  # one span for the first page, the next for the last
        accepted["pages"].append(page_range(" ".join(labels["pages"])))
    accepted["pages"] = _non_empty([*accepted["pages"], *map(page_range, labels["pages"])])
    venues = _texts(labels, "note", "title", *VENUES)
    related["date"] += [year for text in venues for year in years_in(text)]
    related["volume"] += map(number_of, _texts(labels, "issue", "series", "note", "chapter"))
    related["issue"] += map(number_of, _texts(labels, "note", "identifier"))
    related["pages"] += map(page_range, _texts(labels, "note", "identifier", "issue"))


def _add_volume(text: str, labels: Labels, accepted: Values, related: Values) -> None:
    """A volume span; its other fields are accepted if no other span has them."""
    parts = {"volume": text} if labels["issue"] else parts_of_volume(text)
    for name in ("volume", "issue"):
        if parts.get(name):
            accepted[name].append(number_of(parts[name]))
    if "volume" not in parts and parts.get("issue"):
        related["volume"].append(number_of(parts["issue"]))
    if parts.get("pages") and not labels["pages"]:
        is_ambiguous = parts["pages"] == parts.get("issue")
        (related if is_ambiguous else accepted)["pages"].append(page_range(parts["pages"]))
    if parts.get("year") and not accepted["date"]:
        accepted["date"].append(parts["year"])
    related["volume"] += [number_of(text), *re.findall(r"\d+", text)]
    related["issue"] += map(words, re.findall(r"[\w\-–]+", text))
    related["pages"] += map(page_range, re.findall(r"\w*\d+(?:\s*[-–—]\s*\d+)?", text))
    related["date"] += years_in(text)


def matches(record: dict[str, Any], parsed: dict[str, Any]) -> bool:
    """True if a parsed line belongs to the labelled string."""
    return not parsed.get("raw") or similarity(words(parsed["raw"]), words(record["raw"])) >= SIMILAR


def scores_of(tally: Tally) -> dict[str, float]:
    """Exact and soft F1 of each field, in the order of `FIELDS`."""
    scores = tally.scores()
    order: Sequence[str] = [*FIELDS, "micro"]
    return {name: scores[name] for field in order for name in (field, f"{field}.soft") if name in scores}
