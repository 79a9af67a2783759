"""What people decide lasts, is told, and can be undone."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from openseer.catalog.identifiers import find
from openseer.cli import group
from openseer.core.errors import BadRequest, Gone, NotFound, RemovedByLaw
from openseer.core.model.description import header_id, work_id_of
from openseer.core.model.document import Viewer, Visibility
from openseer.operate.curation import delete, merge, split, undo
from openseer.storage.open import open_library
from tests.builders import Paper, ingest_papers, snapshot
from tests.builders import cited as times_cited

HUBS = ("Authoritative sources in a hyperlinked environment", "Kleinberg")
ONE = Paper("Counting the pages of old newspapers", "Ada", cites=(HUBS,))
OTHER = Paper("Harbours and their librarians", "Bob", cites=(HUBS,))
COPY = Paper("Counting the pages of old newspapers", "Ada", cites=(HUBS,), copy=1)


@pytest.fixture
def library(data):
    with open_library(data, create=True) as opened:
        ingest_papers(opened.records, [ONE, OTHER, COPY])
        yield opened


def work(library, paper):
    return library.records.canonical_id(work_id_of(header_id(paper.sha1)))


def test_a_merge_joins_redirects_and_is_undone(library):
    before = snapshot(library.records)
    ids = {work(library, ONE), work(library, OTHER)}
    assert len(ids) == 2
    act = merge(library, work(library, ONE), OTHER.sha1, "the same study")
    assert work(library, ONE) == work(library, OTHER) == work(library, COPY), "with all that was of either"
    assert {find(library, one, Viewer.PUBLIC) for one in ids} == {work(library, ONE)}
    with pytest.raises(BadRequest, match="same work already"):
        merge(library, ONE.sha1, OTHER.sha1, "again")
    undo(library, act, "it was not")
    assert snapshot(library.records) == before
    assert [one.what for one in library.records.curation_actions(10)] == ["undo", "merge"]


def test_a_merge_survives_ingesting_again(library):
    merge(library, ONE.sha1, OTHER.sha1, "the same study")
    ingest_papers(library.records, [OTHER, ONE])
    assert work(library, ONE) == work(library, OTHER) == work(library, COPY)


def test_a_version_that_comes_after_a_merge_joins_it(library):
    merge(library, ONE.sha1, OTHER.sha1, "the same study")
    late = Paper(ONE.title, "Ada", cites=(HUBS,), copy=2)
    ingest_papers(library.records, [late])
    assert work(library, late) == work(library, ONE) == work(library, OTHER)


def test_a_split_takes_one_file_out_for_good(library):
    assert work(library, ONE) == work(library, COPY)
    act = split(library, work(library, ONE), COPY.sha1, "a talk of the same name")
    assert work(library, ONE) != work(library, COPY)
    ingest_papers(library.records, [COPY])
    assert work(library, ONE) != work(library, COPY)
    undo(library, act, "it is the paper")
    assert work(library, ONE) == work(library, COPY)


def test_what_is_no_part_cannot_be_split_off(library):
    with pytest.raises(BadRequest, match="no part of"):
        split(library, ONE.sha1, OTHER.sha1, "why not")
    with pytest.raises(BadRequest, match="no other part"):
        split(library, OTHER.sha1, OTHER.sha1, "why not")


@pytest.mark.parametrize(("visibility", "error"), [(Visibility.DELETED, Gone), (Visibility.DMCA, RemovedByLaw)])
def test_a_deleted_document_is_gone_until_it_is_undone(library, visibility, error):
    before = snapshot(library.records)
    cited = library.records.outgoing_citations(ONE.sha1)[0][2]
    citing = times_cited(library.records, cited)
    act = delete(library, OTHER.sha1, "asked for", visibility)
    with pytest.raises(error):
        library.records.as_seen_by(Viewer.PUBLIC).document(OTHER.sha1)
    assert times_cited(library.records, cited) == citing - 1
    undo(library, act, "a mistake")
    assert snapshot(library.records) == before


def test_an_act_that_is_none_cannot_be_undone(library):
    with pytest.raises(NotFound, match="no curation action 99"):
        undo(library, 99, "why not")


def test_the_commands_tell_the_number_of_the_act(library, data):
    def run(*arguments):
        result = CliRunner().invoke(group, ["--data", str(data), *arguments])
        assert result.exit_code == 0, result.output
        return result.stdout

    assert "openseer undo 1" in run("merge", ONE.sha1, OTHER.sha1, "--why", "one study")
    assert json.loads(run("undo", "1", "--why", "two studies", "--json")) == {"act": 2}
    assert json.loads(run("split", ONE.sha1, COPY.sha1, "--why", "a talk", "--json")) == {"act": 3}
    assert json.loads(run("delete", COPY.sha1, "--why", "asked for", "--as", "dmca", "--json")) == {"act": 4}
    assert [act["what"] for act in json.loads(run("history", "--json"))] == ["dmca", "split", "undo", "merge"]
    assert "a talk" in run("history", "--limit", "2")
    without = CliRunner().invoke(group, ["--data", str(data), "merge", ONE.sha1, OTHER.sha1])
    assert without.exit_code == 2
    assert "--why" in without.output
