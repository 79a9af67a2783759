"""The tree of errors: stable codes, a status each, a way out each."""

from __future__ import annotations

import importlib
import inspect
from http import HTTPStatus

import pytest

import openseer
from openseer.core import errors
from openseer.core.errors import FAILURES, OUTCOMES, OpenseerError, TooShort

TREE = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, OpenseerError)]
LEAVES = [kind for kind in TREE if not kind.__subclasses__()]


def test_errors_have_their_published_name():
    assert openseer.errors is errors
    assert importlib.import_module("openseer.errors") is errors


def test_codes_are_unique():
    codes = [kind.code for kind in TREE]
    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize("kind", TREE)
def test_every_error_has_a_status_that_http_knows(kind):
    assert 400 <= HTTPStatus(kind.status) <= 507


@pytest.mark.parametrize(
    "kind",
    [
        kind
        for kind in TREE
        if issubclass(kind, errors.Rejected | errors.Failed) and kind not in (errors.Rejected, errors.Failed)
    ],
)
def test_a_documents_fault_is_an_outcome(kind):
    assert kind.code in OUTCOMES
    assert kind.hint


def test_an_error_keeps_its_values_and_tells_the_way_out():
    error = TooShort(7, 100)
    assert (error.words, error.minimum) == (7, 100)
    assert error.as_record() == {
        "code": "too_short",
        "message": "The document has 7 words; 100 are needed.",
        "hint": "Lower `extract.min_words` if such documents are wanted.",
    }


def test_failures_are_outcomes():
    assert set(FAILURES) < set(OUTCOMES)
    assert "ingested" not in FAILURES
