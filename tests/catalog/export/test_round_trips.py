"""What leaves the library can be read by others, without loss: two hundred works, half of them odd."""

from __future__ import annotations

import random
import re
import warnings
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import bibtexparser
import orjson
import pytest

from openseer.acquire.bibliographies import bibtex as own_reader
from openseer.catalog.export.publication_types import author_names, page_range, publication_type
from openseer.catalog.export.registry import FORMATS
from openseer.core.model.query import Everything, SearchQuery
from openseer.core.model.work import IndexedWork
from openseer.storage.open import open_library
from openseer.web.pages.work.metadata import coins, dublin_core, highwire_tags

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pybtex.database import parse_string

BASE = "https://library.example"
TITLES = [
    "100 % of {braces} & $money$ in snake_case #1",
    "A } that closes nothing and { one that opens",
    "C:\\path\\to ~home^2",
    "Über die Müßigkeit: naïve façades in Århus",
    "信息检索中的引文分析",
    "引用索引の自動構築",
    "Анализ цитирования",
    "تحليل الاستشهادات",
    "ניתוח ציטוטים",
    'An O(n log n) "quoted" title, with commas',
    "mRNA and DNA in McDonald's iPhone",
    "50% off",
    "Ends with a backslash \\",
    "@article{fake, title={x}}",
    "Line\nbreaks\tand  blanks",
    "x",
    "α-helices, β-sheets and 𝔽₂",
    "TeX's \\LaTeX{} and \\textbf{bold}",
    "On <i>markup</i> &amp; entities",
    "",
]
PEOPLE = [
    "Ada Lovelace",
    "Ludwig van Beethoven",
    "Martin Luther King Jr.",
    "José Ortega y Gasset",
    "Þórr Ægisson",
    "王小云",
    "Ivan Иванов",
    "Consortium of Libraries and Archives",
    "D. E. Knuth",
    "Erdős Pál",
    "O'Brien, Flann",
    "Søren Åberg",
    "Jean-Paul Sartre",
    "Plato",
    "A_B C&D",
    "Ann {Odd} Name",
]
VENUES = [
    "Journal of R&D",
    "Proceedings of the 3rd Conf. on 100% Tests",
    "Technical Report #7, Lab_X",
    "",
    "Science",
    "University of Åbo",
]
TYPES = ["", "thesis", "book", "chapter", "report", "preprint", "article"]


def odd(number: int) -> IndexedWork:
    """A work as they come, one for each number."""
    chance = random.Random(number)
    many = 300 if number % 17 == 0 else chance.choice([0, 1, 2, 3, 12])
    name = f"w{number:012d}"
    return IndexedWork(
        name,
        (name,),
        TITLES[number % len(TITLES)],
        tuple(chance.choices(PEOPLE, k=many)),
        VENUES[number % len(VENUES)],
        chance.choice([None, 1958, 1999, 2024]),
        abstract=chance.choice(["", "It costs $5 & more_than {that}.\n\nA 2nd % paragraph \\ here."]),
        keywords=chance.choice([(), ("a & b", "c_d", "100 %")]),
        doi=chance.choice(["", "10.1000/a_b(c)<1::aid>3.0;2-#", "10.5555/12345"]),
        arxiv=chance.choice(["", "cs/9901001", "2101.00001"]),
        documents=chance.choice([(), ("a" * 40,)]),
        language=chance.choice(["", "en", "zh"]),
        type=TYPES[number % len(TYPES)],
        volume=chance.choice(["", "7", "12_B"]),
        pages=chance.choice(["", "1-9", "e123", "101\u2013110"]),
    )


@pytest.fixture(scope="module")
def works(sample_data):
    with open_library(sample_data) as library:
        found = library.open_index().search(SearchQuery(Everything(), "citations", limit=100)).hits
    real = [hit.work for hit in found]
    return [*real, *(odd(number) for number in range(200 - len(real)))]


# -- BibTeX -------------------------------------------------------------------------------------------------------

