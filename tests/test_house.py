"""The house numbers: hard limits fail, the rest is printed."""

from __future__ import annotations

import ast
import re
import statistics
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "openseer"
FILES = sorted(SOURCE.rglob("*.py"))
FOLDERS = sorted({path.parent for path in FILES if path.parent != SOURCE})
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "handler", "base"}


def functions(path: Path) -> list[tuple[str, int]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        (f"{path.relative_to(SOURCE)}:{node.lineno} {node.name}", (node.end_lineno or 0) - node.lineno + 1)
        for node in ast.walk(tree)
        if isinstance(node, kinds)
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_file_is_too_long_and_each_says_what_it_is_for(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 500
    assert not text.strip() or ast.get_docstring(ast.parse(text)), "a module starts with a docstring"
    assert path.stem not in EMPTY_NAMES


def test_no_function_is_too_long():
    lengths = [(name, length) for path in FILES for name, length in functions(path)]
    sizes = [length for _, length in lengths]
    files = [len(path.read_text(encoding="utf-8").splitlines()) for path in FILES]
    share = sum(size > 40 for size in sizes) / len(sizes)
    print(f"files: {len(files)}, median {statistics.median(files):.0f} lines")
    print(f"functions: {len(sizes)}, median {statistics.median(sizes):.0f} lines, {share:.1%} above 40")
    assert [name for name, length in lengths if length > 60] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_folder_has_a_readme(folder):
    assert (folder / "README.md").exists()


ROOT_ENTRIES = {
    "cli", "web", "evaluation", "operate", "ingest", "catalog", "acquire", "extract", "match", "search", "storage",
    "core",
    "client", "__init__", "__main__",
}  # fmt: skip
MAX_MODULES_IN_A_FOLDER = 15


def test_nothing_lies_loose_at_the_root():
    found = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert found == ROOT_ENTRIES


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_folder_is_too_full(folder):
    modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
    assert folder.name == "cli" or len(modules) <= MAX_MODULES_IN_A_FOLDER, "one file a command is the exception"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_readme_of_a_folder_names_its_modules(folder):
    readme = (folder / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `([\w.]+)/?` \|", readme, re.MULTILINE))
    modules = {path.name for path in folder.glob("*.py") if path.name != "__init__.py"}
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    assert folder.name == "cli" or modules | packages <= named
