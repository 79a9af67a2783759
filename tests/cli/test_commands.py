"""Commands, in a process of their own where it matters."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from openseer.cli import COMMANDS, OLD_COMMANDS, group
from openseer.evaluation.samples import gold
from openseer.storage.open import open_library
from tests.conftest import FEW


def openseer(*arguments: str | Path, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the command for real."""
    return subprocess.run(
        [sys.executable, "-m", "openseer", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **environ},
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name):
    shown = CliRunner().invoke(group, [name, "--help"])
    assert shown.exit_code == 0
    assert "Usage:" in shown.output


def test_ingest_counts_outcomes_and_a_second_run_changes_nothing(few_papers, tmp_path):
    (few_papers / "notes.json").write_text('{"not": "a paper"}')
    (few_papers / "empty.pdf").write_bytes(b"")
    (few_papers / "broken.pdf").write_bytes(b"%PDF-1.4 and then nothing of the kind")
    first = openseer("--data", tmp_path / "lib", "ingest", few_papers, "--json")
    counts = json.loads(first.stdout)["counts"]
    assert counts == {"ingested": 4, "too_short": 1, "unsupported_type": 1, "empty": 1, "corrupt": 1}
    before = openseer("--data", tmp_path / "lib", "stats", "--json").stdout
    second = openseer("--data", tmp_path / "lib", "ingest", few_papers, "--json")
    again = json.loads(second.stdout)
    assert again["counts"] == {"known": 4, "rejected_before": 4}
    reasons = {Path(one["path"]).name: one["outcome"] for one in again["not_ingested"] if one["rejected_before"]}
    assert reasons.items() >= {"empty.pdf": "empty", "broken.pdf": "corrupt", "notes.json": "unsupported_type"}.items()
    assert openseer("--data", tmp_path / "lib", "stats", "--json").stdout == before
    assert openseer("--data", tmp_path / "lib", "verify").returncode == 0


def test_a_list_on_stdin_and_copies_of_one_file(few_papers, tmp_path):
    paper = few_papers / "paper-rank.pdf"
    copy = Path(shutil.copy(paper, tmp_path / "copy.pdf"))
    run = openseer("--data", tmp_path / "lib", "ingest", "-", "--json", stdin=f"{paper}\n\n{copy}\n")
    assert json.loads(run.stdout)["counts"] == {"ingested": 1, "known": 1}
    shown = openseer("--data", tmp_path / "lib", "show", "--json", json.loads(extract(paper)[0])["sha1"])
    assert json.loads(shown.stdout)["title"] == gold("paper-rank")["title"]


def extract(*paths: Path) -> list[str]:
    return openseer("extract", *paths).stdout.splitlines()


def test_the_table_of_outcomes_lists_rejected_files(few_papers, tmp_path):
    run = openseer("--data", tmp_path / "lib", "ingest", few_papers)
    assert "ingested" in run.stdout
    assert "too short" in run.stdout
    assert "short.pdf: too_short: The document has" in run.stderr
    assert "documents/s" in run.stderr


def test_extract_prints_a_line_a_file_in_the_order_given_and_exits_1_for_a_bad_one(few_papers, tmp_path):
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"%PDF-1.4 nothing")
    names = [few_papers / "paper-rank.pdf", bad, few_papers / "zitationsindex.pdf", tmp_path / "absent.pdf"]
    run = openseer("extract", *names, "--evidence")
    records = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 1
    assert [record["file"] for record in records] == [str(name) for name in names]
    assert [record["error"] and record["error"]["code"] for record in records] == [None, "corrupt", None, "unreadable"]
    assert records[0]["title"] == gold("paper-rank")["title"]
    assert records[0]["evidence"]["title"]


def test_extract_into_a_folder(few_papers, tmp_path):
    run = openseer("extract", few_papers, "--out", tmp_path / "out", "--pretty")
    assert run.stdout == ""
    record = json.loads((tmp_path / "out" / "paper-rank.json").read_text())
    wanted = {
        "file",
        "sha1",
        "mime",
        "pages",
        "words",
        "language",
        "title",
        "abstract",
        "venue",
        "year",
        "authors",
        "references",
    }
    assert wanted <= set(record)
    assert "evidence" not in record


