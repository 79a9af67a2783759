"""HTML: main text with roles, metadata, and what is left out."""

from __future__ import annotations

import pytest

from openseer.core.errors import Corrupt
from openseer.extract.html import html_reader
from openseer.extract.html.html_reader import read, structure_of
from openseer.extract.reader import read as extract
from openseer.extract.structured.document import Role

PROSE = "The tides of the sea rise and fall twice a day, as every harbour knows. "
PAGE = f"""<!DOCTYPE html><html><head><title>On tides | Sea Letters</title>
<meta name="citation_title" content="On the tides of the sea"><meta name="citation_author" content="King, Ada">
<meta name="citation_author_institution" content="University of the Sea"><meta name="citation_author" content="Bo Berg">
<meta name="citation_publication_date" content="1999/05/01"><meta name="citation_doi" content="10.5555/sea.7">
<meta name="citation_journal_title" content="Sea Letters"><meta name="citation_volume" content="7">
<meta name="citation_keywords" content="tides; moon"></head><body>
<nav><ul><li>Home</li><li>Shop now</li></ul></nav><div class="cookie-banner">We use cookies</div>
<article><h1>On the tides of the sea</h1><div class="abstract"><h2>Abstract</h2><p>We measure <i>tides</i>.</p></div>
<h2>1 Introduction</h2><p>{PROSE * 20} As shown before [1], the moon matters.
Heights differ [2]. Others measured this too [3].<br>A new line.</p>
<ul><li>first item</li><li>second item</li></ul>
<table><caption>Table 1: Heights</caption><tr><th>Port</th><th>Height</th></tr>
<tr><td>Kiel</td><td>0.3</td></tr></table>
<p hidden>hidden words</p><script>var evil = "script words";</script><pre>x = 1
  y = 2</pre>
<h2>References</h2><ol><li>Newton, I. (1687). The sea and the moon. Journal of Tides 1, 1-9.</li>
<li>Darwin, G. (1898). The tides and kindred phenomena. Murray, London.</li>
<li>Doodson, A. (1921). The harmonic development of the tide. Proceedings A 100, 305-329.</li></ol></article>
<footer>Imprint of the publisher</footer></body></html>"""


@pytest.fixture(scope="module")
def page():
    return structure_of(PAGE)


def texts(page, role):
    return [block.text for block in page.blocks if block.role is role]


def test_metadata_of_the_page_is_stated(page):
    stated = page.stated
    assert (stated.title, stated.year, stated.doi) == ("On the tides of the sea", 1999, "10.5555/sea.7")
    assert (stated.venue, stated.volume, stated.keywords) == ("Sea Letters", "7", ("tides", "moon"))
    assert [(one.given, one.family, one.affiliation) for one in stated.authors] == [
        ("Ada", "King", "University of the Sea"), ("Bo", "Berg", ""),
    ]  # fmt: skip
    assert stated.abstract == "We measure tides."


def test_the_main_text_has_roles(page):
    assert texts(page, Role.TITLE) == ["On the tides of the sea"]
    assert texts(page, Role.HEADING) == ["Abstract", "1 Introduction", "References"]
    assert texts(page, Role.ITEM)[:2] == ["first item", "second item"]
    assert texts(page, Role.CAPTION) == ["Table 1: Heights"]
    assert [block.rows for block in page.blocks if block.rows] == [(("Port", "Height"), ("Kiel", "0.3"))]
    assert texts(page, Role.LINES) == ["x = 1\n  y = 2"]


def test_navigation_and_hidden_parts_are_left_out(page):
    whole = " ".join(block.text for block in page.blocks)
    for word in ("Shop", "cookies", "hidden", "script", "Imprint"):
        assert word not in whole


def test_a_page_becomes_an_extraction(tmp_path):
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    found = extract(tmp_path / "page.html", 50, reader=html_reader)
    assert (found.title, found.abstract, found.year) == ("On the tides of the sea", "We measure tides.", 1999)
    assert [(one.title, one.year) for one in found.references] == [
        ("The sea and the moon", 1687), ("The tides and kindred phenomena", 1898),
        ("The harmonic development of the tide", 1921),
    ]  # fmt: skip
    assert any("moon matters" in context.text for context in found.references[0].contexts)
    assert "1 Introduction" in [section.heading for section in found.sections]


@pytest.mark.parametrize(
    ("head", "bytes_of"),
    [
        ('<meta charset="iso-8859-1">', lambda text: text.encode("cp1252")),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
            lambda text: text.encode("utf-8"),
        ),
        ("", lambda text: text.encode("utf-16")),
        ("", lambda text: text.encode("utf-8-sig")),
    ],
)
def test_letters_survive_whatever_the_encoding(tmp_path, head, bytes_of):
    text = (
        f"<!DOCTYPE html><html><head>{head}<title>Über Gezeiten</title></head><body><p>Größe der Flut</p></body></html>"
    )
    (tmp_path / "a.html").write_bytes(bytes_of(text))
    found = read(tmp_path / "a.html")
    assert (found.stated.title, found.blocks[-1].text) == ("Über Gezeiten", "Größe der Flut")


def test_json_ld_and_dublin_core_state_what_highwire_does_not():
    page = structure_of(
        '<html><head><meta name="DC.creator" content="King, Ada"><meta name="DCTERMS.issued" content="2001-02">'
        '<script type="application/ld+json">{"@type": "ScholarlyArticle", "headline": "On light", "abstract": "Short.",'
        ' "isPartOf": {"name": "Light Letters"}, "identifier": {"value": "10.5555/light"}}</script></head>'
        "<body><p>Text.</p></body></html>"
    )
    stated = page.stated
    assert (stated.title, stated.year, stated.venue, stated.doi) == ("On light", 2001, "Light Letters", "10.5555/light")
    assert stated.authors[0].family == "King"
    assert stated.abstract == "Short."


@pytest.mark.parametrize(
    "text", ["", "   ", "<html></html>", "<!-- -->", "<html><body><script>x</script></body></html>"]
)
def test_a_page_without_text_is_corrupt(tmp_path, text):
    (tmp_path / "a.html").write_text(text)
    with pytest.raises(Corrupt):
        read(tmp_path / "a.html")


def test_deep_nesting_and_many_elements_end(tmp_path):
    (tmp_path / "deep.html").write_text("<html><body>" + "<div>" * 100_000 + "text" + "</div>" * 100_000)
    (tmp_path / "wide.html").write_text("<html><body>" + "<p>word</p>" * 100_000)
    for name in ("deep", "wide"):
        try:
            assert read(tmp_path / f"{name}.html").blocks
        except Corrupt:
            assert name == "deep"
