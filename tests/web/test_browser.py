"""The site in a real browser: mouse, keyboard, without scripts, phone, dark theme."""

from __future__ import annotations

import re

import pytest

from openseer.evaluation.samples import gold
from tests.acquire.made_archives import packed
from tests.browser import CHROMIUM, FLAGS, served

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
if not CHROMIUM:
    pytest.skip("no Chromium: apt-get install chromium", allow_module_level=True)

TITLE = gold("paper-rank")["title"]
WAIT = 10_000
PAGES = ("/", "/search?q=citation&size=3", "{work}", "{cite}", "/author/Wei%20Chen", "/venue/Science",
         "/browse", "/browse/authors?letter=g", "/stats?y=1999", "/contexts?q=indexes", "/advanced", "/help", "/about",
         "/api", "/cart", "{text}", "{proof}", "/nowhere")  # fmt: skip


@pytest.fixture(scope="module")
def site(sample_data):
    with served(sample_data) as address:
        yield address


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, site):
    """Opens a page in a window of its own; whatever goes wrong in it fails the test."""
    windows, problems = [], []

    def open_page(path="/", **options):
        window = chromium.new_context(base_url=site, **({"viewport": {"width": 1280, "height": 800}} | options))
        windows.append(window)
        window.set_default_timeout(WAIT)
        page = window.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda told: problems.append(told.text) if told.type == "error" else None)
        page.on(
            "request",
            lambda asked: (
                problems.append(asked.url) if not asked.url.startswith((site, "data:", "blob:", "chrome")) else None
            ),
        )
        page.goto(path)
        return page

    yield open_page
    for window in windows:
        window.close()
    assert [one for one in problems if "404" not in one] == [], "nothing fails and nothing is asked of other hosts"


@pytest.fixture(scope="module")
def places(chromium, site):
    """The addresses that stand in braces above."""
    page = chromium.new_page()
    body = page.request.get(f"{site}/api/search", params={"q": TITLE}).json()["response"][0]
    page.close()
    work, sha1 = body["cluster_id"], body["id"]
    return {
        "work": f"/works/{work}",
        "cite": f"/cite/{work}",
        "text": f"/read/{sha1}?view=text",
        "proof": f"/proof/{sha1}",
        "read": f"/read/{sha1}",
    }


def test_from_a_first_visit_to_a_citation_and_on(visit):
    page = visit("/", permissions=["clipboard-read", "clipboard-write"])
    page.fill("#q", "citation")
    page.wait_for_selector(".suggestions li")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=citation")
    page.get_by_role("link", name="Wei Chen", exact=True).first.wait_for()
    page.locator(".facets li", has_text="Wei Chen").locator("a").first.click()
    page.wait_for_selector(".chips >> text=author: Wei Chen")
    page.get_by_role("link", name="most cited").click()
    page.wait_for_url("**sort=citations**")
    page.get_by_role("link", name=TITLE).click()
    page.wait_for_selector("h1 >> text=Random Readers")
    page.locator(".actions a[data-cite]").click()
    page.locator("dialog [data-copy=cite-bibtex]").click()
    page.wait_for_selector("dialog >> text=Copied")
    assert page.evaluate("navigator.clipboard.readText()").startswith("@inproceedings{Diallo10")
    page.keyboard.press("Escape")
    page.locator("#references .here a.title").first.click()
    page.wait_for_selector("#cited-by")
    page.go_back()
    page.get_by_role("link", name="Cited together").click()
    page.wait_for_selector("#similar .reason >> text=cited together")
    page.locator(".work-head .byline a", has_text="Wei Chen").click()
    page.wait_for_selector("h1 >> text=Wei Chen")


def test_the_reader_previews_entries_over_citation_markers(visit, places):
    page = visit(places["text"])
    page.locator("a.mark").first.hover()
    page.wait_for_selector(".card")
    assert page.locator(".card").inner_text()
    page.goto(places["read"])
    assert re.search(r"\.pdf#page=1$", page.locator("iframe.sheet").get_attribute("src"))