def test_search_show_and_stats(sample_data):
    wanted = gold("paper-rank")
    run = openseer("--data", sample_data, "search", wanted["title"])
    assert wanted["title"] in run.stdout.splitlines()[0]
    body = json.loads(openseer("--data", sample_data, "search", wanted["title"], "--json").stdout)
    work = body["response"][0]["cluster_id"]
    shown = json.loads(openseer("--data", sample_data, "show", work, "--json").stdout)
    assert shown["cluster_id"] == work
    assert shown["references"]
    assert wanted["title"] in openseer("--data", sample_data, "show", shown["id"]).stdout
    stats = json.loads(openseer("--data", sample_data, "stats", "--json").stdout)
    assert stats["documents"] == stats["outcomes"]["ingested"] >= 30
    assert "documents by outcome" in openseer("--data", sample_data, "stats").stdout


def test_similar_works_of_a_work_of_a_file_and_of_a_text(sample_data, sample_papers, tmp_path):
    wanted = gold("paper-rank")
    body = json.loads(openseer("--data", sample_data, "search", wanted["title"], "--json").stdout)
    work = body["response"][0]["cluster_id"]
    listed = json.loads(openseer("--data", sample_data, "similar", work, "--limit", "5", "--json").stdout)
    assert len(listed["response"]) == 5
    assert all(one["reasons"] and one["cluster_id"] != work for one in listed["response"])
    file = next(sample_papers.rglob("paper-rank.pdf"))
    of_file = openseer("--data", sample_data, "similar", file).stdout.splitlines()
    assert wanted["title"] in of_file[0]
    assert "similar words" in of_file[2]
    of_text = openseer("--data", sample_data, "similar", "-", "--limit", "1", stdin=wanted["abstract"])
    assert wanted["title"] in of_text.stdout
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    refused = openseer("--data", sample_data, "similar", tmp_path / "broken.pdf")
    assert refused.returncode == 1
    assert "No reader can open it" in refused.stderr
    assert "No similar works" in openseer("--data", sample_data, "similar", "-", stdin="").stderr


def test_config_says_where_each_value_comes_from(tmp_path):
    (tmp_path / "openseer.toml").write_text("[site]\nname = 'Our shelf'\n")
    run = openseer("--data", tmp_path, "config", "--json", OPENSEER_WEB__PORT="8222")
    rows = json.loads(run.stdout)
    assert rows["site.name"] == {"value": "Our shelf", "from": "openseer.toml"}
    assert rows["web.port"] == {"value": 8222, "from": "OPENSEER_WEB__PORT"}
    assert rows["web.host"] == {"value": "127.0.0.1", "from": "default"}


def one_line(run: subprocess.CompletedProcess[str]) -> str:
    """Wrong usage gives one line, no traceback, and a failing exit code."""
    assert run.returncode != 0
    lines = run.stderr.strip().splitlines()
    assert len(lines) == 1, run.stderr
    assert "Traceback" not in run.stderr
    return lines[0]


def test_there_is_no_library(tmp_path):
    said = one_line(openseer("--data", tmp_path / "none", "search", "x"))
    assert "There is no library in" in said
    assert "openseer ingest PATH" in said
    assert not (tmp_path / "none").exists()


def test_a_path_that_is_not_there(tmp_path):
    said = one_line(openseer("--data", tmp_path / "lib", "ingest", tmp_path / "nowhere"))
    assert said.endswith("nowhere does not exist. Check the spelling.")


def test_a_missing_path_does_not_stop_the_others(few_papers, tmp_path):
    (tmp_path / "hollow").mkdir()
    paths = (tmp_path / "nowhere", few_papers / "paper-rank.pdf", tmp_path / "hollow")
    run = openseer("--data", tmp_path / "lib", "ingest", *paths)
    assert run.returncode == 1
    assert "1  ingested" in run.stdout
    assert f"{tmp_path / 'nowhere'} does not exist. Check the spelling." in run.stderr
    assert f"no files found in {tmp_path / 'hollow'}" in run.stderr
    assert run.stderr.endswith("openseer: 1 of 3 paths could not be read.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_under_the_output_is_one_line(data):
    command = [sys.executable, "-m", "openseer", "--data", str(data), "stats"]
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr == "openseer: The output cannot be written: the disk is full.\n"


def test_without_a_terminal_and_with_an_empty_environment(few_papers, tmp_path):
    command = [sys.executable, "-m", "openseer", "--data", str(tmp_path / "lib"), "ingest", str(few_papers)]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env={})
    assert run.returncode == 0, run.stderr
    assert "ingested" in run.stdout