COMMANDS = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textbraceleft{}": "{",
    r"\textbraceright{}": "}", r"\&": "&", r"\%": "%", r"\$": "$", r"\#": "#", r"\_": "_",
}  # fmt: skip
"""What LaTeX prints for these."""
TOKEN = re.compile("|".join(re.escape(one) for one in COMMANDS) + "|[{}]")


def printed(value: str) -> str:
    """A field as LaTeX prints it: commands become signs, braces go."""
    return TOKEN.sub(lambda found: COMMANDS.get(found[0], ""), value)


def plain(text: str) -> str:
    return " ".join(text.split())


def where(work: IndexedWork) -> str:
    doi, arxiv = f"https://doi.org/{work.doi}", f"https://arxiv.org/abs/{work.arxiv}"
    return doi if work.doi else arxiv if work.arxiv else f"{BASE}/works/{work.id}"


def expected(work: IndexedWork) -> dict[str, str]:
    told = {
        "title": plain(work.title), "year": str(work.year or ""), "abstract": plain(work.abstract), "doi": work.doi,
        "eprint": work.arxiv, "volume": work.volume, "keywords": ", ".join(work.keywords),
        "pages": re.sub("[-\u2013]", "--", work.pages), "url": where(work),
    }  # fmt: skip
    return {name: value for name, value in told.items() if value}


def test_two_readers_of_bibtex_find_everything_again(works):
    text = FORMATS["bibtex"].write(works, BASE)
    parser = bibtexparser.bparser.BibTexParser(common_strings=False, ignore_nonstandard_types=False)
    first = bibtexparser.loads(text, parser).entries
    second = list(parse_string(text, "bibtex").entries.values())
    assert len(works) == len(first) == len(second) == 200
    assert len({entry["ID"] for entry in first}) == 200, "no key is there twice"
    for work, one, other in zip(works, first, second, strict=True):
        for name, value in expected(work).items():
            assert printed(one[name]) == value
            assert printed(other.fields[name]) == value
        people = [
            (
                printed(" ".join([*who.prelast_names, *who.last_names, *who.lineage_names])),
                printed(" ".join([*who.first_names, *who.middle_names])),
            )
            for who in other.persons.get("author", ())
        ]
        assert people == [(plain(family), plain(given)) for family, given in author_names(work)]


def test_our_own_reader_takes_back_what_we_wrote(works):
    titled = [one for one in works if one.title and "<i>" not in one.title]  # it takes markup out on purpose
    found = own_reader.read(FORMATS["bibtex"].write(titled, BASE))
    back = [record for record in found if hasattr(record, "title")]
    assert [plain(one.title) for one in back] == [plain(one.title) for one in titled]


# -- RIS ----------------------------------------------------------------------------------------------------------


def records(text: str) -> list[list[tuple[str, str]]]:
    """RIS by its rule: every line a tag of two signs, two blanks, a hyphen, a blank; TY begins and ER ends a record."""
    found: list[list[tuple[str, str]]] = []
    for line in text.split("\r\n")[:-1]:
        match = re.fullmatch(r"([A-Z][A-Z0-9])  - (.*)", line)
        assert match, line
        tag, value = match[1], match[2]
        if tag == "TY":
            found.append([])
        assert found
        assert "ER" not in dict(found[-1])
        found[-1].append((tag, value))
    assert all(dict(one).get("ER") == "" for one in found)
    return found


def test_ris_is_read_back_by_its_rule(works):
    found = records(FORMATS["ris"].write(works, BASE))
    assert len(found) == 200
    for work, lines in zip(works, found, strict=True):
        told = dict(reversed(lines))
        first, last = page_range(work)
        wanted = {"TI": work.title, "AB": work.abstract, "DO": work.doi, "VL": work.volume, "PY": str(work.year or "")}
        for tag, value in {**wanted, "SP": first, "EP": last, "LA": work.language}.items():
            assert told.get(tag, "") == plain(value)
        written = [value for tag, value in lines if tag == "AU"]
        assert written == [plain(f"{family}, {given}" if given else family) for family, given in author_names(work)]
        assert [value for tag, value in lines if tag == "KW"] == list(work.keywords)


