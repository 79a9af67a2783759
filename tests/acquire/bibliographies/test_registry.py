"""RIS, CSL-JSON and table parsers, and format detection."""

from __future__ import annotations

import contextlib
import json
import re
import time
from pathlib import Path

import pytest

from openseer.acquire.bibliographies import csl_json, csv_table, ris
from openseer.acquire.bibliographies.decode_text import decode_text
from openseer.acquire.bibliographies.normalize_fields import MAX_RECORD, find_doi, page_range
from openseer.acquire.bibliographies.parse_names import parse_names
from openseer.acquire.bibliographies.registry import FORMATS, format_of
from openseer.core.errors import Corrupt
from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord
from openseer.core.model.document_type import DOCUMENT_TYPES

RIS = """
TY  - JOUR
AU  - Broder, Andrei Z.
AU  - Glassman, Steven C.
TI  - Syntactic clustering
  of the Web
PY  - 1997/09/29/
T2  - Computer Networks
VL  - 29
IS  - 8
SP  - 1157
EP  - 1166
DO  - 10.1016/S0169-7552(97)00031-7
UR  - https://example.org/a
AB  - We have developed
an efficient way.
KW  - web
KW  - clustering
PB  - Elsevier
ER  -
"""
WHOLE = BibliographyRecord(
    title="Syntactic clustering of the Web",
    authors=(("Broder", "Andrei Z."), ("Glassman", "Steven C.")),
    year=1997,
    venue="Computer Networks",
    volume="29",
    issue="8",
    pages="1157-1166",
    doi="10.1016/S0169-7552(97)00031-7",
    url="https://example.org/a",
    abstract="We have developed an efficient way.",
    type="article",
    keywords=("web", "clustering"),
    publisher="Elsevier",
)


def test_a_whole_ris_record_with_lines_that_go_on():
    assert list(ris.read(RIS)) == [WHOLE]


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16"])
def test_ris_of_windows(code):
    assert list(ris.read(decode_text(RIS.replace("\n", "\r\n").encode(code)))) == [WHOLE]


def test_older_tags_and_records_that_do_not_end():
    first, second, third = ris.read(
        "TY  - CONF\nA1  - King, Ada\nT1  - One\nY1  - 1999///\nJO  - Proc.\nSP  - 1-9\nN2  - Words\n"
        "TY  - BOOK\nT1  - Two\nT2  - A series\nM3  - doi:10.1000/two\nER  - \nnonsense\n"
        "AU  - Nemo\nTI  - Three\nER  -\n"
    )
    assert first == BibliographyRecord(
        "One", (("King", "Ada"),), 1999, "Proc.", pages="1-9", abstract="Words", type="inproceedings"
    )
    assert second == BibliographyRecord("Two", doi="10.1000/two", type="book")
    assert third == BibliographyRecord("Three", (("Nemo", ""),), type="other")


def test_a_ris_record_without_a_name_is_reported_by_line():
    found = list(ris.read("TY  - JOUR\nPY  - 1999\nER  -\n\nTY  - JOUR\nTI  - Two\nER  - "))
    assert found[0] == RejectedRecord(1, "", "it has neither a title nor a DOI nor an arXiv id")
    assert isinstance(found[1], BibliographyRecord)


def test_an_endless_ris_record_is_rejected_and_the_next_is_read():
    endless = "TY  - JOUR\nTI  - One\n" + "AB  - " + "word " * 300_000 + "\nER  - \nTY  - JOUR\nTI  - Two\nER  -"
    refused, two = ris.read(endless)
    assert refused == RejectedRecord(1, "One", f"it is longer than {MAX_RECORD:,} characters")
    assert isinstance(two, BibliographyRecord)


