"""Reading view: abstract, outline, parts, citation links."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import html5lib
import orjson
import pytest
from fastapi.testclient import TestClient

from openseer.catalog.work_view import ReferenceEntry
from openseer.core.model.document import Viewer
from openseer.evaluation.samples import gold
from openseer.storage.open import Library, open_library
from openseer.web.app import create_app
from openseer.web.pages.reader.reading_view import _bibliography

TITLE = gold("paper-rank")["title"]


class Shelf:
    """One paper of a library, whose stored text a test may write anew."""

    def __init__(self, library: Library, client: TestClient) -> None:
        self._library, self._client = library, client
        self.sha1 = client.get("/api/search", params={"q": TITLE}).json()["response"][0]["id"]
        document = library.records.as_seen_by(Viewer.PUBLIC).document(self.sha1)
        self._place = ("extraction", self.sha1, f"{document.generation}.json.gz")
        self.stored: dict[str, Any] = orjson.loads(gzip.decompress(library.files.read(*self._place)))

    def with_sections(self, *sections: dict[str, Any]) -> None:
        """The paper has these sections and no others."""
        self.stored["sections"] = [{"level": 1, "type": "", "page": 1, "paragraphs": [], **one} for one in sections]
        self._library.files.put(*self._place, gzip.compress(orjson.dumps(self.stored)))

    def page(self, address: str = "?view=text") -> str:
        """A page of the reader, without the line ends."""
        answer = self._client.get(f"/read/{self.sha1}{address}", headers={"accept": "text/html"})
        assert answer.status_code == 200
        html5lib.HTMLParser(strict=True).parse(answer.text)
        ids = re.findall(r' id="([^"]+)"', answer.text)
        assert len(ids) == len(set(ids)), "ids are there once"
        return re.sub(r"\n\s*", "", answer.text)

    def text(self, address: str = "?view=text") -> str:
        """What stands in the article of it."""
        return self.page(address).split("<article")[1].split("</article>")[0]


@pytest.fixture
def paper(data: Path) -> Iterator[Shelf]:
    with open_library(data) as library, TestClient(create_app(library)) as client:
        yield Shelf(library, client)


def bare(html: str) -> str:
    """Headings and text alone."""
    return re.sub(r"\s+", " ", re.sub(r"<a class=\"sheet-no\".*?</a>|<(?!/?h\d)[^>]*>|(?<=<h\d) [^>]*", "", html))


def test_the_abstract_goes_under_its_heading(paper):
    paper.with_sections(
        {"heading": "Abstract", "type": "abstract", "text": "Keywords: ranks"}, {"heading": "1 Start", "text": "So."}
    )
    assert f"<h2>Abstract</h2>{paper.stored['abstract']}Keywords: ranks<h2>1 Start</h2>So." in bare(paper.text())


def test_an_abstract_in_the_text_is_not_repeated(paper):
    abstract = paper.stored["abstract"]
    paper.with_sections({"heading": "", "text": abstract.replace(" ", "  ")}, {"heading": "1 Start", "text": "So."})
    assert bare(paper.text()).count(bare(abstract)[:60]) == 1


def test_without_a_heading_the_abstract_precedes_the_text(paper):
    summary = {"heading": "9 Summary", "type": "abstract", "text": "All is said."}
    paper.with_sections(*({"heading": f"{number} Part", "text": "So."} for number in range(1, 9)), summary)
    assert f"{bare(paper.stored['abstract'])}<h2>1 Part</h2>" in bare(paper.text())
    assert "<h2>9 Summary</h2>All is said." in bare(paper.text())


def test_a_heading_over_headings_is_shown(paper):
    paper.with_sections({"heading": "2 Methods", "text": ""}, {"heading": "2.1 People", "level": 2, "text": "All."})
    assert "<h2>2 Methods</h2><h3>2.1 People</h3>All." in bare(paper.text())


def long_text(paper: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six sections without abstract on the pages 2, 4, 6, ...; one page of the site holds two."""
    monkeypatch.setattr("openseer.web.pages.reader.reading_view.PART_CHARACTERS", 900)
    monkeypatch.setattr("openseer.web.pages.reader.reading_view.ABSTRACT_PREFIX", 0)
    text = "word " * 80
    paper.with_sections(
        *(
            {"heading": f"{number} Part", "text": text, "paragraphs": [{"at": (0, 400), "page": 2 * number}]}
            for number in range(1, 7)
        )
    )


