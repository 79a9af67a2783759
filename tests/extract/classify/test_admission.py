"""Admission by classifier verdict, by simple rules, or of all documents."""

from __future__ import annotations

import orjson
import pytest
import typst

from openseer.core.errors import NotAcademic
from openseer.core.model.extraction import ScholarlyVerdict
from openseer.extract.classify.admission import check_pages, check_verdict
from openseer.ingest.results import Deferred, decode
from openseer.ingest.worker_jobs import encode_path, read_document


@pytest.fixture
def sheets(tmp_path):
    """A PDF of so many pages, upright or across."""

    def make(pages, across=False):
        page = f'#set page("a5", flipped: {str(across).lower()})\n'
        (tmp_path / "made.pdf").write_bytes(
            typst.compile((page + "#pagebreak()\n".join(["A page\n"] * pages)).encode())
        )
        return tmp_path / "made.pdf"

    return make


@pytest.mark.parametrize(
    ("pages", "across", "why"),
    [
        (1, False, "2 to 50 pages; it has 1"),
        (51, False, "it has 51"),
        (4, True, "upright pages; its first is 595 x 420"),
    ],
)
def test_the_simple_filter_rejects_by_the_pages(sheets, pages, across, why):
    with pytest.raises(NotAcademic, match=why):
        check_pages(sheets(pages, across))


@pytest.mark.parametrize("pages", [2, 50])
def test_the_simple_filter_takes_two_to_fifty_upright_pages(sheets, pages):
    check_pages(sheets(pages))


def test_unreadable_files_are_left_to_the_reader(tmp_path):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    check_pages(tmp_path / "broken.pdf")


def test_the_verdict_is_weighed_against_the_limit():
    check_verdict(ScholarlyVerdict(False, "invoice", 0.05), 0.05)
    with pytest.raises(NotAcademic, match=r"Probably not a paper \(4.9%\) but an invoice: speaks of money\."):
        check_verdict(ScholarlyVerdict(False, "invoice", 0.049, ("speaks of money",)), 0.05)


@pytest.mark.parametrize(
    ("name", "chosen", "outcome"),
    [
        ("negative-invoice", "model", "not_academic"),
        ("negative-invoice", "simple", "not_academic"),
        ("negative-invoice", "none", "ingested"),
        ("negative-slides", "simple", "not_academic"),
        ("negative-manual", "model", "not_academic"),
        ("negative-manual", "simple", "ingested"),
        ("paper-rank", "model", "ingested"),
        ("paper-rank", "simple", "ingested"),
    ],
)
def test_the_setting_selects_the_admission_filter(sample_papers, name, chosen, outcome):
    order = {"path": encode_path(sample_papers / f"{name}.pdf"), "sha1": "0" * 40, "min_words": 100}
    frames = read_document(orjson.dumps({**order, "filter": chosen, "min_scholarly": 0.05, "max_pages": 0}))
    result = decode(frames)
    assert not isinstance(result, Deferred)
    assert result.outcome == outcome