CSL = {
    "id": "broder97",
    "type": "article-journal",
    "title": "Syntactic clustering of the <i>Web</i>",
    "author": [{"family": "Broder", "given": "Andrei Z."}, {"family": "Glassman", "given": "Steven C."}],
    "issued": {"date-parts": [[1997, 9, 29]]},
    "container-title": "Computer Networks",
    "volume": 29,
    "issue": "8",
    "page": "1157–1166",
    "DOI": "10.1016/S0169-7552(97)00031-7",
    "URL": "https://example.org/a",
    "abstract": "<jats:p>We have developed an efficient way.</jats:p>",
    "keyword": "web, clustering",
    "publisher": "Elsevier",
}


@pytest.mark.parametrize("wrapped", [CSL, [CSL], {"items": [CSL]}, {"message": {"items": [CSL]}}, {"message": CSL}])
def test_csl_alone_in_a_list_and_in_an_envelope(wrapped):
    assert list(csl_json.read(json.dumps(wrapped))) == [WHOLE]


def test_csl_names_and_dates_of_all_kinds():
    names = [
        {"literal": "The Consortium"},
        {"family": "Beethoven", "non-dropping-particle": "van", "given": "Ludwig", "suffix": "Jr"},
        {"name": "A Team"},
        "Ada King",
        {"given": "Nobody"},
        7,
    ]
    dates = [
        {"raw": "12 May 1997"},
        {"literal": "1997?"},
        "1997-05",
        {"date-parts": [["1997"]]},
        {"date-parts": [1997]},
    ]
    found = list(csl_json.read(json.dumps([{"title": ["T", "U"], "author": names, "issued": date} for date in dates])))
    assert {one.year for one in found if isinstance(one, BibliographyRecord)} == {1997}
    assert isinstance(found[0], BibliographyRecord)
    assert found[0].authors == (("The Consortium", ""), ("van Beethoven", "Ludwig"), ("A Team", ""), ("King", "Ada"))
    assert found[0].title == "T"


@pytest.mark.parametrize(
    "odd",
    [
        7,
        None,
        "text",
        [],
        {},
        {"title": 7.5},
        {"title": {"a": 1}},
        {"title": True},
        {"author": "x"},
        {"title": "\ud800"[:0]},
    ],
)
def test_a_csl_record_that_is_none_costs_only_itself(odd):
    first, last = csl_json.read(json.dumps([odd, CSL]))
    assert isinstance(first, RejectedRecord)
    assert first.name == "record 1"
    assert last == WHOLE


@pytest.mark.parametrize("text", ["", "[{", "[" * 100_000, '{"a":' * 100_000, "[NaN]", '[{"title": "a"}'], ids=range(6))
def test_invalid_json_is_reported_with_its_position(text):
    with pytest.raises(Corrupt, match=r"It is not JSON: .*\(line 1, column \d+\)"):
        list(csl_json.read(text))


def test_huge_numbers_in_json_are_no_years():
    found = list(csl_json.read('[{"title": "A", "issued": ' + "9" * 30 + "}]"))
    assert [one.year for one in found if isinstance(one, BibliographyRecord)] == [None]
    with pytest.raises(Corrupt):
        list(csl_json.read('[{"title": "A", "issued": ' + "9" * 5000 + "}]"))


