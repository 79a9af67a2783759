"""The contract of an extractor, built in or of another package: a new one is one more entry in `EXTRACTORS` here."""

from __future__ import annotations

import copy
import dataclasses
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

from openseer.core.model.extraction import Extraction
from openseer.extract import reader
from openseer.extract.context import PaperContext
from openseer.extract.pdf.page_model import PageModel
from openseer.extract.reader import extract_with, extractors, run_extractors

FIELDS = {one.name for one in dataclasses.fields(Extraction)}
OF_THE_READER = {"file", "sha1", "mime", "pages", "words", "text", "timing_ms", "versions", "error"}
"""Fields that only the reader sets."""


def count_figures(context: PaperContext, found: Extraction) -> dict[str, object]:
    """A paper's words in capitals, as an extractor of another package."""
    return {"subjects": found.subjects, "warnings": (*found.warnings, f"{len(context.lines)} lines")}


PLUG_IN = SimpleNamespace(name="line-counter", version=1, needs=("header",), extract=count_figures)
EXTRACTORS = (*extractors(), PLUG_IN)


@pytest.fixture(params=EXTRACTORS, ids=lambda one: one.name)
def extractor(request):
    return request.param


@pytest.fixture(scope="session")
def read_paper(sample_papers):
    """A sample paper as each extractor gets it, with what the ones before it found."""
    seen: dict[str, tuple[PaperContext, Extraction]] = {}

    def watched(one):
        def extract(context, found):
            seen[one.name] = (context, found)
            return one.extract(context, found)

        return SimpleNamespace(name=one.name, version=one.version, needs=one.needs, extract=extract)

    extract_with([watched(one) for one in EXTRACTORS], sample_papers / "near-duplicates.pdf")
    return seen


def test_it_says_what_it_is(extractor):
    assert extractor.name
    assert extractor.name.isprintable()
    assert isinstance(extractor.version, int)
    assert extractor.version > 0
    names = [one.name for one in EXTRACTORS]
    assert names.count(extractor.name) == 1
    assert set(extractor.needs) <= set(names[: names.index(extractor.name)]), "what it needs runs before it"


def test_it_gives_fields_of_the_extraction_and_none_of_the_readers_own(extractor, read_paper):
    fields = extractor.extract(*read_paper[extractor.name])
    assert isinstance(fields, dict)
    assert set(fields) <= FIELDS - OF_THE_READER
    for name, value in fields.items():
        default = getattr(Extraction(), name)
        if isinstance(default, str | tuple) and value is not None:
            assert isinstance(value, type(default)), name


def test_it_gives_the_same_twice_and_changes_nothing_it_was_given(extractor, read_paper):
    context, found = read_paper[extractor.name]
    lines, before = list(context.lines), copy.deepcopy(found)
    first = extractor.extract(context, found)
    assert extractor.extract(context, found) == first
    assert list(context.lines) == lines
    assert found == before


def test_a_document_without_a_line_is_no_error(extractor, read_paper):
    context, _ = read_paper[extractor.name]
    page = dataclasses.replace(context.page_model.pages[0], words=(), links=())
    empty = PaperContext(PageModel((page,), 1, {}), ())
    assert set(extractor.extract(empty, Extraction(pages=1))) <= FIELDS


def test_an_extractor_of_another_package_runs_after_the_built_in_ones(monkeypatch, sample_papers):
    point = EntryPoint("line-counter", "tests.contracts.test_extractor:PLUG_IN", "openseer.extractors")
    monkeypatch.setattr(reader, "entry_points", lambda group: [point] if group == "openseer.extractors" else [])
    extractors.cache_clear()
    try:
        before = reader.version_of(
            {"pages": reader.PAGES_VERSION, **{one.name: one.version for one in EXTRACTORS[:-1]}}
        )
        found = reader.read(sample_papers / "near-duplicates.pdf")
        assert reader.version() != before, "documents are extracted again once it is installed"
    finally:
        extractors.cache_clear()
    assert found.versions["line-counter"] == 1
    assert found.warnings[-1].endswith(" lines")


def test_an_extractor_that_runs_alone_gets_an_empty_extraction(read_paper):
    context, _ = read_paper["line-counter"]
    assert run_extractors([PLUG_IN], context).versions == {"pages": reader.PAGES_VERSION, "line-counter": 1}
