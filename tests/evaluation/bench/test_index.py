"""The index benchmark: other records every time, the same ones in every run, and all of them in the index."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from openseer.cli import group
from openseer.core.errors import BadRequest
from openseer.evaluation.bench.index import base_records, bench_index, varied


def test_records_are_varied_and_the_same_in_every_run():
    base = base_records(None)
    made = list(varied(base, 3 * len(base)))
    assert made == list(varied(base, 3 * len(base)))
    assert len({one.id for one in made}) == len(made)
    assert len({(one.title, one.abstract) for one in made}) > 0.95 * len(made)
    words, before = (sum(len(one.abstract) for one in some) / len(some) for some in (made, base))
    assert 0.8 * before < words < 1.25 * before, "as long as those they were made from"


def test_a_small_run_tells_its_figures(tmp_path):
    file = tmp_path / "base.jsonl"
    file.write_text(
        '{"title": "On ships", "authors": ["Ada King"], "year": 1999}\n{"title": "On lights", "year": "?"}\n'
    )
    run = bench_index(500, file)
    assert (run.records, run.base) == (500, 2)
    assert run.records_per_second > 0
    assert run.bytes_per_record > 0
    file.write_text("")
    with pytest.raises(BadRequest, match="is empty"):
        base_records(file)


def test_the_command_prints_a_table_or_json():
    said = CliRunner().invoke(group, ["bench", "index", "--records", "200", "--json"])
    told = json.loads(said.stdout)
    assert told["records"] == 200
    assert told["published"] == {"Solr": 123, "MongoDB": 205, "Elasticsearch": 227}
    assert "Elasticsearch" in CliRunner().invoke(group, ["bench", "index", "--records", "200"]).output
