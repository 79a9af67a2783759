"""The verdict: scholarly or not, of which type, and why."""

from __future__ import annotations

import pytest

from openseer.extract.academic import Shape, clues_of, verdict_of
from openseer.extract.reading import read
from openseer.records.extraction import Author, Extraction, Name, Reference, Section
from openseer.samples import gold, names

PAPER = Extraction(
    pages=8,
    words=4000,
    abstract="We study how papers are told from other documents. " * 6,
    authors=(Author("Ada Byron", "Ada", "Byron", affiliation="School of Things", email="ada@things.example"),),
    references=tuple(Reference("x", authors=(Name("A B", "A", "B"),), year=2001) for _ in range(20)),
    sections=(Section("1 Introduction", type="introduction"), Section("2 Results", type="results")),
    text="In this paper we propose a method. Smith et al. [3] show results in Table 2. " * 60,
)
INVOICE = Extraction(
    pages=1, words=120, text="Invoice No. 17. Please pay the total amount due: $ 120.00, VAT included. " * 8
)


def test_a_paper_is_told_from_an_invoice():
    paper, invoice = verdict_of(PAPER, Shape()), verdict_of(INVOICE, Shape())
    assert (paper.verdict, paper.type) == (True, "article")
    assert (invoice.verdict, invoice.type) == (False, "invoice")
    assert paper.probability > 0.9
    assert invoice.probability < 0.1


def test_the_reasons_are_words():
    for verdict in (verdict_of(PAPER, Shape()), verdict_of(INVOICE, Shape())):
        assert 1 <= len(verdict.reasons) <= 3
        assert all(reason.removeprefix("not: ") in clues_of(PAPER, Shape()) for reason in verdict.reasons)


@pytest.mark.parametrize(
    ("found", "shape", "kind"),
    [
        (Extraction(pages=20, words=800, text="Slide"), Shape(842, 595), "slides"),
        (Extraction(pages=1, words=200, text="Poster"), Shape(842, 595), "poster"),
        (Extraction(pages=2, words=300, text="Curriculum Vitae. Work experience: cook."), Shape(), "cv"),
        (Extraction(pages=2, words=300, text="Name ________ date of birth"), Shape(), "form"),
        (
            Extraction(pages=9, words=900, text="User manual: click, press, select your device, contact us\n" * 90),
            Shape(),
            "manual",
        ),
        (Extraction(), Shape(), "other"),
    ],
)
def test_types_of_other_documents(found, shape, kind):
    verdict = verdict_of(found, shape)
    assert not verdict.verdict
    assert verdict.type == kind


def test_samples_are_judged(sample_papers):
    wrong = []
    for name in (name for name in names() if not name.startswith("scan")):
        found = read(sample_papers / f"{name}.pdf", min_words=0).academic
        if found.verdict != gold(name)["academic"]:
            wrong.append((name, found))
    assert len(wrong) <= 1, wrong
