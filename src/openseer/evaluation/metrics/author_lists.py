"""Printed author lists against parsed ones: every family name, in order, where print shows which part it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from openseer.evaluation.string_similarity import letters

BETWEEN = re.compile(
    r"\bet\.?\s*al\b\.?|\bu\.\s*a\.|\b(?:and|und|with|eds?|hrsg|hg|edited by|editors?)\b\.?|[&;/()\[\]]|\s[–—-]\s"
    r"|\s(?:et(?!\.?\s*al\b)|y|e|a)\s|\.{3}|…",
    re.I,
)
"""What stands between people."""
GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv"})
Parts = list[list[str]]
"""One person as printed: the words before the comma, then those after it."""
Named = tuple[str, str]
"""A parsed person: the family name and the whole name, by letters."""


def compare(printed: Sequence[str], parsed: Sequence[Any]) -> tuple[bool, bool]:
    """Whether a parsed list agrees with the printed one, and whether it nearly does (F1 over people of 0.8)."""
    wanted = [families(person) for text in printed for person in people(text)]
    given = [name for name in map(named, parsed) if name[1]]
    one_body = len(given) == 1 and sorted(given[0][1]) == sorted(letters(" ".join(printed)))
    in_order = len(wanted) == len(given) and all(name[0] in forms for forms, name in zip(wanted, given, strict=True))
    if one_body or in_order or _uses_up(" ".join(printed), given):
        return True, True
    left = list(given)
    for forms in wanted:
        if (at := next((at for at, name in enumerate(left) if name[0] in forms), None)) is not None:
            del left[at]
    total = len(wanted) + len(given)
    return False, 0 < 0.8 * total <= 2 * (len(given) - len(left))


def people(text: str) -> list[Parts]:
    """The people of a printed list."""
    signs = re.sub(r"\W", "", text)
    capitals = sum(sign.isupper() for sign in signs)
    shouting = len(signs) > 8 and capitals > 0.8 * len(signs) and bool(re.search(r"[^\W\d_]\.", text))
    found: list[Parts] = []
    for chunk in BETWEEN.split(text):
        parts = [re.sub(r"(?<=\.)(?=\w)", " ", part).split() for part in re.split(r"[,:]", chunk or "")]
        _take(found, [kept for part in parts if (kept := [word for word in part if letters(word)])], shouting)
    return found


def _take(found: list[Parts], parts: Parts, shouting: bool) -> None:
    """Add the people of a chunk, told by what stands between its commas."""
    at = 0
    while at < len(parts):
        part = parts[at]
        after = parts[at + 1] if at + 1 < len(parts) else []
        if found and all(is_initial(word, shouting) for word in part):
            found[-1].append(part)
            at += 1
        elif after and _goes_with(part, after, len(parts), shouting):
            found.append([part, after])
            at += 2
        else:
            found.append([part])
            at += 1


def _goes_with(part: list[str], after: list[str], count: int, shouting: bool) -> bool:
    """Whether the words after a comma are the given names of the words before it."""
    full = sum(not is_initial(word, shouting) for word in part)
    full_after = sum(not is_initial(word, shouting) for word in after)
    no_initials, begins_full = full == len(part), not is_initial(after[0], shouting)
    if not full or not (no_initials or len(part) <= 3):
        return False
    return (
        not full_after
        or (no_initials and len(part) <= 3 and full_after == 1 and begins_full)
        or (count == 2 and no_initials and len(part) <= 2 and len(after) <= 3 and begins_full)
    )


def is_initial(word: str, shouting: bool) -> bool:
    """One letter, letters with dots, a few capitals, or "Jr"."""
    signs = re.sub(r"\W", "", word)
    dotted = "." in word and all(len(piece) <= 2 for piece in re.split(r"[.\-‐–]", word))
    capitals = len(signs) <= 3 and signs.isupper() and not shouting
    return len(signs) <= 1 or signs.lower() in GENERATIONS or dotted or capitals


def families(person: Parts) -> set[str]:
    """Every family name that the printed form allows."""
    words = [word for word in map(letters, person[0]) if word not in GENERATIONS]
    cuts = range(1, len(words) + 1)
    forms = {"".join(words[:cut]) for cut in cuts} | {"".join(words[-cut:]) for cut in cuts}
    return {form for form in forms if len(form) > 1} or forms


def named(name: Any) -> Named:
    """One parsed name, given as a record or as a string."""
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


def _uses_up(printed: str, given: Sequence[Named]) -> bool:
    """Whether the parsed names, one after the other, are the printed words, each with its family first or last."""
    words = [letters(word) for word in re.split(r"[\s,.]+", BETWEEN.sub(" ", printed))]
    words = [word for word in words if word and word not in GENERATIONS]
    at = 0
    for family, whole in given:
        taken = ""
        while at < len(words) and len(taken) < len(whole):
            taken += words[at]
            at += 1
        at_edge = taken.startswith(family) or taken.endswith(family)
        if not family or not at_edge or sorted(taken) != sorted(whole):
            return False
    return at == len(words) and bool(given)
