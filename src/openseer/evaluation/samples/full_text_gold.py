"""What stands inside a sample: headings, citing sentences, acknowledgments, people, in the form of deep gold, from the
same sources that are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from openseer.evaluation.samples.header_gold import family_name, full_name, gold
from openseer.evaluation.samples.sources import ROOT, cited, described, samples

HEADING = re.compile(r"(=+) (.+?)(?: <[\w-]+>)?")
FIXED = re.compile(r'\b(?:abstract|keywords|references|acknowledgments|cite): "([^"]+)"')
"""Headings that layouts print by themselves, in every language."""
LEAD_IN = re.compile(r"([*_])(.+?)\1")
"""What stands out at the start of a paragraph may be called a heading."""
MARK = re.compile(r"#(ct?)\(([^)]*)\)")
PARAGRAPH = re.compile(r"[^\W_]|#ct?\(|[_*„“«(]")
"""How a line of the text begins; others belong to figures, tables and programs."""
SENTENCE_END = re.compile(r"([.!?](?:#c\([^)]*\))?)\s+(?=#ct|[A-ZÀ-ÞА-ЯΆ-Ϋ])")
UNPRINTED = re.compile(r"@[\w-]+|[_*\\]")


def full_text_gold(name: str) -> dict[str, Any]:
    """The deep gold of a sample paper; figures, tables and funders are not known."""
    table = described(name)
    others = FIXED.findall((ROOT / "layouts" / "words.typ").read_text(encoding="utf-8"))
    others += [lead.group(2) for line in _lines(name) if (lead := LEAD_IN.match(line))]
    return {
        "id": name,
        "sections": [*headings(name), *({"heading": one, "level": 1, "optional": True} for one in others)],
        "references": gold(name)["references"],
        "mentions": list(_mentions(name)),
        "acknowledgments": table.get("acknowledgments"),
        "keywords": table["keywords"],
        "authors": _people(table),
    }


def headings(name: str) -> list[dict[str, Any]]:
    """The headings of a sample that its author wrote."""
    found = [HEADING.fullmatch(line) for line in _lines(name)]
    return [{"heading": one.group(2), "level": len(one.group(1))} for one in found if one]


def _lines(name: str) -> list[str]:
    return samples()[name].read_text(encoding="utf-8").splitlines()


def _people(table: dict[str, Any]) -> list[dict[str, Any]]:
    people = [
        {
            "name": full_name(one),
            "given": one["given"],
            "family": one["family"],
            "affiliations": [one["affiliation"]],
            "email": one.get("email"),
        }
        for one in table["authors"]
    ]
    if table["layout"] == "bulletin":  # it prints the first address only
        for one in [one for one in people if one["email"]][1:]:
            one["email"] = None
    return people


def _mentions(name: str) -> Iterator[dict[str, Any]]:
    """Each citing mark of the text with its sentence; those in tables and captions are optional."""
    table = described(name)
    for line in _lines(name):
        paragraph = PARAGRAPH.match(line)
        for sentence in SENTENCE_END.sub(r"\1\n", line).split("\n") if paragraph else [line]:
            text, places = _printed(sentence, table)
            for keys, place in places:
                own = [{"ref": table["cites"].index(key), "text": text, "at": place} for key in keys]
                yield from own if paragraph else ({**one, "optional": True} for one in own)


def _printed(source: str, table: dict[str, Any]) -> tuple[str, list[tuple[list[str], list[int]]]]:
    """A sentence about as it is printed, and where its marks are: the keys they cite, start and end."""
    text, end, places = "", 0, []
    for mark in MARK.finditer(source):
        keys = re.findall(r'"([^"]+)"', mark.group(2))
        text += UNPRINTED.sub("", source[end : mark.start()])
        start, end = len(text), mark.end()
        text += _mark(keys, mark.group(1) == "ct", table)
        places.append((keys, [start, len(text)]))
    return text + UNPRINTED.sub("", source[end:]), places


def _mark(keys: Sequence[str], named: bool, table: dict[str, Any]) -> str:
    """A mark by the style of the paper; of a raised one nothing is known."""
    names = [_label(cited(key)) for key in keys]
    if table["style"] == "footnote":
        return names[0] if named else ""
    if table["style"] == "numbered":
        numbers = ", ".join(str(table["cites"].index(key) + 1) for key in keys)
        return f"{names[0]} [{numbers}]" if named else f"[{numbers}]"
    years = [str(cited(key)["year"]) for key in keys]
    if named:
        return f"{names[0]} ({years[0]})"
    return "(" + "; ".join(f"{name}, {year}" for name, year in zip(names, years, strict=True)) + ")"


def _label(record: dict[str, Any]) -> str:
    families = [family_name(author) for author in record["authors"]]
    return f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
