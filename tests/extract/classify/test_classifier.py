"""Scholarly verdict, document type and reasons."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from openseer.core.model.extraction import Author, Extraction, Name, Reference, Section
from openseer.evaluation.samples import gold, names
from openseer.extract.classify.classifier import scholarly_type, verdict_of
from openseer.extract.classify.features import features_of
from openseer.extract.pdf.page_model import PageSize
from openseer.extract.reader import read

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


def test_a_paper_is_distinguished_from_an_invoice():
    paper, invoice = verdict_of(PAPER, PageSize()), verdict_of(INVOICE, PageSize())
    assert (paper.verdict, paper.type) == (True, "article")
    assert (invoice.verdict, invoice.type) == (False, "invoice")
    assert paper.probability is not None
    assert invoice.probability is not None
    assert paper.probability > 0.9
    assert invoice.probability < 0.1


def test_the_reasons_are_words():
    for verdict in (verdict_of(PAPER, PageSize()), verdict_of(INVOICE, PageSize())):
        assert 1 <= len(verdict.reasons) <= 3
        assert all(reason.removeprefix("not: ") in features_of(PAPER, PageSize()) for reason in verdict.reasons)


@pytest.mark.parametrize(
    ("found", "shape", "kind"),
    [
        (Extraction(pages=20, words=800, text="Slide"), PageSize(842, 595), "slides"),
        (Extraction(pages=1, words=200, text="Poster"), PageSize(2384, 1684), "poster"),
        (
            Extraction(
                pages=2, words=300, text="Curriculum Vitae\nAda B.\nEducation\nExperience\nCook\nSkills\nLinkedIn"
            ),
            PageSize(),
            "cv",
        ),
        (Extraction(pages=2, words=300, text="Form 12\nName ________\nSignature ______\n" * 9), PageSize(), "form"),
        (Extraction(pages=9, words=3000, text="The parties shall keep this agreement. " * 90), PageSize(), "other"),
        (
            Extraction(pages=3, words=900, text="The novel study. A book, a story: ISBN, chapter, lesson. " * 30),
            PageSize(),
            "book",
        ),
        (
            Extraction(pages=9, words=900, text="User manual: click, press, select your device, contact us\n" * 90),
            PageSize(),
            "manual",
        ),
        (Extraction(), PageSize(), "other"),
    ],
)
def test_types_of_other_documents(found, shape, kind):
    verdict = verdict_of(found, shape)
    assert not verdict.verdict
    assert verdict.type == kind


@pytest.mark.parametrize(
    ("front", "pages", "kind"),
    [
        ("A Theorem\nA. Byron\nAbstract. We cite arXiv:1912.11198.", 9, "article"),
        ("arXiv:1912.11198v2 [math.AG]\nA Theorem", 9, "preprint"),
        ("Preprint submitted to Elsevier\nA Theorem", 9, "preprint"),
        ("A Theorem\nDoctoral Thesis\nA. Byron", 120, "thesis"),
        ("Um teorema\nA. Byron\nOrientador: C. Babbage", 120, "thesis"),
        ("Working Paper No. 12\nA Theorem\nAbstract", 20, "report"),
        ("Report Numbers\nAbstract\nTechnical reports are cited by number.", 20, "article"),
        ("Chapter 7\nA Theorem\nA. Byron", 20, "chapter"),
        ("A Theorem\nISBN 978-3-16-148410-0", 300, "book"),
        ("A Theorem\nISBN 978-3-16-148410-0", 12, "article"),
    ],
)
def test_types_of_scholarly_documents(front, pages, kind):
    paper = replace(PAPER, text=f"{front}\n{PAPER.text}", pages=pages)
    assert scholarly_type(paper, PageSize()) == kind
    assert verdict_of(paper, PageSize()).type == kind


def test_the_types_share_one_probability():
    for found in (PAPER, INVOICE):
        verdict = verdict_of(found, PageSize())
        assert next(iter(verdict.types)) == verdict.type
        assert 0.9 < sum(verdict.types.values()) <= 1.001
    assert verdict.reasons[0] in {"calls itself an invoice", "speaks of money", "has sums of money"}


def test_samples_are_judged(sample_papers):
    wrong = []
    for name in (name for name in names() if not name.startswith("scan")):
        found = read(sample_papers / f"{name}.pdf", min_words=0).academic
        if found.verdict != gold(name)["academic"]:
            wrong.append((name, found))
    assert wrong == []


def test_a_verdict_is_cheap(sample_papers):
    found, shape = read(sample_papers / "thesis-linkage.pdf", min_words=0), PageSize()
    found = replace(found, text=found.text * 10)

    def cost():
        start = time.process_time()
        verdict_of(found, shape)
        return time.process_time() - start

    assert min(cost() for _ in range(9)) < 0.009, "three times what it takes on an idle machine"
