"""The samples: complete, consistent, the same bytes each time, and printed as their gold says."""

import hashlib
import re
import tomllib
import unicodedata
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

from openseer.evaluation.samples import gold, make, names
from openseer.evaluation.samples.sources import ROOT, cited_record, literature, metadata_of

ACADEMIC = [name for name in names() if gold(name)["academic"]]
SCANS = [name for name in ACADEMIC if gold(name)["kind"] == "scan"]
VERSIONS = [name for name in ACADEMIC if "version_of" in metadata_of(name)]
PAPERS = [name for name in ACADEMIC if name not in SCANS]
WORKS = [name for name in PAPERS if name not in VERSIONS]
VARIED = list({(metadata_of(name)["layout"], gold(name)["language"]): name for name in PAPERS}.values())
"""One paper of each layout in each language it is used for."""
NEGATIVES = [name for name in names() if name not in ACADEMIC]
FIELDS = (
    *("id", "title", "authors", "abstract", "year", "venue", "doi", "language", "keywords", "references"),
    *("academic", "kind", "versions_of", "cites_samples"),
)


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Text of a compiled sample."""
    folder = tmp_path_factory.mktemp("samples")
    return lambda name: text_of(make(folder, [name])[0])


def text_of(file: Path) -> str:
    with pypdfium2.PdfDocument(file) as pdf:
        return "\n".join(page.get_textpage().get_text_range() for page in pdf)


def bare(text: str) -> str:
    """Letters and digits only: what is left of a text when lines, hyphens and ligatures are ignored."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()


def sha1(file: Path) -> str:
    return hashlib.sha1(file.read_bytes(), usedforsecurity=False).hexdigest()


def listed(field: str) -> Counter[str]:
    return Counter(metadata_of(name)[field] for name in PAPERS)


def test_there_are_enough_of_each_kind():
    assert len(WORKS) >= 30
    assert len(listed("layout")) >= 6
    assert len(SCANS) == 1
    assert {gold(name)["kind"] for name in NEGATIVES} == {"slides", "invoice", "cv", "manual", "leaflet"}
    assert all(count >= 3 for count in listed("style").values()), listed("style")


def test_there_are_papers_in_five_languages():
    languages = Counter(gold(name)["language"] for name in WORKS)
    assert languages["de"] >= 3
    assert languages["fr"] >= 2
    assert languages["ru"] >= 1
    assert languages["el"] >= 1


def test_at_least_four_works_have_an_earlier_version():
    pairs = [(name, metadata_of(name)["version_of"]) for name in VERSIONS]
    assert len({later for _, later in pairs}) >= 4
    assert sum(gold(earlier)["title"] != gold(later)["title"] for earlier, later in pairs) <= 1
    for earlier, later in pairs:
        assert gold(earlier)["versions_of"] == gold(later)["versions_of"] == later
        assert gold(earlier)["authors"] == gold(later)["authors"]
        assert gold(earlier)["year"] == gold(later)["year"] - 1
        assert metadata_of(earlier)["layout"] == "preprint" != metadata_of(later)["layout"]


@pytest.mark.parametrize("name", names())
def test_every_sample_has_gold(name):
    truth = gold(name)
    assert set(FIELDS) <= set(truth)
    assert truth["id"] == name
    assert truth["title"]


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_is_complete(name):
    truth = gold(name)
    assert all(truth[field] for field in ("authors", "abstract", "year", "venue", "keywords", "references"))
    assert 1996 <= truth["year"] <= 2025
    assert truth["doi"] == "" or truth["doi"].startswith("10.5555/")
    assert 6 <= len(truth["references"]) <= 18


@pytest.mark.parametrize("name", PAPERS)
def test_every_cited_key_is_known_and_mentioned_and_nobody_cites_the_future(name):
    table, body = metadata_of(name), (ROOT / "papers" / f"{name}.typ").read_text(encoding="utf-8")
    calls = re.findall(r"#ct?\(([^)]*)\)", body)
    mentioned = {key for call in calls for key in re.findall(r'"([^"]+)"', call)}
    assert mentioned == set(table["cites"])
    assert len(table["cites"]) == len(mentioned)
    assert name not in mentioned
    assert all(cited_record(key)["year"] <= table["year"] for key in mentioned)


def test_papers_cite_one_another():
    own = {name: len(gold(name)["cites_samples"]) for name in PAPERS}
    assert own.pop("courteous-robots") == 0, "the oldest has nobody to cite"
    assert own.pop("report-numbers") == 1
    assert own.pop("twenty-five-years") > 10, "a survey"
    assert {name: count for name, count in own.items() if not 2 <= count <= 5} == {}


def test_every_work_of_the_literature_has_the_fields_that_are_printed():
    for key, work in literature().items():
        assert {"type", "title", "authors", "year"} <= set(work), key
        assert "venue" in work or "publisher" in work, key


def test_compiling_twice_gives_the_same_bytes(tmp_path):
    chosen = ["coupling-maps", "scanned-report"]
    once, again = make(tmp_path / "once", chosen), make(tmp_path / "again", chosen)
    assert [sha1(file) for file in once] == [sha1(file) for file in again]


def test_a_file_that_is_up_to_date_is_left_alone(tmp_path):
    (file,) = make(tmp_path, ["negative-leaflet"])
    before = file.stat().st_mtime_ns
    make(tmp_path, ["negative-leaflet"])
    assert file.stat().st_mtime_ns == before
    file.unlink()
    make(tmp_path, ["negative-leaflet"])
    assert sorted(path.name for path in tmp_path.iterdir()) == [".samples.json", "negative-leaflet.pdf"]


@pytest.mark.parametrize("name", VARIED)
def test_what_gold_says_is_printed(name, printed):
    truth, text = gold(name), bare(printed(name))
    assert all(bare(word) in text for word in truth["title"].split())
    assert all(bare(truth[field]) in text for field in ("abstract", "venue", "doi"))
    assert [author for author in truth["authors"] if bare(author) not in text] == []
    assert [one["title"] for one in truth["references"] if bare(one["title"]) not in text] == []
    assert [one["doi"] for one in truth["references"] if bare(one["doi"]) not in text] == []


@pytest.mark.parametrize("name", SCANS)
def test_a_scan_has_pictures_and_no_text(name, printed, tmp_path):
    assert printed(name).strip() == ""
    pages = [len(pypdfium2.PdfDocument(file)) for file in make(tmp_path, [name, metadata_of(name)["scan_of"]])]
    assert pages == [2, 2]


def test_slides_are_wide_and_many(tmp_path):
    with pypdfium2.PdfDocument(make(tmp_path, ["negative-slides"])[0]) as pdf:
        assert len(pdf) >= 8
        assert all(page.get_width() > page.get_height() for page in pdf)


def test_the_readme_names_every_layout():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(layout in readme for layout in listed("layout"))
    assert all(form in tomllib.loads((ROOT / "layouts/formats.toml").read_text()) for form in listed("references"))
