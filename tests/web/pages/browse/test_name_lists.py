"""Lists of names and venues, author and venue pages."""

from __future__ import annotations

import contextlib
import html
import re
import string
from dataclasses import replace
from itertools import product
from urllib.parse import unquote

import html5lib
import pytest
from fastapi.testclient import TestClient

from openseer.core.model.work import IndexedWork
from openseer.core.text.name_strings import person_key
from openseer.storage.open import open_library
from openseer.storage.protocols.index import Checkpoint
from openseer.storage.tantivy.index import TantivyIndex
from openseer.web.app import create_app
from openseer.web.page_cache import PageCache

MANY = [(f"S{''.join(two)}er", given) for two in product(string.ascii_lowercase, repeat=2) for given in ("Ada", "Bo")]
OTHERS = [
    ("Šabić", "Ana"), ("Öster", "Eva"), ("Бабунски", "Карил"), ("Παπαδάκης", "Νίκος"), ("Reis", "Elena"),
    *((f"Moss{''.join(two)}", "Cy") for two in product(string.ascii_lowercase[:18], repeat=2)),
]  # fmt: skip
EVERYBODY = [*MANY, *OTHERS]


def made(number, people, **fields):
    name = f"w{number:012d}"
    names = {"authors": tuple(" ".join(filter(None, (given, family))) for family, given in people),
             "people": tuple(person_key(*one) for one in people)}  # fmt: skip
    return IndexedWork(name, (name,), f"Work {number}", **{"year": 2001, **names, **fields})


WORKS = [
    *(made(number, EVERYBODY[20 * number : 20 * number + 20]) for number in range(len(EVERYBODY) // 20 + 1)),
    made(200, [("Pontes Reis", "E.")]),
    made(201, [("University of Edinburgh", "")]),
    made(203, [("Bergey", "DR")]),
    made(204, [("ClinicalTrials.gov", "")]),
    made(202, [("Noe", "C.")], authors=("Consortium for the Reading of Very Long Names of Working Groups " * 3,)),
    *(made(300 + number, [("Maddox", "J.")], venue="Nature") for number in range(3)),
    *(made(400 + number, [("Maddox", "Julia")], venue="Nature Reviews Physics") for number in range(2)),
]


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("walking")
    index = TantivyIndex(folder / "made", heap_mb=15)
    with contextlib.closing(index.writer()) as writer:
        for work in WORKS:
            writer.put(work)
        writer.commit(Checkpoint())
    with open_library(folder / "data", create=True) as library:
        app = create_app(library)
        with TestClient(app) as client:
            app.state.services = replace(app.state.services, index=index)
            yield client


def page(web, address, status=200):
    answer = web.get(address, headers={"accept": "text/html"}, follow_redirects=False)
    assert answer.status_code == status, answer.text[:300]
    html5lib.HTMLParser(strict=True).parse(answer.text)
    return html.unescape(answer.text)


def listed(text):
    return re.findall(r'<li><a href="/author/[^"]+">([^<]+)</a>', text)


def test_all_names_of_a_letter_are_reached_in_pages(web):
    first = page(web, "/browse/authors?letter=S")
    assert f"{len(MANY) + 1:,} names begin with S" in first
    assert "Page 1 of 7" in first
    every = [name for number in range(1, 8) for name in listed(page(web, f"/browse/authors?letter=s&page={number}"))]
    assert sorted(every) == sorted([*(f"{given} {family}" for family, given in MANY), "Ana Šabić"])
    assert page(web, "/browse/authors?letter=S&page=99") == page(web, "/browse/authors?letter=S&page=7")


@pytest.mark.parametrize("letter", ["Š", "š", "S"])
def test_accented_letters_sort_with_their_base_letter(web, letter):
    assert "Ana Šabić" in listed(page(web, f"/browse/authors?letter={letter}"))


def test_other_letters_are_reached(web):
    other = page(web, "/browse/authors?letter=%23")
    assert listed(other) == ["Νίκος Παπαδάκης", "Карил Бабунски"]
    assert listed(page(web, "/browse/authors?letter=б")) == ["Карил Бабунски"]
    assert 'href="/browse/authors?letter=%D0%B1"' in other


@pytest.mark.parametrize("limit", ["MAX_FACET_NAMES", "LARGE_INDEX_WORKS"])
def test_too_many_names_are_split_by_the_next_letter(web, monkeypatch, limit):
    monkeypatch.setattr(f"openseer.catalog.author_names.{limit}", 40)
    web.app.state.services = replace(web.app.state.services, page_cache=PageCache())
    first = page(web, "/browse/authors?letter=s")
    assert "The most frequent names that begin with S" in first
    assert 'href="/browse/authors?letter=sb"' in first
    assert len(listed(page(web, "/browse/authors?letter=sb"))) == 52
    web.app.state.services = replace(web.app.state.services, page_cache=PageCache())


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("E. Pontes Reis", "Work 200"),
        ("University of Edinburgh", "Work 201"),
        ("Reis E", "Work "),
        ("DR Bergey", "Work 203"),
        ("ClinicalTrials.gov", "Work 204"),
    ],
)
def test_a_printed_name_has_a_page(web, name, title):
    assert title in page(web, f"/author/{name}")


def test_a_name_in_another_order_redirects_to_the_list(web):
    answer = web.get("/author/Reis Elena", headers={"accept": "text/html"}, follow_redirects=False)
    assert answer.headers["location"].endswith("/browse/authors?q=Reis+Elena")


def test_an_unknown_name_links_to_a_search(web):
    assert 'href="/search?q=Zz%20Zzz"' in page(web, "/author/Zz Zzz", 404)


def test_search_within_finds_the_works_of_the_page(web):
    author, venue = page(web, "/author/J. Maddox"), page(web, "/venue/Nature")
    assert 'href="/search?filter=author%3Amaddox%20j"' in author
    assert 'href="/feeds/search.atom?filter=author%3Amaddox%20j"' in author
    within = re.findall(r'href="(/search[^"]+)">Search these works', venue)
    assert [unquote(one) for one in within] == ['/search?q==venue:"Nature"']
    assert "3 works published here" in venue
    assert web.get("/api/search?q==venue:%22Nature%22").status_code == 200


def test_a_page_past_the_end_is_the_last(web):
    assert page(web, "/venue/Nature?page=99") == page(web, "/venue/Nature?page=1")


def test_a_very_long_name_may_be_broken(web):
    assert 'class="name long"' in page(web, "/author/C. Noe")
