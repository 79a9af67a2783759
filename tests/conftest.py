"""What tests share: the sample papers, a library of them, and where the corpus lies."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest
import typst
from fastapi.testclient import TestClient

from openseer.catalog.indexing.process import IndexProcess
from openseer.core.model.document_type import DOCUMENT_TYPES
from openseer.evaluation import samples
from openseer.extract import formats
from openseer.ingest import document_types
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import open_library
from tests.contracts import gemtext_reader
from tests.postgres import Server

TestClient.__init__.__defaults__ = ("http://localhost", *(TestClient.__init__.__defaults__ or ())[1:])
"""Its default host, testserver, is none of a library."""
FEW = ("near-duplicates", "near-duplicates-preprint", "paper-rank", "zitationsindex")
"""A handful of samples for tests that need only some: one work in two versions, one German."""
PASSING = shutil.ignore_patterns("*-wal", "*-shm", "*.lock", "cache.db*", "accounts.db*", "spool")
"""Files that come and go, and clicks that come, while another test reads the library."""


@pytest.fixture(autouse=True, scope="session")
def no_settings_of_this_machine() -> None:
    for name in [name for name in os.environ if name.startswith("OPENSEER_")]:
        del os.environ[name]
    os.environ["OPENSEER_INDEX__EMBEDDINGS"] = "false"  # where its model is installed, tests of it ask for it


@contextmanager
def once_for_all(folder: Path) -> Iterator[bool]:
    """Whether this process is the first; the others wait until it is done."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = folder.with_suffix(".done")
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield not done.exists()
        done.touch()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a test run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


@pytest.fixture(scope="session")
def sample_papers(shared: Path) -> Path:
    """All sample papers as PDFs."""
    folder = shared / "papers"
    with once_for_all(folder) as first:
        if first:
            samples.make(folder)
    return folder


@pytest.fixture(scope="session")
def sample_data(shared: Path, sample_papers: Path) -> Path:
    """The data directory of a library of all sample papers. Not to be changed: `library` gives a copy."""
    data = shared / "sample-library"
    with once_for_all(data) as first:
        if first:
            with open_library(data, create=True) as library, IndexProcess(library) as catchup:
                Coordinator(library).run([sample_papers])
                catchup.wait()
    return data


@pytest.fixture
def data(sample_data: Path, tmp_path: Path) -> Path:
    """A library of the sample papers that a test may change."""
    return Path(shutil.copytree(sample_data, tmp_path / "data", ignore=PASSING))


@pytest.fixture
def few_papers(sample_papers: Path, tmp_path: Path) -> Path:
    """A folder with some of the sample papers, and a document that is too short."""
    folder = tmp_path / "few"
    folder.mkdir()
    (folder / "short.pdf").write_bytes(typst.compile(b"Only a few words stand here."))
    for name in FEW:
        shutil.copy(sample_papers / f"{name}.pdf", folder)
    return folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server, started when the first test asks for it."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'openseer[postgres]'")
    server = Server()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def address(postgres: Server) -> str:
    """The address of a new PostgreSQL database."""
    return postgres.fresh()


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The real papers, where they are to be had."""
    folder = Path(os.environ.get("CORPUS_DIR", Path(__file__).parents[2] / "shared" / "corpus"))
    if not (folder / "papers").is_dir():
        pytest.skip(f"no corpus at {folder}: set CORPUS_DIR to test on real papers")
    return folder


@pytest.fixture
def example_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A reader of another package, installed by the entry point `openseer.readers`."""
    point = EntryPoint("gemtext", "tests.contracts.gemtext_reader", "openseer.readers")
    cached = (formats.readers, formats.reader_named, formats.marks, document_types.readers)
    for one in cached:
        one.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(formats, "entry_points", lambda group: [point] if group == point.group else [])
        yield gemtext_reader
    DOCUMENT_TYPES.pop(gemtext_reader.mime, None)
    for one in cached:
        one.cache_clear()
