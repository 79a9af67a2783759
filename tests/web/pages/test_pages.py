"""Every page: status, strict HTML, no foreign resources, contents."""

from __future__ import annotations

import re
import shutil

import html5lib
import pytest
from fastapi.testclient import TestClient

from openseer.core.settings import Settings
from openseer.evaluation.samples import gold
from openseer.storage.open import open_library
from openseer.web.app import create_app
from openseer.web.pages.work import work_page

TITLE = gold("paper-rank")["title"]
PAGES = [
    "/", "/search", "/search?q=citation", "/search?q=zzzqqq", "/search?q=citaton+indexs",
    "/search?q=a&low=1990&high=2005",
    "/search?filter=author:chen+w&filter=-type:thesis&more=venue&full=true&sort=citations", "/works/{work}",
    "/works/{work}?similar=cocitation&refs=all&order=newest", "/works/{work}?similar=nonsense&order=nonsense",
    "/works/{cited}", "/cite/{work}", "/cart", "/author/Wei Chen", "/author/Wei Chen?sort=newest&page=99",
    "/venue/Science", "/browse", "/browse/venues", "/browse/venues?q=zzz", "/browse/topics?q=web", "/browse/authors",
    "/browse/authors?letter=g", "/browse/authors?letter=%3F", "/browse/authors?q=chen", "/browse/authors?q=zzz",
    "/stats", "/stats?y=1999", "/advanced", "/contexts", "/contexts?q=citation", "/contexts?q=zzzz",
    "/contexts?cited={work}", "/help", "/about", "/read/{sha1}", "/read/{sha1}?view=text", "/read/{sha1}?page=2",
    "/proof/{sha1}", "/api", "/works/{versioned}/versions",
]  # fmt: skip


@pytest.fixture(scope="module")
def web(sample_data):
    with open_library(sample_data) as library, TestClient(create_app(library)) as client:
        yield client


@pytest.fixture(scope="module")
def names(web):
    """What stands in braces in the addresses above: a paper, its file, and a work known by its citations only."""
    paper = web.get("/api/search", params={"q": TITLE}).json()["response"][0]
    hits = web.get("/api/search", params={"sort": "citations", "pageSize": 100}).json()["response"]
    cited = next(hit["cluster_id"] for hit in hits if hit["is_citation"])
    versioned = web.get(f"/api/search?q={gold('near-duplicates')['title']}").json()["response"][0]["cluster_id"]
    return {"work": paper["cluster_id"], "sha1": paper["id"], "cited": cited, "versioned": versioned}


def page(web, address, status=200):
    answer = web.get(address, headers={"accept": "text/html"}, follow_redirects=False)
    assert answer.status_code == status, answer.text[:300]
    return answer.text


@pytest.mark.parametrize("address", PAGES)
def test_every_page_parses_strictly_and_loads_nothing_from_elsewhere(web, names, address):
    html = page(web, address.format(**names))
    html5lib.HTMLParser(strict=True).parse(html)
    assert not re.findall(r"<script(?![^>]* src=)(?! type=\"application/ld)|<style| style=| on\w+=", html)
    assert not re.findall(r'<(?:script|link|img|iframe)[^>]* (?:src|href)="(?:https?:)?//(?!localhost)', html)
    assert html.count("<h1") == 1
    assert '<html lang="en">' in html
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids)), "ids are there once"


@pytest.mark.parametrize("address", ["/nowhere", "/works/w000000000000", "/author/Zz Zzz", "/venue/Zzz"])
def test_a_missing_page_has_help(web, address):
    html = page(web, address, 404)
    html5lib.HTMLParser(strict=True).parse(html)
    assert "/browse" in html


def test_facets_are_links_that_choose_add_and_exclude(web):
    html = page(web, "/search?q=citation")
    assert "filter=author%3Achen+w" in html
    assert "filter=-author%3Achen+w" in html
    chosen = page(web, "/search?q=citation&filter=author:chen+w")
    assert 'aria-current="true">Wei Chen</a>' in chosen
    assert "Remove: </span>author: Wei Chen" in chosen
    without = page(web, "/search?q=citation&filter=-author:chen+w")
    assert "Wei Chen</a></span>" not in without.split('<aside class="facets"')[0]


def test_years_are_a_chart_with_a_table_and_fields(web):
    html = page(web, "/search?q=citation")
    assert "<svg" in html
    assert "<summary>Table</summary>" in html
    assert 'name="low"' in html
    assert 'class="bar out"' in page(web, "/search?q=citation&low=2010"), "what is outside the years is pale"


