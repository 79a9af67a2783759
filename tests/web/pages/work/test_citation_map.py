"""Charts, citation map, citation styles, metadata."""

from __future__ import annotations

import re

import pytest

from openseer.core.model.work import IndexedWork
from openseer.web.pages.browse.author import h_index
from openseer.web.pages.charts import columns_of, growth_line, year_chart
from openseer.web.pages.search.search_url import SearchParameters, SearchUrl
from openseer.web.pages.work.citation_map import citation_map
from openseer.web.pages.work.citation_styles import apa, chicago, mla
from openseer.web.pages.work.metadata import coins, highwire_tags, signposting_links
from openseer.web.templating import plural


def work(name="w1", title="On Resemblance", **fields):
    return IndexedWork(name, (name,), title, **{"year": 1997, "authors": ("Andrei Z. Broder",), **fields})


ARTICLE = work(venue="Sequences", volume="4", pages="21-29", doi="10.5555/x")


def test_columns_have_no_gaps_and_are_joined_when_there_are_too_many():
    assert [(one.first, one.total) for one in columns_of({1999: 2, 2001: 1})] == [(1999, 2), (2000, 0), (2001, 1)]
    wide = columns_of({1658: 1, 2020: 3})
    assert len(wide) <= 60
    assert sum(one.total for one in wide) == 4


def test_a_chart_of_nothing_is_none():
    assert year_chart({}, "works") is None
    assert growth_line([3], "x") == ""


def test_self_citations_have_their_own_bars():
    chart = year_chart({2000: 4}, "citing works", {2000: 1})
    assert chart is not None
    heights = dict(re.findall(r'class="(bar|bar own)"[^>]* height="([\d.]+)"', chart.drawing))
    assert float(heights["bar"]) == pytest.approx(3 * float(heights["bar own"]))


def test_labels_are_escaped():
    spots = [work(f"w{n}", "<b>&", year=1990 + n, authors=("A <i>",)) for n in range(4)]
    drawn = citation_map(work(title='"<script>'), spots, [], set())
    assert drawn is not None
    assert "<script>" not in drawn.drawing
    assert "<i>" not in drawn.drawing
    chart = year_chart({2000: 1}, "works", link=lambda one: '/"><script>')
    assert chart is not None
    assert "<script>" not in chart.drawing


def test_references_of_the_same_authors_stand_out_on_the_map():
    cited, citing = [work(f"w{n}", year=1990) for n in (2, 3)], [work(f"w{n}", year=2000) for n in (4, 5)]
    drawn = citation_map(work(), cited, citing, {"w2", "w5"})
    assert drawn is not None
    assert drawn.kinds == {"ref", "cit", "self"}
    assert drawn.drawing.count('circle class="self"') == 2
    plain = citation_map(work(), [], [*citing, work("w6")], set())
    assert plain is not None
    assert plain.kinds == {"cit"}


@pytest.mark.parametrize(
    "years", [(2022, 2023), (2021, 2022, 2023), range(2017, 2024), range(2016, 2024), range(1990, 2024)]
)
def test_year_labels_of_a_chart_do_not_touch(years):
    chart = year_chart(dict.fromkeys(years, 1), "works")
    assert chart is not None
    ends = 0.0
    for x, side, label in re.findall(r'<text x="([\d.]+)"[^>]* text-anchor="(\w+)">(\d+)<', chart.drawing):
        wide = 6.4 * len(label)
        left = float(x) - {"start": 0, "middle": wide / 2, "end": wide}[side]
        assert left >= ends
        ends = left + wide + 8


def test_a_map_needs_neighbours_and_years():
    assert citation_map(work(), [work("w2")], [], set()) is None
    assert citation_map(work(year=None), [work(f"w{n}") for n in range(5)], [], set()) is None