def test_a_citation_marker_scrolls_to_its_entry(visit, places):
    page = visit(places["text"], viewport={"width": 1280, "height": 500})
    mark = page.locator("a.mark").nth(page.locator("a.mark").count() // 2)
    mark.evaluate("one => one.scrollIntoView({block: 'center', behavior: 'instant'})")
    mark.click()
    page.wait_for_url("**#ref-*")
    page.wait_for_timeout(800)
    for seen in (mark, page.locator("li:target")):
        box = seen.bounding_box()
        assert 0 <= box["y"] < 500 - box["height"]


def test_a_long_word_does_not_widen_a_text_on_a_phone(visit, places):
    page = visit(places["text"], viewport={"width": 390, "height": 800})
    page.evaluate(
        "document.querySelectorAll('.text p:last-of-type, .panel li').forEach(one => one.append('x'.repeat(99)))"
    )
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_keys_alone_are_enough(visit):
    page = visit("/search?q=citation")
    page.keyboard.press("?")
    page.wait_for_selector("dialog >> text=go to the search box")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type(" index")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=*index*")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.locator(".result.at").count() == 1
    page.keyboard.press("s")
    assert page.locator("[data-cart-count]").first.inner_text().strip() == "1"
    page.keyboard.press("c")
    page.wait_for_selector("dialog #cite-apa")
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    page.wait_for_url("**/works/**")
    page.goto("/cart")
    assert page.locator("#cart li").count() == 1
    with page.expect_download() as taken:
        page.get_by_role("button", name="Export").click()
    assert taken.value.suggested_filename == "works.bib"


def test_everything_works_without_scripts(visit):
    page = visit("/", java_script_enabled=False)
    page.fill("#q", "citation")
    page.get_by_role("button", name="Search").click()
    page.locator(".facets li", has_text="English").locator("a").first.click()
    assert page.locator(".chips").inner_text()
    page.fill("#low", "1995")
    page.get_by_role("button", name="Apply").click()
    page.locator("a[rel=next]").click()
    assert page.get_by_text("Page 2 of").count() == 1
    page.locator(".result a[data-cite]").first.click()
    page.wait_for_selector("#bibtex")
    page.locator("h1 a").click()
    page.locator("summary", has_text="Candidate values").click()
    assert page.locator("#sources th", has_text="Source").is_visible()
    assert not page.get_by_role("button", name="Save").is_visible(), "what needs scripts is not shown"


def test_years_are_chosen_by_dragging(visit):
    page = visit("/search?q=citation")
    box = page.locator("svg[data-years]").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 20)
    page.mouse.up()
    page.wait_for_url("**low=*")
    assert page.locator(".chips >> text=/\\d{4} to \\d{4}/").count() == 1


def test_only_works_with_full_text_stay_chosen_for_the_visit(visit):
    page = visit("/search?q=citation")
    page.get_by_role("link", name="In this library").click()
    page.wait_for_url("**/search?q=citation&full=true")
    assert page.get_by_text("citation only").count() == 0
    page.get_by_role("link", name="Statistics").click()
    page.fill("#q", "library")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=library&full=true")
    page.get_by_role("link", name="All works").click()
    page.wait_for_url("**/search?q=library")
    page.fill("#q", "index")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=index")


def test_the_colour_theme_is_saved(visit):
    page = visit("/help")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_label("dark").check()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.goto("/about")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    plain = visit("/about", java_script_enabled=False, color_scheme="dark")
    assert plain.locator("body").evaluate("body => getComputedStyle(body).backgroundColor") == dark


RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"]}
CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}


def test_every_page_is_accessible_in_light_and_dark_and_fits_a_phone(visit, places):
    page = visit("/", reduced_motion="reduce")
    found = []
    for address in PAGES:
        page.emulate_media(color_scheme="light")
        page.goto(address.format(**places), wait_until="commit")
        page.wait_for_selector("footer .theme")
        violations = axe.Axe().run(page, options=RULES).response["violations"]
        page.emulate_media(color_scheme="dark")
        violations += page.evaluate("rules => axe.run(rules)", CONTRAST)["violations"]
        serious = [one for one in violations if one["impact"] in ("serious", "critical")]
        found += [(address, one["id"], one["nodes"][0]["html"][:160]) for one in serious]
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        page.set_viewport_size({"width": 1280, "height": 800})
    assert found == []


