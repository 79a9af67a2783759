"""RIS parser: one tag a line, from TY to ER."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from openseer.acquire.bibliographies.normalize_fields import (
    MAX_RECORD,
    RawRecord,
    build_record,
    find_doi,
    page_range,
    record_label,
)
from openseer.acquire.bibliographies.parse_names import parse_name
from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord

TAG = re.compile(r"\s{0,4}([A-Z][A-Z0-9])\s{1,3}-(?:\s|$)")
TYPES = {
    "JOUR": "article",
    "JFULL": "article",
    "MGZN": "article",
    "EJOUR": "article",
    "ABST": "article",
    "INPR": "article",
    "CONF": "inproceedings",
    "CPAPER": "inproceedings",
    "BOOK": "book",
    "EBOOK": "book",
    "EDBOOK": "book",
    "CHAP": "chapter",
    "ECHAP": "chapter",
    "THES": "thesis",
    "RPRT": "report",
    "GOVDOC": "report",
    "UNPB": "preprint",
    "PREPRINT": "preprint",
    "ELEC": "web",
    "BLOG": "web",
}
VENUES = ("T2", "JO", "JF", "JA", "J2", "BT", "T3")


@dataclass(slots=True)
class _OpenRecord:
    """A record during parsing."""

    line: int
    tags: dict[str, list[str]] = field(default_factory=dict)
    last: str = ""
    size: int = 0

    def add(self, tag: str, value: str) -> None:
        self.size += len(value)
        if self.size <= MAX_RECORD:
            self.tags.setdefault(tag, []).append(value)
        self.last = tag

    def add_line(self, line: str) -> None:
        """Append a line without a tag to the previous tag."""
        self.size += len(line)
        if self.last and self.size <= MAX_RECORD:
            self.tags[self.last].append(f"\n{line}")

    def values(self, *names: str) -> list[str]:
        """All values of the first of these tags that has one."""
        for name in names:
            joined: list[str] = []
            for value in self.tags.get(name, ()):
                if value.startswith("\n") and joined:
                    joined[-1] += value
                else:
                    joined.append(value)
            if any(value.strip() for value in joined):
                return [value.strip() for value in joined if value.strip()]
        return []

    def first(self, *names: str) -> str:
        return next(iter(self.values(*names)), "")


def read(text: str) -> Iterator[BibliographyRecord | RejectedRecord]:
    """All records of a file; a record without end is closed by the next."""
    record: _OpenRecord | None = None
    for number, line in enumerate(text.split("\n"), 1):
        found = TAG.match(line)
        if found is None:
            if record is not None and line.strip():
                record.add_line(line.strip())
            continue
        tag, value = found[1], line[found.end() :].strip()
        if tag in ("TY", "ER") and record is not None:
            yield _finish_record(record)
            record = None
        if tag == "TY":
            record = _OpenRecord(number)
        if tag != "ER":
            if record is None:  # some programs omit the type
                record = _OpenRecord(number)
            record.add(tag, value)
    if record is not None:
        yield _finish_record(record)


def _finish_record(record: _OpenRecord) -> BibliographyRecord | RejectedRecord:
    name = record.first("ID") or record_label(record.first("TI", "T1", "CT"))
    if record.size > MAX_RECORD:
        return RejectedRecord(record.line, name, f"it is longer than {MAX_RECORD:,} characters")
    people = [parse_name(value) for tag in ("AU", "A1") for value in record.values(tag)]
    kind = TYPES.get(record.first("TY").upper(), "")
    title = record.first("TI", "T1", "CT") or (record.first("BT") if kind == "book" else "")
    return build_record(
        RawRecord(
            line=record.line,
            name=name,
            title=title,
            authors=tuple(dict.fromkeys(one for one in people if one)),
            date=record.first("PY", "Y1", "DA", "Y2"),
            venue=record.first(*VENUES) if kind != "book" else "",
            volume=record.first("VL"),
            issue=record.first("IS", "CP"),
            pages=page_range(record.first("SP"), record.first("EP")),
            doi=record.first("DO", "DI") or find_doi(record.first("M3")),
            url=record.first("UR", "L2", "LK", "L1"),
            abstract=record.first("AB", "N2"),
            type=kind,
            keywords=tuple(word for value in record.values("KW") for word in re.split(r"[;\n]", value)),
            publisher=record.first("PB"),
        )
    )
