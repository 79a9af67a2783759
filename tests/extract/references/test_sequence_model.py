"""Sequence model: best path, weight cache, and model files."""

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, product

import numpy as np
import pytest

from openseer.extract.references import sequence_model
from openseer.extract.references.sequence_model import LinearChainModel, TokenFeatureSet, model_bytes
from openseer.extract.references.token_features import feature_names, keys_of, tokens_of

LABELS = ("a", "b", "c")


def _chain(steps):
    none = (
        TokenFeatureSet({}, np.zeros((1, 5, len(LABELS)), np.int16)),
        TokenFeatureSet({}, np.zeros((1, len(LABELS)), np.int16)),
    )
    return LinearChainModel(LABELS, *none, np.array(steps, np.float32))


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6])
def test_the_path_is_the_best_of_all(length):
    chance = random.Random(length)
    for _ in range(20):
        steps = [[chance.uniform(-2, 2) for _ in LABELS] for _ in LABELS]
        scores = [[chance.uniform(-2, 2) for _ in LABELS] for _ in range(length)]

        def worth(path, scores=scores, steps=steps):
            own = sum(score[at] for score, at in zip(scores, path, strict=True))
            return own + sum(steps[one][two] for one, two in pairwise(path))

        found = _chain(steps)._path(np.array(scores, np.float32))
        assert worth(found) == pytest.approx(max(map(worth, product(range(3), repeat=length))), abs=1e-4)


def _spelled_out(text, states, steps):
    """What the clues themselves add up to, without any of the tables."""
    tokens = tokens_of(text)
    scores = [
        [sum(states.get((clue, label), 0.0) for clue in row) for label in LABELS]
        for row in feature_names(keys_of(text, tokens))
    ]
    best = max(
        product(range(3), repeat=len(tokens)),
        key=lambda path: (
            sum(score[at] for score, at in zip(scores, path, strict=True))
            + sum(steps.get((LABELS[one], LABELS[two]), 0.0) for one, two in pairwise(path))
        ),
    )
    return [LABELS[at] for at in best]


def _weights(texts):
    chance = random.Random(7)
    clues = sorted({clue for text in texts for row in feature_names(keys_of(text, tokens_of(text))) for clue in row})
    states = {(clue, label): chance.uniform(-1, 1) for clue in clues for label in LABELS if chance.random() < 0.6}
    return states, {(one, two): chance.uniform(-1, 1) for one in LABELS for two in LABELS}


TEXTS = ["Ada K. (1999)", "In: J. Things 7", "On things, 12", "王明. 论文[J]", "-", "Über 3:4"]


def test_cached_rows_equal_the_sums_of_feature_weights():
    states, steps = _weights(TEXTS)
    model = LinearChainModel.read(model_bytes(states, steps))
    for text in TEXTS:
        assert model.tag(keys_of(text, tokens_of(text))) == _spelled_out(text, states, steps)


def test_a_full_memory_begins_anew_and_changes_nothing(monkeypatch):
    model = LinearChainModel.read(model_bytes(*_weights(TEXTS)))
    before = [model.tag(keys_of(text, tokens_of(text))) for text in TEXTS]
    monkeypatch.setattr(sequence_model, "MAX_CACHED_ROWS", (3, 3))
    assert [model.tag(keys_of(text, tokens_of(text))) for text in TEXTS] == before


def test_threads_do_not_disturb_each_other(monkeypatch):
    model = LinearChainModel.read(model_bytes(*_weights(TEXTS)))
    alone = [model.tag(keys_of(text, tokens_of(text))) for text in TEXTS]
    monkeypatch.setattr(sequence_model, "MAX_CACHED_ROWS", (20, 8))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: model.tag(keys_of(text, tokens_of(text))), TEXTS * 100))
    assert found == alone * 100


def test_nothing_has_no_labels():
    assert _chain([[0.0] * 3] * 3).tag(keys_of("", [])) == []
