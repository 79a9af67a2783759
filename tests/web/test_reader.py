"""The reader: a stored text set anew, with its abstract, its outline and its marks in place."""

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

from openseer.library.opening import Library, open_library
from openseer.records.document import Viewer
from openseer.samples import gold
from openseer.web.app import create_app

TITLE = gold("paper-rank")["title"]


class Shelf:
    """One paper of a library, whose stored text a test may write anew."""

    def __init__(self, library: Library, client: TestClient) -> None:
        self._library, self._client = library, client
        self.sha1 = client.get("/api/search", params={"q": TITLE}).json()["response"][0]["id"]
        document = library.records.document(self.sha1, Viewer.PUBLIC)
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


def test_the_abstract_stands_under_its_heading_where_the_text_has_its_keywords_only(paper):
    paper.with_sections(
        {"heading": "Abstract", "type": "abstract", "text": "Keywords: ranks"}, {"heading": "1 Start", "text": "So."}
    )
    assert f"<h2>Abstract</h2>{paper.stored['abstract']}Keywords: ranks<h2>1 Start</h2>So." in bare(paper.text())


def test_an_abstract_that_the_text_has_is_not_there_twice(paper):
    abstract = paper.stored["abstract"]
    paper.with_sections({"heading": "", "text": abstract.replace(" ", "  ")}, {"heading": "1 Start", "text": "So."})
    assert bare(paper.text()).count(bare(abstract)[:60]) == 1


def test_without_a_heading_of_its_own_it_stands_before_the_text(paper):
    summary = {"heading": "9 Summary", "type": "abstract", "text": "All is said."}
    paper.with_sections(*({"heading": f"{number} Part", "text": "So."} for number in range(1, 9)), summary)
    assert f"{bare(paper.stored['abstract'])}<h2>1 Part</h2>" in bare(paper.text())
    assert "<h2>9 Summary</h2>All is said." in bare(paper.text())


def test_a_heading_over_headings_is_shown(paper):
    paper.with_sections({"heading": "2 Methods", "text": ""}, {"heading": "2.1 People", "level": 2, "text": "All."})
    assert "<h2>2 Methods</h2><h3>2.1 People</h3>All." in bare(paper.text())
