"""Comparison of parsed author lists with printed ones: every family name, in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from openseer.evaluation.string_similarity import letters

SEPARATOR = re.compile(
    r"\bet\.?\s*al\b\.?|\bu\.\s*a\.|\b(?:and|und|with|eds?|hrsg|hg|edited by|editors?)\b\.?|[&;/()\[\]]|\s[–—-]\s"
    r"|\s(?:et(?!\.?\s*al\b)|y|e|a)\s|\.{3}|…",
    re.I,
)
"""Separators between people."""
GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv"})
Parts = list[list[str]]
"""One printed person: the words before the comma, then those after it."""
ParsedName = tuple[str, str]
"""A parsed person: letters of the family name and of the whole name."""


def compare(printed: Sequence[str], parsed: Sequence[Any]) -> tuple[bool, bool]:
    """Exact and soft agreement (F1 over people of 0.8) of a parsed list with the printed one."""
    gold = [families(person) for text in printed for person in people(text)]
    found = [name for name in map(parsed_name, parsed) if name[1]]
    is_one_organisation = len(found) == 1 and sorted(found[0][1]) == sorted(letters(" ".join(printed)))
    in_order = len(gold) == len(found) and all(name[0] in forms for forms, name in zip(gold, found, strict=True))
    if is_one_organisation or in_order or _covers(" ".join(printed), found):
        return True, True
    remaining = list(found)
    for forms in gold:
        if (at := next((at for at, name in enumerate(remaining) if name[0] in forms), None)) is not None:
            del remaining[at]
    total = len(gold) + len(found)
    return False, 0 < 0.8 * total <= 2 * (len(found) - len(remaining))


def people(text: str) -> list[Parts]:
    """People of a printed list."""
    chars = re.sub(r"\W", "", text)
    capitals = sum(char.isupper() for char in chars)
    all_capitals = len(chars) > 8 and capitals > 0.8 * len(chars) and bool(re.search(r"[^\W\d_]\.", text))
    people_found: list[Parts] = []
    for chunk in SEPARATOR.split(text):
        parts = [re.sub(r"(?<=\.)(?=\w)", " ", part).split() for part in re.split(r"[,:]", chunk or "")]
        _add_people(
            people_found, [words for part in parts if (words := [word for word in part if letters(word)])], all_capitals
        )
    return people_found


def _add_people(people_found: list[Parts], parts: Parts, all_capitals: bool) -> None:
    """Add the people of a chunk, split at its commas."""
    at = 0
    while at < len(parts):
        part = parts[at]
        after = parts[at + 1] if at + 1 < len(parts) else []
        if people_found and all(is_initial(word, all_capitals) for word in part):
            people_found[-1].append(part)
            at += 1
        elif after and _is_inverted(part, after, len(parts), all_capitals):
            people_found.append([part, after])
            at += 2
        else:
            people_found.append([part])
            at += 1


def _is_inverted(part: list[str], after: list[str], count: int, all_capitals: bool) -> bool:
    """True if the words after a comma are the given names of those before it."""
    full_words = sum(not is_initial(word, all_capitals) for word in part)
    full_words_after = sum(not is_initial(word, all_capitals) for word in after)
    no_initials, begins_full = full_words == len(part), not is_initial(after[0], all_capitals)
    if not full_words or not (no_initials or len(part) <= 3):
        return False
    return (
        not full_words_after
        or (no_initials and len(part) <= 3 and full_words_after == 1 and begins_full)
        or (count == 2 and no_initials and len(part) <= 2 and len(after) <= 3 and begins_full)
    )


def is_initial(word: str, all_capitals: bool) -> bool:
    """True for one letter, letters with dots, up to three capitals, or "Jr"."""
    chars = re.sub(r"\W", "", word)
    dotted = "." in word and all(len(piece) <= 2 for piece in re.split(r"[.\-‐–]", word))
    capitals = len(chars) <= 3 and chars.isupper() and not all_capitals
    return len(chars) <= 1 or chars.lower() in GENERATIONS or dotted or capitals


def families(person: Parts) -> set[str]:
    """Possible family names of a printed person."""
    words = [word for word in map(letters, person[0]) if word not in GENERATIONS]
    cuts = range(1, len(words) + 1)
    forms = {"".join(words[:cut]) for cut in cuts} | {"".join(words[-cut:]) for cut in cuts}
    return {form for form in forms if len(form) > 1} or forms


def parsed_name(name: Any) -> ParsedName:
    """Letters of a parsed name, from a record or a string."""
    if isinstance(name, dict):
        if name.get("family"):
            whole = name.get("name") or f"{name.get('given') or ''} {name['family']}"
            return _without_generation(str(name["family"])), _without_generation(whole)
        name = name.get("name") or name.get("given") or ""
    text = str(name)
    if "," in text:
        return letters(text.split(",")[0]), letters(text)
    words = [word for word in text.split() if letters(word) not in GENERATIONS]
    if not words:
        return "", ""
    family_first = len(words) > 1 and is_initial(words[-1], False) and not is_initial(words[0], False)
    return letters(words[0] if family_first else words[-1]), letters(" ".join(words))


def _without_generation(text: str) -> str:
    return letters(" ".join(word for word in re.split(r"[\s,]+", text) if letters(word) not in GENERATIONS))


def _covers(printed: str, found: Sequence[ParsedName]) -> bool:
    """True if the parsed names in order are exactly the printed words, each with its family name first or last."""
    words = [letters(word) for word in re.split(r"[\s,.]+", SEPARATOR.sub(" ", printed))]
    words = [word for word in words if word and word not in GENERATIONS]
    at = 0
    for family, whole in found:
        consumed = ""
        while at < len(words) and len(consumed) < len(whole):
            consumed += words[at]
            at += 1
        at_edge = consumed.startswith(family) or consumed.endswith(family)
        if not family or not at_edge or sorted(consumed) != sorted(whole):
            return False
    return at == len(words) and bool(found)
