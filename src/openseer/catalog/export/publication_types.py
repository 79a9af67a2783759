"""What kind of publication a work is, and its names and pages in parts: what all formats ask."""

from __future__ import annotations

import re
from typing import Literal

from openseer.core.model.work import IndexedWork
from openseer.core.text.person_names import split_name

Kind = Literal["article", "conference", "report", "thesis", "book", "chapter", "preprint", "other"]
AS_READ: dict[str, Kind] = {"thesis": "thesis", "book": "book", "chapter": "chapter", "report": "report"}
"""Types of documents that say what kind of publication it is."""
MEETING = re.compile(r"\b(proc(eedings)?|conf(erence)?|workshop|symposium|meeting|congress)\b", re.IGNORECASE)
REPORT = re.compile(r"\b(tech(nical)? report|working paper|report)\b", re.IGNORECASE)


def kind_of(work: IndexedWork) -> Kind:
    """By its type as read, else by the words of its venue."""
    if read := AS_READ.get(work.type):
        return read
    if REPORT.search(work.venue):
        return "report"
    if MEETING.search(work.venue):
        return "conference"
    if work.venue:
        return "article"
    return "preprint" if work.arxiv or work.type == "preprint" else "other"


def names(work: IndexedWork) -> list[tuple[str, str]]:
    """(family, given) of each author; a body has no given name."""
    parts = (split_name(name) for name in work.authors)
    return [(one.family or one.name, one.given) for one in parts]


def pages(work: IndexedWork) -> tuple[str, str]:
    """First and last page, "" where there is none."""
    first, _, last = re.sub(r"\s*[-\u2013\u2014]+\s*", "-", work.pages).partition("-")
    return first, last


def address(work: IndexedWork, base: str) -> str:
    """The page of a work."""
    return f"{base}/works/{work.id}"


def lasting_address(work: IndexedWork, base: str) -> str:
    """Where others find it too; its page here only where no such address is known, and none without a site."""
    if work.doi:
        return f"https://doi.org/{work.doi}"
    if work.arxiv:
        return f"https://arxiv.org/abs/{work.arxiv}"
    return address(work, base) if base else ""


def file_address(work: IndexedWork, base: str) -> str:
    """Its file, if it is here and there is a site."""
    return f"{base}/document/{work.documents[0]}.pdf" if work.documents and base else ""