def test_the_outline_of_a_text_links_to_its_headings(paper, monkeypatch):
    long_text(paper, monkeypatch)
    for address in ("?view=text", "?view=text&part=2"):
        html = paper.page(address)
        outline = dict(re.findall(r'<li class="level-1"><a href="([^"]*)">([^<]*)</a>', html.split("Outline")[1]))
        assert list(outline.values()) == [f"{number} Part" for number in range(1, 7)]
        for href, heading in outline.items():
            target, _, anchor = href.replace("&amp;", "&").partition("#")
            assert f'id="{anchor}">{heading}<' in paper.text(target.removeprefix(f"/read/{paper.sha1}") or address)


def test_the_outline_of_a_file_links_to_its_pages(paper):
    assert re.search(rf'<li class="level-1"><a href="/read/{paper.sha1}\?page=\d+">', paper.page(""))


def test_changing_between_file_and_text_keeps_the_page(paper, monkeypatch):
    long_text(paper, monkeypatch)
    assert f'href="/read/{paper.sha1}?view=text&amp;page=7#p-7">Text view' in paper.page("?page=7")
    assert f'href="/read/{paper.sha1}?view=text">Text view' in paper.page("")
    html = paper.page("?view=text&page=7")
    assert re.search(r'<span id="p-7"></span><span id="p-8"></span>word', html), "nothing begins on page 7"
    assert f'href="/read/{paper.sha1}?page=7">PDF view' in html
    assert f'href="/read/{paper.sha1}?page=6">PDF view' in paper.page("?view=text&part=2")
    assert "Part 3 of 3" in paper.page("?view=text&page=99")


def entries(*printed: str) -> list[ReferenceEntry]:
    return [ReferenceEntry(place, {"raw": raw}, "") for place, raw in enumerate(printed)]


@pytest.mark.parametrize(
    ("printed", "numbers", "texts"),
    [
        (("[1] Ada, A.", "[3] Bob, B."), [1, 3], ["Ada, A.", "Bob, B."]),
        (("1. Ada, A.", "2. Bob, B.", "Cy, C."), [1, 2, 3], ["Ada, A.", "Bob, B.", "Cy, C."]),
        (("1 Ada A", "(2) Bob B", "3.Cy C"), [1, 2, 3], ["Ada A", "Bob B", "Cy C"]),
        (("Ada, A. 1999.", "3. Auflage", "Bob, B."), [1, 2, 3], ["Ada, A. 1999.", "3. Auflage", "Bob, B."]),
        (("1.5 degrees", "300 years", "1984 again"), [1, 2, 3], ["1.5 degrees", "300 years", "1984 again"]),
        ((), [], []),
    ],
)
def test_printed_numbers_are_separated_from_entries(printed, numbers, texts):
    listed = _bibliography(entries(*printed))
    assert ([one.number for one in listed], [one.text for one in listed]) == (numbers, texts)


def test_references_are_listed_under_their_printed_numbers(paper):
    html = paper.page()
    assert re.findall(r'<li id="ref-\d+" value="(\d+)">', html)[:3] == ["1", "2", "3"]
    assert not re.search(r'<li id="ref-\d+"[^>]*>\s*\[?\d+[\].]', html)


def test_citation_markers_link_to_their_entries(paper):
    text = "As Ada (1999) has shown & others [2, 3] too, x lies in [1, 2]."
    for place, mark in ((0, "Ada (1999)"), (1, "[2, 3]"), (2, "[2, 3]")):
        at = text.index(mark)
        context = {"text": text, "at": [at, at + len(mark)], "page": 1, "section": "1 Start"}
        paper.stored["references"][place]["contexts"] = [context]
    paper.with_sections({"heading": "1 Start", "text": text})
    assert (
        'As <a class="mark" href="#ref-1">Ada (1999)</a> has shown &amp; others <a class="mark" href="#ref-2">[2,</a> '
        '<a class="mark" href="#ref-3">3]</a> too, x lies in [1, 2].' in paper.text()
    )
