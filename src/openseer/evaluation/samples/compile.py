"""Compile samples to reproducible PDFs, if their sources have changed."""

import json
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from openseer.evaluation.samples.sources import ROOT, digest, samples

DIGESTS_FILE = ".samples.json"
"""File beside the PDFs with the digest of the sources of each."""


def make(into: Path, names: Iterable[str] | None = None) -> list[Path]:
    """Compile the named samples (default: all) to `into/<name>.pdf` and return the paths.

    Files whose sources have not changed are kept.
    """
    into.mkdir(parents=True, exist_ok=True)
    selected = sorted(samples()) if names is None else list(names)
    digests = _read_digests(into)
    for name in selected:
        current = digest(name, version("typst"))
        if digests.get(name) == current and (into / f"{name}.pdf").exists():
            continue
        _write_atomically(into / f"{name}.pdf", compile_sample(name))
        digests[name] = current
        _write_atomically(into / DIGESTS_FILE, json.dumps(digests, indent=1, sort_keys=True).encode())
    return [into / f"{name}.pdf" for name in selected]


def compile_sample(name: str) -> bytes:
    """Compile one sample."""
    import typst  # optional dependency, needed to compile samples only

    pdf: bytes = typst.compile(samples()[name], root=ROOT, ignore_system_fonts=True, format="pdf")
    return pdf


def _read_digests(into: Path) -> dict[str, str]:
    try:
        digests: dict[str, str] = json.loads((into / DIGESTS_FILE).read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return digests


def _write_atomically(file: Path, content: bytes) -> None:
    """Write atomically."""
    draft = file.with_name(f".{file.name}.part")
    draft.write_bytes(content)
    draft.replace(file)
