"""CSV parser for tables with a header row: openseer, Scopus, Web of Science and Zotero columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping

from openseer.acquire.bibliographies.normalize_fields import (
    MAX_RECORD,
    RawRecord,
    build_record,
    page_range,
    record_label,
    unescape_entities,
)
from openseer.acquire.bibliographies.parse_names import parse_names
from openseer.core.errors import Corrupt
from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord

COLUMNS = {
    "title": ("title", "article title", "document title", "ti", "name of work"),
    "authors": ("author full names", "af", "authors", "author", "au", "author names", "creators", "creator"),
    "date": ("year", "publication year", "py", "pubyear", "date", "publication date", "published", "issued"),
    "venue": (
        "venue", "journal", "source title", "publication title", "so", "source", "journal title", "journal/book",
        "conference name", "conference", "booktitle", "book title", "container title", "proceedings title",
    ),
    "volume": ("volume", "vl", "vol"),
    "issue": ("issue", "is", "number", "no"),
    "pages": ("pages", "page", "page range"),
    "first": ("page start", "start page", "bp", "first page"),
    "last": ("page end", "end page", "ep", "last page"),
    "number": ("art no", "article number", "ar"),
    "doi": ("doi", "di", "doi link"),
    "arxiv": ("arxiv", "arxiv id", "eprint", "arxivid"),
    "url": ("url", "link", "pdf link", "urls", "address"),
    "abstract": ("abstract", "ab", "abstract note", "summary"),
    "type": ("type", "document type", "item type", "publication type", "dt", "pt"),
    "keywords": ("keywords", "author keywords", "de", "manual tags", "tags", "keyword"),
    "publisher": ("publisher", "pu"),
    "name": ("key", "id", "eid", "ut", "citation key"),
}  # fmt: skip
"""Field -> accepted column names by priority."""
TYPES = {
    "article": "article",
    "journal article": "article",
    "journalarticle": "article",
    "review": "article",
    "letter": "article",
    "conference paper": "inproceedings",
    "conferencepaper": "inproceedings",
    "proceedings paper": "inproceedings",
    "inproceedings": "inproceedings",
    "book": "book",
    "book chapter": "chapter",
    "booksection": "chapter",
    "chapter": "chapter",
    "thesis": "thesis",
    "report": "report",
    "preprint": "preprint",
    "webpage": "web",
    "web": "web",
}


def read(text: str) -> Iterator[BibliographyRecord | RejectedRecord]:
    """All rows of a table as records."""
    head = text.lstrip("\n").split("\n", 1)[0][:MAX_RECORD]
    csv.field_size_limit(MAX_RECORD)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(head))
    columns: dict[str, list[int]] = {}
    line = 1
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield RejectedRecord(line, "", f"the line cannot be taken apart: {error}")
            line = rows.line_num + 1
            continue
        if any(cell.strip() for cell in row):
            if columns:
                yield _record(line, _cells(row, columns))
            else:
                columns = columns_of(row)
        line = rows.line_num + 1


def delimiter_of(head: str) -> str:
    """Delimiter of the header row: tab, semicolon or comma.

    >>> delimiter_of("Title;Authors, all of them;Year")
    ';'
    """
    unquoted = re.sub(r'"[^"]*"', "", head)
    return max("\t;,", key=unquoted.count)


def columns_of(names: list[str]) -> dict[str, list[int]]:
    """Field -> indexes of its columns by priority; an error if no column identifies a work."""
    normalised = [
        " ".join(re.sub(r"[^\w/ ]+", " ", name.lower().replace("(s)", "s").replace("_", " ")).split()) for name in names
    ]
    found = {
        field: [normalised.index(name) for name in accepted if name in normalised]
        for field, accepted in COLUMNS.items()
    }
    if not (found["title"] or found["doi"] or found["arxiv"]):
        shown = ", ".join(name.strip() for name in names if name.strip())[:100]
        hint = "Name the columns in the first line: title, authors, year, venue, doi ..."
        raise Corrupt(f"The first line names no column for title, DOI or arXiv id: {shown!r}.", hint)
    return {field: indexes for field, indexes in found.items() if indexes}


def _cells(row: list[str], columns: Mapping[str, list[int]]) -> dict[str, str]:
    cells: dict[str, str] = {}
    for field, indexes in columns.items():
        filled = (unescape_entities(row[index]).strip() for index in indexes if index < len(row))
        cells[field] = next((cell for cell in filled if cell), "")
    return cells


def _record(line: int, cells: Mapping[str, str]) -> BibliographyRecord | RejectedRecord:
    def cell(field: str) -> str:
        return cells.get(field, "")

    name = cell("name")[:200] or record_label(cell("title"))
    if sum(map(len, cells.values())) > MAX_RECORD:
        return RejectedRecord(line, name, f"it is longer than {MAX_RECORD:,} characters")
    return build_record(
        RawRecord(
            line=line,
            name=name,
            title=cell("title"),
            authors=parse_names(cell("authors")),
            date=cell("date"),
            venue=cell("venue"),
            volume=cell("volume"),
            issue=cell("issue"),
            pages=cell("pages") or page_range(cell("first"), cell("last")) or cell("number"),
            doi=cell("doi"),
            arxiv=cell("arxiv"),
            url=cell("url"),
            abstract=cell("abstract"),
            type=TYPES.get(cell("type").lower(), ""),
            keywords=tuple(re.split(r"\s*[;|]\s*" if ";" in cell("keywords") else r"\s*[,|]\s*", cell("keywords"))),
            publisher=cell("publisher"),
        )
    )