@pytest.mark.parametrize(
    ("style", "shown"),
    [
        (apa, "Broder, A. Z. (1997). On Resemblance. <i>Sequences</i>, <i>4</i>, 21–29. https://doi.org/10.5555/x"),
        (mla, "Broder, Andrei Z. “On Resemblance.” <i>Sequences</i>, vol. 4, 1997, pp. 21–29, https://doi.org/10.5555/x."),
        (chicago, "Broder, Andrei Z. 1997. “On Resemblance.” <i>Sequences</i> 4: 21–29. https://doi.org/10.5555/x"),
    ],
)  # fmt: skip
def test_three_styles(style, shown):
    assert style(ARTICLE) == shown


def test_one_page_is_one_and_arxiv_is_named():
    assert "2002, p. 32." in mla(work(venue="Sequences", pages="32", year=2002))
    assert "arXiv:1701.00001" in mla(work(arxiv="1701.00001"))
    assert all("arXiv:1701.00001" in style(work(arxiv="1701.00001")) for style in (apa, chicago))


@pytest.mark.parametrize("style", [apa, mla, chicago])
def test_styles_tolerate_missing_fields_and_escape_the_rest(style):
    bare = style(IndexedWork("w1", ("w1",)))
    assert "(no title)" in bare
    assert "<b>" not in style(work(title="<b>", authors=("<b> X",), venue="<b>"))


def test_each_style_shortens_long_author_lists():
    people = tuple(f"Ada B{letter}" for letter in "abcdefghijklmnopqrstuvw")
    many = work(authors=people)
    assert "... Bw, A." in apa(many)
    assert "Ba, Ada, et al." in mla(many)
    assert "et al." in chicago(many)
    assert apa(work(authors=("Ada Ba", "Jean-Luc Bb"))).startswith("Ba, A., &amp; Bb, J.-L. (1997)")


@pytest.mark.parametrize(
    ("fields", "tag"),
    [
        ({"venue": "Journal of Tests"}, "citation_journal_title"),
        ({"venue": "Proceedings of Tests"}, "citation_conference_title"),
        ({"venue": "University of Tests", "type": "thesis"}, "citation_dissertation_institution"),
        ({"venue": "Technical Report 7, Lab of Tests"}, "citation_technical_report_institution"),
        ({"venue": "Handbook of Tests", "type": "chapter"}, "citation_book_title"),
    ],
)
def test_the_item_type_is_in_one_tag(fields, tag):
    told = {name for name, value in highwire_tags(work(**fields), (), "", "http://x") if value}
    kinds = {"citation_journal_title", "citation_conference_title", "citation_dissertation_institution",
             "citation_technical_report_institution", "citation_book_title"}  # fmt: skip
    assert told & kinds == {tag}


def test_an_open_url_has_a_genre():
    assert "rft.genre=article" in coins(ARTICLE, "http://x")
    assert "rft_id=info%3Adoi%2F10.5555" in coins(ARTICLE, "http://x")
    report = coins(work(venue="Technical Report 7"), "http://x")
    assert "rft.genre=report" in report
    assert "rft.genre=article" not in report


def test_signposting_links_name_the_persistent_id():
    assert next(signposting_links(ARTICLE, "http://x")) == '<https://doi.org/10.5555/x>; rel="cite-as"'
    assert next(signposting_links(work(), "http://x")) == '<http://x/works/w1>; rel="cite-as"'


def test_a_result_url_survives_parsing_and_writing():
    parameters = SearchParameters.model_validate(
        {
            "q": "a b",
            "filter": ["author:x y", "-type:thesis", "nonsense"],
            "low": "1999",
            "sort": "cite",
            "more": "venue",
        }
    )
    url = SearchUrl.of(parameters, 10)
    assert url.link() == "/search?q=a+b&low=1999&more=venue&sort=citations&filter=author%3Ax+y&filter=-type%3Athesis"
    assert url.link(page=3).endswith("&page=3")
    assert url.feed_url("atom") == "/feeds/search.atom?q=a+b&low=1999&filter=author%3Ax+y&filter=-type%3Athesis"
    assert [one.excluded for one in url.active_filters({})] == [False, False, True]


def test_small_words():
    assert plural(1, "work") == "1 work"
    assert h_index([10, 8, 5, 4, 3]) == 4
