"""BibTeX read by another parser, and the HTML view with its links."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from openseer.core.model.extraction import Author, Context, Extraction, Name, Reference, Section
from openseer.extract.output.bibtex import bibtex
from openseer.extract.output.html import html
from openseer.extract.output.registry import FORMATS
from openseer.extract.reader import read

HERE = Path("lights.pdf")


@pytest.fixture(scope="module")
def paper() -> Extraction:
    contexts = (Context("Ships need lights [1].", printed="[1]", at=(18, 21), page=2, section="1 Introduction"),)
    references = (
        Reference("[1] A. King, Lights & ships, 1999", "article", "Lights & ships", (Name("A. King", "A.", "King"),)),
        Reference("[2] A. King, 100 % {light, 1999", "other", "100 % {light", (Name("A. King", "A.", "King"),)),
        Reference("[3] no title at all"),
    )
    return Extraction(
        title="On <Lights>",
        authors=(Author("Bob Lee", "Bob", "Lee"),),
        year=2001,
        sections=(Section("1 Introduction", 1, "introduction", 1, "Ships need lights [1]. They do."),),
        references=(replace(references[0], contexts=contexts), *references[1:]),
    )


def test_bibtex_has_an_entry_for_each_and_every_key_once(paper):
    text = bibtex(paper, HERE).decode()
    keys = re.findall(r"^@\w+\{([^,]+),$", text, re.M)
    assert len(keys) == len(set(keys)) == 4
    assert "author = {Lee, Bob}," in text
    assert r"title = {{Lights \& ships}}," in text


def test_braces_in_bibtex_pair(paper):
    for entry in bibtex(paper, HERE).decode().split("\n\n"):
        assert entry.count("{") == entry.count("}")


def test_an_entry_without_title_has_its_raw_text(paper):
    assert "note = {[3] no title at all}," in bibtex(paper, HERE).decode()


def test_markers_in_the_page_link_to_their_entries(paper):
    page = html(paper, HERE).decode()
    assert '<a class="cites" href="#r1">[1]</a>' in page
    assert '<li id="r1">' in page
    assert "cited on p. 2" in page


def test_the_page_runs_nothing_that_is_printed_in_the_paper(paper):
    page = html(paper, HERE).decode()
    assert "On &lt;Lights&gt;" in page
    assert "<Lights>" not in page


class Balance(HTMLParser):
    """Counts what is opened and not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_sample_becomes_a_whole_page(sample_papers):
    file = sample_papers / "paper-rank.pdf"
    balance = Balance()
    balance.feed(html(read(file), file).decode())
    assert balance.open == []
    assert all(FORMATS[name].write(read(file), file) for name in ("text", "bibtex", "html"))
