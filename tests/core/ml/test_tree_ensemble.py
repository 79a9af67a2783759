"""Trees give what LightGBM gives, from C and from numpy alike."""

from __future__ import annotations

import lightgbm
import numpy as np
import pytest

from openseer.core.ml import tree_ensemble as forests
from openseer.core.ml.tree_ensemble import ensemble_from_bytes, ensemble_of_model


@pytest.fixture(scope="module")
def numbers():
    rows = np.random.default_rng(3).normal(size=(400, 6))
    return rows, (rows[:, 0] > 0).astype(int) + 2 * (rows[:, 1] * rows[:, 2] > 0)


def grown(numbers, **settings):
    rows, labels = numbers
    labels = labels if settings["objective"] == "multiclass" else labels % 2
    model = lightgbm.train({"verbose": -1, "num_threads": 1, **settings}, lightgbm.Dataset(rows, labels), 20)
    return model, ensemble_of_model(model.dump_model())


@pytest.fixture(scope="module")
def four_classes(numbers):
    return grown(numbers, objective="multiclass", num_class=4, num_leaves=9)


@pytest.fixture(params=["c", "numpy"])
def walked(request, monkeypatch):
    if request.param == "c" and forests.library is None:
        pytest.skip("no C compiler at set-up: only numpy walks the trees")
    if request.param == "numpy":
        monkeypatch.setattr(forests, "library", None)


def test_classes_are_as_likely_as_the_trainer_says(numbers, four_classes, walked):
    model, forest = four_classes
    np.testing.assert_allclose(forest.predict(numbers[0]), model.predict(numbers[0]), rtol=1e-9)


def test_one_class_gives_one_probability(numbers, walked):
    model, forest = grown(numbers, objective="binary", num_leaves=5)
    np.testing.assert_allclose(forest.predict(numbers[0])[:, 0], model.predict(numbers[0]), rtol=1e-9)


def test_a_tree_without_a_question_is_walked(walked):
    rows = np.zeros((60, 2))
    model, forest = grown((rows, np.arange(60) % 2), objective="binary", num_leaves=5)
    np.testing.assert_allclose(forest.predict(rows)[:, 0], model.predict(rows), rtol=1e-9)


def test_no_rows_give_no_answers(four_classes, walked):
    assert four_classes[1].predict(np.zeros((0, 6))).shape == (0, 4)


def test_kept_and_read_again_it_is_the_same(numbers, four_classes):
    forest = four_classes[1]
    again = ensemble_from_bytes(forest.as_bytes())
    assert again.as_bytes() == forest.as_bytes()
    np.testing.assert_array_equal(again.predict(numbers[0]), forest.predict(numbers[0]))


def test_rows_of_another_width_are_refused(four_classes):
    with pytest.raises(ValueError, match="6 features"):
        four_classes[1].predict(np.zeros((3, 5)))


def test_trees_over_categories_are_refused():
    tree = {
        "tree_structure": {
            "split_feature": 0,
            "threshold": "1||2",
            "decision_type": "==",
            "left_child": {"leaf_value": 0.1},
            "right_child": {"leaf_value": 0.2},
        }
    }
    with pytest.raises(ValueError, match="numbers"):
        ensemble_of_model({"tree_info": [tree], "num_tree_per_iteration": 1, "feature_names": ["a"]})
