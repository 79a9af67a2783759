"""A library of the sample papers that takes uploads, served for all tests of this folder."""

from __future__ import annotations

import shutil

import pytest

from tests.browser import served
from tests.conftest import PASSING

UPLOAD_KEY = "secret"


@pytest.fixture(scope="package")
def library_copy(sample_data, tmp_path_factory):
    """The data directory of that library."""
    return shutil.copytree(sample_data, tmp_path_factory.mktemp("api") / "data", ignore=PASSING)


@pytest.fixture(scope="package")
def site(library_copy):
    """Its address."""
    with served(library_copy, {"OPENSEER_WEB__UPLOAD_KEY": UPLOAD_KEY}) as address:
        yield address