def test_a_misspelt_command_is_guessed():
    run = openseer("serch", "web")
    assert run.returncode == 2
    assert "Did you mean 'search'?" in run.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody who may not read the folder")
def test_a_folder_that_may_not_be_read():
    folder = Path(tempfile.mkdtemp())
    script = (
        "import os, sys, openseer.cli, openseer.cli.ingest\n"
        "os.chdir('/'); os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "openseer.cli.main(['--data', sys.argv[2], 'ingest', sys.argv[1]])"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, folder, "/nowhere"], capture_output=True, text=True, check=False
    )
    folder.rmdir()
    assert "may not be read" in one_line(run)


def test_a_bad_setting(tmp_path):
    said = one_line(openseer("--data", tmp_path, "search", "x", OPENSEER_WEB__PROT="1"))
    assert "Did you mean `web.port`?" in said


def test_a_newer_library(data):
    with sqlite3.connect(data / "library.db") as db:
        db.execute("UPDATE library SET value = '999' WHERE name = 'schema'")
    db.close()
    assert "schema version 999" in one_line(openseer("--data", data, "search", "x"))


def test_a_file_that_is_no_library(tmp_path):
    (tmp_path / "library.db").write_text("something else entirely " * 50)
    assert "is no openseer library" in one_line(openseer("--data", tmp_path, "stats"))


