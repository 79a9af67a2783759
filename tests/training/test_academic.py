"""The model of the verdict is made from examples, and from no others than it may learn from."""

from __future__ import annotations

import json

import pytest
from training.academic import Example, learn, train_model

from openseer.core.model.extraction import Extraction
from openseer.extract.classify.classifier import MODEL, classify
from openseer.extract.classify.features import features_of
from openseer.extract.pdf.page_model import PageSize
from training import academic

PAPER = "In this paper we propose a method. Smith et al. [3] show results in Table 2. "
INVOICE = "Invoice 12: the total amount due is $ 120, VAT included. "


def example(name, text, number):
    found = Extraction(pages=2 + number, words=300 * (1 + number), text=text * (10 + 7 * number))
    academic = name == "paper"
    return Example(
        f"{name}-{number}",
        f"{number:040x}",
        "somebody/them",
        name,
        "",
        academic,
        "article",
        features_of(found, PageSize()),
    )


@pytest.fixture
def known(monkeypatch):
    found = [example("paper", PAPER, number) for number in range(6)]
    found += [example("invoice", INVOICE, number) for number in range(6)]
    found += [example("borderline", PAPER, 1), example("paper", PAPER, 2)._replace(id="acl-x", traits={})]
    monkeypatch.setattr(academic, "examples", lambda: tuple(found))
    return found


def test_a_model_tells_what_it_was_taught(known):
    model = learn([one for one in known if one.may_teach])
    paper = classify(model, known[2].traits, "article")
    invoice = classify(model, known[8].traits, "article")
    assert (paper.verdict, paper.type) == (True, "article")
    assert (invoice.verdict, invoice.type) == (False, "invoice")


def test_what_is_left_out_teaches_nothing(known, tmp_path):
    train_model(tmp_path)
    (tmp_path / "less").mkdir()
    train_model(tmp_path / "less", frozenset({"paper-5", "invoice-5"}))
    whole, less = (json.loads((tmp_path / name).read_text()) for name in (MODEL, f"less/{MODEL}"))
    assert whole.keys() == less.keys()
    assert whole["means"]["is long"] > less["means"]["is long"], "the longest were left out"
    assert json.loads((tmp_path / MODEL).read_text()) == learn([one for one in known if one.may_teach])