OURS = (
    "title,authors,year,venue,volume,issue,pages,doi,arxiv,url,abstract,type,keywords,publisher\n"
    'Syntactic clustering of the Web,"Broder, Andrei Z.; Glassman, Steven C.",1997,Computer Networks,29,8,1157-1166,'
    '10.1016/S0169-7552(97)00031-7,,https://example.org/a,"We have developed\nan efficient way.",article,'
    "web; clustering,Elsevier\n"
)
SCOPUS = (
    '"Authors","Author full names","Title","Year","Source title","Volume","Issue","Art. No.","Page start","Page end",'
    '"DOI","Link","Abstract","Author Keywords","Publisher","Document Type"\n'
    '"Broder A.Z.; Glassman S.C.","Broder, Andrei Z. (7003478937); Glassman, Steven C. (6603042233)",'
    '"Syntactic clustering of the Web","1997","Computer Networks","29","8","","1157","1166",'
    '"10.1016/S0169-7552(97)00031-7","https://example.org/a","We have developed an efficient way.","web; clustering",'
    '"Elsevier","Article"\n'
)
WEB_OF_SCIENCE = (
    "PT\tAU\tAF\tTI\tSO\tDE\tAB\tPU\tPY\tVL\tIS\tBP\tEP\tDI\tDT\tUT\n"
    "J\tBroder, AZ; Glassman, SC\tBroder, Andrei Z.; Glassman, Steven C.\tSyntactic clustering of the Web\t"
    "Computer Networks\tweb; clustering\tWe have developed an efficient way.\tElsevier\t1997\t29\t8\t1157\t1166\t"
    "10.1016/S0169-7552(97)00031-7\tArticle\tWOS:1\n"
)
ZOTERO = (
    '"Key","Item Type","Publication Year","Author","Title","Publication Title","DOI","Url","Abstract Note","Date",'
    '"Pages","Issue","Volume","Publisher","Manual Tags"\n'
    '"X1","journalArticle","1997","Broder, Andrei Z.; Glassman, Steven C.","Syntactic clustering of the Web",'
    '"Computer Networks","10.1016/S0169-7552(97)00031-7","https://example.org/a","We have developed an efficient way.",'
    '"1997-09","1157–1166","8","29","Elsevier","web; clustering"\n'
)


@pytest.mark.parametrize("text", [OURS, SCOPUS, ZOTERO, OURS.replace(",", ",").replace("year", "Publication_Year")])
def test_tables_of_several_makers(text):
    assert list(csv_table.read(text)) == [WHOLE]


def test_web_of_science_in_tabs_has_no_address():
    (found,) = csv_table.read(WEB_OF_SCIENCE)
    assert isinstance(found, BibliographyRecord)
    assert (found.authors, found.doi, found.pages, found.type, found.url) == (
        WHOLE.authors,
        WHOLE.doi,
        WHOLE.pages,
        "article",
        "",
    )


def test_semicolons_blank_lines_and_short_rows():
    found = list(csv_table.read("Title;Author(s);Year\n\nOne;Ada King, Bo Lee;1999\n;;\nTwo\n"))
    assert found == [
        BibliographyRecord("One", (("King", "Ada"), ("Lee", "Bo")), 1999, type="other"),
        BibliographyRecord("Two", type="other"),
    ]


def test_a_row_without_a_work_is_reported_by_line():
    found = list(csv_table.read('title,year\n"A\nB",1999\n,2000\nC,2001\n'))
    assert [one for one in found if isinstance(one, RejectedRecord)] == [
        RejectedRecord(4, "", "it has neither a title nor a DOI nor an arXiv id")
    ]
    assert len(found) == 3


def test_an_endless_cell_is_rejected_and_the_next_is_read():
    found = list(csv_table.read("title,year\n" + "x" * (MAX_RECORD + 10) + ",1\nTwo,1999\n"))
    assert isinstance(found[0], RejectedRecord)
    assert (found[0].line, found[1]) == (2, BibliographyRecord("Two", year=1999, type="other"))


def test_a_table_that_names_no_work_is_an_error():
    with pytest.raises(Corrupt, match="names no column for title, DOI or arXiv id: 'colour, size'"):
        list(csv_table.read("colour,size\nred,7\n"))


