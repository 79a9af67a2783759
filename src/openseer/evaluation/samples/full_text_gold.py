"""Full-text gold of a sample, from its sources: headings, citing sentences, acknowledgments, people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from openseer.evaluation.samples.header_gold import family_name, full_name, gold
from openseer.evaluation.samples.sources import ROOT, cited_record, metadata_of, samples

HEADING = re.compile(r"(=+) (.+?)(?: <[\w-]+>)?")
LAYOUT_HEADING = re.compile(r'\b(?:abstract|keywords|references|acknowledgments|cite): "([^"]+)"')
"""Headings that the layouts add, in every language."""
EMPHASISED_START = re.compile(r"([*_])(.+?)\1")
"""Emphasis at the start of a paragraph, which may count as a heading."""
MARKER = re.compile(r"#(ct?)\(([^)]*)\)")
PARAGRAPH = re.compile(r"[^\W_]|#ct?\(|[_*„“«(]")
"""Start of a text line; other lines belong to figures, tables and programs."""
SENTENCE_END = re.compile(r"([.!?](?:#c\([^)]*\))?)\s+(?=#ct|[A-ZÀ-ÞА-ЯΆ-Ϋ])")
UNPRINTED = re.compile(r"@[\w-]+|[_*\\]")


def full_text_gold(name: str) -> dict[str, Any]:
    """Full-text gold of a sample paper; without figures, tables and funders."""
    metadata = metadata_of(name)
    optional_headings = LAYOUT_HEADING.findall((ROOT / "layouts" / "words.typ").read_text(encoding="utf-8"))
    optional_headings += [lead.group(2) for line in _lines(name) if (lead := EMPHASISED_START.match(line))]
    return {
        "id": name,
        "sections": [*headings(name), *({"heading": one, "level": 1, "optional": True} for one in optional_headings)],
        "references": gold(name)["references"],
        "mentions": list(_mentions(name)),
        "acknowledgments": metadata.get("acknowledgments"),
        "keywords": metadata["keywords"],
        "authors": _people(metadata),
    }


def headings(name: str) -> list[dict[str, Any]]:
    """Headings of a sample, without those that the layout adds."""
    found = [HEADING.fullmatch(line) for line in _lines(name)]
    return [{"heading": one.group(2), "level": len(one.group(1))} for one in found if one]


def _lines(name: str) -> list[str]:
    return samples()[name].read_text(encoding="utf-8").splitlines()


def _people(metadata: dict[str, Any]) -> list[dict[str, Any]]:
    people = [
        {
            "name": full_name(one),
            "given": one["given"],
            "family": one["family"],
            "affiliations": [one["affiliation"]],
            "email": one.get("email"),
        }
        for one in metadata["authors"]
    ]
    if metadata["layout"] == "bulletin":  # this layout prints the first address only
        for one in [one for one in people if one["email"]][1:]:
            one["email"] = None
    return people


def _mentions(name: str) -> Iterator[dict[str, Any]]:
    """Citation markers with their sentences; those in tables and captions are optional."""
    metadata = metadata_of(name)
    for line in _lines(name):
        paragraph = PARAGRAPH.match(line)
        for sentence in SENTENCE_END.sub(r"\1\n", line).split("\n") if paragraph else [line]:
            text, markers = _printed_sentence(sentence, metadata)
            for keys, span in markers:
                mentions = [{"ref": metadata["cites"].index(key), "text": text, "at": span} for key in keys]
                yield from mentions if paragraph else ({**one, "optional": True} for one in mentions)


def _printed_sentence(source: str, metadata: dict[str, Any]) -> tuple[str, list[tuple[list[str], list[int]]]]:
    """A sentence roughly as printed, and its markers: cited keys with start and end."""
    text, end, markers = "", 0, []
    for marker in MARKER.finditer(source):
        keys = re.findall(r'"([^"]+)"', marker.group(2))
        text += UNPRINTED.sub("", source[end : marker.start()])
        start, end = len(text), marker.end()
        text += _marker_text(keys, marker.group(1) == "ct", metadata)
        markers.append((keys, [start, len(text)]))
    return text + UNPRINTED.sub("", source[end:]), markers


def _marker_text(keys: Sequence[str], is_textual: bool, metadata: dict[str, Any]) -> str:
    """Text of a marker in the style of the paper; a superscript has none."""
    names = [_label(cited_record(key)) for key in keys]
    if metadata["style"] == "footnote":
        return names[0] if is_textual else ""
    if metadata["style"] == "numbered":
        numbers = ", ".join(str(metadata["cites"].index(key) + 1) for key in keys)
        return f"{names[0]} [{numbers}]" if is_textual else f"[{numbers}]"
    years = [str(cited_record(key)["year"]) for key in keys]
    if is_textual:
        return f"{names[0]} ({years[0]})"
    return "(" + "; ".join(f"{name}, {year}" for name, year in zip(names, years, strict=True)) + ")"


def _label(record: dict[str, Any]) -> str:
    families = [family_name(author) for author in record["authors"]]
    return f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