# -- CSL-JSON -----------------------------------------------------------------------------------------------------

CSL_TYPES = {
    "article", "article-journal", "article-magazine", "article-newspaper", "bill", "book", "broadcast", "chapter",
    "classic", "collection", "dataset", "document", "entry", "entry-dictionary", "entry-encyclopedia", "event",
    "figure", "graphic", "hearing", "interview", "legal_case", "legislation", "manuscript", "map", "motion_picture",
    "musical_score", "pamphlet", "paper-conference", "patent", "performance", "periodical", "personal_communication",
    "post", "post-weblog", "regulation", "report", "review", "review-book", "software", "song", "speech", "standard",
    "thesis", "treaty", "webpage",
}  # fmt: skip
TEXTS = {
    "id", "type", "title", "title-short", "abstract", "container-title", "container-title-short", "publisher",
    "publisher-place", "DOI", "ISBN", "ISSN", "URL", "PMID", "PMCID", "genre", "keyword", "language", "note", "source",
    "status", "annote", "archive", "authority", "call-number", "collection-title", "event-title", "event-place",
    "medium",
}  # fmt: skip
NUMBERS = {"volume", "issue", "page", "page-first", "number", "number-of-pages", "edition", "chapter-number", "version"}
NAMES = {"author", "editor", "translator", "container-author", "collection-editor", "director", "recipient"}
NAME_PARTS = {"family", "given", "literal", "suffix", "dropping-particle", "non-dropping-particle"}
DATES = {"issued", "accessed", "submitted", "original-date", "event-date", "available-date"}


def faults(item: dict[str, Any]) -> list[str]:
    """What of an item the CSL-JSON specification does not allow."""
    missing = [name for name in ("id", "type") if name not in item]
    return missing + [f"{name}: {value!r}" for name, value in item.items() if not is_right(name, value)]


def is_right(name: str, value: Any) -> bool:
    if name in NAMES:
        return isinstance(value, list) and all(map(is_name, value))
    if name in DATES:
        return set(value) <= {"date-parts", "literal", "circa", "raw"} and all(map(is_date, value["date-parts"]))
    if name in NUMBERS:
        return isinstance(value, str | int) and value != ""
    return isinstance(value, str) and value != "" and name in TEXTS and (name != "type" or value in CSL_TYPES)


def is_name(one: Any) -> bool:
    texts = all(isinstance(part, str) and part for part in one.values())
    return texts and set(one) <= NAME_PARTS and ("literal" in one or "family" in one)


def is_date(parts: Any) -> bool:
    return 1 <= len(parts) <= 3 and all(isinstance(number, int) for number in parts)


def test_csl_json_keeps_to_the_specification_and_loses_nothing(works):
    items = orjson.loads(FORMATS["csl"].write(works, BASE))
    assert [fault for item in items for fault in faults(item)] == []
    for work, item in zip(works, items, strict=True):
        assert item.get("title", "") == work.title
        assert item.get("DOI", "") == work.doi
        assert [one.get("literal") or f"{one['given']} {one['family']}" for one in item.get("author", ())] == [
            f"{given} {family}".strip() for family, given in author_names(work)
        ]
        assert (item.get("container-title") or item.get("publisher") or "") == work.venue


def test_the_rules_of_csl_json_find_faults():
    good = {"id": "a", "type": "book"}
    assert faults(good) == []
    for bad in ({"type": "novel"}, {"author": [{"name": "x"}]}, {"issued": {"date-parts": [["1999"]]}}, {"pages": "1"}):
        assert faults({**good, **bad})


# -- Zotero -------------------------------------------------------------------------------------------------------