@pytest.mark.parametrize(
    ("cell", "people"),
    [
        ("Broder, A.Z., Glassman, S.C.", [("Broder", "A.Z."), ("Glassman", "S.C.")]),
        ("Broder A.Z., Glassman S.C.", [("Broder", "A.Z."), ("Glassman", "S.C.")]),
        ("Andrei Broder and Steven Glassman", [("Broder", "Andrei"), ("Glassman", "Steven")]),
        (
            "Andrei Broder, Steven Glassman, and Mark Manasse",
            [("Broder", "Andrei"), ("Glassman", "Steven"), ("Manasse", "Mark")],
        ),
        ("Broder, Andrei", [("Broder", "Andrei")]),
        ("van der Berg, Jan", [("van der Berg", "Jan")]),
        ("Broder, Andrei & Glassman, Steven", [("Broder", "Andrei"), ("Glassman", "Steven")]),
        ("Broder|Glassman", [("Broder", ""), ("Glassman", "")]),
        ("Ford, Jr., Henry", [("Ford", "Henry")]),
        ("", []),
    ],
)
def test_people_in_a_cell(cell, people):
    assert list(parse_names(cell)) == people


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("doi:10.1000/ABC.", "10.1000/ABC"),
        ("(see https://dx.doi.org/10.1000/a(b)c)", "10.1000/a(b)c"),
        ("10.1/x", ""),
        ("none", ""),
    ],
)
def test_dois(text, doi):
    assert find_doi(text) == doi


def test_page_ranges():
    assert [page_range(*both) for both in (("1", "9"), ("1-9", "9"), ("7", ""), ("", "9"), ("7", "7"))] == [
        "1-9",
        "1-9",
        "7",
        "9",
        "7",
    ]


@pytest.mark.parametrize(
    ("name", "head", "wanted"),
    [
        ("a.bib", b"% mine\n@article{a,", "bibtex"),
        ("a.txt", b"\xef\xbb\xbf@article{a,", "bibtex"),
        ("a.txt", b"TY  - JOUR\r\n", "ris"),
        ("a.bib", b"TY  - JOUR\r\n", "ris"),
        ("a", b' [{"title": 1}]', "csl"),
        ("a.tsv", b"x\ty\n", "table"),
        ("a", b"Authors,Title\n", "table"),
        ("a.csv", b'title,abstract\nA,"\n@foo{bar"\n', "table"),
        ("a.bib", b"only a comment so far", "bibtex"),
        ("a.bib", b"%PDF-1.4 @a{", None),
        ("a.txt", b"Dear all,\nthis is a letter.", None),
        ("a", b"", None),
    ],
)
def test_the_type_by_content_and_name(name, head, wanted):
    found = format_of(name, head)
    assert (found.name if found else None) == wanted


def test_every_format_has_its_place_in_the_file_store():
    types = {mime: one.suffix for mime, one in DOCUMENT_TYPES.items() if one.is_bibliography}
    assert {one.mime: one.suffixes[0] for one in FORMATS} == types


@pytest.mark.parametrize("read", [ris.read, csv_table.read], ids=["ris", "table"])
@pytest.mark.parametrize(
    "text",
    ["title," * 100_000, 'title\n"' + "x\n" * 300_000, "TY  - " * 50_000, "TY  - \n" * 50_000, "AU  - A\n" * 100_000],
)
def test_hostile_lists_end_soon(read, text):
    start = time.process_time()
    with contextlib.suppress(Corrupt):
        list(read(text))
    assert time.process_time() - start < 10


MANUAL = (Path(__file__).parents[3] / "docs" / "manual.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```\w*\n(.*?)^```$", MANUAL.split("### `openseer import")[1].split("\n### ")[0], re.M | re.S)


def test_the_examples_of_the_manual_are_read_as_they_say():
    assert len(EXAMPLES) == len(FORMATS)
    for example, wanted in zip(EXAMPLES, FORMATS, strict=True):
        assert format_of("records", example.encode()) is wanted
        (found,) = wanted.read(example)
        assert isinstance(found, BibliographyRecord)
        assert found.title.startswith("On Lights")
        assert found.authors[0] == ("King", "Ada")
        assert (found.year, found.venue, found.doi) == (1999, "Sea Letters", "10.5555/sea.7.1")


def test_entities_and_markup_are_removed_and_urls_are_no_venues():
    row = "Search &amp; &lt;i&gt;find&lt;/i&gt; AT&T,K&ouml;nig A.,https://x.org,1999"
    (found,) = csv_table.read(f"title,authors,venue,year\n{row}\n")
    assert found == BibliographyRecord("Search & find AT&T", (("König", "A."),), 1999, type="other")