def test_a_misspelt_query_is_corrected_with_a_note(web):
    assert "Showing results for" in page(web, "/search?q=citaton+indexng")


def test_no_results_come_with_suggestions(web):
    html = page(web, "/search?q=citation+zzzqqq+year:1700")
    assert "No results for all of these terms" in html
    assert "Use fewer words" in html


def test_old_orders_places_and_tabs_of_the_search_page(web):
    assert 'aria-current="true">most cited' in page(web, "/search?q=citation&sort=cite")
    assert "Page 2 of" in page(web, "/search?q=citation&start=10")
    assert "t=auth" not in web.get("/search?q=chen&t=auth", follow_redirects=False).headers["location"]
    assert web.get("/search?q=x&feed=rss", follow_redirects=False).headers["location"] == "/feeds/search.rss?q=x"


def test_feeds_hold_the_newest_works(web):
    atom = web.get("/feeds/search.atom?q=citation")
    assert atom.headers["content-type"].startswith("application/atom+xml")
    assert atom.text.count("<entry>") > 5
    assert web.get("/feeds/search.rss?q=citation").text.count("<item>") > 5


def test_zotero_finds_results_and_records(web, names):
    results = html5lib.parse(page(web, "/search?q=citation"), namespaceHTMLElements=False)
    titles = [one for div in results.iter("div") if div.get("class") == "result" for one in div.findall("h3/a")]
    assert len(titles) == 10
    assert len([one for one in results.iter("span") if one.get("class") == "Z3988"]) == 10
    record = page(web, f"/works/{names['work']}")
    assert re.search(r'<div id="bibtex"><p[^>]*>@inproceedings\{', record)
    assert re.search(r'id="downloads"><a [^>]*title="View or Download this document as PDF"', record)


def test_a_work_describes_itself_to_machines(web, names):
    answer = web.get(f"/works/{names['work']}", headers={"accept": "text/html"})
    metas = re.findall(r'<meta name="(citation_\w+|DC\.\w+)" content="([^"]*)">', answer.text)
    told = dict(metas)
    assert told["citation_title"] == TITLE
    assert next(value for name, value in metas if name == "citation_author") == "Diallo, Amara"
    assert told["citation_conference_title"]
    assert "citation_journal_title" not in told, "Zotero would take it for an article"
    assert told["citation_pdf_url"] == f"http://localhost/document/{names['sha1']}.pdf"
    assert '"@type":"ScholarlyArticle"' in answer.text
    link = answer.headers["link"]
    assert 'rel="cite-as"' in link
    assert 'rel="describedby"; type="application/x-bibtex"' in link
    assert 'rel="item"; type="application/pdf"' in link
    assert 'rel="collection"' in web.get(f"/document/{names['sha1']}.pdf").headers["link"]


def test_programs_may_ask_for_a_work_in_their_format(web, names):
    answer = web.get(f"/works/{names['work']}", headers={"accept": "application/x-bibtex"})
    assert answer.text.startswith("@inproceedings{")


def test_evidence_links_to_the_page_of_a_field(web, names):
    html = page(web, f"/proof/{names['sha1']}")
    assert TITLE in html
    assert f'href="/read/{names["sha1"]}?page=1"' in html
    assert 'class="box title"' in html
    assert 'href="/proof/' in page(web, f"/works/{names['work']}")


def test_a_work_shows_citing_sentences_charts_similar_works_and_votes(web, names):
    html = page(web, f"/works/{names['work']}")
    for part in (
        "<blockquote",
        "Key sentences",
        "<summary>Table</summary>",
        'class="reason"',
        'class="chart map"',
        "Candidate values",
    ):
        assert part in html
    assert "<h2>Citing sentences</h2>" in page(web, f"/works/{names['cited']}")


def test_long_lists_of_references_come_in_part_with_a_way_to_all(web, names, monkeypatch):
    monkeypatch.setattr(work_page, "REFERENCES_SHOWN", 5)
    known = web.get("/api/paper", params={"id": names["work"]}).json()["n_references"]
    assert known > 5
    assert page(web, f"/works/{names['work']}").count('<li id="ref-') == 5
    assert f"All {known} references" in page(web, f"/works/{names['work']}")
    assert page(web, f"/works/{names['work']}?refs=all").count('<li id="ref-') == known


def test_works_are_exported_by_their_ids(web, names):
    answer = web.get(f"/export?ids={names['work']},{names['cited']},w000000000000&format=ris")
    assert answer.text.count("TY  - ") == 2
    assert answer.headers["content-disposition"].startswith("attachment")
    assert web.get("/export").status_code == 400