ITEM_TYPES = {
    "article": "journalArticle", "conference": "conferencePaper", "report": "report", "thesis": "thesis",
    "book": "book",
    "chapter": "bookSection", "preprint": "journalArticle", "other": "journalArticle",
}  # fmt: skip
HIGHWIRE = {
    "citation_journal_title": "journalArticle", "citation_technical_report_institution": "report",
    "citation_conference_title": "conferencePaper", "citation_book_title": "bookSection",
    "citation_dissertation_institution": "thesis",
}  # fmt: skip
BOOKS = {
    "bookitem": "bookSection",
    "conference": "conferencePaper",
    "proceeding": "conferencePaper",
    "report": "report",
}


def type_by_tags(told: list[tuple[str, str]]) -> str:
    """How Zotero decides by embedded metadata: a type that is said, then the tag of the venue, then an article."""
    values = dict(told)
    said = values.get("DC.type", "")
    return said or next((HIGHWIRE[name] for name in HIGHWIRE if values.get(name)), "journalArticle")


def read_coins(title: str) -> dict[str, str]:
    """How Zotero reads an OpenURL: the format, within books the genre; then where titles go."""
    pairs = parse_qsl(title, strict_parsing=True)
    told = dict(reversed(pairs))
    form = told["rft_val_fmt"].removeprefix("info:ofi/fmt:kev:mtx:")
    kind = {"journal": "journalArticle", "dissertation": "thesis"}.get(form) or BOOKS.get(
        told.get("rft.genre", ""), "book"
    )
    parts = kind in ("journalArticle", "bookSection", "conferencePaper")
    return {
        "type": kind,
        "title": told.get("rft.atitle", "") if parts else told.get("rft.btitle") or told.get("rft.title", ""),
        "venue": told.get("rft.jtitle", "")
        if kind == "journalArticle"
        else told.get("rft.btitle", "")
        if parts
        else "",
        "people": "; ".join(value for name, value in pairs if name == "rft.au"),
        "year": told.get("rft.date", ""),
    }


def test_zotero_takes_each_kind_for_what_it_is(works):
    seen = set()
    for work in works:
        kind = publication_type(work)
        seen.add(kind)
        tags = [pair for pair in (*highwire_tags(work, (), "", BASE), *dublin_core(work, BASE)) if pair[1]]
        assert type_by_tags(tags) == ITEM_TYPES[kind], kind
        assert [value for name, value in tags if name == "citation_author"] == [
            f"{family}, {given}" if given else family for family, given in author_names(work)
        ]
        found = read_coins(coins(work, BASE))
        assert found["type"] == ITEM_TYPES[kind], kind
        assert found["title"] == work.title
        assert found["year"] == str(work.year or "")
        assert found["people"] == "; ".join(work.authors)
        if found["type"] in ("journalArticle", "conferencePaper", "bookSection"):
            assert found["venue"] == work.venue
    assert seen == set(ITEM_TYPES)


def test_a_work_without_anything_is_still_written(works):
    bare = replace(odd(1), title="", authors=(), venue="", year=None, abstract="", doi="", arxiv="", keywords=())
    for form in FORMATS.values():
        assert bare.id in form.write([bare], BASE)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("bibtex", "author = {{R Core Team} and Lovelace, Ada}"),
        ("ris", "AU  - R Core Team\r\nAU  - Lovelace, Ada"),
        ("csl", '{\n        "literal": "R Core Team"\n      }'),
    ],
)
def test_a_body_is_cited_by_its_whole_name(form, said):
    assert said in FORMATS[form].write([replace(odd(1), authors=("R Core Team", "Ada Lovelace"))], BASE)


@pytest.mark.parametrize("form", ["bibtex", "ris", "refer", "csl"])
def test_addresses_are_whole_and_lasting(form):
    named = IndexedWork("w1", ("w1",), title="Named", doi="10.5555/x", documents=("a" * 40,))
    bare = IndexedWork("w2", ("w2",), title="Bare", documents=("b" * 40,))
    with_site = FORMATS[form].write([named, bare], "https://library.example")
    assert "https://doi.org/10.5555/x" in with_site
    assert "https://library.example/works/w2" in with_site
    alone = FORMATS[form].write([named, bare], "")
    assert "https://doi.org/10.5555/x" in alone
    assert "/works/" not in alone
    assert "/document/" not in alone
