"""Quality gate: no figure is more than a point below `benchmarks/quality.json`."""

from __future__ import annotations

import json

import pytest
from benchmarks import quality

from openseer.core.errors import OpenseerError
from openseer.core.settings import Extract
from openseer.extract.reader import read

RECORDED = json.loads(quality.RECORD.read_bytes())
SLACK = 1.0


def fallen(found: dict[str, float], recorded: dict[str, float]) -> dict[str, tuple[float, float]]:
    """Figure -> (recorded, found), for those that fell too far."""
    print(found)
    return {name: (old, found.get(name, 0.0)) for name, old in recorded.items() if found.get(name, 0.0) < old - SLACK}


def test_the_samples_are_read_as_well_as_recorded(sample_papers):
    assert fallen(quality.of_samples(sample_papers), RECORDED["samples"]) == {}


def test_extraction_quality_on_a_part_of_the_corpus_is_as_recorded(corpus):
    assert fallen(quality.of_part(corpus), RECORDED["part of the corpus"]) == {}


@pytest.mark.proof
def test_papers_never_seen_are_read_as_well_as_recorded(corpus, tmp_path):
    assert fallen(quality.crossvalidated(tmp_path), RECORDED["cross-validated"]) == {}


def test_every_paper_is_classified_as_scholarly(corpus):
    refused = []
    for file in sorted((corpus / "papers").glob("*.pdf"))[:: quality.PART]:
        try:
            found = read(file)
        except OpenseerError:
            continue
        if found.academic.probability is None or found.academic.probability < Extract().min_scholarly:
            refused.append(file.stem)
    assert refused == []