def test_an_author_page_states_its_limits(web):
    html = page(web, "/author/Wei Chen")
    assert "h-index in this library" in html
    assert "with the same name are not separated" in html
    assert "Co-authors" in html
    moved = web.get("/author/Giles", follow_redirects=False)
    assert moved.headers["location"].endswith("/browse/authors?q=Giles")


@pytest.mark.parametrize(
    ("form", "query"),
    [
        ("titleQuery=focused+crawl&authorQuery=%22de+Smet%22", "title%3Afocused+title%3Acrawl+author%3A%22de+Smet%22"),
        ("textQuery=web&minCitations=5&fromYear=1999&toYear=2004", "web+cited%3A%3E%3D5&low=1999&high=2004"),
        ("textQuery=web&year=1999&sortCriteria=cite", "web&low=1999&high=1999&sort=citations"),
    ],
)  # fmt: skip
def test_the_advanced_form_has_the_old_names(web, form, query):
    for address in ("/advanced", "/advanced_search"):
        answer = web.get(f"{address}?{form}")
        assert str(answer.url) == f"http://localhost/search?q={query}"


def test_the_reader_shows_the_file_at_a_page_or_its_text(web, names):
    assert f'src="/document/{names["sha1"]}.pdf#page=2"' in page(web, f"/read/{names['sha1']}?page=2")
    text = page(web, f"/read/{names['sha1']}?view=text")
    assert re.search(r'<a class="mark" href="#ref-\d+">', text)
    policy = web.get(f"/document/{names['sha1']}.pdf").headers["content-security-policy"]
    assert policy == "frame-ancestors 'self'", "the browser's own viewer must work"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/viewdoc/summary?doi={sha1}", "/works/{work}"),
        ("/viewdoc/summary?cid={work}", "/works/{work}"),
        ("/viewdoc/citations?doi={sha1}", "/works/{work}#references"),
        ("/viewdoc/similar?doi={sha1}&type=cc", "/works/{work}?similar=cocitation#similar"),
        ("/viewdoc/versions?doi={sha1}&version=0", "/works/{work}#versions"),
        ("/viewdoc/download?doi={sha1}&rep=rep1&type=pdf", "/document/{sha1}.pdf"),
        ("/showciting?cid={work}", "/works/{work}#cited-by"),
        ("/show_citing/{work}", "/works/{work}#cited-by"),
        ("/doc_view/pid/{sha1}", "/works/{work}"),
        ("/doc_view/cid/{work}", "/works/{work}"),
        ("/pdf/{sha1}", "/read/{sha1}"),
        ("/viewauth/summary?aid=12", "/browse/authors"),
        ("/search_result?query=crawl", "/search?q=crawl"),
        ("/stats/articles?y=1999", "/stats?y=1999"),
        ("/new", "/search?sort=added&full=true"),
        ("/metacart", "/cart"),
        ("/showciting?doi={sha1}&feed=rss", "/feeds/search.rss?q=citations%28id%3A{work}%29"),
        ("/document?doi={sha1}&type=pdf", "/document/{sha1}.pdf"),
        ("/document?doi={sha1}&type=txt", "/api/document?doi={sha1}&type=txt"),
        ("/privacy", "/help#privacy"),
        ("/healthcheck", "/healthz"),
        ("/help/search", "/help"),
        ("/about/site", "/about"),
    ],
)
def test_old_urls_redirect(web, names, old, new):
    answer = web.get(old.format(**names), follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (301, new.format(**names))
    assert answer.headers["cache-control"] == "public, max-age=86400", "a merge of works can be undone"
    assert web.get(answer.headers["location"]).status_code == 200


def test_old_ids_of_citeseerx_are_explained(web):
    assert "id of another library" in page(web, "/viewdoc/summary?doi=10.1.1.12.3456", 404)
    assert "id of another library" in page(web, "/legacymapper?did=123456", 404)
    assert page(web, "/viewdoc/summary", 400)
    assert page(web, "/document?doi=10.1.1.12.3456", 400)


def test_machine_endpoints(web, names):
    assert "application/x-suggestions+json" in web.get("/opensearch.xml").text
    assert web.get("/suggestions?q=cita").json()[1]
    assert "Sitemap: http://localhost/sitemap.xml" in web.get("/robots.txt").text
    part = re.search(r"<loc>(.*?)</loc>", web.get("/sitemap.xml").text)
    assert part is not None
    assert f"/works/{names['work']}</loc>" in web.get(part[1]).text
    assert web.get("/sitemap/9.xml").status_code == 404
    assert web.get("/unapi").status_code == 200
    assert web.get(f"/unapi?id={names['work']}").status_code == 300
    assert web.get(f"/unapi?id={names['work']}&format=ris").text.startswith("TY  - ")
    assert web.get(f"/unapi?id={names['work']}&format=marc").status_code == 400


def test_pages_are_compressed_and_have_etags(web, names):
    address = f"/works/{names['work']}"
    answer = web.get(address, headers={"accept": "text/html", "accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < 60_000
    assert answer.headers["cache-control"] == "no-cache"
    again = web.get(address, headers={"accept": "text/html", "if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "set-cookie" not in answer.headers


def test_static_files_are_cached_for_ever_by_hash(web):
    html = page(web, "/")
    addresses = re.findall(r'="(/static/[\w.]+\?v=\w+)"', html)
    assert len(addresses) >= 5
    for address in addresses:
        answer = web.get(address)
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers.get("content-encoding") in ("br", "gzip") or len(answer.content) < 600


def test_static_files_plain_and_conditional(web):
    plain = web.get("/static/openseer.css", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == web.get("/static/openseer.css").text
    assert web.get("/static/openseer.css", headers={"if-none-match": plain.headers["etag"]}).status_code == 304
    assert web.get("/static/nothing.css").status_code == 404
    assert web.get("/static/../app.py").status_code == 404
    assert web.post("/static/openseer.css").status_code == 405


def test_home_shows_what_the_newest_papers_cite(web):
    html = page(web, "/")
    column = html.split("Recently most cited")[1].split("</section>")[0]
    told = re.findall(r">(\d+) recent citations, (\d+) in total<", column)
    assert told, "some work is cited by two of the newest papers"
    assert all(1 < int(late) <= int(times) for late, times in told)
    assert told == sorted(told, key=lambda one: -int(one[0]))
    assert "Counted over the 30 newest papers" in column


def test_the_parts_of_a_long_text_are_the_whole_text(web, names, monkeypatch):
    def paragraphs(html):
        return re.findall(
            r"<p>(?:<a class=\"sheet-no\".*?</a>)?(.*?)</p>", html.split("<article")[1].split("</article>")[0]
        )

    whole = page(web, f"/read/{names['sha1']}?view=text")
    monkeypatch.setattr("openseer.web.pages.reader.reading_view.PART_CHARACTERS", 900)
    first = page(web, f"/read/{names['sha1']}?view=text")
    count = int(re.findall(r"Part 1 of (\d+)", first)[0])
    assert count > 2
    parts = [page(web, f"/read/{names['sha1']}?view=text&part={number}") for number in range(1, count + 1)]
    assert [text for part in parts for text in paragraphs(part)] == paragraphs(whole)
    assert page(web, f"/read/{names['sha1']}?view=text&part=999") == page(
        web, f"/read/{names['sha1']}?view=text&part={count}"
    )


@pytest.mark.parametrize("address", ["/search?q=citation", "/contexts?q=citation", "/search?q=zzzqqq"])
def test_a_page_past_the_end_is_the_last(web, address):
    html = page(web, f"{address}&page=99")
    if pages := re.search(r"Page (\d+) of (\d+)", page(web, address)):
        assert f"Page {pages[2]} of {pages[2]}" in html
        assert 'class="result' in html
    assert "page 99" not in html


def test_years_the_wrong_way_round_are_turned(web):
    turned, right = page(web, "/search?low=2010&high=1990"), page(web, "/search?low=1990&high=2010")
    assert re.findall(r"<h1>(.*?)</h1>", turned) == re.findall(r"<h1>(.*?)</h1>", right) != ["0 results"]


def test_statistics_of_a_year_are_of_that_year(web):
    html = page(web, "/stats?y=1999")
    told = dict(re.findall(r"<dt>([^<]+)</dt><dd>([\d,]+)</dd>", html))
    assert list(told) == ["Works from 1999", "With full text"]
    assert f"of {told['Works from 1999']} work" in html
    assert "Files by outcome" not in html
    assert 'class="bar out"' in html, "other years are pale"


def test_a_year_without_works_says_so(web):
    html = page(web, "/stats?y=3000")
    assert "No works from 3000." in html
    assert "0 of 0" not in html
    assert "Most cited works" not in html


def test_excluded_values_have_their_printed_names(web):
    assert "author: Wei Chen" in page(web, "/search?q=citation&filter=-author:chen+w")
    assert "author: Wei Chen" in page(web, "/search?q=crawl+zzz&filter=author:chen+w")
    venue = re.search(r"filter=-(venue%3A[^&\"]+)", page(web, "/search?q=citation"))
    assert venue is not None
    chip = re.search(r'class="out">venue: ([^<]+)<', page(web, f"/search?q=citation&filter=-{venue[1]}"))
    assert chip is not None
    assert chip[1] != chip[1].lower()


def test_the_facet_of_full_texts_has_no_redundant_values(web):
    facets = page(web, "/search?q=citation").split('<aside class="facets"')[1]
    assert "only works with a PDF" not in facets
    assert facets.count(">full text<") == 1
    assert facets.count(">PDF<") == 1, "a format"
    assert ">arxiv<" not in facets


def test_the_sentence_search_has_example_queries(web):
    html = page(web, "/contexts")
    examples = re.findall(r'<li><a href="(/contexts\?q=[^"]+)">', html)
    assert len(examples) == 3
    for one in examples:
        assert "<blockquote" in page(web, one)


def test_brief_lists_say_how_many_authors_they_leave_out(web, names):
    assert re.search(r"</span> and \d+ more", page(web, "/"))
    said = page(web, f"/works/{names['cited']}").split("<h2>Citing sentences</h2>")[1].split("</section>")[0]
    assert re.search(r'<small lang="en"><a href="/works/w[^"]+">[^<]+ and others', said)


def test_the_key_of_a_map_lists_the_kinds_on_it(web, names):
    def key(work):
        map_ = page(web, f"/works/{work}").partition('id="map"')[2].partition("</section>")[0]
        return map_, set(re.findall(r'<circle class="(\w+)"', map_))

    for work in (names["work"], names["versioned"], names["cited"]):
        html, kinds = key(work)
        if html:
            assert ('class="own">self-citation' in html) == ("self" in kinds)
            assert ('class="cites">cited<' in html) == ("ref" in kinds)
            assert ('href="#references"' in html) == ('id="references"' in page(web, f"/works/{work}"))


def test_every_count_of_files_leads_to_a_list_with_reasons(web):
    links = re.findall(r'href="(/documents\?outcome=(\w+))">[^<]+</a></td><td class="n">(\d+)', web.get("/stats").text)
    assert len(links) > 1
    assert 'filter=format%3Apdf">PDF</a>' in web.get("/stats").text
    for link, outcome, count in links:
        html = web.get(link).text
        assert f'<p class="muted">{count} document' in html
        if outcome != "ingested":
            assert html.count('class="snippet"') == int(count), outcome
    assert "file names are not shown" in html.lower(), "unless the operator allows it"
    assert web.get("/documents?outcome=nonsense").status_code == 200


def test_file_names_are_listed_where_the_operator_allows_it(data):
    settings = Settings.load(data / "openseer.toml", {"OPENSEER_WEB__LIST_FILES": "true"})
    with open_library(data, settings=settings) as library, TestClient(create_app(library)) as client:
        html = client.get("/documents?outcome=ingested").text
    assert ".pdf</a></h2>" in html
    assert "/papers/" not in html, "no folders"


def test_the_bibtex_link_states_its_limit(web):
    assert re.search(r'title="The first 100 results in this order">Export first 100 \(BibTeX\)<', page(web, "/search"))
    assert ">BibTeX</a>" in page(web, "/search?q=author:chen")


def test_many_works_are_exported_by_a_form_and_too_many_are_an_error(web, names):
    many = ",".join([names["work"], *(f"w{number:012d}" for number in range(600))])
    assert web.post("/export", data={"ids": many, "format": "ris"}).text.count("TY  - ") == 1
    told = web.get(f"/export?ids={many}&format=ris")
    assert (told.status_code, told.json()["code"]) == (400, "bad_request")
    assert 'action="/export" method="post"' in page(web, "/cart")


def test_a_missing_index_and_an_empty_library_have_their_own_messages(data, tmp_path):
    shutil.rmtree(data / "index")
    with open_library(data) as library, TestClient(create_app(library)) as client:
        assert "The index is being built" in page(client, "/")
        assert "The index is being built" in page(client, "/search?q=citation")
    with open_library(tmp_path / "new", create=True) as library, TestClient(create_app(library)) as client:
        assert "The library is empty" in page(client, "/")
        assert "being built" not in page(client, "/search?q=citation")