def test_an_uploaded_paper_appears_in_search(chromium, sample_papers, tmp_path):
    with served(tmp_path / "data", {"OPENSEER_WEB__ALLOW_UPLOAD": "true"}) as address:
        page = chromium.new_page(base_url=address)
        page.goto("/")
        page.get_by_role("link", name="Add papers").first.click()
        (tmp_path / "image.png").write_bytes(b"\x89PNG")
        archive = packed(
            [("in/paper.pdf", (sample_papers / "paper-rank.pdf").read_bytes()), ("in/image.png", b"\x89PNG")]
        )
        (tmp_path / "few.zip").write_bytes(archive)
        page.set_input_files("#file", [tmp_path / "image.png", tmp_path / "few.zip"])
        page.fill("#url", f"{address}/")
        page.get_by_role("button", name="Add to the library").click()
        page.wait_for_selector("#given >> text=/image.png rejected/")
        page.wait_for_selector("#given >> text=1 accepted, 1 rejected")
        page.wait_for_selector("#given >> text=/not on the open Internet/")
        page.wait_for_selector("#given >> text=/added:/", timeout=90_000)
        page.fill("#q", "random readers")
        page.keyboard.press("Enter")
        page.get_by_role("link", name=TITLE).click()
        assert page.wait_for_selector("#versions >> text=Upload").is_visible()
        assert page.inner_text("h1") == TITLE
        page.close()


def test_print_view_has_chart_bars_and_no_controls(visit, places):
    page = visit("/search?q=citation")
    page.emulate_media(media="print")
    assert page.locator(".chart").count()
    assert not page.locator("body > header").is_visible()
    assert not page.locator(".to-facets").is_visible()
    assert page.locator(".facts a[href$='#similar']:visible").count() == 0
    page.goto(places["work"])
    assert page.locator(".side .chart .bar").first.is_visible()
    assert page.locator(".side .chart").first.bounding_box()["width"] <= 450


def test_exclude_links_are_large_enough_for_a_finger(visit):
    page = visit("/search?q=citation", viewport={"width": 390, "height": 740})
    box = page.locator(".facets .not").first.bounding_box()
    assert min(box["width"], box["height"]) >= 24


@pytest.mark.parametrize("width", [768, 1024, 1280])
def test_a_very_long_name_does_not_push_the_page_aside(visit, width):
    page = visit("/venue/Science", viewport={"width": width, "height": 740})
    page.locator(".byline .name a").first.evaluate(
        "(link, name) => { link.textContent = name; }", "Consortium of " * 30
    )
    page.locator(".byline .name").first.evaluate("span => span.classList.add('long')")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


SHIFTS = """new Promise(done => { let sum = 0;
  new PerformanceObserver(list => list.getEntries().forEach(one => { sum += one.value; }))
    .observe({type: "layout-shift", buffered: true});
  setTimeout(() => done(sum), 150); })"""
SENT = """performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))
  .reduce((sum, one) => sum + one.transferSize, 0)"""
PAINTED = """performance.getEntriesByName("first-contentful-paint")[0].startTime"""


def test_pages_are_light_and_stand_still(visit, places, chromium):
    for address in ("/", "/search?q=citation", "{work}"):
        page = visit(address.format(**places))
        shift, sent, painted = page.evaluate(SHIFTS), page.evaluate(SENT), page.evaluate(PAINTED)
        print(f"{address}: {sent / 1000:.1f} KB, first contentful paint {painted:.0f} ms, layout shift {shift:.3f}")
        assert shift < 0.01
        assert sent < 150_000


@pytest.mark.parametrize("width", [1280, 390])
def test_a_link_with_an_anchor_shows_the_anchor_at_once(visit, places, width):
    page = visit(f"{places['work']}#similar", viewport={"width": width, "height": 600})
    top = "Math.round(document.getElementById('similar').getBoundingClientRect().top)"
    arrived = page.evaluate(top)
    assert 0 <= arrived < 60
    page.wait_for_timeout(300)
    assert page.evaluate(top) == arrived, "nothing above it is laid out late"
