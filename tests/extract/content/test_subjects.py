"""Fields of study, and none below the confidence threshold."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from training.growing import MODELS
from training.subjects import train_model

from openseer.core.model.extraction import Extraction, Reference
from openseer.evaluation import samples
from openseer.extract.content import subjects
from openseer.extract.content.subjects import FIELDS, MODEL, Calibration, SubjectModel, model_bytes, stems
from openseer.extract.context import PaperContext
from openseer.extract.models.paths import model_file
from openseer.extract.pdf.page_model import PageModel
from openseer.extract.reader import read

NOTHING = PaperContext(PageModel((), 0, {}), ())
PHYSICS = tuple(
    Reference(title, title=title, venue=venue)
    for title, venue in (
        ("Spin waves in a superconducting lattice", "Phys. Rev. B"),
        ("Decay of heavy mesons at a collider", "Phys. Lett. B"),
        ("Dark matter and the rotation of galaxies", "Astrophys. J."),
        ("Entanglement of two photons in a magnetic field", "Phys. Rev. Lett."),
    )
)


def named(**found: Any) -> list[str]:
    extraction = Extraction(**found)
    return [one["name"] for one in subjects.extract(NOTHING, extraction)["subjects"]]


@pytest.mark.parametrize(
    ("field", "title", "abstract"),
    [
        ("Medicine", "A randomised trial of two drugs after surgery", "Patients with cancer were given chemotherapy."),
        ("Mathematics", "A theorem on compact manifolds", "We prove a conjecture on the cohomology of Lie groups."),
        ("Law", "Liability in contract", "The supreme court and the civil code on damages, statutes and judges."),
        ("Economics", "Wages and unemployment", "Inflation, taxes and interest rates in markets with monetary policy."),
        (
            "Arts and literature",
            "The narrator in two novels",
            "Poetry, prose and drama of a romantic poet and novelist.",
        ),
        ("Linguistics", "Verbs and vowels in a dialect", "Phonology, syntax and morphology of a spoken language."),
        ("Earth science", "Basalt below a volcano", "Magma, mantle and crust: seismic faults, isotopes and tectonics."),
        (
            "Education",
            "Teachers and pupils",
            "Classroom teaching, curriculum and school students: a pedagogy of lessons.",
        ),
    ],
)
def test_a_paper_gets_its_field(field, title, abstract):
    assert named(title=title, abstract=abstract)[0] == field


@pytest.mark.parametrize(
    ("field", "abstract"),
    [
        (
            "Medicine",
            "Die Behandlung der Krankheit im Krankenhaus: Ärzte, Pflege und Therapie von Patienten mit Krebs.",
        ),
        ("Philosophy and religion", "La métaphysique et l'éthique : vertu, vérité, foi, théologie et phénoménologie."),
        ("Agriculture and food", "La cosecha de trigo y maíz: riego, fertilizante, suelo, ganado y agricultores."),
        ("Law", "O tribunal e a lei: juízes, sentença, jurisprudência, contrato e constituição."),
        ("History", "Il medioevo e l'impero: storici, fonti, archivio, manoscritto, nobiltà e dinastia."),
        ("Economics", "Рынок, цены и инфляция: налоги, безработица, торговля и инвестиции."),
    ],
)
def test_other_languages_are_supported(field, abstract):
    assert named(abstract=abstract)[0] == field


def test_references_determine_the_field():
    assert named(references=PHYSICS)[0] == "Physics and astronomy"


@pytest.mark.parametrize("text", ["", "12 34 ... %%", "xqzt wvvk"])
def test_unknown_words_give_no_field(text):
    assert named(text=text) == []


def test_a_few_words_of_no_field_give_none():
    assert named(title="Some remarks", text="This is what we have seen so far. There is more to it than that.") == []


def test_at_most_two_fields_the_surest_first(read_samples):
    for found in read_samples.values():
        sure = [one["confidence"] for one in found.subjects]
        assert len(sure) <= 2
        assert sure == sorted(sure, reverse=True)
        assert all(0.5 <= one <= 1 for one in sure)
        assert all(one["name"] in FIELDS for one in found.subjects)


def test_papers_on_libraries_of_papers_are_of_that_field(read_samples):
    own = {"Information science", "Computer science"}
    right = [bool(found.subjects) and found.subjects[0]["name"] in own for found in read_samples.values()]
    assert len(right) == 6
    assert sum(right) >= 5


@pytest.fixture(scope="module")
def read_samples(tmp_path_factory) -> dict[str, Extraction]:
    names = {"canopies-at-work", "coupling-maps", "header-hmm", "acces-ouvert", "zitationsindex", "near-duplicates"}
    files = [path for path in samples.make(tmp_path_factory.mktemp("samples")) if path.stem in names]
    return {path.stem: read(path) for path in files}


def test_the_answer_is_always_the_same(read_samples):
    for found in read_samples.values():
        assert subjects.extract(NOTHING, found)["subjects"] == found.subjects


def test_the_file_is_small_and_quick(read_samples):
    file = model_file(MODEL)
    assert file.stat().st_size < 400_000
    start = time.process_time()
    known = SubjectModel.read(file.read_bytes())
    assert time.process_time() - start < 0.2  # 20 ms on a quiet machine
    found = [*read_samples.values()]
    start = time.process_time()
    for one in found:
        known.subjects(one)
    assert (time.process_time() - start) / len(found) < 0.02  # 2 ms on a quiet machine


def test_the_card_names_the_model():
    assert model_file("subjects.md").read_text(encoding="utf-8").startswith(f"# {MODEL}\n")


def test_stems_join_forms_and_languages():
    assert stems("Sociology, sociologie: Théorèmes 3 of R2") == ["sociolog", "sociolog", "theoreme"]


def test_a_model_round_trips():
    rows = {"quark": (2.0, np.eye(len(FIELDS))[20] * 5), "gene": (3.0, np.eye(len(FIELDS))[2] * 2.5)}
    judgement = Calibration(slope=2.0, bias=1.0, min_confidence=0.25)
    known = SubjectModel.read(model_bytes(rows, np.zeros(len(FIELDS)), judgement))
    assert known.calibration == judgement
    assert FIELDS[int(known.scores(["quark gene quark"])[0].argmax())] == "Physics and astronomy"
    assert known.scores(["gene"])[0][2] == pytest.approx(2.5, abs=0.05)
    assert len(known.scores(["nothing known", ""])) == 0


def test_a_higher_threshold_names_fewer_fields():
    rows = {"gene": (1.0, np.eye(len(FIELDS))[2] * 3)}
    known = SubjectModel.read(model_bytes(rows, np.zeros(len(FIELDS)), Calibration()))
    sure = known.confidence(Extraction(title="gene"))
    assert sure[2] == sure.max()
    assert known.with_calibration(Calibration(min_confidence=0.999)).subjects(Extraction(title="gene")) == ()


@pytest.mark.proof
def test_training_gives_this_model_again(tmp_path: Path, corpus: Path):
    train_model(tmp_path)
    again, kept = ((folder / MODEL) for folder in (tmp_path, MODELS))
    with np.load(again) as one, np.load(kept) as other:
        assert one["stems"].tobytes() == other["stems"].tobytes()
        apart = np.abs(one["weights"].astype(int) - other["weights"].astype(int))
        assert apart.max() <= 2  # whole numbers up to 127; sums may be rounded differently elsewhere