def test_a_locked_library(data, few_papers):
    holder = sqlite3.connect(data / "library.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    run = openseer("--data", data, "ingest", few_papers, OPENSEER_INGEST__LOCK_WAIT="0.2")
    holder.execute("ROLLBACK")
    holder.close()
    assert "locked by another process" in one_line(run)


def test_a_port_in_use(sample_data):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = one_line(openseer("--data", sample_data, "serve", "--port", str(port)))
    assert f"127.0.0.1:{port}" in said
    assert f"--port {port + 1}" in said


def test_an_unknown_command_is_wrong_usage():
    run = openseer("serach")
    assert run.returncode == 2
    assert "No such command" in run.stderr


def test_a_closed_pipe_is_no_error(sample_data):
    run = subprocess.run(
        f"{sys.executable} -m openseer --data {sample_data} search --size 100 --json | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in run.stderr


def test_a_full_disk(few_papers, tmp_path):
    """A small file system fills up in the middle: one line, nothing half-done, and the next run goes on."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("cannot mount a small tmpfs here (not root)")
    try:
        run = openseer("--data", disk / "lib", "ingest", few_papers)
        said = run.stderr.strip().splitlines()[-1]
        assert run.returncode == 1, run.stderr
        assert "full" in said
        assert "Free some space" in said or "index.log" in said
        assert "Traceback" not in run.stderr
        subprocess.run(["mount", "-o", "remount,size=200m", disk], check=True)
        again = openseer("--data", disk / "lib", "ingest", few_papers, "--json")
        assert again.returncode == 0, again.stderr
        assert openseer("--data", disk / "lib", "verify").returncode == 0
        stats = json.loads(openseer("--data", disk / "lib", "stats", "--json").stdout)
        assert stats["outcomes"] == {"ingested": 4, "too_short": 1}
    finally:
        subprocess.run(["umount", disk], check=False)


def test_parse_reference_takes_arguments_or_lines():
    printed = "Turing, A. M. (1999). On the cost of counting. Journal of Things, 7(2), 11-19."
    for run in (openseer("parse-reference", printed), openseer("parse-reference", stdin=f"{printed}\n\n")):
        (line,) = run.stdout.splitlines()
        found = json.loads(line)
        assert (found["raw"], found["title"], found["year"]) == (printed, "On the cost of counting", 1999)
        assert found["authors"][0]["family"] == "Turing"


def test_a_pipe_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "neither a file nor a folder" in one_line(openseer("--data", tmp_path / "lib", "ingest", tmp_path / "pipe"))


@pytest.mark.parametrize("arguments", [("ingest", "x" * 5000), ("show", "\udcff"), ("show", "x" * 5000)])
def test_odd_arguments_are_no_traceback(sample_data, arguments):
    assert one_line(openseer("--data", sample_data, *arguments)).startswith("openseer: ")


def test_extract_does_not_overwrite_its_own_files(few_papers, tmp_path):
    (tmp_path / "other").mkdir()
    shutil.copy(few_papers / "paper-rank.pdf", tmp_path / "other")
    openseer("extract", few_papers / "paper-rank.pdf", tmp_path / "other" / "paper-rank.pdf", "--out", tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["paper-rank-2.json", "paper-rank.json"]
    (tmp_path / "file").write_text("")
    said = one_line(openseer("extract", few_papers / "paper-rank.pdf", "--out", tmp_path / "file" / "x"))
    assert "Cannot write into" in said


def test_nothing_is_imported_from_the_current_folder(few_papers, tmp_path):
    for name in ("orjson", "selectors", "json", "tantivy"):
        (few_papers / f"{name}.py").write_text(f"open({str(tmp_path / 'harmed')!r}, 'w')")
    run = subprocess.run(
        [Path(sys.executable).parent / "openseer", "--data", tmp_path / "lib", "ingest", "."],
        cwd=few_papers,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert not (tmp_path / "harmed").exists()


def test_reindex_beside_another_writer_says_what_to_do(data):
    with open_library(data) as library:
        writer = library.open_index().writer()
        said = one_line(openseer("--data", data, "reindex"))
        writer.close()
    assert "Stop `serve`" in said


def test_re_extract_processes_documents_of_older_versions(data):
    assert json.loads(openseer("--data", data, "re-extract", "--json").stdout)["counts"] == {}
    with sqlite3.connect(data / "library.db") as db:
        db.execute(
            "UPDATE task SET extractor_version = 0"
            " WHERE sha1 IN (SELECT sha1 FROM document WHERE outcome = 'ingested' LIMIT 3)"
        )
    db.close()
    assert json.loads(openseer("--data", data, "re-extract", "--json").stdout)["counts"] == {"ingested": 3}
    assert json.loads(openseer("--data", data, "re-extract", "--json").stdout)["counts"] == {}
    assert openseer("--data", data, "verify").returncode == 0, "and nothing of the older readings is left"


def test_extract_as_text_goes_to_the_terminal_with_form_feeds(few_papers):
    run = openseer("extract", few_papers / "paper-rank.pdf", "--format", "text")
    pages = run.stdout.split("\f")
    assert len(pages) == json.loads(extract(few_papers / "paper-rank.pdf")[0])["pages"]
    assert "PageRank on the Citation" in pages[0]


def test_extract_as_proof_writes_a_page_for_each_file_that_can_be_read(few_papers, tmp_path):
    (few_papers / "bad.pdf").write_bytes(b"%PDF-1.4 nothing")
    run = openseer("extract", few_papers, "--format", "proof", "--out", tmp_path / "out")
    assert run.returncode == 1
    assert "bad.pdf: corrupt: " in run.stderr
    assert "short.pdf: too_short: " in run.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == {f"{name}.proof.html" for name in FEW}
    assert "Random Readers" in (tmp_path / "out" / "paper-rank.proof.html").read_text()


@pytest.mark.parametrize(("form", "suffix"), [("xml", "xml"), ("tei", "tei.xml"), ("jats", "jats.xml")])
def test_extract_as_xml_names_the_file_and_gives_the_same_bytes_again(few_papers, tmp_path, form, suffix):
    paper = few_papers / "paper-rank.pdf"
    printed = openseer("extract", paper, "--format", form).stdout
    openseer("extract", paper, "--format", form, "--out", tmp_path / "out")
    written = (tmp_path / "out" / f"paper-rank.{suffix}").read_text(encoding="utf-8")
    assert written == printed
    assert len(ElementTree.fromstring(written)) >= 2
    assert hashlib.sha1(paper.read_bytes()).hexdigest() in written


@pytest.mark.parametrize("form", ["text", "proof"])
def test_other_forms_than_json_need_a_folder_for_several_files(few_papers, form):
    run = openseer("extract", few_papers, "--format", form)
    assert run.returncode == 2
    assert run.stdout == ""
    assert "add --out DIR" in run.stderr


def test_import_reports_imported_and_rejected_records(tmp_path):
    good, bad = tmp_path / "good.bib", tmp_path / "bad.json"
    good.write_text("@misc{a, title = {The Records of a Librarian}, author = {Ada King}}\n@misc{b, year = 1999}\n")
    bad.write_text("[{")
    first = openseer("--data", tmp_path / "lib", "import", good, bad)
    assert first.returncode == 1
    assert f"{good}: 1 record imported, 1 rejected" in first.stdout
    assert f"{good}:2: b: it has neither a title nor a DOI nor an arXiv id" in first.stderr
    assert f"{bad}: corrupt: It is not JSON" in first.stderr
    again = openseer("--data", tmp_path / "lib", "import", good, "--json")
    assert again.returncode == 0
    (report,) = json.loads(again.stdout)
    assert (report["outcome"], report["detail"]) == ("known", "records: 1, refused: 1")
    found = json.loads(openseer("--data", tmp_path / "lib", "search", "librarian", "--json").stdout)
    assert [(hit["title"], hit["is_citation"]) for hit in found["response"]] == [("The Records of a Librarian", True)]
    assert openseer("--data", tmp_path / "lib", "verify").returncode == 0
    assert openseer("--data", tmp_path / "lib", "re-extract", "--all").returncode == 0
    assert (
        "none (citations or imported records only)"
        in openseer("--data", tmp_path / "lib", "show", found["response"][0]["cluster_id"]).stdout
    )


def test_import_rejects_folders_and_missing_files(tmp_path):
    assert openseer("--data", tmp_path / "lib", "import", tmp_path).returncode == 2
    absent = openseer("--data", tmp_path / "lib", "import", tmp_path / "absent.bib")
    assert absent.returncode == 1
    assert "absent.bib does not exist." in absent.stderr
    assert not (tmp_path / "lib").exists()


def test_an_index_that_was_never_built_is_no_empty_library(data):
    shutil.rmtree(data / "index")
    for command in (("search", "citation"), ("similar", "-"), ("export", "citation")):
        ended = openseer("--data", data, *command, stdin="near duplicates of web pages")
        assert ended.returncode == 1, command
        assert "openseer reindex" in ended.stderr


def test_export_reports_its_count_and_unknown_ids(data):
    assert "works written" in openseer("--data", data, "export", "citation").stderr
    for absent in ("0" * 40, "10.9999/none", "w000000000000"):
        ended = openseer("--data", data, "export", absent)
        assert (ended.returncode, ended.stdout) == (1, ""), absent
        assert absent in ended.stderr


def test_verbose_logs_json_lines_and_the_library_keeps_a_log(few_papers, tmp_path):
    data = tmp_path / "lib"
    run = openseer("--data", data, "--verbose", "ingest", few_papers / "paper-rank.pdf")
    assert run.returncode == 0
    shown = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
    logged = [json.loads(line) for line in (data / "logs" / "ingest.log").read_text().splitlines()]
    assert [line["message"] for line in logged] == ["run started", "run ended"]
    assert {line["job"] for line in logged} == {line["job"] for line in shown if "job" in line} != {""}


@pytest.mark.parametrize(("old", "new"), OLD_COMMANDS.items())
def test_former_names_of_commands_still_work_and_are_not_listed(old, new):
    assert CliRunner().invoke(group, [old, "--help"]).output == CliRunner().invoke(
        group, [new, "--help"]
    ).output.replace(f" {new} [", f" {old} [")
    listed = CliRunner().invoke(group, ["--help"]).output
    assert f"\n  {new} " in listed
    assert f"\n  {old} " not in listed


def test_names_of_uploads_reach_the_terminal_as_text(tmp_path):
    with open_library(tmp_path, create=True) as library, library.records.writing() as writer:
        writer.open_job("upload a\x1b[31mRED\x1b[2J.pdf")
    shown = CliRunner().invoke(group, ["--data", str(tmp_path), "jobs"], color=True).output
    assert "RED" in shown
    assert "\x1b" not in shown
